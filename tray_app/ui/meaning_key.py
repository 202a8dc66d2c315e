"""The key of a service: whether there is one, setting, replacing and removing it. It is never shown.

Owns the field it is typed into, which is emptied as soon as the key was handed on or is out of sight. Keeps no key.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from tray_app.ui import theme
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.controls import Field, Glyph, Label, PlainButton, QuietButton
from tray_app.ui.meaning_rows import Outcome


class KeyRow(QWidget):
    """`kept` carries a key to be kept; `removed` and `edited` carry nothing. `variable`: of the environment, that holds the
    key where no keyring does."""

    kept = Signal(str)
    removed = Signal()
    edited = Signal()

    def __init__(self, variable: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._variable = variable
        self._has, self._source, self._fault = False, "", ""
        self._in_force = True
        self._replacing = False
        self.glyph = Glyph("key", 14, "text2", self)
        self.words = Label("", "body", "text", self, wrap=True)
        self.field = Field("", self)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep = PlainButton("", self)
        self.replace = PlainButton("", self)
        self.back = QuietButton("", self)
        self.remove = QuietButton("", self)
        self.note = Outcome(self)
        line = QHBoxLayout()
        line.setSpacing(now.px(8))
        line.addWidget(self.glyph)
        line.addWidget(self.words, 1)
        line.addWidget(self.field, 1)
        for button in (self.keep, self.replace, self.back, self.remove):
            line.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(now.px(4))
        column.addLayout(line)
        column.addWidget(self.note)
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self._keep)
        self.keep.clicked.connect(self._keep)
        self.replace.clicked.connect(lambda: self._ask_anew(True))
        self.back.clicked.connect(lambda: self._ask_anew(False))
        self.remove.clicked.connect(self._remove)
        self.retranslate()

    def show_key(self, has: bool, source: str, fault: str, *, in_force: bool) -> None:
        """Whether there is a key and where it is from (keyring | environment), why the keyring cannot be used, and whether
        the service that is shown is the one in force: only its key can be kept at once."""
        if (has, source, in_force) != (self._has, self._source, self._in_force):
            self._replacing = False
        self._has, self._source, self._fault, self._in_force = has, source, fault, in_force
        self.retranslate()

    def typed(self) -> str | None:
        """The key in the field; None where there is none."""
        return self.field.text().strip() or None

    def forget_typed(self) -> None:
        """The key was handed on, or is not wanted any more."""
        self._replacing = False
        self.field.clear()
        self.retranslate()

    def retranslate(self) -> None:
        shown = self._has and self._in_force and not self._replacing
        self.glyph.setVisible(shown)
        self.words.setVisible(shown)
        self.field.setVisible(not shown)
        self.words.setText(
            self.tr("Set in the environment") if self._source == "environment" else self.tr("Set, kept in the system keyring")
        )
        self.field.setPlaceholderText(
            self.tr("Paste the key") if self._in_force else self.tr("Paste the key; empty: the one kept for this address")
        )
        self.field.setAccessibleName(self.tr("Key"))
        self.keep.setVisible(not shown and self._in_force)
        self.replace.setVisible(shown)
        self.back.setVisible(self._replacing)
        self.remove.setVisible(shown and self._source != "environment")
        for button, text in (
            (self.keep, self.tr("Keep")),
            (self.replace, self.tr("Replace…")),
            (self.back, self.tr("Cancel")),
            (self.remove, self.tr("Remove")),
        ):
            button.setText(text)
        self.keep.setAccessibleName(self.tr("Keep the key in the system keyring"))
        self.replace.setAccessibleName(self.tr("Replace the key"))
        self.remove.setAccessibleName(self.tr("Remove the key"))
        self.keep.setEnabled(bool(self.typed()) and not self._fault)
        fault = ""
        if self._fault and self._source != "environment":
            reason = self._fault.rstrip(".。")
            fault = self.tr("The system keyring cannot be used: {reason}. Set {variable} in the environment instead.").format(
                reason=reason, variable=self._variable
            )
        self.note.say(fault, "warn", "warn")

    def hideEvent(self, event: QHideEvent) -> None:
        """Out of sight, out of memory; a window that is only minimised keeps it."""
        if not event.spontaneous() and self.field.text():
            self.forget_typed()
        super().hideEvent(event)

    def _typed(self) -> None:
        self.keep.setEnabled(bool(self.typed()) and not self._fault)
        self.edited.emit()

    def _ask_anew(self, wanted: bool) -> None:
        self._replacing = wanted
        self.field.clear()
        self.retranslate()
        (self.field if wanted else self.replace).setFocus()

    def _keep(self) -> None:
        key = self.typed()
        if key is not None and self._in_force and not self._fault:
            self.kept.emit(key)

    def _remove(self) -> None:
        if ConfirmDialog.ask(
            self.window(),
            self.tr("Remove the key?"),
            self.tr("It is taken out of the system keyring. What needs it stops until another one is set."),
            self.tr("Keep it"),
            self.tr("Remove key"),
        ):
            self.removed.emit()
