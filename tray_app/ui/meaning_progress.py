"""How far the library is worked through for meaning, and what leaves the machine for it: two parts of the page Meaning."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tray_app.records import Embedding
from tray_app.ui import meaning_texts, theme, wording
from tray_app.ui.controls import Bar, Glyph, Label
from tray_app.ui.meaning_rows import Outcome, at_first_line
from tray_app.ui.settings_rows import give_line


class WideBar(Bar):
    """A bar as wide as there is room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(theme.current().px(80))
        self.setMaximumWidth(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._share[1] > 0:
            self._when = 0.0
            self.set_share(*self._share)


class FillingBox(QWidget):
    """Heading and figures over a bar while there is something to do; what is wrong; what was refused."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.heading = Label("", "label", "text2", self)
        self.figures = Label("", "detail", "text2", self)
        self.bar = WideBar(self)
        self.sentence = Label("", "detail", "text2", self, wrap=True)
        self.trouble = Outcome(self)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(12), now.px(4), now.px(12))
        column.setSpacing(now.px(6))
        column.addLayout(top)
        column.addWidget(self.bar)
        column.addWidget(give_line(self.sentence, "detail"))
        column.addWidget(self.trouble)

    def show_embedding(self, embedding: Embedding) -> None:
        total = embedding.vectors + embedding.missing
        due = embedding.missing > 0 and total > 0
        self.setVisible(embedding.backend != "off" and (due or embedding.refused > 0 or embedding.state != "off"))
        self.bar.setVisible(due)
        self.figures.setVisible(due)
        if due:
            self.bar.set_share(embedding.vectors, total)
            left = meaning_texts.left(embedding)
            amount = meaning_texts.amount(embedding)
            self.figures.setText(self.tr("{amount}, {left}").format(amount=amount, left=left) if left else amount)
            self.bar.setAccessibleName(self.figures.text())
        self.heading.setText(self._heading(embedding, due=due))
        pace = meaning_texts.pace(embedding)
        if not due and not pace and embedding.state == "ready":
            pace = self.tr("{passages} can be found by meaning.").format(passages=wording.passages(embedding.vectors))
        self.sentence.setText(pace)
        self.sentence.setVisible(bool(pace))
        troubled = embedding.state in ("waiting", "stopped")
        glyph, color = ("warn", "warn") if embedding.state == "stopped" else ("info", "text2")
        self.trouble.say(meaning_texts.fault(embedding.error_code, embedding.error) if troubled else "", glyph, color)

    def _heading(self, embedding: Embedding, *, due: bool) -> str:
        if embedding.state == "stopped":
            return self.tr("Stopped")
        if embedding.state == "waiting":
            return self.tr("Waiting, goes on by itself")
        if due:
            return self.tr("Working through the library") if embedding.state == "filling" else self.tr("Not all is in yet")
        return self.tr("All is in")


class LeavesBox(QWidget):
    """Whole sentences about what leaves this machine with the back end that is chosen on the page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.heading = Label("", "label", "text2", self)
        self.glyph = Glyph("lock", 14, "text2", self)
        self.leaves = Label("", "body", "text", self, wrap=True)
        self.shield = Glyph("privacy", 14, "text2", self)
        self.never = Label("", "body", "text", self, wrap=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, now.px(12), now.px(4), now.px(12))
        grid.setHorizontalSpacing(now.px(14))
        grid.setVerticalSpacing(now.px(4))
        grid.addWidget(self.heading, 0, 0, 1, 2)
        for line, (glyph, words) in enumerate(((self.glyph, self.leaves), (self.shield, self.never)), 1):
            grid.addLayout(at_first_line(glyph, "body"), line, 0)
            grid.addWidget(give_line(words, "body"), line, 1)
        grid.setColumnStretch(1, 1)

    def show_backend(self, backend: str, host: str | None) -> None:
        """`host`: where texts are sent, '' for nowhere, None while that is not known."""
        self.heading.setText(self.tr("What leaves this machine"))
        self.glyph.set_glyph("lock" if host == "" else "cloud")
        self.leaves.setText(meaning_texts.leaves(backend, host))
        for widget in (self.shield, self.never):
            widget.setVisible(host != "")
        self.never.setText(meaning_texts.leaves_not())
