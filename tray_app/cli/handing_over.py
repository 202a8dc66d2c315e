"""`checkpoint`, `card`, `pack` and `drafts`: the state of a project, and what the next session reads of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tray_app.cli.access import here, print_json
from tray_app.cli.memory_commands import LISTS, TEXTS
from tray_app.cli.memory_printing import print_checkpoints, print_drafts, print_pack
from tray_app.cli.projects import DONE, NOTHING, memory, names_in, project_meant
from tray_app.cli.reading import local
from tray_app.cli.remembering import text_given
from tray_app.cli.terminal import line_of, plain, say
from tray_app.errors import KnownError, UsageError
from tray_app.paths import shorten
from tray_app.records import CardView, CheckpointState
from tray_app.service.protocol import clean


def checkpoint(arguments: argparse.Namespace) -> int:
    space, caller = arguments.space, here()
    fields = fields_given(arguments) if arguments.action == "put" else {}
    with memory() as connection:
        project = project_meant(connection, arguments)
        if arguments.action == "put":
            state = connection.put_checkpoint(project, fields, draft=arguments.draft, space=space, caller=caller)
        elif arguments.action == "promote":
            state = connection.promote_draft(project, names_in(arguments.fields), space=space, caller=caller)
        elif arguments.action == "discard":
            state = connection.discard_draft(project, space=space, caller=caller)
        else:
            state = connection.checkpoint(project, space=space, caller=caller)
    return show(state, as_json=arguments.json)


def fields_given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The fields to write: None empties one. Raises UsageError for none, or one that is both written and emptied."""
    fields: dict[str, Any] = {}
    for name in (*TEXTS, *LISTS):
        value = getattr(arguments, name)
        if value is not None:
            fields[name] = [clean(item) for item in value] if name in LISTS else clean(value)
    for name in arguments.clear or ():
        if name in fields:
            raise UsageError("usage", "Wrong use", f"{name} cannot be both written and emptied.")
        fields[name] = None
    if not fields:
        raise UsageError("usage", "Wrong use", "No field was given.", "See: backscroll checkpoint put --help")
    return fields


def show(state: CheckpointState, *, as_json: bool) -> int:
    if as_json:
        print_json(state)
    elif state.active or state.draft:
        print_checkpoints(state)
    else:
        say(f"Nothing is known of the state of {line_of(state.project)}. To write it: backscroll checkpoint put")
    return DONE if state.active or state.draft else NOTHING


def card(arguments: argparse.Namespace) -> int:
    space, caller = arguments.space, here()
    written = None if arguments.put is None else text_of(arguments.put)
    with memory() as connection:
        project = project_meant(connection, arguments)
        if written is not None:
            if arguments.id is not None:
                raise UsageError("usage", "Wrong use", "An earlier card cannot be written.")
            view = connection.put_card(project, written, space=space, caller=caller)
        else:
            view = connection.card(project, arguments.id, space=space, caller=caller)
    if arguments.json:
        print_json(view)
    elif view.markdown:
        print(plain(view.markdown).rstrip("\n"))
        tell_card(view)
    else:
        say(f"{line_of(view.project)} has no card yet. It is made from a checkpoint: backscroll checkpoint put")
    return DONE if view.markdown else NOTHING


def text_of(file: str) -> str:
    """What stands in a file, or comes from standard input (`-`). Raises KnownError."""
    if file == "-":
        return text_given("-") or ""
    try:
        return Path(clean(file)).expanduser().read_text(encoding="utf-8-sig", errors="replace")
    except OSError as fault:
        raise KnownError("file_unreadable", "Not read", f"{file} cannot be read ({fault.strerror}).") from fault


def tell_card(view: CardView) -> None:
    if view.created:
        say(
            f"Card {view.id} of {local(view.created)}"
            + (f"; earlier: {', '.join(map(str, view.history))}" if view.history else "")
        )
    if view.exported_to:
        say(f"Also written to {shorten(view.exported_to)}")
    if view.export_error:
        say(f"Not written to a file: {line_of(view.export_error)}")


def pack(arguments: argparse.Namespace) -> int:
    with memory() as connection:
        view = connection.pack(
            project_meant(connection, arguments), arguments.budget_tokens or 0, arguments.with_meta,
            space=arguments.space, caller=here(),
        )  # fmt: skip
    print_json(view) if arguments.json else print_pack(view)
    return DONE if view.pack else NOTHING


def drafts(arguments: argparse.Namespace) -> int:
    with memory() as connection:
        found = connection.drafts(space=arguments.space, caller=here())
    if arguments.json:
        print_json({"drafts": found})
    elif found:
        print_drafts(found)
        say("To take one: backscroll checkpoint promote --project P [--fields A,B]; to drop it: backscroll checkpoint discard")
    else:
        say("No drafts wait. They are made from finished sessions: backscroll archive")
    return DONE if found else NOTHING
