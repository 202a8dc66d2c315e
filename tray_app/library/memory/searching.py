"""The words of memories and of paragraphs: derived from the rows, in the same file, in the layout of `library.postings`.

Owns which rows are found by words (active memories, all paragraphs) and by which. Kept in step inside the transaction that
writes the rows; made anew whenever they do not fit them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec
import numpy as np

from tray_app.library.connection import Connection, quoted
from tray_app.library.memory.rows import MemoryRow, ParagraphRow, Row
from tray_app.library.memory.schema import WORDS
from tray_app.library.memory.state import Entry, State
from tray_app.library.postings import PostingsWriter, TermGroup, best, containing, lookup, near, statistics, weigh
from tray_app.text.segment import is_unspaced, tokens

BATCH = 1_000
"""Documents that are cut into words at a time."""
ENOUGH, SOUGHT, NEAR_WEIGHT = 3, 2, 0.5
"""With so many words found, near ones are not sought; of at most so many; what they count beside what was asked for."""
_SAMPLE = "Retry getUserId() in src/cart.py v1.2.3 E0277 café 10:30 #42 naïve don't — 数据库连接超时 資料庫 ユーザー ไทย 2024-05-06T07:08"


def rules() -> str:
    """Another text whenever texts are cut into other words."""
    return hashlib.blake2b("\0".join(tokens(_SAMPLE)).encode(), digest_size=8).hexdigest()


def text_of(row: Row | None) -> str | None:
    """What a row is found by; None where it is not to be found."""
    if isinstance(row, MemoryRow):
        return f"{row.title}\n{row.content}" if row.state == "active" else None
    if isinstance(row, ParagraphRow):
        return f"{row.heading}\n{row.text}"
    return None


class Words:
    """The tables of both. Used on the one cursor of the file, under the store's lock."""

    def __init__(self, cursor: Connection) -> None:
        self.cursor = cursor
        self._writers = {table: PostingsWriter(cursor, schema) for table, schema in WORDS.items()}

    def forget(self) -> None:
        """After a rollback."""
        for writer in self._writers.values():
            writer.forget()

    def follow(self, before: State, after: State, entry: Entry) -> None:
        """What a change does to the words, inside its transaction."""
        if entry.whole:
            self._make(after)
            return
        for table in WORDS:
            old, new = before.tables[table], after.tables[table]
            touched = {row.id for row in entry.puts.get(table, ())} | set(entry.deletes.get(table, ()))
            texts = {number: (text_of(old.get(number)), text_of(new.get(number))) for number in sorted(touched)}
            changed = {number: pair for number, pair in texts.items() if pair[0] != pair[1]}
            if changed:
                writer = self._writers[table]
                writer.remove(number for number, (was, _) in changed.items() if was is not None)
                self._add(writer, ((number, now) for number, (_, now) in changed.items() if now is not None))

    def fit(self, state: State) -> bool:
        """Whether the words are those of the rows, cut by the rules of today."""
        row = self.cursor.execute("select value from meta where key = 'words'").fetchone()
        if not row or row[0] != rules():
            return False
        for table, schema in WORDS.items():
            held = np.sort(np.asarray(self.cursor.execute(f"select docid from {schema}.docs").fetchnumpy()["docid"]))
            wanted = sorted(number for number, one in state.tables[table].items() if text_of(one) is not None)
            if not np.array_equal(held, np.array(wanted, np.int64)):
                return False
        return True

    def make_anew(self, state: State) -> None:
        """All words of a state, in a transaction of its own. Raises duckdb.Error."""
        self.cursor.execute("begin")
        try:
            self._make(state)
            self.cursor.execute("commit")
        except BaseException:
            self.cursor.execute("rollback")
            self.forget()
            raise

    def tidy(self) -> None:
        """Sort what was appended, when it has become much."""
        for writer in self._writers.values():
            writer.tidy()

    def _make(self, state: State) -> None:
        for table, schema in WORDS.items():
            writer = self._writers[table]
            writer.forget()
            for part in ("post", "docs", "dict"):
                self.cursor.execute(f"delete from {schema}.{part}")
            rows = sorted(state.tables[table].items())
            self._add(writer, ((number, text) for number, row in rows if (text := text_of(row)) is not None))
        self.cursor.execute(f"insert or replace into meta values ('words', {quoted(rules())})")

    def _add(self, writer: PostingsWriter, texts: Iterable[tuple[int, str]]) -> None:
        for batch in _batches(texts, BATCH):
            cut = [(number, tokens(text)) for number, text in batch]
            writer.add([(number, words, len(words)) for number, words in cut])
        writer.refresh_stats()
        writer.forget()


def find(cursor: Connection, table: str, words: Sequence[str]) -> list[tuple[int, float]]:
    """Rows that hold any of the words, as (id, BM25), best first. What the dictionary lacks is sought as the beginning of a
    word or as a slip of the pen, and a lone CJK character inside of runs. On one moment of the file. Raises duckdb.Error."""
    schema = WORDS[table]
    asked = list(dict.fromkeys(words))
    found = lookup(cursor, asked, schema)
    groups = [group for place, word in enumerate(asked) if (group := _group(cursor, schema, asked, place, word, found))]
    if not groups:
        return []
    scores = weigh(cursor, groups, statistics(cursor, schema), schema=schema)
    return best(scores, len(scores.ids))


def _group(
    cursor: Connection, schema: str, asked: Sequence[str], place: int, word: str, found: dict[str, TermGroup]
) -> TermGroup | None:
    group = found.get(word)
    if len(found) >= ENOUGH or not word:
        return group
    if is_unspaced(word[0]):
        more = containing(cursor, word, schema=schema) if len(word) == 1 else None
        if more and group:
            termids = tuple(dict.fromkeys((*group.termids, *more.termids)))
            return msgspec.structs.replace(more, termids=termids, df=max(group.df, more.df))
        return more or group
    if group or place < len(asked) - SOUGHT:
        return group
    slips = (2 if len(word) >= 8 else 1) if word.isalpha() and len(word) >= 5 else 0
    if len(word) < 3:
        return None
    close, _ = near(cursor, word, prefix=True, slips=slips, schema=schema)
    return msgspec.structs.replace(close, weight=NEAR_WEIGHT) if close else None


def _batches(items: Iterable[tuple[int, str]], size: int) -> Iterator[list[tuple[int, str]]]:
    """Lists of at most so many."""
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch
