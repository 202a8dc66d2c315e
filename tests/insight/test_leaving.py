"""What leaves the machine, told from the settings alone: before anything was sent, and never of this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tray_app.engine import Engine
from tray_app.insight.leaving import sentences
from tray_app.paths import Paths
from tray_app.settings import Settings

AWAY, HERE = "https://api.example.com/v1", "http://127.0.0.1:8080/v1"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    base = tmp_path_factory.mktemp("leaving")
    paths = Paths(base / "config", base / "data", base / "cache", base / "logs", base / "run")
    made = Engine(paths, Settings(paths.settings_file))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("values", "leaves"),
    [
        ({"meaning.backend": "builtin"}, []),
        ({"meaning.backend": "off"}, []),
        ({"meaning.backend": "openai", "meaning.url": AWAY}, [("meaning", "api.example.com")]),
        ({"meaning.backend": "openai", "meaning.url": HERE}, []),
        ({"meaning.backend": "openai", "meaning.url": "https://:443"}, []),
        ({"meaning.backend": "ollama"}, []),
        ({"meaning.backend": "ollama", "meaning.url": "http://box:11434"}, [("meaning", "box:11434")]),
        ({"meaning.backend": "ollama", "meaning.model": "qwen3-embedding:cloud"}, [("meaning", "ollama.com")]),
        ({"topics.maker": "openai", "topics.model": "m", "topics.url": AWAY}, [("topics", "api.example.com")]),
        ({"topics.maker": "openai", "topics.model": "", "topics.url": AWAY}, []),
        ({"topics.maker": "openai", "topics.model": "m", "topics.url": HERE}, []),
        ({"topics.maker": "ollama", "topics.model": "llama3"}, []),
        (
            {"meaning.backend": "openai", "meaning.url": AWAY, "topics.maker": "ollama", "topics.model": "x", "topics.url": "http://b"},
            [("meaning", "api.example.com"), ("topics", "b")],
        ),
    ],
)  # fmt: skip
def test_of_settings(engine: Engine, values: dict[str, str], leaves: list[tuple[str, str]]) -> None:
    for key, value in values.items():
        engine.set_config(key, value)
    try:
        status = engine.status()
    finally:
        for key in values:
            engine.set_config(key, None)
    assert [(one.what, one.host) for one in status.leaves] == leaves
    assert status.embedding.sends_text_to_cloud == any(what == "meaning" for what, _ in leaves)
    if not leaves:
        assert sentences(status.leaves) == ["Nothing leaves this machine."]


def test_sentences(engine: Engine) -> None:
    engine.set_config("topics.maker", "openai")
    engine.set_config("topics.model", "m")
    engine.set_config("topics.url", AWAY)
    assert sentences(engine.status().leaves) == ["Titles and beginnings of what you said are sent to api.example.com (topics)."]
