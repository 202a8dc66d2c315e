"""Meaning: the back end, its models, their download, and what came of a test."""

from __future__ import annotations

from tray_app.records.base import Record

WORTH = 16
"""For fewer passages without a vector nobody waits for a model: loading it takes longer than reading them did. Words find them,
and they get their vectors with the next ones, or from the tray."""


class Embedding(Record, frozen=True, kw_only=True):
    """Meaning: the back end in use, and how much of the library has vectors of its space."""

    backend: str = "off"
    """off | builtin | fastembed | ollama | openai"""
    model: str = ""
    dims: int = 0
    vectors: int = 0
    missing: int = 0
    refused: int = 0
    """Passages that the model would not take, each alone."""
    state: str = "off"
    """off | filling | ready | waiting (limited, unreachable: comes back by itself) | stopped (key, arrears, model: the person
    must do something)"""
    sends_text_to_cloud: bool = False
    host: str = ""
    """Where texts are sent, '' when they stay on this machine."""
    error_code: str = ""
    """Of the last fault, as in `embed.base.EmbedFault`; '' while all is well."""
    error: str = ""
    """The same in words, with what to do."""
    per_minute: float = 0.0
    """Passages a minute, while filling."""


class ModelView(Record, frozen=True, kw_only=True):
    """A model that can be downloaded, or that lies in a folder."""

    name: str
    dims: int
    megabytes: int
    """To download."""
    languages: str
    """zh, en, zh+en, many"""
    licence: str
    downloaded: bool = False
    note: str = ""
    """recommended | light | best, or ''"""


class Download(Record, frozen=True, kw_only=True):
    """A model on its way."""

    model: str = ""
    state: str = "idle"
    """idle | running | done | cancelled | failed"""
    done: int = 0
    total: int = 0
    """Bytes; total 0 while it is not known."""
    error_code: str = ""
    """As in `embed.base.EmbedFault`, or disk_full, download_unwritable, download_failed; '' while all is well."""
    error: str = ""


class MeaningView(Record, frozen=True, kw_only=True):
    """What the settings page 'Meaning' shows."""

    embedding: Embedding
    models: tuple[ModelView, ...] = ()
    download: Download = Download()
    key_kept: bool = False
    """A key for the chosen service is in the keyring or the environment."""
    key_from: str = ""
    """keyring | environment | ''"""
    topics_key_kept: bool = False
    """The same for the service that names topics."""
    topics_key_from: str = ""
    keyring_fault: str = ""
    """Why the keyring cannot be used, '' when it can."""


class MeaningTest(Record, frozen=True, kw_only=True):
    """What came of trying a back end with one sentence."""

    ok: bool
    dims: int = 0
    elapsed_ms: float = 0.0
    host: str = ""
    code: str = ""
    message: str = ""
    hint: str = ""
