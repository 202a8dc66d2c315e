"""Every code of a back end has its sentence in both languages; what leaves the machine is said as it is."""

from __future__ import annotations

import re

import meanings
import pytest
import samples
from PySide6.QtWidgets import QApplication

from tray_app.embed import base
from tray_app.records import Embedding, MeaningTest
from tray_app.ui import i18n, meaning_texts

CODES = sorted(set(re.findall(r"`(embedding_\w+)`", base.EmbedFault.__doc__ or "")) - {"embedding_off"})

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize("code", CODES)
def test_every_fault_has_a_sentence_and_what_to_do(app: QApplication, code: str) -> None:
    english = meaning_texts.fault(code, "unknown")
    assert english != "unknown" and english.count(".") >= 2
    assert meaning_texts.words_only(samples.answer(meaning=code)).startswith("Words only: ")
    i18n.install(app, "zh_CN")
    assert re.search(r"[\u4e00-\u9fff]", meaning_texts.fault(code))
    assert meaning_texts.words_only(samples.answer(meaning=code)).startswith("仅按词语：")


def test_there_are_codes() -> None:
    assert "embedding_refused_key" in CODES


def test_an_unknown_fault_is_said_in_its_own_words() -> None:
    assert meaning_texts.fault("brand_new", "It broke. Mend it.") == "It broke. Mend it."
    assert meaning_texts.words_only(samples.answer(meaning="brand_new", meaning_note="It broke.")) == "It broke."
    assert meaning_texts.words_only(samples.answer(meaning="brand_new")) == "Words only: meaning cannot be searched just now."


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://api.example.com/v1", "api.example.com"),
        ("https://api.example.com:443/v1", "api.example.com"),
        ("http://box:11434", "box:11434"),
        ("http://[fd00::1]:8080/v1", "[fd00::1]:8080"),
        ("", ""),
        ("http://[", ""),
        ("nonsense", ""),
    ],
)
def test_hosts(url: str, host: str) -> None:
    assert meaning_texts.host_of(url) == host


@pytest.mark.parametrize(
    ("backend", "url", "model", "host"),
    [
        ("openai", "https://api.example.com/v1", "m", "api.example.com"),
        ("openai", "http://localhost:8080/v1", "m", ""),
        ("ollama", "", "bge-m3", ""),
        ("ollama", "http://127.0.0.1:11434", "qwen3-embedding:cloud", "ollama.com"),
        ("ollama", "http://192.168.1.7:11434", "bge-m3", "192.168.1.7:11434"),
        ("builtin", "https://api.example.com/v1", "m", ""),
        ("openai", "", "m", None),
        ("openai", "nonsense", "m", None),
    ],
)
def test_where_texts_are_sent(backend: str, url: str, model: str, host: str | None) -> None:
    assert meaning_texts.sent_to(backend, url, model) == host


def test_what_a_change_means() -> None:
    assert meaning_texts.change("openai", "api.example.com", 12_345, remade=True) == (
        "12,345 passages are sent to api.example.com, in the background. Words find everything meanwhile."
    )
    assert meaning_texts.change("builtin", "", 1, remade=True).startswith("1 passage")
    assert meaning_texts.change("off", "", 5, remade=False) == "Search goes by words alone then, and no text is sent anywhere."
    assert meaning_texts.change("openai", "x.example", 5, remade=False) == "What was made for meaning stays."


def test_what_leaves() -> None:
    sent = "Each indexed passage once, and each question as you ask it, to api.example.com."
    assert meaning_texts.leaves("openai", "api.example.com") == sent
    assert meaning_texts.leaves("ollama", "") == "Nothing. The service runs on this machine."
    assert meaning_texts.leaves("openai", "") == "Nothing. The service runs on this machine."
    assert meaning_texts.leaves("openai", None).endswith("to the service.")
    assert meaning_texts.leaves("builtin", "") == "Nothing."
    assert "download" in meaning_texts.leaves("fastembed", "")


def test_what_a_test_said() -> None:
    assert meaning_texts.outcome(MeaningTest(ok=True, dims=1024, elapsed_ms=210.4)) == "Answered in 210 ms, 1,024 dimensions."
    assert meaning_texts.outcome(MeaningTest(ok=False, code="embedding_arrears")) == (
        "The account has no credit left. Top up the account; then it goes on."
    )
    assert meaning_texts.outcome(MeaningTest(ok=False, code="x", message="No.", hint="Do.")) == "No. Do."


def test_how_it_stands() -> None:
    filling = meanings.embedding("filling", refused=3)
    assert meaning_texts.amount(filling) == "4,120 of 12,345 passages"
    assert meaning_texts.left(filling) == "about 9 min left"
    assert meaning_texts.pace(filling) == (
        "914 a minute. Until it is done, the rest is found by words. The model refused 3 passages; words find them."
    )
    stopped = meanings.embedding("stopped", "openai", error_code="embedding_no_key")
    assert meaning_texts.state(stopped) == "Meaning has stopped. The service wants a key. Set the key."
    assert meaning_texts.state(Embedding()) == "Meaning is off. Words always work."
    assert meaning_texts.left(Embedding(backend="builtin", missing=5)) == ""
