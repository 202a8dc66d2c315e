"""`search`: one question, or a stream of them (`--serve`)."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from tray_app.cli.access import backend, here, print_json
from tray_app.cli.indexing import offer, run_pass
from tray_app.cli.results import print_answer
from tray_app.cli.terminal import say
from tray_app.errors import AppError, BugError, UsageError
from tray_app.records import Answer, SearchRequest
from tray_app.service.connection import Connection
from tray_app.service.protocol import clean

log = logging.getLogger(__name__)

FOUND, NOTHING = 0, 1
PATIENCE_MS = 5_000
"""A command is asked once, and may have to load the model first."""
IDLE_S = 2.0
"""A serving process that nobody asks lets go of the files, so that the tray can have them at once."""


def search(arguments: argparse.Namespace) -> int:
    if arguments.serve:
        if arguments.words:
            raise UsageError("usage", "Wrong use", "With --serve the questions come from standard input.")
        return serve(options_of(arguments))
    request = request_of(arguments)
    with backend() as connection:
        answer = answered(connection, request, ask=not arguments.json)
        if arguments.json:
            print_json(answer)
        else:
            print_answer(answer, explain=arguments.explain)
        return FOUND if answer.sessions else NOTHING


def request_of(arguments: argparse.Namespace) -> SearchRequest:
    query = clean(" ".join(arguments.words)).strip()
    if not query:
        raise UsageError("usage", "Wrong use", "There is no question.", "Like this: backscroll search flaky test last week")
    return SearchRequest(query=query, **options_of(arguments))


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The fields of a request that the command's options give."""
    named = ("agent", "project", "role", "kind", "session", "since", "until", "space", "exclude_session")
    return {
        "limit": arguments.limit,
        "mode": arguments.mode,
        "fresh_first": arguments.fresh_first,
        "dedupe": not arguments.no_dedupe,
        "fill_after_dedupe": arguments.fill,
        "explain": arguments.explain,
        "patience_ms": PATIENCE_MS,
        "now": os.environ.get("BACKSCROLL_NOW") or None,
        "caller": here(),
        **{name: clean(getattr(arguments, name)) for name in named},
    }


def answered(connection: Connection, request: SearchRequest, *, ask: bool) -> Answer:
    """The answer; before the first use what is ticked is read first."""
    answer = connection.search(request)
    if answer.snapshot or answer.sessions or answer.indexing:
        return answer
    if any(source.enabled for source in connection.sources()):
        say("Reading your sessions for the first time …")
        run_pass(connection)
    elif offer(connection, ask=ask):
        run_pass(connection, all_sources=True)
    else:
        return answer
    return connection.search(request)


def serve(options: Mapping[str, Any]) -> int:
    """Answer each line of standard input with one line, until its end; `options` hold for lines that do not say otherwise. A bad line
    gets an error as its answer."""
    first = True
    with backend(idle_s=IDLE_S) as connection:
        for raw in sys.stdin.buffer:
            if not raw.strip():
                continue
            try:
                request = request_in(raw, options)
                print_json(answered(connection, request, ask=False) if first else connection.search(request))
                first = False
            except AppError as error:
                print_json(_error(error))
            except (BrokenPipeError, KeyboardInterrupt):
                raise
            except Exception as fault:
                log.exception("a question failed")
                print_json(_error(BugError("bug", "Something went wrong", f"{type(fault).__name__}.", "See the log.")))
    return FOUND


def request_in(raw: bytes, options: Mapping[str, Any]) -> SearchRequest:
    """The question in a JSON line. Python's decoder takes lone surrogates, which are then replaced. Raises UsageError."""
    try:
        given = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as fault:
        raise UsageError("bad_line", "Not understood", "The line is not JSON.") from fault
    if not isinstance(given, dict) or "query" not in given:
        raise UsageError("bad_line", "Not understood", 'The line is no object with a "query".')
    known = {name: clean(value) for name, value in given.items() if name in FIELDS and value is not None}
    known = {**options, **known}
    try:
        request = msgspec.convert(known, SearchRequest)
    except (msgspec.ValidationError, RecursionError) as fault:
        raise UsageError("bad_line", "Not understood", f"{fault}.") from fault
    if request.limit < 1:
        raise UsageError("bad_line", "Not understood", "The limit is a whole number above 0.")
    return request


FIELDS = frozenset(SearchRequest.__struct_fields__)


def _error(error: AppError) -> dict[str, Any]:
    return {"error": {"code": error.code, "title": error.title, "message": error.message, "hint": error.hint}}
