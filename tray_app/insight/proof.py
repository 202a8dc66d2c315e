"""Proving the index by sampling: a few sessions are read once more from their files, and compared with what the index has.

Reads files of agents with their adapters, as a pass does, and writes nothing. What changed since it was read is left out: the next
pass reads it anyway. The caller gives what the index has, so that no library is held while a disk is waited for.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from tray_app.indexing.keeping import without_forgotten
from tray_app.indexing.merge import path_text
from tray_app.indexing.plan import same_file
from tray_app.indexing.prepare import PIPELINE_VERSION, CleanMessage, Rules, prepare
from tray_app.insight.findings import counted, finding
from tray_app.library import proving
from tray_app.library.connection import Connection
from tray_app.library.proving import Held, Sizes
from tray_app.paths import SourcesHome, shorten
from tray_app.records import Finding
from tray_app.sources.base import Adapter, Context, Limits, NotReady, Stopped, Unit
from tray_app.tombstones import Forgotten

NEWEST, OTHERS = 3, 5
MOST_BYTES = 2 << 20
SECONDS = 1.0
"""So long sessions are read; those that were not come at another check-up."""
NAMED = 3


class Ways(msgspec.Struct, frozen=True):
    """How files are read: the same as in a pass."""

    adapters: Callable[[str], Adapter]
    home: SourcesHome
    rules: Rules
    limits: Limits
    forgotten: Forgotten


class Difference(msgspec.Struct, frozen=True):
    """A session of which the index has not what its file holds: messages that are missing in it, that it has beyond them, and that
    stand in no passage."""

    agent: str
    session: str
    path: str
    missing: int
    beyond: int
    astray: int


class Proof(msgspec.Struct, frozen=True):
    sessions: int = 0
    messages: int = 0
    passages: int = 0
    differing: tuple[Difference, ...] = ()


def picked(cursor: Connection, chance: random.Random) -> list[Held]:
    """What the index has of the newest files and of some of the others, which are others each time."""
    files = proving.whole_files(cursor, MOST_BYTES)
    rest = files[NEWEST:]
    return proving.held(cursor, files[:NEWEST] + chance.sample(rest, min(OTHERS, len(rest))))


def prove(sample: Sequence[Held], ways: Ways, seconds: float = SECONDS) -> Proof:
    """Read what was picked once more. Raises nothing for what a disk does: a file that cannot be read is told elsewhere."""
    ends = time.monotonic() + seconds
    units = _units(sample, ways)
    proven: list[Held] = []
    differing: list[Difference] = []
    try:
        for one in sample:
            unit = units.get((one.file.agent, one.file.path))
            said = _said(unit, one, ways, lambda: time.monotonic() > ends) if unit is not None else None
            if said is None:
                continue
            proven.append(one)
            missing, beyond = _apart(said, one)
            if missing or beyond or one.astray:
                differing.append(
                    Difference(one.file.agent, one.session, one.file.path, missing=missing, beyond=beyond, astray=one.astray)
                )
    except Stopped:
        pass  # the time is over; what was read counts
    return Proof(
        len(proven),
        sum(len(one.own) + len(one.inherited) for one in proven),
        sum(one.passages for one in proven),
        tuple(differing),
    )


def _units(sample: Sequence[Held], ways: Ways) -> dict[tuple[str, str], Unit]:
    """The files on disk by agent and path, with all that belongs to their sessions."""
    wanted = {(one.file.agent, one.file.path) for one in sample}
    found: dict[tuple[str, str], Unit] = {}
    context = Context(home=ways.home)
    for agent, root in sorted({(one.file.agent, one.file.root) for one in sample}):
        try:
            for unit in ways.adapters(agent).discover(Path(root), context, lambda problem: None):
                key = (agent, path_text(unit.path))
                if key in wanted:
                    found[key] = unit
        except OSError:
            continue  # a source that is away is told as such
    return found


def _apart(said: Mapping[int, CleanMessage], one: Held) -> tuple[int, int]:
    """How many messages of a file the index has not, and how many it has beyond them."""
    missing = [message for identity, message in said.items() if identity not in one.own and identity not in one.inherited]
    beyond = len(one.own - said.keys())
    alike = Counter(words for identity, words in one.inherited.items() if identity not in said)
    under_other_ids = (alike & Counter((message.role, message.text) for message in missing)).total()
    return len(missing) - under_other_ids, beyond + alike.total() - under_other_ids


def _said(unit: Unit, one: Held, ways: Ways, late: Callable[[], bool]) -> dict[int, CleanMessage] | None:
    """What a file says now, by identity; None where it is not as it was read, or cannot be read. Raises Stopped."""
    adapter = ways.adapters(unit.agent)
    now = (adapter.version, PIPELINE_VERSION)
    if late():
        raise Stopped
    if not same_file(unit, one.file) or (one.file.adapter_version, one.file.pipeline_version) != now:
        return None
    try:
        prepared = prepare(unit, None, adapter.read(unit, None, ways.limits, late), adapter.version, ways.rules, late)
    except (OSError, NotReady):
        return None
    prepared = without_forgotten(prepared, ways.forgotten) if prepared is not None else None
    return None if prepared is None else {message.identity: message for message in prepared.messages}


def findings(proof: Proof, sizes: Sequence[Sizes], names: dict[str, str]) -> list[Finding]:
    """`names` of agents by key."""
    found = []
    if not all(one.agree for one in sizes):
        passages, words = sum(one.passages for one in sizes), sum(one.found_by_words for one in sizes)
        found.append(
            finding(
                "index_uneven", "warn", "The parts of the index do not agree",
                f"{counted(passages, 'passage')}, of which {words:,} can be found by words; "
                f"{counted(sum(one.strays for one in sizes), 'row')} of no session.",
                "Have it made anew: backscroll rebuild", count=str(passages), words=str(words),
            )
        )  # fmt: skip
    if proof.differing:
        listed = "; ".join(_named(one, names) for one in proof.differing[:NAMED])
        more = len(proof.differing) - NAMED
        found.append(
            finding(
                "index_differs", "warn", f"{len(proof.differing)} of {counted(proof.sessions, 'session')} read once more are not as in the index",
                listed + (f"; and {more:,} more" if more > 0 else "") + ".",
                "Have it made anew: backscroll rebuild",
                count=str(len(proof.differing)), total=str(proof.sessions), agent=names.get(proof.differing[0].agent, ""),
                path=proof.differing[0].path,
            )
        )  # fmt: skip
    elif proof.sessions:
        found.append(
            finding(
                "index_proved", "ok", f"{counted(proof.sessions, 'session')} read once more, and found as in the index",
                f"{counted(proof.messages, 'message')}, {counted(proof.passages, 'passage')}.",
                count=str(proof.sessions), messages=str(proof.messages), passages=str(proof.passages),
            )
        )  # fmt: skip
    return found


def _named(one: Difference, names: dict[str, str]) -> str:
    facts = [
        f"{number:,} {how}"
        for number, how in ((one.missing, "missing"), (one.beyond, "not in the file"), (one.astray, "not whole in passages"))
        if number
    ]
    return f"{names.get(one.agent, one.agent)} {one.session[:13]} ({shorten(one.path)}): messages {', '.join(facts)}"
