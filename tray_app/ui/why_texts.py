"""Why a passage stands where it stands, in words: ranks, scores, found words, their translations."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from tray_app.records import Explanation, Hit
from tray_app.ui import i18n
from tray_app.ui.text_layout import one_line

Line = tuple[str, str, str]
"""Glyph, name, what is said of it."""


class WhyTexts:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("WhyTexts", text, comment, number)

    def lines(self, hit: Hit, hits: int, time: str = "") -> tuple[Line, ...]:
        """Always five lines: words, which they are, meaning, date, and where it came to stand. `time`: the range that was
        understood."""
        given = hit.explain
        return (
            ("words", self.tr("Words"), self._words(given)),
            ("search", self.tr("In it"), self._found(hit, given)),
            ("meaning", self.tr("Meaning"), self._meaning(given)),
            ("day", self.tr("Date"), self._date(hit, given, time)),
            ("filter", self.tr("Place"), self._place(hit, given, hits)),
        )

    def sentence(self, hit: Hit, hits: int = 0, time: str = "") -> str:
        """The same for a tooltip and for screen readers, one line a reason; '' where it was not asked for."""
        if hit.explain is None:
            return ""
        return "\n".join(f"{name}: {said}" for _glyph, name, said in self.lines(hit, hits, time) if said != NOT)

    def title(self, engine: str = "") -> str:
        """'Why here: by words and meaning'"""
        return {
            "fts": self.tr("Why here: by words"),
            "hybrid": self.tr("Why here: by words and meaning"),
            "vector": self.tr("Why here: by meaning"),
        }.get(engine, self.tr("Why here"))

    def _words(self, given: Explanation | None) -> str:
        if given is None or given.words_rank is None:
            return NOT
        return " · ".join((self.tr("rank {rank}").format(rank=i18n.count(given.words_rank)), self._percent(given.words_score)))

    def _found(self, hit: Hit, given: Explanation | None) -> str:
        """The words as they stand there (the engine knows them without their endings), and what was translated."""
        if given is None:
            return NOT
        comma = self.tr(", ", "between words")
        across = {word.casefold() for word in given.translated}
        stand = dict.fromkeys(one_line(hit.text[start:end]).casefold() for start, end in hit.marks)
        found = comma.join(word for word in stand if word and word not in across) if given.words else ""
        if given.translated:
            said = self.tr("translated: {words}").format(words=comma.join(one_line(word) for word in given.translated))
            found = f"{found} · {said}" if found else said
        return found or NOT

    def _meaning(self, given: Explanation | None) -> str:
        if given is None or given.meaning_rank is None:
            return NOT
        near = self.tr("likeness {number}").format(number=self._number(given.similarity))
        rank = self.tr("rank {rank}").format(rank=i18n.count(given.meaning_rank))
        return " · ".join((rank, self._percent(given.meaning_score), near))

    def _date(self, hit: Hit, given: Explanation | None, time: str) -> str:
        if given is not None and given.inside_time and not hit.outside_time:
            return self.tr("within {time}").format(time=time) if time else self.tr("within the time that was meant")
        if hit.outside_time:
            return self.tr("outside {time}").format(time=time) if time else self.tr("outside the time that was meant")
        return NOT

    def _place(self, hit: Hit, given: Explanation | None, hits: int) -> str:
        rank = self.tr("{rank} of {hits}").format(rank=i18n.count(hit.rank), hits=i18n.count(max(hits, hit.rank)))
        parts = [rank, self.tr("score {number}").format(number=self._number(hit.score))]
        if given is not None and given.quotes_question:
            parts.append(self.tr("held back: repeats the question"))
        if given is not None and given.kind_weight != 1.0:
            parts.append(self.tr("kind ×{number}").format(number=self._number(given.kind_weight)))
        if given is not None and given.neighbour > 0:
            parts.append(self.tr("beside +{number}").format(number=self._number(given.neighbour)))
        return " · ".join(parts)

    @staticmethod
    def _percent(share: float) -> str:
        return f"{i18n.count(round(share * 100))} %"

    @staticmethod
    def _number(value: float) -> str:
        return i18n.locale().toString(value, "f", 2)


NOT = "–"
texts = WhyTexts()
