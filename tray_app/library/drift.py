"""Record kinds that nobody knows, as they are kept among the problems: one row a kind and file.

Owns the sentence such a row is kept as, and adding its figures up. `kind 'vision-frame', 12 times`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import duckdb

UNKNOWN = "unknown_record"
SHARE = 5
"""A file is drifting where one record in so many, or more, is of an unknown kind."""
KINDS_SHOWN = 12
_KIND = r"regexp_extract(p.reason, '^kind ''(.*)'', [0-9]+ times?$', 1)"
_TIMES = r"coalesce(try_cast(regexp_extract(p.reason, '([0-9]+) times?$', 1) as bigint), 0)"


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """What is unknown in one source folder. `files` of it are drifting; `kinds` with their counts, most frequent first, at
    most `KINDS_SHOWN`; `different` is how many kinds there are."""

    agent: str
    root: str
    files: int = 0
    records: int = 0
    kinds: dict[str, int] = {}
    different: int = 0


def sentence(kind: str, times: int) -> str:
    return f"kind '{kind}', {times} time{'' if times == 1 else 's'}"


def take(cursor: duckdb.DuckDBPyConnection, files: Iterable[int]) -> dict[int, dict[str, int]]:
    """Take what is kept of these files out of the problems: kind -> how often, by file id. The other problems stay."""
    listed = ", ".join(str(int(number)) for number in files)
    found: dict[int, dict[str, int]] = {}
    if not listed:
        return found
    kept = f"from problems p where p.kind = '{UNKNOWN}' and p.file_id in ({listed})"
    for file, kind, times in cursor.execute(f"select p.file_id, {_KIND}, {_TIMES} {kept}").fetchall():
        kinds = found.setdefault(int(file), {})
        kinds[kind] = kinds.get(kind, 0) + int(times)
    cursor.execute(f"delete {kept}")
    return found


def summed(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """Counts of an earlier reading and of what was appended since."""
    return {kind: before.get(kind, 0) + now.get(kind, 0) for kind in {**before, **now}}


def drifts(cursor: duckdb.DuckDBPyConnection) -> list[Drift]:
    """Source folders with records of unknown kinds."""
    kinds: dict[tuple[str, str], dict[str, int]] = {}
    for agent, root, kind, times in cursor.execute(
        f"select f.agent, f.root, {_KIND} as name, sum({_TIMES})::bigint as times from problems p join files f on f.id = p.file_id "
        f"where p.kind = '{UNKNOWN}' group by all order by times desc, name"
    ).fetchall():
        kinds.setdefault((agent, root), {})[kind] = int(times)
    rows = cursor.execute(
        f"select agent, root, count(*) filter (unknown * {SHARE} >= records), sum(unknown)::bigint from files where unknown > 0 "
        "group by all order by agent, root"
    ).fetchall()
    found = []
    for agent, root, files, records in rows:
        named = kinds.get((agent, root), {})
        shown = dict(list(named.items())[:KINDS_SHOWN])
        found.append(Drift(agent=agent, root=root, files=int(files), records=int(records), kinds=shown, different=len(named)))
    return found
