"""How meaning stands, in the foot: a glyph and a word that lead to its settings; figures while the library is worked through.

Owns which of the states is worth words. Red is never used: what needs the person has the warn glyph and says so.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from tray_app.records import Embedding
from tray_app.ui import meaning_texts, theme
from tray_app.ui.buttons import LinkButton


class MeaningMark(LinkButton):
    """A link of a glyph and a word or two; the whole state is its tooltip and its accessible name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, glyph="meaning", color="text2", glyph_color="text2")
        self._embedding: Embedding | None = None
        self._short = self._wholly = False
        self.hide()

    @property
    def embedding(self) -> Embedding | None:
        return self._embedding

    @property
    def filling(self) -> bool:
        """The library is being worked through, and it is known how far that is."""
        given = self._embedding
        return given is not None and given.state == "filling" and given.vectors + given.missing > 0

    def set_embedding(self, embedding: Embedding | None) -> None:
        self._embedding = embedding
        self.retranslate()

    def set_short(self, short: bool, *, wholly: bool = False) -> None:
        """No words where there is no room for them; `wholly`: not even those that need the person."""
        self._short, self._wholly = short, wholly
        self.retranslate()

    def glyph_and_words(self) -> tuple[str, str, str]:
        """For the one-line form: glyph ('' where nothing is worth one), its colour, and the state in words."""
        given = self._embedding
        if given is None or given.state in ("off", "ready"):
            return "", "text2", meaning_texts.state(given) if given is not None else ""
        if given.state == "stopped":
            return "warn", "warn", meaning_texts.state(given)
        return "meaning", "text2", meaning_texts.state(given)

    def retranslate(self) -> None:
        given = self._embedding
        if given is None:
            return
        stopped = given.state == "stopped"
        worded = not self._short or (stopped and not self._wholly)
        words = meaning_texts.short(given) if worded else ""
        self.setText(words)
        self._glyph_color = "warn" if stopped else "text2"
        self.set_glyph("warn" if stopped else "meaning")
        whole = meaning_texts.state(given)
        self.setToolTip(whole)
        self.setAccessibleName(whole)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint if self.text() else QSize(theme.current().px(16), hint.height())
