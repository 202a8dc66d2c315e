"""Searching line by line where no window can be shown."""

from __future__ import annotations

import sys

from tray_app.cli.access import here
from tray_app.cli.indexing import NOT_NOW, TICK, describe, offer, run_pass, tell
from tray_app.cli.results import print_answer
from tray_app.cli.terminal import asks, say
from tray_app.errors import AppError
from tray_app.records import SearchRequest
from tray_app.service.connection import Connection
from tray_app.service.protocol import clean

HELP = f"""Without a window everything works from here:
  {TICK}    read the sessions of all agents that are found
  backscroll search QUESTION        search them
  backscroll --help                 everything else"""


def begin(connection: Connection) -> int:
    """What is read, one pass over it, then questions until the end of input. Only with a terminal on both sides."""
    say(HELP)
    if not asks():
        return NOT_NOW
    ticked = [source for source in connection.sources() if source.enabled]
    for source in ticked:
        say(f"  {describe(source)}")
    every = not ticked and offer(connection, ask=True)
    if ticked or every:
        tell(run_pass(connection, all_sources=every))
        ask_on(connection)
    return 0


def ask_on(connection: Connection) -> None:
    """Ask for questions and answer them, until the end of input or an empty line."""
    say("Type a question; an empty line ends.")
    while True:
        sys.stderr.write("search> ")
        sys.stderr.flush()
        query = clean(sys.stdin.readline()).strip()
        if not query:
            return
        try:
            print_answer(connection.search(SearchRequest(query=query, caller=here())))
        except AppError as error:
            say(f"backscroll: {error}")
