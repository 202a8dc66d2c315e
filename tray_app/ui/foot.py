"""The foot: what leaves the machine, how much is in, what was skipped, how old it is or how far reading is, how meaning
stands, and keys.

A copy is answered here, in place of the status, until the next key.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tray_app.records import Embedding, Progress, Status
from tray_app.ui import i18n, leaving_texts, meaning_texts, painting, theme, wording
from tray_app.ui.buttons import LinkButton
from tray_app.ui.controls import Bar
from tray_app.ui.elided import Glyph, Hairline, KeyCap, Label
from tray_app.ui.foot_meaning import MeaningMark


class Foot(QWidget):
    """The row of 36 px on sunken ground."""

    health_wanted = Signal()
    meaning_wanted = Signal()
    keys_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.setFixedHeight(now.size("foot"))
        self.corner = 0.0
        """Radius of the two lower corners, which the window's frame has."""
        self._status: Status | None = None
        self._progress: Progress | None = None
        self._answer = ""
        self._keys: list[tuple[str, str]] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(now.px(16), 0, now.px(16), 0)
        row.setSpacing(now.px(6))
        self._lock = Glyph("lock", 14, "text2")
        self._leaves = Label("", "detail", "text2")
        self._gap = Hairline(vertical=True)
        self._gap.setFixedHeight(now.px(16))
        self._bar = Bar()
        self._done = Label("", "label", "text")
        self._amount = Label("", "detail", "text2")
        self._skipped = LinkButton("", glyph="warn", glyph_color="warn", color="text2")
        self._age = Label("", "detail", "text2")
        self.meaning = MeaningMark()
        self._tick = Glyph("check", 14, "accent_text")
        self._copied = Label("", "detail", "text")
        self._caps = QWidget()
        self._caps_row = QHBoxLayout(self._caps)
        self._caps_row.setContentsMargins(0, 0, 0, 0)
        self._caps_row.setSpacing(now.px(6))
        row.addWidget(self._lock)
        row.addWidget(self._leaves)
        for part in (self._gap, self._bar, self._done, self._amount, self._skipped, self._age, self.meaning):
            row.addSpacing(now.px(4))
            row.addWidget(part)
        row.addWidget(self._tick)
        row.addWidget(self._copied)
        row.addStretch(1)
        row.addWidget(self._caps)
        self._skipped.clicked.connect(self.health_wanted)
        self.meaning.clicked.connect(self.meaning_wanted)
        self._width = 960
        self._redraw()

    @property
    def text(self) -> str:
        """What it says now, in one sentence."""
        parts = (self._leaves, self._done, self._amount, self._skipped, self._age, self.meaning, self._copied)
        return " · ".join(part.text() for part in parts if part.text() and not part.isHidden())

    @property
    def skipped(self) -> LinkButton:
        return self._skipped

    def show_status(self, status: Status) -> None:
        self._status = status
        self._progress = status.progress if status.indexing else None
        self.meaning.set_embedding(status.embedding)
        self._redraw()

    def show_progress(self, progress: Progress | None) -> None:
        """What the indexer reports meanwhile; None or 'idle': nothing is being read."""
        self._progress = progress if progress is not None and progress.phase != "idle" else None
        self._redraw()

    def answer(self, words: str, glyph: str = "check", color: str = "accent_text") -> None:
        """Say that something was done (or, with another glyph, what is wrong), in place of the status; '' goes back."""
        if words != self._answer:
            self._answer = words
            self._tick.set_glyph(glyph, color)
            self._redraw()

    def show_keys(self, keys: list[tuple[str, str]]) -> None:
        """Key caps and what they do, at the right."""
        if keys == self._keys:
            return
        self._keys = keys
        while (item := self._caps_row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, (cap, words) in enumerate(keys):
            if place:
                self._caps_row.addSpacing(theme.current().px(6))
            self._caps_row.addWidget(KeyCap(cap))
            self._caps_row.addWidget(Label(words, "detail", "text2"))

    def set_width(self, width: int) -> None:
        """Under 700 it drops the age, then the sessions; the lock and what was skipped stay."""
        self._width = width
        self._redraw()

    def leaves(self) -> tuple[str, str]:
        """Glyph and words for what leaves the machine; '' while that is not known."""
        if self._status is None:
            return "lock", ""
        return leaving_texts.glyph(self._status.leaves), leaving_texts.short(self._status.leaves)

    def retranslate(self) -> None:
        self.meaning.retranslate()
        self._redraw()

    def _redraw(self) -> None:
        now = theme.current()
        narrow, tight = self._width < now.px(840), self._width < now.px(700)
        glyph, words = self.leaves()
        self._lock.set_glyph(glyph)
        in_full = leaving_texts.full(self._status.leaves) if self._status is not None else ""
        self._lock.setVisible(bool(words))
        self._lock.setToolTip(in_full)
        self._lock.setAccessibleName(words)
        self._leaves.setToolTip(in_full)
        self._leaves.setText(words)
        self._leaves.setVisible(bool(words) and (not tight or glyph == "cloud" or bool(self._answer)))
        said, status, progress = bool(self._answer), self._status, self._progress
        self._gap.setVisible(not tight)
        self._tick.setVisible(said)
        self._copied.setVisible(said)
        self._copied.setText(self._answer)
        reading = progress is not None and not said
        self._meaning_too(said=said, reading=reading, narrow=narrow, tight=tight)
        filling = self.meaning.embedding if self.meaning.filling and not reading and not said else None
        known = progress is not None and progress.total > 0
        self._bar.setVisible((reading and known) or filling is not None)
        self._done.setVisible(reading or filling is not None)
        if progress is not None:
            if known:
                self._bar.set_share(progress.done, progress.total)
                self._done.setText(wording.of(progress.done, progress.total))
            else:
                self._done.setText(self.tr("Reading, %Ln sessions so far", "", progress.sessions))
            left = i18n.time_left(progress.eta_s)
            self._age.setText(left)
            self._age.setVisible(reading and bool(left) and not tight)
        elif filling is not None:
            self._bar.set_share(filling.vectors, filling.vectors + filling.missing)
            self._done.setText(meaning_texts.of(filling) if tight else meaning_texts.amount(filling))
            left = meaning_texts.left(filling)
            self._age.setText(left)
            self._age.setVisible(bool(left) and not narrow)
        else:
            self._age.setVisible(status is not None and not said and not narrow)
            self._age.setText(self._age_words(status))
        self._amount.setVisible(status is not None and not said and not reading and filling is None)
        if status is not None:
            totals = status.totals
            text = wording.passages(totals.chunks) if tight else wording.passages_in_sessions(totals.chunks, totals.sessions)
            self._amount.setText(text)
            skipped = max(totals.skipped_records, status.problems)
            self._skipped.setText(wording.skipped(skipped))
            self._skipped.setToolTip(self.tr("What could not be read, and why: Index health"))
            self._skipped.setVisible(skipped > 0 and not said)
            self._skipped.updateGeometry()
        else:
            self._skipped.hide()
        self._fit(filling)

    def _fit(self, filling: Embedding | None) -> None:
        """Take away what can be missed, until the rest has room; what leaves the machine and what was skipped stay."""

        def fewer_words() -> None:
            if self._status is not None:
                self._amount.setText(wording.passages(self._status.totals.chunks))

        def figures_alone() -> None:
            if filling is not None:
                self._done.setText(meaning_texts.of(filling))

        stopped = self.meaning.embedding is not None and self.meaning.embedding.state == "stopped"
        steps: tuple[Callable[[], object], ...] = (
            self._age.hide,
            fewer_words,
            lambda: self.meaning.set_short(True),
            figures_alone,
            self._amount.hide,
            lambda: self.meaning.setVisible(stopped and not self.meaning.isHidden()),
            self._caps.hide,
            lambda: self.meaning.set_short(True, wholly=True),
            self._leaves.hide,
        )
        self._caps.show()
        row = self.layout()
        assert row is not None
        for step in steps:
            row.invalidate()
            if row.sizeHint().width() <= self._width:
                return
            step()

    def _meaning_too(self, *, said: bool, reading: bool, narrow: bool, tight: bool) -> None:
        """The mark of meaning: without words where there is no room, and only where it needs the person where there is
        none at all."""
        given = self.meaning.embedding
        stopped = given is not None and given.state == "stopped"
        self.meaning.set_short(narrow or reading or (given is not None and given.state == "filling"))
        self.meaning.setVisible(given is not None and not said and (stopped or not tight))

    def _age_words(self, status: Status | None) -> str:
        if status is None:
            return ""
        if status.paused:
            until = i18n.local(status.paused_until)
            return self.tr("Paused until {time}").format(time=i18n.clock(until)) if until else self.tr("Paused")
        return i18n.updated(i18n.local(status.built_at))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._redraw()  # only now are all its parts as wide as they will be

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(painting.rounded_path(QRectF(self.rect()), 0, self.corner), now["sunken"])
        painting.hairline(painter, 0, 0, self.width(), now["line"])
