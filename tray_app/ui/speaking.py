"""What the one speaking line says: the first that applies of doubt, words only, still reading, nothing found.

Pure: the window gives what it knows and shows what comes back.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from tray_app.errors import AppError
from tray_app.records import Answer
from tray_app.ui import meaning_texts, wording
from tray_app.ui.chip_row import ChipFacts

SETTINGS, DROP = "meaning", "drop"
"""Where the line's link leads: to the settings, Meaning; or a filter is dropped."""


@dataclass(frozen=True)
class Said:
    """`action`: what the link does, '' for none."""

    glyph: str
    words: str
    color: str = "text2"
    link: str = ""
    action: str = ""


class Speaking:
    """The line's texts."""

    @staticmethod
    def tr(text: str) -> str:
        return QCoreApplication.translate("Speaking", text)

    def choose(
        self,
        fault: AppError | None,
        passages: Answer | None,
        nothing: Answer | None,
        droppable: ChipFacts | None,
        *,
        reading: bool,
    ) -> Said | None:
        """`passages`: the answer whose passages are shown; `nothing`: the answer that has none; `droppable`: the filter
        without which something might be found; `reading`: the index is being read, and nothing else on show says so."""
        if fault is not None:
            return Said("warn", wording.error_text(fault), "warn")
        if passages is not None and is_doubtful(passages):
            return Said("question", wording.reason_text(passages), "text")
        words_only = meaning_texts.words_only(passages) if passages is not None else ""
        if words_only:
            return Said("warn", words_only, "warn", self.tr("Open settings"), SETTINGS)
        if nothing is not None:
            link = ""
            if droppable is not None:
                drop = self.tr("Search all time") if droppable.key == "time" else self.tr("Search without {filter}")
                link = drop.format(filter=droppable.words)
            return Said("question", wording.reason_text(nothing), "text", link, DROP)
        if reading:
            return Said("refresh", self.tr("Still reading. What is in already can be found already."))
        return None


what_to_say = Speaking().choose


def is_asked(answer: Answer) -> bool:
    """A sentence that awaits one answer, told by its small words. A few key words are looked through instead: there the
    passages themselves say more than candidates, and the line above them says the doubt."""
    understood = answer.understood
    return len(understood.ignored) >= 2 or "?" in understood.query or "？" in understood.query


def is_doubtful(answer: Answer) -> bool:
    """Passages are shown, but one should know why they may not be what was meant."""
    return answer.verdict == "unsure" or (answer.reason_code == "missing_words" and bool(answer.missing))
