"""The states of the hotkey in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from tray_app.ui.hotkey.manager import HotkeyState

COMMAND = "backscroll toggle"


class HotkeyTexts:
    @staticmethod
    def tr(text: str) -> str:
        return QCoreApplication.translate("HotkeyTexts", text)

    def sentence(self, state: HotkeyState) -> str:
        """How it stands with the key, and what to do where something is wrong."""
        if state.name == "unset":
            return self.tr("No key is set. Bind “{command}” in the system's settings, or set one here.").format(command=COMMAND)
        if state.name == "waiting":
            return self.tr("The desktop is asked for the key.")
        if state.name == "active":
            if state.reason:
                reason = self._refusal(state)
                return self.tr("{reason} {key} stays active.").format(reason=reason, key=state.text)
            if state.fixed:
                return self.tr("Active. The desktop decides which key it is; change it in the system's settings.")
            return self.tr("Active.")
        if state.name == "taken":
            return self._refusal(state)
        return self._unsupported(state)

    def needs_a_look(self, state: HotkeyState) -> bool:
        return state.name in ("taken", "unsupported") or bool(state.reason)

    def _refusal(self, state: HotkeyState) -> str:
        texts = {
            "taken": self.tr("{key} is taken by another program."),
            "no_such_key": self.tr("This keyboard has no {key}."),
            "no_permission": self.tr("The system did not allow {key}."),
            "denied": self.tr("The system did not allow {key}."),
            "unknown_key": self.tr("{key} cannot be used as a hotkey."),
            "two_keys": self.tr("{key} cannot be used as a hotkey."),
            "needs_modifier": self.tr("{key} alone could not be typed any more. Add Ctrl, Alt or Meta."),
            "only_shift": self.tr("{key} could not be typed any more. Add Ctrl, Alt or Meta."),
            "input_switch": self.tr("{key} switches Chinese input on and off. Choose another key."),
        }
        return texts.get(state.reason, self.tr("{key} cannot be used as a hotkey.")).format(key=state.wanted)

    def _unsupported(self, state: HotkeyState) -> str:
        texts = {
            "no_portal": self.tr("This desktop gives programs no global key."),
            "no_bus": self.tr("There is no session bus, so the desktop cannot be asked for a key."),
            "no_app_id": self.tr("The desktop does not know this program: its desktop file is not installed."),
            "no_display": self.tr("The screen could not be reached for the key."),
            "no_library": self.tr("A library for global keys is missing."),
            "lost": self.tr("The key was lost; it is asked for again."),
        }
        first = texts.get(state.reason, self.tr("A global key is not supported here."))
        return first + " " + self.tr("Bind “{command}” to a key in the system's settings instead.").format(command=COMMAND)
