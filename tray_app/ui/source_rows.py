"""One source as a row, in the settings (with a switch) and at first run (with a tick box); and their sums in words.

Owns how a source is written; which ones are read is decided by who holds the rows.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from tray_app.paths import shorten
from tray_app.records import SourceView
from tray_app.ui import i18n, painting, theme, wording
from tray_app.ui.controls import ElidedLabel, Glyph, GlyphButton, Label, Switch, Tick


class SourceTexts:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("SourceTexts", text, comment, number)

    def name(self, source: SourceView) -> str:
        return wording.agent_name(source.agent)

    def amount(self, source: SourceView) -> str:
        """'318 sessions'; for memory files '15 files'."""
        if source.agent == "memory":
            return self.tr("%Ln files", "", source.sessions)
        return wording.sessions(source.sessions)

    def why_off(self, source: SourceView) -> str:
        """Why nothing of it is read; '' when it is."""
        if source.enabled and source.state == "failed":
            return self.tr("Could not be read")
        if source.enabled and source.state == "offline":
            return self.tr("Not reachable now; what was read stays")
        if source.enabled and source.why_off not in ("unreadable", "not_found"):
            return ""
        return {
            "not_found": self.tr("Not found"),
            "not_ticked": self.tr("Off: not ticked"),
            "excluded": self.tr("Off: excluded"),
            "unreadable": self.tr("Off: the folder cannot be read"),
        }.get(source.why_off, "" if source.enabled else self.tr("Off"))

    def remove(self) -> str:
        return self.tr("Remove this folder")

    def sum(self, sources: Iterable[SourceView]) -> str:
        """'771 sessions, 15 files, 960 MB'"""
        chosen = list(sources)
        sessions = sum(source.sessions for source in chosen if source.agent != "memory")
        files = sum(source.sessions for source in chosen if source.agent == "memory")
        parts = [wording.sessions(sessions)] if sessions or not files else []
        if files:
            parts.append(self.tr("%Ln files", "", files))
        if chosen:
            parts.append(i18n.byte_size(sum(source.bytes for source in chosen)))
        return self.tr(", ", "between counts").join(parts)

    def spoken(self, source: SourceView) -> str:
        """The row in one sentence, for screen readers."""
        parts = [self.name(source), self.amount(source), i18n.byte_size(source.bytes), self.why_off(source)]
        return self.tr(", ", "between counts").join(part for part in parts if part)


texts = SourceTexts()


class SourceRow(QWidget):
    """60 px: mark, name, path · reason, count and size, switch. A folder added by hand can be removed."""

    switched = Signal(str, bool)
    removed = Signal(str)

    def __init__(self, source: SourceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.source = source
        on = source.enabled
        strong, weak = ("text", "text2") if on else ("text2", "text3")
        # Made before the switch, so that Tab meets it first, too.
        remove = GlyphButton("trash", texts.remove(), self) if ":" in source.id else None
        self.switch = Switch(self)
        self.switch.setChecked(on)
        self.switch.setAccessibleName(texts.spoken(source))
        self.switch.clicked.connect(lambda wanted: self.switched.emit(self.source.id, wanted))
        name = Label(texts.name(source), "row_strong", strong, self)
        path = ElidedLabel(shorten(source.path), "code", "text2", self, Qt.TextElideMode.ElideMiddle)
        reason = Label(texts.why_off(source), "detail", "text2", self)
        amount = Label(texts.amount(source), "detail", strong, self)
        size = Label(i18n.byte_size(source.bytes), "detail", weak, self)
        for label in (amount, size):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        under = QHBoxLayout()
        under.setSpacing(now.px(12))
        path.setMaximumWidth(path.sizeHint().width())
        under.addWidget(path, 1)
        under.addWidget(reason)
        under.addStretch(0 if not reason.text() else 1)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, now.px(4), 0)
        grid.setHorizontalSpacing(now.px(12))
        grid.setVerticalSpacing(now.px(2))
        grid.setRowStretch(0, 1)
        grid.setRowStretch(3, 1)
        grid.addWidget(Glyph(source.agent, 16, "text" if on else "text2", self, agent=True), 1, 0)
        grid.addWidget(name, 1, 1)
        grid.addLayout(under, 2, 1)
        grid.addWidget(amount, 1, 2)
        grid.addWidget(size, 2, 2)
        if remove is not None:
            remove.clicked.connect(lambda: self.removed.emit(self.source.id))
            grid.addWidget(remove, 1, 3, 2, 1)
        grid.addWidget(self.switch, 1, 4, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(3, now.px(8))
        self.setFixedHeight(now.size("source_row"))


class SourceTick(Tick):
    """44 px at first run: the whole row is the tick box. Columns: mark, name, path, count, size."""

    HEIGHT, NAME_AT, PATH_AT, SIZE_WIDTH, COUNT_WIDTH = 44, 58, 168, 64, 92

    def __init__(self, source: SourceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = source
        self.setText(texts.spoken(source))
        self.setAccessibleName(texts.spoken(source))
        self.setFixedHeight(theme.current().px(self.HEIGHT))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.setText(texts.spoken(self.source))
            self.setAccessibleName(texts.spoken(self.source))
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        from tray_app.ui import icons
        from tray_app.ui.controls import draw_tick

        now = theme.current()
        painter = QPainter(self)
        on = self.isChecked()
        middle = self.height() / 2
        if self.underMouse():
            painting.fill_rounded(painter, QRectF(self.rect()), now.radii["row"], now["hover"])
        left = now.px(4)
        draw_tick(painter, left, middle - now.size("box") / 2, on=on, enabled=self.isEnabled(), down=self.isDown())
        side = now.px(16)
        icons.draw_mark(painter, self.source.agent, left + now.px(32), middle - side / 2, side, now["text" if on else "text2"])
        body = middle - now.face("row").line / 2
        detail = middle - now.face("detail").line / 2
        size, count = i18n.byte_size(self.source.bytes), texts.amount(self.source)
        size_at = self.width() - left - painting.text_width(now, "detail", size)
        count_right = self.width() - left - now.px(self.SIZE_WIDTH)
        count_at = count_right - painting.text_width(now, "detail", count)
        name = painting.elide(now, "row", texts.name(self.source), now.px(self.PATH_AT - self.NAME_AT - 8))
        painting.draw_text(painter, left + now.px(self.NAME_AT), body, "row", name, now["text"])
        path_at = left + now.px(self.PATH_AT)
        middle_mode = Qt.TextElideMode.ElideMiddle
        path = painting.elide(now, "code", shorten(self.source.path), count_at - path_at - now.px(12), middle_mode)
        painting.draw_text(painter, path_at, detail, "code", path, now["text2"])
        painting.draw_text(painter, count_at, detail, "detail", count, now["text2"])
        painting.draw_text(painter, size_at, detail, "detail", size, now["text2"])
        if self.hasFocus():
            ring = QRectF(left - 4, middle - now.size("box") / 2 - 4, now.size("box") + 8, now.size("box") + 8)
            painting.fill_rounded(painter, ring, now.radii["box"] + 3, None, now["focus"], 2)

    no_ring = True
