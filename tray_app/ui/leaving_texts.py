"""What leaves the machine, in the language in force: short for the foot and the tray, in full for settings and Index health.

Says what the status tells, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from PySide6.QtCore import QCoreApplication

from tray_app.records import Departure
from tray_app.ui import wording


class LeavingTexts:
    def tr(self, text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("LeavingTexts", text, comment, number)

    def glyph(self, leaves: Sequence[Departure]) -> str:
        return "cloud" if leaves else "lock"

    def short(self, leaves: Sequence[Departure]) -> str:
        """'Nothing leaves this machine', or to whom text is sent; how many they are where there is more than one."""
        hosts = {one.host for one in leaves}
        if len(hosts) > 1:
            return self.tr("Sends text to %Ln services", "", len(hosts))
        return self.tr("Sends text to {host}").format(host=hosts.pop()) if hosts else self.tr("Nothing leaves this machine")

    def full(self, leaves: Sequence[Departure]) -> str:
        """Whole sentences on what is sent where."""
        texts = {
            "meaning": self.tr("Passages, memories and questions are sent to {host}, as chosen under Meaning."),
            "topics": self.tr("Titles and beginnings of what you said are sent to {host}, which names what days were about."),
        }
        said = [texts[one.what].format(host=one.host) for one in leaves]
        if not said:
            return self.tr("Nothing leaves this machine. Words and meaning are worked out here.")
        return reduce(wording.two_sentences, said)


_texts = LeavingTexts()
glyph = _texts.glyph
short = _texts.short
full = _texts.full
