"""A home with real engine files for tests of the command line, and sessions of three agents in one project folder.

The sessions write files: what they are said to have written is really there. An owner is held open while `Home.held` is in force,
so that commands reach it over the socket as they do beside a tray.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from data import claude_files as claude
from data import codex_files as codex
from data import dsh_files as dsh
from outcomes import Outcome

from tray_app.cli.main import main
from tray_app.paths import Paths
from tray_app.service.connection import connect
from tray_app.settings import Settings

PROJECT = "harbour"
CLAUDE_ID = claude.make_id("rounding")


class Home:
    """`folder` is the person's home, with the project `harbour` below the projects folder; our own files lie elsewhere."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._patch, self._capsys = folder, patch, capsys
        self.project = folder / "Documents/Projects" / PROJECT
        self.project.mkdir(parents=True)
        patch.setenv("BACKSCROLL_SOURCES_HOME", str(folder))
        patch.setenv("TZ", "UTC")
        patch.setenv("COLUMNS", "100")
        patch.chdir(folder)
        self.move_to(folder / "ours")

    def move_to(self, ours: Path) -> None:
        """Our files lie there from now on."""
        self._patch.setenv("BACKSCROLL_HOME", str(ours))
        assert self.run("config", "set", "meaning.backend", "off").code == 0
        assert self.run("config", "set", "topics.maker", "off").code == 0

    def at(self, moment: str) -> None:
        """It is this moment (ISO, UTC)."""
        self._patch.setenv("BACKSCROLL_NOW", moment)

    @contextmanager
    def held(self) -> Iterator[None]:
        paths = Paths.from_environment().ensure()
        with connect(paths, Settings(paths.settings_file), "cli"):
            yield

    def run(self, *arguments: str) -> Outcome:
        code = main(list(arguments))
        out, err = self._capsys.readouterr()
        return Outcome(code, out, err)

    def ask(self, name: str, *arguments: str, code: int = 0) -> Any:
        """The JSON object of a command that ends as it should."""
        done = self.run(name, "--json", *arguments)
        assert done.code == code, done
        return json.loads(done.out)

    # --- sessions ----------------------------------------------------------------------------------------------------------
    def _written(self, name: str, text: str) -> str:
        (self.project / name).write_text(text, encoding="utf-8")
        return str(self.project / name)

    def claude_works(self) -> None:
        """Claude Code, 2 March 2026, 09:01 to 09:08: writes ledger.py, and its test passes."""
        path = self._written("ledger.py", "def rounded(cents):\n    return round(cents)\n")
        chat = claude.Chat("rounding", cwd=str(self.project))
        rows: list[claude.Row | bytes] = [
            chat.user("Round the ledger once, at the end, not per row."),
            chat.answer("I will write ledger.py with one rounding step."),
            chat.call("t1", "Write", {"file_path": path, "content": "def rounded(cents):\n    return round(cents)\n"}),
            chat.result("t1", f"File created successfully at: {path}"),
            chat.call("t2", "Bash", {"command": "pytest -q tests/test_ledger.py"}),
            chat.result("t2", "3 passed in 0.10s"),
            chat.answer("The ledger rounds once now.\n\nNext steps:\n- migrate the old rows", usage=claude.usage(9)),
            {"type": "ai-title", "aiTitle": "Round the ledger once", "sessionId": chat.id},
        ]
        slug = str(self.project).replace("/", "-")
        file = claude.write(self.folder / ".claude/projects" / slug / f"{chat.id}.jsonl", rows)
        stamp(file, "2026-03-02T09:08:00+00:00")

    def codex_works(self) -> None:
        """Codex, 4 May 2026, 08:00: patches moorings.py."""
        self._written("moorings.py", "FREE = 12\n")
        patch = "*** Begin Patch\n*** Add File: moorings.py\n+FREE = 12\n*** End Patch"
        rows = [
            codex.meta(cwd=str(self.project), thread_source="user"),
            codex.context(1, cwd=str(self.project)),
            codex.proven(2, "msg_1", ("user.text", "Keep the number of free moorings in moorings.py.")),
            codex.completed(2, "user", "Keep the number of free moorings in moorings.py."),
            codex.call(3, "c1", "apply_patch", {"input": patch}),
            codex.result(
                4, "c1", [{"type": "input_text", "text": "Exit code: 0\nSuccess. Updated the following files:\nA moorings.py"}]
            ),
            codex.completed(5, "assistant", "The moorings are counted in moorings.py."),
            codex.reply(5, "msg_2", "The moorings are counted in moorings.py."),
            codex.tokens(6, 900, 900, 700, 40),
        ]
        stamp(codex.written(self.folder / ".codex", rows), "2026-05-04T08:00:06+00:00")

    def dsh_works(self) -> None:
        """DSH, 21 September 2026: writes tides.py."""
        path = self._written("tides.py", "STATIONS = 3\n")
        log = dsh.Log(4)
        log.ask("潮汐站的数量写到 tides.py 里").title("潮汐站的数量")
        arguments = json.dumps({"file_path": path, "content": "STATIONS = 3\n"})
        calls = [{"type": "tool-call", "id": "call-1", "name": "write", "arguments": arguments}]
        log.answer("好的。", "", calls, {"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 300})
        log.tool("call-1", "write", arguments, f"Wrote {path}")
        log.answer("tides.py 写好了。").end()
        rows = dsh.frames(dsh.header(4, cwd=str(self.project)), log.rows)
        stamp(dsh.put(self.folder / ".dsh", rows), datetime.fromtimestamp(dsh.START / 1000 + 20).astimezone().isoformat())


def stamp(file: Path, moment: str) -> None:
    """The file was last written then."""
    seconds = datetime.fromisoformat(moment).timestamp()
    os.utime(file, (seconds, seconds))
