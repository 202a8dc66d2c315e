"""The inverted index: dictionary, document lengths, sorted postings and their statistics.

Owns the tables of `migrations.FTS`. Adding and removing is exact: after any mixture the scores equal those of an index
built at once (tests compare with DuckDB's own `match_bm25`). A document's id is its chunk's id. All writing happens inside
the caller's transaction, on the one writing cursor.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tray_app.library.connection import Connection, insert, quoted, registered
from tray_app.library.migrations import FTS

K1, B = 1.2, 0.6
"""B is a little below the usual .75: passages are cut to one size anyway. r@5 +.01 on the authored set, +.02 on LoCoMo."""
CACHE = 300_000
"""Terms kept in memory while indexing: about 40 MB."""
RESORT_SHARE = 0.10
FEW = 400
"""So many terms are looked up by the dictionary's index; with more, reading all of it is quicker."""


class TermGroup(msgspec.Struct, frozen=True):
    """One word of a question as the dictionary knows it: one term, or several that count as one (a prefix, a spelling).

    `word` is what it stands for, `df` the number of passages that hold it (an upper bound for several terms), `terms` the
    terms themselves where they are not the word.
    """

    word: str
    termids: tuple[int, ...]
    df: int
    weight: float = 1.0
    terms: tuple[str, ...] = ()


class Scores(NamedTuple):
    """Passages that hold any of the words, by id, with their BM25; parallel, unordered."""

    ids: NDArray[np.int64]
    values: NDArray[np.float64]


class PostingsWriter:
    """Adds and removes documents. One for each writing thread; `forget()` after a rollback and when idle. `schema` names the
    tables: a file may hold several such indexes."""

    def __init__(self, cursor: Connection, schema: str = FTS) -> None:
        self.cursor, self.schema = cursor, schema
        self._sorted = "sorted_postings" if schema == FTS else f"sorted_postings:{schema}"
        self._known: dict[str, int] = {}
        self._next: int | None = None

    def forget(self) -> None:
        self._known.clear()
        self._next = None

    def add(self, documents: Sequence[tuple[int, Sequence[str], int]]) -> None:
        """Documents as (chunk id, tokens with repetitions, length). Ids must be new. The length that BM25 weighs by may be
        shorter than the tokens: what is found with a passage but not said in it does not make it longer."""
        if not documents:
            return
        counts = [(doc, Counter(tokens), length) for doc, tokens, length in documents]
        frequency: Counter[str] = Counter()
        for _, terms, _ in counts:
            frequency.update(terms.keys())
        self._learn(frequency)
        known = self._known
        termids: list[int] = []
        tfs: list[int] = []
        sizes = np.empty(len(counts), np.int64)
        for row, (_, terms, _) in enumerate(counts):
            termids += [known[term] for term in terms]
            tfs += terms.values()
            sizes[row] = len(terms)
        docids = np.array([doc for doc, _, _ in counts], np.int64)
        lengths = np.array([length for _, _, length in counts], np.int64)
        insert(
            self.cursor,
            f"{self.schema}.post",
            {
                "termid": np.array(termids, np.int32),
                "docid": np.repeat(docids, sizes).astype(np.int32),
                "tf": np.array(tfs, np.int32),
                "len": np.repeat(lengths, sizes).astype(np.int32),
            },
            "order by termid, docid",
        )
        insert(self.cursor, f"{self.schema}.docs", {"docid": docids, "name": docids, "len": lengths})
        if len(known) > CACHE:
            self.forget()

    def remove(self, docids: Iterable[int]) -> None:
        """Take documents out. Unknown ids are ignored."""
        ids = np.fromiter(docids, np.int32)
        if not len(ids):
            return
        with registered(self.cursor, "leaving", {"docid": ids}):
            self.cursor.execute(
                f"update {self.schema}.dict set df = df - gone.n from (select termid, count(*) as n from {self.schema}.post "
                f"where docid in (select docid from leaving) group by termid) gone where dict.termid = gone.termid"
            )
            self.cursor.execute(f"delete from {self.schema}.post where docid in (select docid from leaving)")
            self.cursor.execute(f"delete from {self.schema}.docs where docid in (select docid from leaving)")

    def refresh_stats(self) -> None:
        """Bring the document count and mean length up to date; once a transaction, after adding and removing."""
        self.cursor.execute(
            f"update {self.schema}.stats set num_docs = now.n, avgdl = now.mean "
            f"from (select count(*) as n, sum(len) / count(len) as mean from {self.schema}.docs) now"
        )

    def tidy(self, *, force: bool = False) -> bool:
        """Sort the postings again when more than a tenth of them were appended since, and drop terms nobody holds.

        Own transaction. Returns whether anything was done.
        """
        self.forget()  # the ids of dropped terms must not be used again
        cursor = self.cursor
        row = cursor.execute("select value from meta where key = ?", [self._sorted]).fetchone()
        total_row = cursor.execute(f"select count(*) from {self.schema}.post").fetchone()
        total, done = int(total_row[0]) if total_row else 0, int(row[0]) if row else 0
        if not force and total - done <= RESORT_SHARE * max(total, 1):
            return False
        cursor.execute("begin")
        try:
            cursor.execute(f"create table {self.schema}.sorted as select * from {self.schema}.post order by termid, docid")
            cursor.execute(f"drop view {self.schema}.terms")
            cursor.execute(f"drop table {self.schema}.post")
            cursor.execute(f"alter table {self.schema}.sorted rename to post")
            cursor.execute(
                f"create view {self.schema}.terms as select docid, 0::bigint as fieldid, termid "
                f"from (select docid, termid, unnest(range(tf)) from {self.schema}.post)"
            )
            cursor.execute(f"delete from {self.schema}.dict where df <= 0")
            cursor.execute("insert or replace into meta values (?, ?)", [self._sorted, str(total)])
            cursor.execute("commit")
        except BaseException:
            cursor.execute("rollback")
            raise
        return True

    def _learn(self, frequency: Counter[str]) -> None:
        """Make sure every term has an id, and count its new documents."""
        known = self._known
        missing = [term for term in frequency if term not in known]
        if missing:
            if len(missing) <= FEW:
                wanted = ", ".join(map(quoted, missing))
                known.update(
                    self.cursor.execute(f"select term, termid from {self.schema}.dict where term in ({wanted})").fetchall()
                )
            else:
                with registered(self.cursor, "wanted", {"term": missing}):
                    rows = self.cursor.execute(
                        f"select dict.term, dict.termid from {self.schema}.dict join wanted on dict.term = wanted.term"
                    ).fetchall()
                known.update(rows)
            if self._next is None:
                row = self.cursor.execute(f"select coalesce(max(termid), -1) + 1 from {self.schema}.dict").fetchone()
                self._next = int(row[0]) if row else 0
            fresh = [term for term in missing if term not in known]
            if fresh:
                first = self._next
                known.update(zip(fresh, range(first, first + len(fresh)), strict=True))
                self._next = first + len(fresh)
                insert(
                    self.cursor,
                    f"{self.schema}.dict",
                    {
                        "termid": np.arange(first, self._next, dtype=np.int64),
                        "term": fresh,
                        "df": np.array([frequency[term] for term in fresh], np.int64),
                    },
                )
                frequency = Counter({term: n for term, n in frequency.items() if known[term] < first})
        if frequency:
            more = {
                "termid": np.array([known[term] for term in frequency], np.int64),
                "n": np.array(list(frequency.values()), np.int64),
            }
            with registered(self.cursor, "more", more):
                self.cursor.execute(f"update {self.schema}.dict set df = df + more.n from more where dict.termid = more.termid")


