"""How the commands reach the backend, and how they print JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from tray_app.cli.terminal import say
from tray_app.paths import Paths
from tray_app.service.client import Client
from tray_app.service.connection import Connection, connect, running_owner
from tray_app.settings import Settings


@contextmanager
def backend(*, idle_s: float | None = None) -> Iterator[Connection]:
    """The owner, or this process as owner for as long as it needs. Raises KnownError."""
    paths = Paths.from_environment()
    with connect(paths, loaded(paths), "cli", idle_s=idle_s) as connection:
        yield connection


@contextmanager
def owner() -> Iterator[Client | None]:
    """The running owner, if there is one; this process never becomes it."""
    client = running_owner(Paths.from_environment(), "cli")
    try:
        yield client
    finally:
        if client is not None:
            client.close()


def loaded(paths: Paths) -> Settings:
    """The settings; what in the file cannot be used is told."""
    settings = Settings(paths.settings_file)
    for fault in settings.faults:
        say(f"backscroll: settings: {fault}")
    return settings


def here() -> str:
    """The folder this command was called in; '' where there is none any more. It decides about the space where none is
    named."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def print_json(value: Any) -> None:
    """One object on one line."""
    print(msgspec.json.encode(value).decode(), flush=True)
    sys.stdout.flush()
