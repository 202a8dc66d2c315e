"""The keys of the search window, wherever in it the keyboard is.

Owns one table of what each key does. Typing anywhere goes to the field; while an input method is composing, every key is
the input method's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from tray_app.ui.find_bar import FindBar
from tray_app.ui.search_frame import DOUBT

if TYPE_CHECKING:
    from tray_app.ui.search_window import SearchWindow

Key = Qt.Key
ENTER = (Key.Key_Return, Key.Key_Enter)
MODIFIERS = (Key.Key_Control, Key.Key_Shift, Key.Key_Alt, Key.Key_Meta, Key.Key_AltGr, Key.Key_CapsLock)


class SearchKeys(QObject):
    """An event filter on the widgets of the window that take the keyboard."""

    def __init__(self, window: SearchWindow) -> None:
        super().__init__(window)
        self._window = window
        self._field = window.bar.field
        for widget in (self._field, window.list, window.empty.days, window.pane.transcript, window):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # What we take must not become a text field's own shortcut first (Ctrl+C, Ctrl+E, Ctrl+R).
            if self._ours(watched, event):
                event.accept()
                return True
            return False
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press(watched, event)
        return False

    def _ours(self, watched: QObject, event: QKeyEvent) -> bool:
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if control and event.key() == Key.Key_C:
            return not self._has_selection(watched)
        return control and event.key() in (
            Key.Key_R, Key.Key_E, Key.Key_F, Key.Key_H, Key.Key_I, Key.Key_N, Key.Key_P, *ENTER
        )  # fmt: skip

    def _press(self, watched: QObject, event: QKeyEvent) -> bool:
        window = self._window
        if self._field.composing:
            return False
        key = Key(event.key())
        if key not in MODIFIERS:
            window.foot.answer("")
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return self._control(watched, key)
        if modifiers == Qt.KeyboardModifier.AltModifier and Key.Key_1 <= key <= Key.Key_9:
            # With no candidate of that number it must not be typed into the field instead.
            return window.list.choose_number(key - Key.Key_0) or window.mode == DOUBT
        if modifiers not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            return False
        if key == Key.Key_F1:
            window.grow()
            window.overlay.open()
            return True
        if key == Key.Key_Escape:
            if not window.reasons.close() and not window.clear():
                window.dismiss()
            return True
        if watched is self._field:
            return self._in_field(key, modifiers)
        if watched is window.list and key in (Key.Key_Right, Key.Key_Left):
            return window.enter_right() if key == Key.Key_Right else True
        if watched is window.pane.transcript and key == Key.Key_Left:
            window.leave_pane()
            return True
        return self._typed(watched, event)

    def _control(self, watched: QObject, key: Key) -> bool:
        window = self._window
        if key == Key.Key_C:
            if self._has_selection(watched):
                return False
            window.copies.copy_passage()
        elif key in ENTER:
            window.copies.copy_for_chat()
        elif key == Key.Key_R:
            window.copies.copy_resume_command()
        elif key == Key.Key_E:
            window.copies.export()
        elif key == Key.Key_H:
            window.open_handover()
        elif key == Key.Key_I:
            window.reasons.toggle()
        elif key == Key.Key_F:
            window.pane.open_find()
        elif key == Key.Key_Comma:
            window.settingsRequested.emit()
        elif key in (Key.Key_Up, Key.Key_Down):
            window.grow()
            window.list.move_by_session(-1 if key == Key.Key_Up else 1)
        elif key in (Key.Key_N, Key.Key_P):
            window.grow()
            window.list.move_by(1 if key == Key.Key_N else -1)
        else:
            return False
        return True

    def _in_field(self, key: Key, modifiers: Qt.KeyboardModifier) -> bool:
        window, field = self._window, self._field
        if key in (Key.Key_Up, Key.Key_Down):
            if window.one_line:
                window.grow()
            else:
                window.list.move_by(-1 if key == Key.Key_Up else 1)
            return True
        if key in (Key.Key_PageUp, Key.Key_PageDown):
            window.list.move_by_page(-1 if key == Key.Key_PageUp else 1)
            return True
        if key in ENTER:
            window.grow()
            window.list.open_current()
            return True
        if key == Key.Key_Tab and modifiers == Qt.KeyboardModifier.NoModifier:
            window.open_chips()
            return True
        if key == Key.Key_Right and field.cursorPosition() == len(field.text()) and not field.hasSelectedText():
            return window.enter_right()
        return False

    def _typed(self, watched: QObject, event: QKeyEvent) -> bool:
        """A character typed elsewhere goes to the field."""
        text = event.text()
        if event.key() == Key.Key_Backspace and watched is not self._window:
            text = "x"  # it edits what was typed
        if isinstance(watched, FindBar) or not text or not text.isprintable() or (text == " " and watched is not self._window):
            return False
        self._window.focus_query()
        QApplication.sendEvent(self._field, event)
        return True

    def _has_selection(self, watched: QObject) -> bool:
        if watched is self._field:
            return self._field.hasSelectedText()
        if watched is self._window.pane.transcript:
            return self._window.pane.transcript.textCursor().hasSelection()
        return False
