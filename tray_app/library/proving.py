"""Whether the index holds together: what it has of a few files, to be compared with them, and whether its parts are of one size.

Reads on the cursor of a `Reader`, never writes. What the files themselves say is not its business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from tray_app.library.connection import Connection
from tray_app.library.migrations import FTS
from tray_app.library.rows import FileRow
from tray_app.library.store import decode_pieces

_SPACE = re.compile(r"\s*")
_FILE = ", ".join(f'f."{name}"' for name in FileRow.__struct_fields__)


class Held(msgspec.Struct, frozen=True):
    """What the index has of a file's session. `own` are the identities of its messages; `inherited` of those that another session
    owns, with role and text: a fork may have given them ids of its own. `passages` counts its passages, `astray` the messages that
    do not stand in them whole, and passages of what is not there."""

    file: FileRow
    session: str
    own: frozenset[int]
    inherited: dict[int, tuple[str, str]]
    passages: int
    astray: int


class Sizes(msgspec.Struct, frozen=True):
    """Passages of all libraries' tables: those with words, and what belongs to no session."""

    passages: int
    found_by_words: int
    strays: int

    @property
    def agree(self) -> bool:
        return self.passages == self.found_by_words and not self.strays


def whole_files(cursor: Connection, most_bytes: int) -> list[int]:
    """Ids of files that were read whole, alone give their session, and are not larger than this; newest first."""
    rows = cursor.execute(
        "select f.id from files f join sessions s on s.id = f.session_id where f.status in ('ok', 'partial') and not s.gone "
        f"and not f.truncated and f.over_budget = 0 and f.agent <> 'memory' and f.size between 1 and {int(most_bytes)} "
        "and not exists(select 1 from files g where g.session_id = f.session_id and g.id <> f.id) order by f.mtime_ns desc, f.id"
    ).fetchall()
    return [int(row[0]) for row in rows]


def held(cursor: Connection, files: Sequence[int]) -> list[Held]:
    """What the index has of these files, in their order. Each table is gone through once, however many they are."""
    wanted = ", ".join(str(int(number)) for number in files)
    if not wanted:
        return []
    rows = cursor.execute(
        f"select {_FILE}, s.native from files f join sessions s on s.id = f.session_id where f.id in ({wanted})"
    ).fetchall()
    known = {row[0]: (FileRow(**dict(zip(FileRow.__struct_fields__, row[:-1], strict=True))), str(row[-1])) for row in rows}
    sessions = ", ".join(str(file.session_id) for file, _ in known.values()) or "-1"
    own: dict[int, list[tuple[int, int, str]]] = {}
    inherited: dict[int, dict[int, tuple[str, str]]] = {}
    pieces: dict[int, list[bytes]] = {}
    for session, number, identity, text in cursor.execute(
        f"select session_id, id, identity, text from messages where session_id in ({sessions})"
    ).fetchall():
        own.setdefault(session, []).append((int(number), int(identity), text))
    for session, identity, role, text in cursor.execute(
        "select c.session_id, m.identity, m.role, m.text from copies c join messages m on m.id = c.message_id "
        f"where c.session_id in ({sessions})"
    ).fetchall():
        inherited.setdefault(session, {})[int(identity)] = (role, text)
    for session, made_of in cursor.execute(
        f"select session_id, pieces from chunks where session_id in ({sessions})"
    ).fetchall():
        pieces.setdefault(session, []).append(made_of)
    return [
        Held(
            file, native, frozenset(identity for _, identity, _ in own.get(file.session_id, ())), inherited.get(file.session_id, {}),
            len(pieces.get(file.session_id, ())),
            _astray(
                {number: text for number, _, text in own.get(file.session_id, ())},
                [piece for made_of in pieces.get(file.session_id, ()) for piece in decode_pieces(made_of)],
            ),
        )
        for file, native in (known[number] for number in files if number in known)
    ]  # fmt: skip


def _astray(texts: dict[int, str], pieces: Iterable[tuple[int, int, int]]) -> int:
    """Messages that are not whole in the pieces, white space aside, and pieces of no message."""
    ranges: dict[int, list[tuple[int, int]]] = {number: [] for number in texts}
    lost = 0
    for number, start, end in pieces:
        if number in ranges and 0 <= start <= end <= len(texts[number]):
            ranges[number].append((start, end))
        else:
            lost += 1
    for number, known in ranges.items():
        text, at = texts[number], 0
        for start, end in [*sorted(known), (len(text), len(text))]:
            if start > at and not _SPACE.fullmatch(text, at, start):
                lost += 1
                break
            at = max(at, end)
    return lost


def sizes(cursor: Connection) -> Sizes:
    """Three counts (10 ms for 100,000 passages)."""
    row = cursor.execute(
        f"select (select count(*) from chunks), (select count(*) from {FTS}.docs), "
        "(select count(*) from chunks c where c.session_id not in (select id from sessions)) "
        "+ (select count(*) from messages m where m.session_id not in (select id from sessions))"
    ).fetchone()
    return Sizes(*(int(value) for value in row)) if row else Sizes(0, 0, 0)
