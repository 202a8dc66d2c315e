"""Settings, General: language, theme, hotkey, start at login, form of the window, tray icon, pasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tray_app.desktop.autostart import Autostart
from tray_app.errors import AppError
from tray_app.ui import theme, wording
from tray_app.ui.controls import Glyph, Label, Switch
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.hotkey_texts import HotkeyTexts
from tray_app.ui.key_recorder import KeyRecorder
from tray_app.ui.pasting import possible
from tray_app.ui.settings_rows import Choice, Page, SettingRow
from tray_app.ui.tasks import Tasks

LANGUAGE_NAMES = {"en": "English", "zh_CN": "简体中文"}


class StateLine(QWidget):
    """A glyph and a sentence: how something stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._glyph = Glyph("check", 14, "text2", self)
        self.words = Label("", "detail", "text2", self, wrap=True)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.current().px(6))
        line.addWidget(self._glyph)
        line.addWidget(self.words, 1)

    def say(self, sentence: str, *, warning: bool = False) -> None:
        self.setVisible(bool(sentence))
        self.words.setText(sentence)
        self._glyph.set_glyph("warn" if warning else "check", "warn" if warning else "accent_text")


class GeneralPage(Page):
    changed = Signal(str, object)
    """A setting's key and its new value."""
    keyWanted = Signal(str)
    faulted = Signal(object)

    def __init__(self, autostart: Autostart, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._autostart, self._tasks = autostart, tasks
        self._hotkey = HotkeyState("unset")
        self._login_changes = 0
        """Changes asked for: what the system said before the last of them is no news any more."""
        self._texts = HotkeyTexts()
        self.language = Choice(("system", *LANGUAGE_NAMES))
        self.theme = Choice(("system", "light", "dark"))
        self.key = KeyRecorder()
        self.key_state = StateLine()
        self.login = Switch()
        self.login_state = StateLine()
        self.form = Choice(("full", "line"))
        self.blur = Switch()
        self.paste = Switch()
        self.tray = Choice(("auto", "light", "dark"))
        self.language_row = SettingRow(self.language)
        self.theme_row = SettingRow(self.theme)
        self.key_row = SettingRow(self.key, below=self.key_state)
        self.login_row = SettingRow(self.login, below=self.login_state)
        self.form_row = SettingRow(self.form)
        self.blur_row = SettingRow(self.blur)
        self.paste_row = SettingRow(self.paste)
        self.tray_row = SettingRow(self.tray)
        for row in (
            self.language_row, self.theme_row, self.key_row, self.login_row, self.form_row, self.blur_row, self.paste_row,
            self.tray_row,
        ):  # fmt: skip
            self.add_row(row)
        self.paste_row.setVisible(possible())  # elsewhere a switch for it would be a lie
        self.login_state.say("")
        self.language.chosen.connect(self._sender("general.language"))
        self.theme.chosen.connect(self._sender("general.theme"))
        self.form.chosen.connect(self._sender("general.window_form"))
        self.tray.chosen.connect(self._sender("general.tray_icon"))
        self.blur.clicked.connect(self._sender("general.hide_on_blur"))
        self.paste.clicked.connect(self._sender("general.paste"))
        self.key.recorded.connect(self.keyWanted)
        self.login.clicked.connect(self._set_login)
        self.retranslate()

    def _sender(self, key: str) -> Callable[[Any], None]:
        return lambda value: self.changed.emit(key, value)

    def load(self, values: dict[str, Any]) -> None:
        self.language.set_value(values["general.language"])
        self.theme.set_value(values["general.theme"])
        self.form.set_value(values["general.window_form"])
        self.tray.set_value(values["general.tray_icon"])
        self.blur.setChecked(values["general.hide_on_blur"])
        self.paste.setChecked(values["general.paste"])
        changes = self._login_changes

        def read(enabled: bool) -> None:
            if changes == self._login_changes:
                self._login_is(enabled)

        self._tasks.run(self, self._autostart.enabled, read, self._login_failed)

    def set_hotkey(self, state: HotkeyState) -> None:
        self._hotkey = state
        self.key.set_key(state.text or ("" if state.name != "waiting" else state.wanted))
        # Where only the desktop can change the key, a field to change it would be a lie.
        self.key.setEnabled(not state.fixed and state.name != "unsupported")
        self.key_state.say(self._texts.sentence(state), warning=self._texts.needs_a_look(state))

    def retranslate(self) -> None:
        self.title.setText(self.tr("General"))
        self.sentence.setText(self.tr("Each change holds at once."))
        system = self.tr("As the system says")
        self.language_row.set_texts(self.tr("Language"), self.tr("Of the windows; what you said stays as it is."))
        self.language.set_words({"system": system, **LANGUAGE_NAMES})
        self.theme_row.set_texts(self.tr("Theme"), "")
        self.theme.set_words({"system": system, "light": self.tr("Light"), "dark": self.tr("Dark")})
        self.key_row.set_texts(self.tr("Hotkey"), self.tr("Opens and hides the search window from anywhere."))
        self.login_row.set_texts(
            self.tr("Start at login"), self.tr("Starts in the background, so that the index is up to date.")
        )
        self.form_row.set_texts(self.tr("Window opens as"), self.tr("One line grows as you type."))
        self.form.set_words({"full": self.tr("Full window"), "line": self.tr("One line")})
        self.blur_row.set_texts(
            self.tr("Hide when you click elsewhere"), self.tr("The search window closes as it loses the focus.")
        )
        self.paste_row.set_texts(
            self.tr("Paste for me"), self.tr("Into the window you came from, after copying into the chat. X11 only.")
        )
        self.tray_row.set_texts(self.tr("Tray icon"), self.tr("Choose by hand where it can hardly be seen."))
        self.tray.set_words(
            {"auto": self.tr("Automatic"), "light": self.tr("For a light panel"), "dark": self.tr("For a dark panel")}
        )
        self.set_hotkey(self._hotkey)

    def _set_login(self, wanted: bool) -> None:
        self._login_changes += 1

        def work() -> bool:
            self._autostart.set(wanted)
            return self._autostart.enabled()

        self._tasks.run(self, work, self._login_is, self._login_failed)

    def _login_is(self, enabled: bool) -> None:
        self.login.setChecked(enabled)
        self.login_state.say("")

    def _login_failed(self, fault: AppError) -> None:
        self.login.setChecked(False)
        self.login_state.say(wording.error_text(fault), warning=True)
