"""The engine's topics: kept by passes, asked for at any time, named by a chat model between passes, gone with what was forgotten."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parent / "data"))

import claude_files as claude

from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.settings import Settings

NOW = datetime(2026, 3, 6, 20, tzinfo=UTC)
DAY = 24 * 60


def write(home: Path, label: str, cwd: str, words: str, minute: float) -> None:
    chat = claude.Chat(label, cwd=cwd)
    claude.write(home / ".claude/projects/x" / f"{chat.id}.jsonl", [chat.user(words, minute), chat.answer("Done.", minute + 1)])


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Two sessions, read."""
    for name, value in {"TZ": "UTC", "BACKSCROLL_NOW": NOW.isoformat(), "BACKSCROLL_SOURCES_HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "boats").mkdir()
    write(tmp_path, "door", str(tmp_path / "boats"), "Repair the boathouse door", 0)
    write(tmp_path, "sweets", "/home/kim/bakery", "Order the marzipan for the bakery", DAY)
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    made.set_config("meaning.backend", "off")
    made.index(all_sources=True)
    yield made
    made.close()


def labels(engine: Engine, **where: str) -> list[tuple[str, str, str]]:
    return [(card.day, topic.label, topic.project) for card in engine.topics(**where) for topic in card.topics]  # type: ignore[arg-type]


def kept(engine: Engine) -> dict[int, str]:
    """Labels of the cards that are in the file."""
    days = [datetime(2026, 3, day).toordinal() for day in range(1, 8)]
    with engine.libraries.of().reading(settled=False) as reader:
        return {day - days[0] + 1: card.topics[0].label for day, card in reader.topic_cards(days).items()}


SWEETS = ("2026-03-03", "Order the marzipan for the bakery", "bakery")
DOOR = ("2026-03-02", "Repair the boathouse door", "boats")


def test_a_pass_keeps_the_cards(engine: Engine) -> None:
    assert kept(engine) == {2: DOOR[1], 3: SWEETS[1]}
    assert labels(engine) == [SWEETS, DOOR]
    assert engine.topics(days=1)[0].day == "2026-03-03"


def test_a_moved_project_is_shown_where_it_is_now(engine: Engine, tmp_path: Path) -> None:
    engine.set_config("projects.moved", [f"/home/kim/bakery={tmp_path / 'patisserie'}"])
    assert labels(engine) == [(*SWEETS[:2], "patisserie"), DOOR]


def test_what_was_forgotten_is_in_no_card(engine: Engine) -> None:
    engine.forget_session(claude.make_id("sweets"))
    assert kept(engine) == {}  # cards of the days around it too
    assert labels(engine) == [DOOR]
    engine.index()
    assert kept(engine) == {2: DOOR[1]}
    raw = engine.paths.index_file.read_bytes()
    assert b"marzipan" not in raw


def test_what_belongs_to_a_space_is_in_its_cards_alone(engine: Engine, tmp_path: Path) -> None:
    engine.add_space("Boats", [str(tmp_path / "boats")])
    assert labels(engine) == [SWEETS]
    engine.index()
    assert kept(engine) == {3: SWEETS[1]}
    assert labels(engine, space="Boats") == [DOOR]


class Service(BaseHTTPRequestHandler):
    """A chat service that calls every day the same."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = msgspec.json.encode({"choices": [{"message": {"role": "assistant", "content": "A: 小结 of the day"}}]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Nothing to be said."""


@pytest.fixture
def service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_chat_model_names_them_between_passes(engine: Engine, service: str) -> None:
    assert engine.name_topics(lambda: False) == 0  # none is set
    for key, value in {"topics.maker": "openai", "topics.model": "m", "topics.url": service}.items():
        engine.set_config(key, value)
    assert engine.name_topics(lambda: True) == 0
    assert engine.name_topics(lambda: False) == 2
    assert labels(engine) == [("2026-03-03", "小结 of the day", "bakery"), ("2026-03-02", "小结 of the day", "boats")]
    assert {card.made_by for card in engine.topics()} == {"m"}
    engine.index()
    assert engine.name_topics(lambda: False) == 0


def test_offline_means_words(engine: Engine, service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in {"topics.maker": "openai", "topics.model": "m", "topics.url": service}.items():
        engine.set_config(key, value)
    monkeypatch.setenv("BACKSCROLL_OFFLINE", "1")
    assert engine.name_topics(lambda: False) == 0
    assert engine.upkeep.topics.fault is not None
    assert engine.upkeep.topics.fault.code == "service_offline"
    assert labels(engine) == [SWEETS, DOOR]
