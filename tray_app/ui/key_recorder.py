"""The field that takes the next key pressed as the hotkey.

Owns the recording only; whether the key can be had is the hotkey's to find out.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QKeyCombination, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from tray_app.ui import painting, theme

MODIFIER_KEYS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_CapsLock)


def written(key: int, modifiers: Qt.KeyboardModifier, system: str = sys.platform) -> str:
    """A key event in the form of the settings. Qt names macOS' Command 'Ctrl' and its Control 'Meta'; we do not."""
    kept = modifiers & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.GroupSwitchModifier
    text = QKeySequence(QKeyCombination(kept, Qt.Key(key))).toString(QKeySequence.SequenceFormat.PortableText)
    if system == "darwin":
        swapped = {"Ctrl": "Meta", "Meta": "Ctrl"}
        text = "+".join(swapped.get(part, part) for part in text.split("+"))
    return text


class KeyRecorder(QAbstractButton):
    """Press it (or Space), then press the key. Esc leaves it as it was, Backspace alone takes the key away."""

    ring_radius = 6
    is_field = True
    recorded = Signal(str)
    """The key in written form; '' for none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._recording = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.start)

    @property
    def recording(self) -> bool:
        return self._recording

    def set_key(self, key: str) -> None:
        self._key = key
        self._tell()

    def start(self) -> None:
        self._set_recording(True)

    def take(self, key: str) -> None:
        """The key that was pressed. Also called for the present hotkey, which this window does not get to see."""
        if self._recording:
            self._set_recording(False)
            self.recorded.emit(key)

    def words(self) -> str:
        if self._recording:
            return self.tr("Press a key…")
        return self._key.replace("+", " + ") if self._key else self.tr("None")

    def sizeHint(self) -> QSize:
        now = theme.current()
        return QSize(now.px(180), now.size("field"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        # Esc, Tab and Ctrl+digit are shortcuts of the window; while recording they are keys.
        if self._recording and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._recording:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.start()
                return
            super().keyPressEvent(event)
            return
        event.accept()
        if event.key() in MODIFIER_KEYS or event.key() in (0, Qt.Key.Key_unknown) or event.isAutoRepeat():
            return
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and event.key() == Qt.Key.Key_Escape:
            self._set_recording(False)
        elif plain and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.take("")
        else:
            self.take(written(event.key(), event.modifiers()))

    def focusNextPrevChild(self, forward: bool) -> bool:
        return False if self._recording else super().focusNextPrevChild(forward)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._set_recording(False)
        super().focusOutEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._tell()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        enabled = self.isEnabled()
        edge = "focus" if self.hasFocus() else "control" if enabled else "line"
        painting.fill_rounded(painter, QRectF(self.rect()), now.radii["control"], now["raised" if enabled else "bg"], now[edge])
        ink = "text3" if self._recording or not self._key or not enabled else "text"
        text = painting.elide(now, "body", self.words(), self.width() - now.px(20))
        top = (self.height() - now.face("body").line) / 2
        painting.draw_text(painter, now.px(10), top, "body", text, now[ink])

    def _set_recording(self, recording: bool) -> None:
        if recording != self._recording:
            self._recording = recording
            self._tell()

    def _tell(self) -> None:
        self.setText(self.words())
        self.update()
