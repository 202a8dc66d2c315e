"""What leaves a library when folders are assigned otherwise.

Takes out at once, without reading anything, what the library holds of folders that are no longer its own, and has looked at
anew what it took for another's. Done before anything is read, so that a change of spaces is first of all a parting.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

import msgspec

from tray_app.indexing.merge import Merger
from tray_app.indexing.whereabouts import ELSEWHERE, Whereabouts
from tray_app.library.rewriting import WANTED
from tray_app.library.rows import FileRow
from tray_app.library.store import ASKED_ANEW, Store
from tray_app.sources.base import Stop
from tray_app.territory import Territory

MARK = "territory"
"""Key in `meta`: the mark of the territory that the library was last brought in line with."""

WAITING = "waiting"
"""Key in `meta`: set while a library was changed so and no whole pass has ended since."""


def is_in_line(store: Store, territory: Territory) -> bool:
    return store.meta(MARK) == territory.mark


def part(store: Store, territory: Territory, zone: tzinfo, stop: Stop) -> int:
    """Bring a library in line with its territory. Gives the number of files that left. Raises Stopped; whatever was done
    then, the next call goes on."""
    if is_in_line(store, territory):
        return 0
    places, rows, known = store.folders(), store.files(), Whereabouts()
    known.note(territory.space, rows, places)
    leaving = []
    for row in rows:
        if row.session_id in places:
            _, folder, parent = places[row.session_id]
            folder = known.folder(row.agent, folder, parent)
            owner = territory.owner(row.agent, folder) if folder or territory.is_rest else territory.space
            if owner != territory.space:
                leaving.append((row, owner))
    send_away(store, leaving, zone, stop)
    doubtful = [msgspec.structs.replace(row, pipeline_version=ASKED_ANEW) for row in rows if row.status == ELSEWHERE]
    with store.transaction():
        store.write_files(doubtful)
        store.set_meta(MARK, territory.mark)
        store.set_meta(WAITING, "1")
    return len(leaving)


def send_away(store: Store, leaving: Sequence[tuple[FileRow, str]], zone: tzinfo, stop: Stop) -> None:
    """Take out sessions that belong elsewhere: their files, with whose they are. Raises Stopped."""
    if leaving:
        ask_rewriting(store)
        rows = [msgspec.structs.replace(row, status=ELSEWHERE, reason=owner) for row, owner in leaving]
        Merger(store, zone, stop).forget(rows, keep_rows=True)


def ask_rewriting(store: Store) -> None:
    """Note, before something is taken out that must be gone from the file, that the file is to be written anew."""
    if not store.meta(WANTED):
        with store.transaction():
            store.set_meta(WANTED, "1")
