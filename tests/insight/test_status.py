"""Figures by source, summed, and the state they amount to."""

from __future__ import annotations

from typing import Any

import pytest

from tray_app.insight.status import counters, summed, with_counts
from tray_app.library.reading import SourceCounts
from tray_app.records import Counters, SourceView


def counts(**figures: int) -> SourceCounts:
    names = [name for name in SourceCounts.__struct_fields__ if name not in ("agent", "root")]
    return SourceCounts("codex", "/x", **{name: figures.get(name, 0) for name in names})


class Rows:
    """What a reader says of its sources."""

    def __init__(self, *rows: SourceCounts) -> None:
        self.rows = rows

    def source_counts(self) -> list[SourceCounts]:
        return list(self.rows)


def view(**facts: Any) -> SourceView:
    return SourceView(
        **{"id": "codex", "agent": "codex", "name": "Codex", "path": "/x", "found": True, "enabled": True, **facts}
    )


def test_figures_go_over_by_name() -> None:
    made = counters(counts(files=3, sessions=2, messages=9, chunks=4, skipped=1, unknown=5, repeated=6, redacted=7, gone=8))
    assert (made.files, made.sessions, made.messages, made.chunks) == (3, 2, 9, 4)
    assert (made.skipped_records, made.unknown_records, made.repeated_messages) == (1, 5, 6)
    assert (made.redacted, made.gone_sessions) == (7, 8)
    assert summed([made, made]).messages == 18
    assert summed([]) == Counters()


@pytest.mark.parametrize(
    ("figures", "found", "state"),
    [
        ({}, True, "ok"),
        ({"unknown": 3}, True, "ok"),
        ({"skipped": 1}, True, "partial"),
        ({"truncated": 1}, True, "partial"),
        ({"over_budget": 1}, True, "partial"),
        ({"quarantined": 1}, True, "partial"),
        ({"not_recognised": 1}, True, "partial"),
        ({}, False, "offline"),
    ],
)
def test_states(figures: dict[str, int], found: bool, state: str) -> None:
    (made,) = with_counts([view(found=found)], Rows(counts(**figures)))  # type: ignore[arg-type]
    assert made.state == state


def test_a_source_without_figures_stays_as_it_is() -> None:
    other = view(path="/y")
    assert with_counts([other], Rows(counts(files=1))) == (other,)  # type: ignore[arg-type]
