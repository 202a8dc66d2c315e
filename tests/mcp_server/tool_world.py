"""A made-up home with sessions of our own making and a real engine over it, asked through the tools as an agent asks.

Modules share one world; what a test writes must not be looked for by another one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))

import claude_files as claude
import pytest

from tray_app.engine import Engine
from tray_app.mcp_server.catalogue import TOOLS, Outcome, carry_out
from tray_app.mcp_server.link import Link
from tray_app.paths import Paths
from tray_app.service.backend import Backend
from tray_app.settings import Settings

NOW = "2026-03-20T12:00:00Z"
SHOP, BLOG = "/home/kim/shop", "/home/kim/blog"


def minute_of(moment: str) -> float:
    """Minutes after the start of the made-up time, for a moment in UTC."""
    return (datetime.fromisoformat(moment).replace(tzinfo=UTC) - claude.START).total_seconds() / 60


class QuietLink(Link):
    """Reads nothing by itself: tests read when they mean to."""

    def keep_fresh(self, backend: Backend) -> None:
        pass


class ToolWorld:
    """`home` holds the sessions; the engine's own files lie where the environment says."""

    def __init__(self, home: Path) -> None:
        self.home, self.paths = home, Paths.from_environment()
        self.engine = Engine(self.paths, Settings(self.paths.settings_file))
        self.engine.set_config("meaning.backend", "off")
        self.engine.set_config("projects.root", str(home / "Projects"))
        self.folder = SHOP

    def write(self, label: str, *rounds: tuple[str, str], folder: str = SHOP, at: str = "2026-03-02T09:00") -> str:
        """A session of questions with their answers, a minute apart; gives its id."""
        chat = claude.Chat(label, cwd=folder)
        start = minute_of(at)
        rows = [
            row
            for place, (asked, said) in enumerate(rounds)
            for row in (chat.user(asked, start + 2 * place), chat.answer(said, start + 2 * place + 1))
        ]
        self.put(chat, rows)
        return chat.id

    def put(self, chat: claude.Chat, rows: list[Any]) -> Path:
        folder = str(chat.facts["cwd"]).replace("/", "-")
        return claude.write(self.home / ".claude/projects" / folder / f"{chat.id}.jsonl", rows)

    def project(self, name: str) -> str:
        """The folder of a project."""
        folder = self.home / "Projects" / name
        folder.mkdir(parents=True, exist_ok=True)
        return str(folder)

    def index(self) -> None:
        self.engine.index(all_sources=True)

    def ask(self, tool: str, *, calling: str = "", folder: str | None = None, **given: Any) -> Outcome:
        """What an agent gets that calls a tool; `calling` is its session, `folder` where it stands."""
        return self.ask_with(tool, given, calling=calling, folder=folder)

    def ask_with(self, tool: str, given: Any, *, calling: str = "", folder: str | None = None) -> Outcome:
        return carry_out(TOOLS[tool], given, self.link(folder), session=calling)

    def link(self, folder: str | None = None) -> Link:
        return QuietLink(lambda: self.engine, self.folder if folder is None else folder)

    def data(self, tool: str, **given: Any) -> dict[str, Any]:
        outcome = self.ask(tool, **given)
        assert not outcome.failed, outcome.texts
        return outcome.data

    def refused(self, tool: str, **given: Any) -> str:
        """The sentence an agent gets instead of an answer."""
        outcome = self.ask(tool, **given)
        assert outcome.failed, outcome.texts
        assert list(outcome.data) == ["error"]
        (text,) = outcome.texts
        return text


@contextmanager
def tool_world(home: Path) -> Iterator[ToolWorld]:
    """With the environment of its own for as long as the engine is made; the tests' own holds while it is asked."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "BACKSCROLL_SOURCES_HOME"):
            patch.setenv(name, str(home))
        patch.setenv("BACKSCROLL_HOME", str(home / "backscroll"))
        patch.setenv("BACKSCROLL_NOW", NOW)
        world = ToolWorld(home)
    try:
        yield world
    finally:
        world.engine.close()


@contextmanager
def pretended_now() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKSCROLL_NOW", NOW)
        yield
