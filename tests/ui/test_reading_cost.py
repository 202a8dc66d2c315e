"""What a window of days costs: by the index that is there, else by usual figures."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QApplication
from surroundings import SettledBackend, source

from tray_app.records import Counters, IndexReport, Status
from tray_app.ui.reading_cost import Cost, CostTexts, Speed, estimate


def status(chunks: int = 10_000, **facts: Any) -> Status:
    """100 days of talk, 1 GB of files, 30 MB of index."""
    read = source("codex", 40, 1_000_000_000, counters=Counters(chunks=chunks))
    given = {
        "sources": (read,),
        "totals": Counters(chunks=chunks),
        "index_bytes": 30_000_000,
        "oldest": "2026-08-22T12:00:00Z",
        "newest": "2026-11-29T13:00:00Z",
    }
    return msgspec.structs.replace(SettledBackend().status(), **{**given, **facts})


CODEX = [source("codex", 40, 1_000_000_000)]


def test_without_an_index_the_figures_are_from_above() -> None:
    assert estimate(0, CODEX) == Cost(100_000, 300_000_000, 3)
    assert estimate(30, CODEX) == Cost(100_000, 300_000_000, 3, whole=False)
    assert estimate(0, CODEX, status(chunks=499)) == Cost(100_000, 300_000_000, 3)
    assert estimate(0, CODEX, status(indexing=True)) == Cost(100_000, 300_000_000, 3)
    assert estimate(0, [source("codex", 0, 0)], status()) is None


def test_a_whole_index_tells_of_every_window() -> None:
    assert estimate(0, CODEX, status()) == Cost(10_000, 30_000_000, 3, measured=True)
    assert estimate(25, CODEX, status()) == Cost(2_500, 7_500_000, 1, measured=True)
    assert estimate(3650, CODEX, status()) == Cost(10_000, 30_000_000, 3, measured=True)


def test_no_more_is_kept_than_the_budget_says() -> None:
    assert estimate(0, CODEX, most=50_000) == Cost(50_000, 150_000_000, 3)
    assert estimate(0, CODEX, status(), most=5_000) == Cost(5_000, 15_000_000, 3, measured=True)
    assert estimate(0, CODEX, status(), most=20_000) == Cost(10_000, 30_000_000, 3, measured=True)


def test_what_is_not_read_yet_costs_by_its_size() -> None:
    two = [*CODEX, source("kimi", 4, 500_000_000)]
    assert estimate(0, two, status()) == Cost(15_000, 45_000_000, 4, measured=True)


def test_a_window_in_force_tells_of_days_but_not_of_everything() -> None:
    assert estimate(50, CODEX, status(), window=100) == Cost(5_000, 15_000_000, 3, measured=True)
    assert estimate(200, CODEX, status(), window=100) == Cost(20_000, 60_000_000, 3, measured=True)
    assert estimate(0, CODEX, status(), window=100) == Cost(100_000, 300_000_000, 3)
    # The oldest that was found lies inside the window: it is all there is.
    assert estimate(0, CODEX, status(), window=365) == Cost(10_000, 30_000_000, 3, measured=True)


def test_the_speed_is_that_of_passes_that_read_enough() -> None:
    speed = Speed()
    for size, seconds in ((4_999_999, 1.0), (50_000_000, 0.0)):
        speed.learn(IndexReport(totals=Counters(bytes_read=size), sources=(), problems=(), elapsed_s=seconds))
    assert speed.bytes_a_second is None
    speed.learn(IndexReport(totals=Counters(bytes_read=50_000_000), sources=(), problems=(), elapsed_s=25.0))
    assert speed.bytes_a_second == 2_000_000
    assert estimate(0, CODEX, status(), speed=speed.bytes_a_second) == Cost(10_000, 30_000_000, 8, measured=True)


@pytest.mark.parametrize(
    ("cost", "sentence"),
    [
        (None, "There is nothing to read yet."),
        (
            Cost(12_345, 45_000_000, 3, measured=True),
            "About 12,000 passages, 45.0 MB on disk and 3 min of reading in the background, by this machine's own figures.",
        ),
        (
            Cost(1_250, 300_000, 1),
            "At most 1,200 passages and 300 KB on disk; about 1 min of reading in the background.",
        ),
        (
            Cost(7, 300_000, 1, whole=False),
            "At most 7 passages, 300 KB on disk and 1 min of reading in the background.",
        ),
    ],
)
def test_sentences(app: QApplication, cost: Cost | None, sentence: str) -> None:
    assert CostTexts().sentence(cost) == sentence
