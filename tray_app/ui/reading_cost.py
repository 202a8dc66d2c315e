"""What a window of days will cost: passages, room on disk, minutes of reading.

Owns the estimate and its sentence. Where the index holds enough, the figures are this machine's own; else they are usual
ones, from above. Asks nothing of the backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject

from tray_app.records import IndexReport, SourceView, Status
from tray_app.ui import i18n, wording

READ_BYTES_A_SECOND = 6_000_000
"""Session files read and indexed a second on two cores, from below; for an estimate in whole minutes only."""
INDEX_SHARE = 0.3
"""Index on disk over session files on disk, from above (a file holds much beside its text)."""
PASSAGE_BYTES = 3_000
"""Index on disk for one passage: 310 MB at 100,000."""
ENOUGH_PASSAGES = 500
"""From so many on, an index says something about the rest."""
ENOUGH_BYTES = 5_000_000
"""A pass that read less says nothing about speed."""


@dataclass(frozen=True)
class Cost:
    """`passages`, `size` in bytes on disk, whole `minutes`. `measured`: by this machine's own figures; else from above.
    `whole`: all that was found is read, so that the minutes are no upper bound."""

    passages: int
    size: int
    minutes: int
    measured: bool = False
    whole: bool = True


class Speed(QObject):
    """How fast this machine reads, as the passes that were made since the start tell."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bytes_a_second: float | None = None
        """None as long as no pass has read enough."""

    def learn(self, report: IndexReport) -> None:
        if report.totals.bytes_read >= ENOUGH_BYTES and report.elapsed_s > 0:
            self.bytes_a_second = report.totals.bytes_read / report.elapsed_s


def estimate(
    days: int,
    sources: Sequence[SourceView],
    status: Status | None = None,
    *,
    window: int = 0,
    most: int | None = None,
    speed: float | None = None,
) -> Cost | None:
    """The cost of reading `sources` `days` back (0: everything); None where they hold nothing. `status` and `window` (the
    days in force) are those of the index as it stands, `most` is how many passages are kept in all, `speed` is in bytes a
    second."""
    size = sum(source.bytes for source in sources)
    if not size:
        return None
    rate = speed or READ_BYTES_A_SECOND
    own = _own_passages(days, sources, status, window) if status is not None else None
    if own is None or status is None:
        passages, share, each = size * INDEX_SHARE / PASSAGE_BYTES, 1.0, float(PASSAGE_BYTES)
    else:
        (passages, share), each = own, status.index_bytes / status.totals.chunks
    kept = min(passages, most) if most else passages
    minutes = max(round(size * share / rate / 60), 1)
    return Cost(round(kept), round(kept * each), minutes, measured=own is not None, whole=own is not None or days == 0)


def _own_passages(days: int, sources: Sequence[SourceView], status: Status, window: int) -> tuple[float, float] | None:
    """Passages in the window, and its share of all, by what the index holds; None where it does not tell."""
    oldest, newest = i18n.local(status.oldest), i18n.local(status.newest)
    read = [source for source in status.sources if source.enabled and source.counters.chunks and source.bytes]
    held = sum(source.counters.chunks for source in read)
    if held < ENOUGH_PASSAGES or not status.index_bytes or oldest is None or newest is None or status.indexing:
        return None
    here = sum(source.bytes for source in sources)
    passages = held * here / sum(source.bytes for source in read)
    span = (newest - oldest).days + 1
    if not window or span < window:  # all there is was read
        share = min(days / span, 1.0) if days else 1.0
        return passages * share, share
    if not days:
        return None  # how much lies before the window nobody knows
    return passages * days / window, 1.0


class CostTexts:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("CostTexts", text, comment, number)

    def sentence(self, cost: Cost | None) -> str:
        """'About 12,000 passages, 45 MB on disk, 3 min of reading in the background, by this machine's own figures.'"""
        if cost is None:
            return self.tr("There is nothing to read yet.")
        if cost.measured:
            text = self.tr(
                "About {passages}, {disk} on disk and {minutes} of reading in the background, by this machine's own figures."
            )
        elif cost.whole:
            text = self.tr("At most {passages} and {disk} on disk; about {minutes} of reading in the background.")
        else:
            text = self.tr("At most {passages}, {disk} on disk and {minutes} of reading in the background.")
        return text.format(
            passages=wording.passages(_rounded(cost.passages)),
            disk=i18n.byte_size(cost.size),
            minutes=self.tr("%Ln min", "", cost.minutes),
        )


def _rounded(number: int) -> int:
    """To two figures: an estimate should not look like a count."""
    places = max(len(str(number)) - 2, 0)
    return round(number, -places)
