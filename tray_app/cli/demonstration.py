"""`demo`: a throw-away library of made-up sessions, in the window or answering one question."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from tray_app import demo as made_up
from tray_app.cli.access import backend, print_json
from tray_app.cli.indexing import run_pass
from tray_app.cli.prompt import ask_on
from tray_app.cli.results import print_answer
from tray_app.cli.starting import open_window
from tray_app.cli.terminal import asks, say
from tray_app.desktop import display
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths
from tray_app.records import Answer, SearchRequest
from tray_app.service.protocol import clean
from tray_app.state import State

FOUND, NOTHING = 0, 1


def demo(arguments: argparse.Namespace) -> int:
    query = clean(" ".join(arguments.words)).strip()
    if arguments.json and not query:
        raise UsageError(
            "usage", "Wrong use", "There is no question.", f'Like this: backscroll demo --json "{made_up.QUESTIONS[0]}"'
        )
    with throw_away_home():
        if query:
            with backend() as connection:
                run_pass(connection, all_sources=True)
                answer = connection.search(SearchRequest(query=query, now=os.environ.get("BACKSCROLL_NOW") or None))
            return show(answer, as_json=arguments.json)
        return look()


def show(answer: Answer, *, as_json: bool) -> int:
    print_json(answer) if as_json else print_answer(answer)
    return FOUND if answer.sessions else NOTHING


def look() -> int:
    """The window on the made-up sessions; questions in the terminal where there is no screen."""
    missing = display.problem()
    if missing is not None and not asks():
        raise KnownError("no_display", "No window", missing.message, missing.install_line)
    with backend() as connection:
        run_pass(connection, all_sources=True)
        say("Made-up sessions to try it on. Ask for instance:")
        for question in made_up.QUESTIONS:
            say(f"  {question}")
        if missing is not None:
            say(missing.message)
            ask_on(connection)
            return FOUND
    State(Paths.from_environment().state_file).change(first_run_done=True)  # nothing to be asked here
    return open_window([])


@contextmanager
def throw_away_home() -> Iterator[Path]:
    """The made-up home is in force inside, and gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="backscroll-demo-"))
    before = dict(os.environ)
    try:
        try:
            os.environ.update(made_up.make(folder, moment()))
        except OSError as fault:
            raise KnownError(
                "demo_unwritable", "No demonstration", f"{folder} cannot be written ({fault.strerror})."
            ) from fault
        yield folder
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(folder, ignore_errors=sys.platform == "win32")  # there, a file that is just being let go stays


def moment() -> datetime:
    """Now, or what BACKSCROLL_NOW says."""
    given = os.environ.get("BACKSCROLL_NOW", "").strip()
    try:
        return datetime.fromisoformat(given).astimezone() if given else datetime.now().astimezone()
    except ValueError as fault:
        raise UsageError("now", "Not a time", f"BACKSCROLL_NOW is {given!r}.", "It is ISO 8601 with a zone.") from fault
