"""Programs of their own on the small engine, and waiting for what they do."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tray_app.records import SearchRequest
from tray_app.service.backend import Backend

GUARD_S = 60.0
"""Nothing takes so long; it is there so that nothing hangs."""
Start = Callable[..., "subprocess.Popen[str]"]


@contextmanager
def starting(*command: str) -> Iterator[Start]:
    """`start(argument, ...)` starts Python with this command and the arguments; all are ended with the block."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *command, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=Path(__file__).parent,
        )  # fmt: skip
        started.append(process)
        return process

    try:
        yield start
    finally:
        for process in started:
            process.kill()
            process.communicate()


def said(process: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")


def until(reached: Callable[[], bool]) -> None:
    """Wait for what other threads or processes bring about."""
    deadline = time.monotonic() + GUARD_S
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def asked(backend: Backend) -> bool:
    return backend.search(SearchRequest(query="webhook")).hits == 1
