"""Counts as they stand, by source and summed, and by what passages are of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from tray_app.library.reading import Reader, SourceCounts
from tray_app.library.session_reading import passages_by
from tray_app.records import Counters, IndexFigures, SessionPassages, SourceView

COUNTED = tuple(field for field in Counters.__struct_fields__ if field not in ("bytes_read", "unchanged_files"))

LARGEST = 20
"""Sessions that are listed with their passages."""


def index_figures(reader: Reader) -> IndexFigures:
    """How many passages there are of each kind, agent and session."""
    kinds: Counter[str] = Counter()
    agents: Counter[str] = Counter()
    sessions: Counter[tuple[str, str]] = Counter()
    for agent, native, kind, count in passages_by(reader.cursor):
        kinds[kind] += count
        agents[agent] += count
        sessions[agent, native] += count
    largest = sorted(sessions.items(), key=lambda pair: (-pair[1], pair[0]))[:LARGEST]
    return IndexFigures(
        by_kind=_most_first(kinds), by_agent=_most_first(agents),
        sessions=tuple(SessionPassages(session=native, agent=agent, passages=count) for (agent, native), count in largest),
    )  # fmt: skip


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def counters(counts: SourceCounts) -> Counters:
    """The figures of one source folder."""
    return Counters(
        files=counts.files, sessions=counts.sessions, messages=counts.messages, chunks=counts.chunks,
        skipped_records=counts.skipped, unknown_records=counts.unknown, repeated_messages=counts.repeated,
        quarantined_files=counts.quarantined, truncated_files=counts.truncated, over_budget_files=counts.over_budget,
        gone_sessions=counts.gone, redacted=counts.redacted,
    )  # fmt: skip


def summed(many: Sequence[Counters]) -> Counters:
    return Counters(**{name: sum(getattr(one, name) for one in many) for name in Counters.__struct_fields__})


def with_counts(sources: Sequence[SourceView], reader: Reader) -> tuple[SourceView, ...]:
    """Source views with their figures from the index and the state these amount to."""
    by_root = {(counts.agent, counts.root): counts for counts in reader.source_counts()}
    views = []
    for view in sources:
        counts = by_root.get((view.agent, view.path))
        if counts is None:
            views.append(view)
            continue
        figures = counters(counts)
        lost = figures.skipped_records or figures.truncated_files or figures.over_budget_files or figures.quarantined_files
        state = "offline" if not view.found else "partial" if lost or counts.not_recognised else "ok"
        views.append(msgspec.structs.replace(view, counters=figures, state=state))
    return tuple(views)
