"""What topic cards are made of, and the cards that were made: one a local day, with the mark of the passages it was made from.

Owns the table `topics` and the reading of talk by time. Which moments are one day, and what a day was about, is the caller's
business. Reading works on any cursor; writing on the one writer's, inside its transaction.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.library.connection import Connection, insert
from tray_app.library.migrations import FTS
from tray_app.library.postings import lookup, statistics
from tray_app.records import TopicCard

_PIECES = msgspec.msgpack.Decoder(tuple[tuple[int, int, int], ...])
_DECODE = msgspec.json.Decoder(TopicCard)
_DAY_MS = 86_400_000
_EPOCH = 719_163
"""Proleptic ordinal of 1970-01-01."""


class Card(msgspec.Struct, frozen=True):
    """A card as it is kept. `day` is a proleptic ordinal; `maker` is 'words' or the chat model it was named by."""

    day: int
    mark: str
    maker: str
    card: TopicCard


class Talk(msgspec.Struct, frozen=True):
    """Passages of talk in order of time, by column; times in epoch ms. `round` is the seq its round begins at."""

    id: NDArray[np.int64]
    session: NDArray[np.int64]
    round: NDArray[np.int64]
    time: NDArray[np.int64]
    size: NDArray[np.int64]


class Speaker(msgspec.Struct, frozen=True, gc=False):
    """A session that talk belongs to. `start` in epoch ms; `title_rank` above 0: it was named, not taken from what was said."""

    id: int
    agent: str
    native: str
    title: str
    title_rank: int
    project: str
    start: int
    kind: str
    parent: str

    @property
    def mark(self) -> int:
        """64 bits that change when it is called otherwise; the same in any library."""
        text = "\0".join((self.agent, self.native, self.title, self.project, self.kind, self.parent))
        return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


class Said(msgspec.Struct, frozen=True, gc=False):
    """A message of the person's in a passage. `text` is its beginning, as stored (cleaned, redacted)."""

    session: int
    round: int
    native: str
    time: int
    text: str


_SPEAKER = ", ".join(f's."{name}"' for name in Speaker.__struct_fields__)


def talk(cursor: Connection, since: int = 1, until: int | None = None) -> Talk:
    """Passages of talk with since <= time < until; those of unknown time belong to no day."""
    before = "" if until is None else f" and time < {int(until)}"
    rows = cursor.execute(
        f"select id, session_id, round, time, size from chunks where kind = 'round' and time >= {max(int(since), 1)}{before}"
    ).fetchnumpy()
    columns = [np.asarray(rows[name]).astype(np.int64) for name in ("id", "session_id", "round", "time", "size")]
    order = np.lexsort((columns[0], columns[3]))  # a quarter of what sorting costs in SQL
    return Talk(*(column[order] for column in columns))


def speakers(cursor: Connection, ids: Iterable[int]) -> dict[int, Speaker]:
    """Sessions by id."""
    wanted = ", ".join(str(int(number)) for number in set(ids))
    if not wanted:
        return {}
    rows = cursor.execute(f"select {_SPEAKER} from sessions s where s.id in ({wanted})").fetchall()
    return {row[0]: Speaker(*row) for row in rows}


def parents(cursor: Connection) -> dict[int, int]:
    """The session that each sub-agent worked for in the end, by id, where that is in the library."""
    rows = cursor.execute(
        "select c.id, p.id from sessions c join sessions p on p.agent = c.agent and p.native = c.parent "
        "where c.kind = 'subagent' and c.parent <> '' and p.id <> c.id"
    ).fetchall()
    above = {int(row[0]): int(row[1]) for row in rows}
    found: dict[int, int] = {}
    for child in above:
        top, seen = child, {child}
        while top in above and above[top] not in seen:
            top = above[top]
            seen.add(top)
        found[child] = top
    return found