def lookup(cursor: Connection, words: Sequence[str], schema: str = FTS) -> dict[str, TermGroup]:
    """The words of a question that any passage holds.

    Words go in as literals: binding a value makes DuckDB look for pandas each time, 0.3 ms where it is not installed. No
    further condition: with one the dictionary's index is not used (17 ms instead of 0.4 for 350,000 terms).
    """
    if not words:
        return {}
    wanted = ", ".join(map(quoted, words))
    rows = cursor.execute(f"select term, termid, df from {schema}.dict where term in ({wanted})").fetchall()
    return {row[0]: TermGroup(row[0], (int(row[1]),), int(row[2])) for row in rows if row[2] > 0}


def containing(cursor: Connection, character: str, most: int = 400, schema: str = FTS) -> TermGroup | None:
    """The pairs that hold one CJK character, as one word: how a single character finds what stands inside a run."""
    rows = cursor.execute(
        f"select termid, df from {schema}.dict where term >= '\u0e01' and length(term) <= 2 "
        f"and contains(term, {quoted(character)}) and df > 0 "
        f"order by df desc, term limit {int(most)}"
    ).fetchall()
    if not rows:
        return None
    return TermGroup(character, tuple(int(row[0]) for row in rows), sum(int(row[1]) for row in rows))


def near(
    cursor: Connection, word: str, *, prefix: bool, slips: int, most: int = 40, schema: str = FTS
) -> tuple[TermGroup | None, str]:
    """Terms near a word that nobody said, as one word, and how they are near: 'prefix' (they begin with it) before 'close'
    (that many slips of the pen away, same first letter). Reads the dictionary once."""
    conditions = []
    if prefix:
        conditions.append(f"starts_with(term, {quoted(word)})")
    if slips:  # one slip leaves the second letter or the last as it was; measuring is what costs
        conditions.append(
            f"(length(term) between {len(word) - slips} and {len(word) + slips} "
            f"and (starts_with(term, {quoted(word[:2])}) or ends_with(term, {quoted(word[-1])})) "
            f"and damerau_levenshtein(term, {quoted(word)}) <= {int(slips)})"
        )
    if not conditions:
        return None, "none"
    begin = word[0] if slips else word
    rows = cursor.execute(
        f"select term, termid, df, starts_with(term, {quoted(word)}) as begins from {schema}.dict "
        f"where {_beginning_with(begin)} and df > 0 and ({' or '.join(conditions)}) "
        f"order by begins desc, df desc, term limit {int(most)}"
    ).fetchall()
    begins = prefix and bool(rows) and bool(rows[0][3])
    kept = [row for row in rows if bool(row[3]) == begins]
    if not kept:
        return None, "none"
    group = TermGroup(
        word, tuple(int(row[1]) for row in kept), sum(int(row[2]) for row in kept), terms=tuple(row[0] for row in kept)
    )
    return group, "prefix" if begins else "close"


