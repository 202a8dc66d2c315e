"""Queries for what stays and what leaves for good, on the writer's cursor."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tray_app.library.connection import registered
from tray_app.library.rows import COPY_MARK, SessionRow
from tray_app.library.store import ASKED_ANEW, Store


def gone_sessions(store: Store) -> set[int]:
    """Sessions that are marked as deleted by their agent."""
    return {int(row[0]) for row in store.cursor.execute("select id from sessions where gone").fetchall()}


def sessions_called(store: Store, agent: str, native: str) -> list[SessionRow]:
    """The session of that id, and those from further files that claim to be it."""
    rows = store.cursor.execute(
        "select id from sessions where agent = ? and (native = ? or starts_with(native, ?))",
        [agent, native, native + COPY_MARK],
    ).fetchall()
    return list(store.sessions_by_id(int(row[0]) for row in rows).values())


def remove_copies(store: Store, messages: Iterable[int]) -> None:
    """Take messages out of every session that holds copies of them. Inside a transaction."""
    with registered(store.cursor, "wanted_ids", {"id": np.fromiter(messages, np.int64)}):
        store.cursor.execute("delete from copies where message_id in (select id from wanted_ids)")


def ask_anew_of(store: Store, agent: str) -> None:
    """Have all files of an agent read whole at the next pass. Inside a transaction."""
    store.cursor.execute(f"update files set pipeline_version = {ASKED_ANEW} where agent = ?", [agent])
