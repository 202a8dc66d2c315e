"""Clients that ask the real engine for everything at once, and the check that nothing they were told is missing.

Owns a small home with sessions and the mixed calls. As a program, `traffic.py KIND NAME WORK SEED`: connects, and says so on
a line of JSON. WORK is a number of mixed calls, `write` (until the input ends) or `hold` (only be there so long). What is asked
and acknowledged is printed the moment it is; at the end comes what the calls took and what failed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from tray_app.errors import AppError  # noqa: E402
from tray_app.paths import Paths  # noqa: E402
from tray_app.records import SearchRequest  # noqa: E402
from tray_app.service.backend import Backend  # noqa: E402
from tray_app.service.connection import Connection, connect  # noqa: E402
from tray_app.settings import Settings  # noqa: E402

WORDS = ("quince", "medlar", "retry", "timeout", "webhook", "退款", "数据库", "upload")
SHARES = {
    "search": 30, "recall_memories": 14, "remember": 20, "update_memory": 8, "put_checkpoint": 6, "checkpoint": 5, "pack": 6,
    "status": 5, "memories": 3, "index": 2, "doctor": 1,
}  # fmt: skip
"""How often each is asked, in a hundred calls."""
PROJECT = "orchard"


def furnish(home: Path, sessions: int = 6) -> None:
    """Sessions of a person under `home`, and settings under which nothing is downloaded."""
    from data import claude_files

    for number in range(sessions):
        chat = claude_files.Chat(f"traffic-{number}", cwd=f"/home/kim/{PROJECT}")
        rows: list[Any] = []
        for turn in range(6):
            word, other = WORDS[(number + turn) % len(WORDS)], WORDS[(number * 3 + turn) % len(WORDS)]
            rows += [chat.user(f"Where does the {word} go, round {turn}?"), chat.answer(f"After the {other} it is parked.")]
        claude_files.write(home / ".claude/projects/-orchard" / f"{chat.id}.jsonl", rows)
    paths = Paths.from_environment().ensure()
    settings = Settings(paths.settings_file)
    settings.set("meaning.backend", "off")
    settings.set("topics.maker", "off")


def real(kind: str, **more: Any) -> Connection:
    """A connection with the real engine behind it."""
    paths = Paths.from_environment()
    return connect(paths, Settings(paths.settings_file), kind, **more)


class Client:
    """Asks `calls` mixed calls. `remembered` (content by id) and `goal` are what the owner acknowledged last,
    `asked` every content that it was asked to keep."""

    def __init__(self, name: str, seed: int | str, say: Callable[[dict[str, Any]], None] | None = None) -> None:
        self.name, self.dice, self._say = name, random.Random(seed), say or (lambda line: None)
        self.remembered: dict[int, str] = {}
        self.asked: list[str] = []
        self.goal = ""
        self.taken: dict[str, list[float]] = {}
        self.failed: list[str] = []
        self._number = 0

    def run(self, backend: Backend, calls: int) -> None:
        kinds, weights = list(SHARES), list(SHARES.values())
        for _ in range(calls):
            self.ask(backend, self.dice.choices(kinds, weights)[0])

    def write(self, backend: Backend, ended: threading.Event) -> None:
        """Write until it is ended; only what may be repeated when the owner is lost."""
        while not ended.is_set():
            self.ask(backend, self.dice.choice(("remember", "remember", "update_memory")))

    def ask(self, backend: Backend, kind: str) -> None:
        if kind == "update_memory" and not self.remembered:
            kind = "remember"
        elif kind == "checkpoint" and not self.goal:  # there is no such project before the first
            kind = "put_checkpoint"
        began = time.perf_counter()
        try:
            getattr(self, f"_{kind}")(backend)
        except AppError as error:
            self.failed.append(f"{kind}: {error.code}: {error}")
        self.taken.setdefault(kind, []).append(time.perf_counter() - began)

    @property
    def report(self) -> dict[str, Any]:
        told = {str(number): content for number, content in self.remembered.items()}
        return {
            "name": self.name, "remembered": told, "goal": self.goal, "taken": self.taken, "failed": self.failed, "asked": self.asked,
        }  # fmt: skip

    def _text(self) -> str:
        self._number += 1
        return f"{self.name} notes {self._number}: the {self.dice.choice(WORDS)} waits for the {self.dice.choice(WORDS)}."

    # --- the calls; each checks that its answer is one ------------------------------------------------------------------
    def _search(self, backend: Backend) -> None:
        word = self.dice.choice(WORDS)
        answer = backend.search(SearchRequest(query=word))
        assert answer.found, word
        assert answer.understood.query == word

    def _recall_memories(self, backend: Backend) -> None:
        assert len(backend.recall_memories(self.dice.choice(WORDS), PROJECT, limit=3)) <= 3

    def _remember(self, backend: Backend) -> None:
        content = self._text()
        self.asked.append(content)
        memory = backend.remember(PROJECT, "fact", f"Note of {self.name}", content).memory
        assert memory.content == content
        self.remembered[memory.id] = content
        self._say({"kept": memory.id})

    def _update_memory(self, backend: Backend) -> None:
        number, content = self.dice.choice(list(self.remembered)), self._text()
        self.asked.append(content)
        assert backend.update_memory(number, content=content).memory.content == content
        self.remembered[number] = content
        self._say({"kept": number})

    def _put_checkpoint(self, backend: Backend) -> None:
        goal = self._text()
        active = backend.put_checkpoint(self.name, {"goal": goal}).active
        assert active is not None
        assert active.goal == goal
        self.goal = goal

    def _checkpoint(self, backend: Backend) -> None:
        active = backend.checkpoint(self.name).active
        assert active is not None
        assert active.goal == self.goal

    def _pack(self, backend: Backend) -> None:
        assert backend.pack(PROJECT, budget_tokens=500).budget == 500

    def _status(self, backend: Backend) -> None:
        assert backend.status().totals.sessions > 0

    def _memories(self, backend: Backend) -> None:
        assert len(backend.memories(PROJECT, limit=5)) <= 5

    def _index(self, backend: Backend) -> None:
        backend.index()

    def _doctor(self, backend: Backend) -> None:
        assert backend.doctor()


def missing(backend: Backend, reports: list[dict[str, Any]]) -> list[str]:
    """What was acknowledged and is not there exactly so, exactly once."""
    held: dict[int, str] = {memory.id: memory.content for memory in backend.memories(PROJECT)}
    contents = list(held.values())
    asked = {content for report in reports for content in report["asked"]}
    wrong = [f"{content!r} twice" for content in set(contents) if contents.count(content) > 1]
    wrong += [f"{content!r} was never asked" for content in contents if content not in asked]
    for report in reports:
        for number, content in report["remembered"].items():
            if held.get(int(number)) != content:
                wrong.append(f"{number}: {content!r} is {held.get(int(number))!r}")
        if report["goal"]:
            active = backend.checkpoint(report["name"]).active
            if active is None or active.goal != report["goal"]:
                wrong.append(f"goal {report['goal']!r} is {active.goal if active else None!r}")
    return wrong


@contextmanager
def programs(*commands: tuple[str, ...]) -> Iterator[list[subprocess.Popen[str]]]:
    """These programs at once, each by its arguments; they are ended with the block."""
    running: list[subprocess.Popen[str]] = []
    try:
        for arguments in commands:
            running.append(
                subprocess.Popen(
                    [sys.executable, __file__, *arguments],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                )
            )  # fmt: skip
        yield running
    finally:
        for one in running:
            one.kill()
            one.communicate()


def begun(program: subprocess.Popen[str]) -> int:
    """Wait until it has connected; the process that owns the files then."""
    assert program.stdout is not None
    return int(json.loads(program.stdout.readline())["owner"])


def report_of(program: subprocess.Popen[str], wait: float = 300) -> dict[str, Any]:
    """What a program says in the end; its input ends."""
    out, err = program.communicate(timeout=wait)
    assert (program.returncode, err) == (0, "")
    report: dict[str, Any] = json.loads(out.splitlines()[-1])
    return report


def main(kind: str, name: str, work: str, seed: str) -> None:
    def say(line: dict[str, Any]) -> None:
        print(json.dumps(line), flush=True)

    client, ended = Client(name, seed, say), threading.Event()

    def wait() -> None:
        sys.stdin.read()
        ended.set()

    with real(kind) as connection:
        say({"owner": connection.owner.pid, "own": os.getpid()})
        threading.Thread(target=wait, daemon=True).start()
        if work == "hold":
            ended.wait()
        elif work == "write":
            client.write(connection, ended)
        else:
            client.run(connection, int(work))
    say(client.report)


if __name__ == "__main__":
    main(*sys.argv[1:])
