"""The back end that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tray_app.embed.choice import make_embedder
from tray_app.settings import BY_KEY, Settings

ADDRESS = "http://127.0.0.1:9/v1"


def made(**values: Any) -> tuple[Any, list[str]]:
    asked: list[str] = []

    def key(url: str) -> str | None:
        asked.append(url)
        return None

    given = Settings(None).as_dict() | {f"meaning.{name}": value for name, value in values.items()}
    return make_embedder(given, cache=Path("/nowhere"), key=key), asked


def test_off_is_none() -> None:
    assert made(backend="off") == (None, [])


@pytest.mark.parametrize("backend", [name for name in BY_KEY["meaning.backend"].choices if name != "off"])
def test_every_choice_is_made_without_asking_anybody(backend: str) -> None:
    embedder, asked = made(backend=backend, model=" some-model ", url=ADDRESS, dims=256)
    assert embedder.backend == backend and embedder.batch >= 1
    assert embedder.model == ("use-multilingual-3" if backend == "builtin" else "some-model")
    assert asked == ([ADDRESS] if backend in ("ollama", "openai") else [])


def test_the_default_works_at_once() -> None:
    embedder, _ = made()
    assert embedder.backend == "builtin"


def test_ollama_on_this_machine_needs_no_key() -> None:
    embedder, asked = made(backend="ollama", model="bge-m3")
    assert (embedder.host, asked) == ("", [])
