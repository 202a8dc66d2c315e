"""Taking out what belongs to nothing, before all is read anew: no reading would replace it.

Only damage leaves such rows, or a fault of ours; `proving` tells of them.
"""

from __future__ import annotations

from tray_app.library.migrations import FTS
from tray_app.library.store import Store


def sweep(store: Store) -> None:
    """In a transaction of the caller's. What is missing comes back with the reading."""
    cursor = store.cursor
    for table in ("chunks", "messages", "copies", "usage"):
        cursor.execute(f"delete from {table} where session_id not in (select id from sessions)")
    cursor.execute("delete from copies where message_id not in (select id from messages)")
    strays = cursor.execute(
        f"select docid from (select docid from {FTS}.docs union select docid from {FTS}.post) where docid not in (select id from chunks)"
    ).fetchall()
    if strays:
        store.postings.remove(int(row[0]) for row in strays)
    store.postings.refresh_stats()