def said(cursor: Connection, passages: Collection[int], most: int, chars: int) -> list[Said]:
    """What the person said in these passages, in order, at most so many messages with so many code points of each. Of more,
    as many are left out between those that stay."""
    listed = ", ".join(str(int(number)) for number in passages)
    if not listed:
        return []
    places: dict[int, tuple[int, int]] = {}
    for session, beginning, blob in cursor.execute(
        f"select session_id, round, pieces from chunks where id in ({listed}) order by time, id"
    ).fetchall():
        for message, _, _ in _PIECES.decode(blob):
            places.setdefault(message, (session, beginning))
    wanted = ", ".join(map(str, places))
    numbers = [
        row[0]
        for row in cursor.execute(
            f"select id from messages where role = 'user' and id in ({wanted}) order by time, id"
        ).fetchall()
    ]
    step = -(-len(numbers) // most) if most else 1
    wanted = ", ".join(map(str, numbers[:: max(step, 1)]))
    if not wanted:
        return []
    rows = cursor.execute(
        f"select id, native, time, substr(text, 1, {int(chars)}) from messages where id in ({wanted}) order by time, id"
    ).fetchall()
    return [Said(*places[row[0]], row[1], int(row[2]), row[3]) for row in rows]


def rarity(cursor: Connection, tokens: Collection[str]) -> dict[str, float]:
    """How rare words are in this library: 0 (in every passage) to 1 (in one). Those that no passage holds are left out."""
    whole = math.log(statistics(cursor)[0] + 1)
    if whole <= 0:
        return {}
    found = lookup(cursor, list(tokens))
    return {word: max(1.0 - math.log(max(group.df, 1)) / whole, 0.0) for word, group in found.items()}


def sessions_with(cursor: Connection, tokens: Collection[str], most: int = 6) -> int:
    """In how many sessions one passage holds all of these words, going by the rarest of them."""
    rarest = sorted(lookup(cursor, list(tokens)).values(), key=lambda group: group.df)[:most]
    if not rarest:
        return 0
    listed = ", ".join(str(group.termids[0]) for group in rarest)
    row = cursor.execute(
        f"select count(distinct session_id) from chunks where id in (select docid from {FTS}.post where termid in ({listed}) "
        f"group by docid having count(*) = {len(rarest)})"
    ).fetchone()
    return int(row[0]) if row else 0


def cards(cursor: Connection, days: Collection[int] | None = None) -> dict[int, Card]:
    """The cards that are kept of these days (None: of all). What was said since may not be in them."""
    if days is not None and not days:
        return {}
    which = "" if days is None else f" where day in ({', '.join(str(int(day)) for day in days)})"
    rows = cursor.execute(f"select day, mark, maker, card from topics{which}").fetchall()
    return {row[0]: Card(row[0], row[1], row[2], _DECODE.decode(row[3])) for row in rows}


def marks(cursor: Connection) -> dict[int, tuple[str, str]]:
    """Mark and maker of every card, by day."""
    return {row[0]: (row[1], row[2]) for row in cursor.execute("select day, mark, maker from topics").fetchall()}


def replace_cards(cursor: Connection, made: Sequence[Card]) -> None:
    """Keep these instead of what there was of their days."""
    remove_cards(cursor, [card.day for card in made])
    if made:
        columns: dict[str, Any] = {
            "day": np.array([card.day for card in made], np.int64),
            "mark": [card.mark for card in made],
            "maker": [card.maker for card in made],
            "card": [msgspec.json.encode(card.card).decode() for card in made],
        }
        insert(cursor, "topics", columns)


def remove_cards(cursor: Connection, days: Collection[int]) -> None:
    if days:
        cursor.execute(f"delete from topics where day in ({', '.join(str(int(day)) for day in days)})")


def remove_cards_of(cursor: Connection, sessions: Iterable[int]) -> None:
    """Remove every card that may tell of these sessions, whatever the zone its day was counted in."""
    listed = ", ".join(str(int(number)) for number in sessions)
    if listed:
        cursor.execute(
            f"delete from topics where exists (select 1 from chunks c where c.session_id in ({listed}) and c.time > 0 "
            f"and abs(topics.day - (c.time // {_DAY_MS} + {_EPOCH})) <= 1)"
        )