def _beginning_with(text: str) -> str:
    """A range of terms rather than `starts_with`: half the cost, since whole blocks are left out."""
    following = ord(text[-1]) + 1
    last = chr(0xE000 if following == 0xD800 else following) if following < 0x110000 else text[-1] * 64
    return f"term >= {quoted(text)} and term < {quoted(text[:-1] + last)}"


def statistics(cursor: Connection, schema: str = FTS) -> tuple[int, float]:
    """Number of documents and their mean length in tokens."""
    row = cursor.execute(f"select num_docs, avgdl from {schema}.stats").fetchone()
    return (int(row[0]), float(row[1] or 1.0)) if row else (0, 1.0)


def idf(documents: int, df: int) -> float:
    """The weight of a word, as DuckDB's extension computes it."""
    df = min(df, documents)
    return math.log10((documents - df + 0.5) / (df + 0.5) + 1)


def weigh(
    cursor: Connection,
    groups: Sequence[TermGroup],
    known: tuple[int, float],
    required: Collection[int] = (),
    schema: str = FTS,
) -> Scores:
    """BM25 of every passage that holds any of the words. Reads only those words' postings, once.

    Several terms that count as one word count once: their occurrences are added up. `known` are the `statistics`. A passage
    must hold all terms of `required`, which are terms of the groups.
    """
    documents, mean = known
    termids = [termid for group in groups for termid in group.termids]
    if not documents or not termids:
        return Scores(np.empty(0, np.int64), np.empty(0))
    rows = cursor.execute(
        f"select termid, docid, tf, len from {schema}.post where termid in ({', '.join(map(str, termids))})"
    ).fetchnumpy()
    terms, docs, tfs, lengths = (np.asarray(rows[name]) for name in ("termid", "docid", "tf", "len"))
    if not len(docs):
        return Scores(np.empty(0, np.int64), np.empty(0))
    size = int(docs.max()) + 1
    total = np.zeros(size)
    singles = {group.termids[0]: group.weight * idf(documents, group.df) for group in groups if len(group.termids) == 1}
    if singles:
        order = np.array(sorted(singles))
        place = np.minimum(np.searchsorted(order, terms), len(order) - 1)
        alone = order[place] == terms
        weights = np.array([singles[termid] for termid in order.tolist()])[place[alone]]
        total += np.bincount(docs[alone], weights * _saturated(tfs[alone], lengths[alone], mean), size)
    for group in groups:
        if len(group.termids) > 1:
            mine = np.isin(terms, group.termids)
            occurrences = np.bincount(docs[mine], tfs[mine], size)
            length = np.zeros(size)
            length[docs[mine]] = lengths[mine]
            total += group.weight * idf(documents, group.df) * _saturated(occurrences, length, mean)
    if required:
        held = np.bincount(docs[np.isin(terms, list(required))], minlength=size)
        total[held < len(set(required))] = 0.0
    ids = np.flatnonzero(total)
    return Scores(ids, total[ids])


def _saturated(tf: NDArray[Any], length: NDArray[Any], mean: float) -> NDArray[np.float64]:
    return np.asarray((tf * (K1 + 1)) / (tf + K1 * (1 - B + B * length / mean)), np.float64)


def best(found: Scores, limit: int) -> list[tuple[int, float]]:
    """The first `limit`, best first, of equals the later one first."""
    ids, values = found
    if len(values) > limit > 0:
        least = np.partition(values, len(values) - limit)[len(values) - limit]
        ids, values = ids[values >= least], values[values >= least]
    order = np.lexsort((-ids, -values))[: max(limit, 0)]
    return list(zip(ids[order].tolist(), values[order].tolist(), strict=True))
