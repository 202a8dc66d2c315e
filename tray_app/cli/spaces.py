"""`spaces`: the isolated libraries, and which folders belong to them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from tray_app.cli.access import backend, print_json
from tray_app.cli.indexing import run_pass
from tray_app.cli.terminal import Paint, count_of, line_of, say, size_of, table
from tray_app.paths import shorten
from tray_app.records import SpaceView
from tray_app.service.connection import Connection
from tray_app.service.protocol import clean

DONE = 0
STATES = {"ready": "", "waiting": "not read yet", "removed": "removed"}


def spaces(arguments: argparse.Namespace) -> int:
    action = arguments.action
    with backend() as connection:
        found = connection.spaces() if action is None else change(connection, action, arguments)
        if action in ("add", "assign", "unassign", "restore"):
            found = bring_in(connection, found)
    if arguments.json:
        print_json({"spaces": found})
        return DONE
    print_spaces(found)
    if action == "remove":
        tell_removed(next(space for space in reversed(found) if space.removed and is_called(space, arguments.name)))
    elif len(found) == 1:
        say("There is one library, with everything in it. To keep folders apart: backscroll spaces add NAME FOLDER")
    return DONE


def change(connection: Connection, action: str, arguments: argparse.Namespace) -> list[SpaceView]:
    """Carry out one action. Gives the spaces as they are then."""
    if action == "add":
        return connection.add_space(clean(arguments.name), [whole(folder) for folder in arguments.folders])
    if action == "assign":
        return connection.assign_folders(clean(arguments.name), [whole(folder) for folder in arguments.folders])
    if action == "unassign":
        return connection.unassign_folder(whole(arguments.folder))
    if action == "rename":
        return connection.rename_space(clean(arguments.name), clean(arguments.new))
    if action == "remove":
        return connection.remove_space(clean(arguments.name))
    return connection.restore_space(clean(arguments.name))


def bring_in(connection: Connection, found: list[SpaceView]) -> list[SpaceView]:
    """Read what now belongs elsewhere: by the running tray, else here. What was taken out of a library is gone already."""
    if not any(source.enabled for source in connection.sources()):
        return found
    status = connection.status()
    if status.paused:
        say("Indexing is paused: what belongs elsewhere now is read after: backscroll resume")
    elif connection.owner.kind == "tray":
        say("The running tray is reading what belongs elsewhere now.")
    else:
        run_pass(connection)
        return connection.spaces()
    return found


def whole(folder: str) -> str:
    """A folder as given on the command line, from the root on."""
    return str(Path(clean(folder)).expanduser().absolute())


def print_spaces(found: Sequence[SpaceView]) -> None:
    paint = Paint()
    rows = [
        [line_of(space.name), count_of(space.sessions, "session") if not space.removed else "", size_of(space.index_bytes), STATES.get(space.state, space.state)]
        for space in found
    ]  # fmt: skip
    for space, line in zip(found, table(rows, cut_last=False), strict=True):
        print(line)
        for folder in space.folders:
            gone = "  (not there)" if folder in space.missing else ""
            print(paint.dim(f"    {line_of(shorten(folder))}{gone}"))


def tell_removed(space: SpaceView) -> None:
    say(f"Its index is kept as {shorten(space.path)}. Its sessions are not read any more, and come up nowhere else.")
    say(f"To have it back: backscroll spaces restore {line_of(space.name)!r}")
    if space.folders:
        say(f"To have its sessions among the others: backscroll spaces unassign {line_of(space.folders[0])!r}")


def is_called(space: SpaceView, name: str) -> bool:
    from tray_app.territory import folded

    return space.id == name or folded(space.name) == folded(name)
