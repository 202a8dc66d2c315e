"""The language of the windows: translators, and dates, ages and counts said in it.

Owns the installed translators. Texts of ours are literals at the place they are shown, found by lupdate through
`self.tr` and `QCoreApplication.translate`; names and sentences that several windows share are in `wording`.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLibraryInfo, QLocale, QTime, QTranslator

from tray_app import clock as clock_of_all
from tray_app.paths import resource

LANGUAGES = ("en", "zh_CN")
_LOCALES = {
    "en": QLocale(QLocale.Language.English, QLocale.Country.UnitedStates),
    "zh_CN": QLocale(QLocale.Language.Chinese, QLocale.Country.China),
}


class _Keeper:
    """The state of this module."""

    def __init__(self) -> None:
        self.language = "en"
        self.translators: list[QTranslator] = []


_keeper = _Keeper()


def install(app: QCoreApplication, choice: str = "system") -> str:
    """Put a language in force and return it: 'en' or 'zh_CN'. `choice` may be `system`.

    Every window gets a LanguageChange event and says its texts anew; no restart is needed.
    """
    language = choice if choice in LANGUAGES else _system_language()
    if _keeper.translators and language == _keeper.language:
        return language
    QLocale.setDefault(_LOCALES[language])
    for old in _keeper.translators:
        app.removeTranslator(old)
    _keeper.translators = []
    _keeper.language = language
    places = [(f"backscroll_{language}", str(resource("i18n")))]
    if language != "en":
        places.insert(0, (f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)))
    for name, folder in places:
        translator = QTranslator(app)
        if translator.load(name, folder):
            # First into the list: installing sends LanguageChange, and what listens may ask for texts.
            _keeper.translators.append(translator)
            app.installTranslator(translator)
    return language


def language() -> str:
    """The language in force: 'en' or 'zh_CN'."""
    return _keeper.language


def locale() -> QLocale:
    """The locale that numbers and dates are said in."""
    return _LOCALES[_keeper.language]


def _system_language() -> str:
    for name in QLocale.system().uiLanguages():
        if name.replace("-", "_").lower().startswith("zh"):
            return "zh_CN"
        if name.lower().startswith("en"):
            return "en"
    return "en"


# --- the clock -------------------------------------------------------------------------------------------------------
def now() -> datetime:
    """The local moment; that of BACKSCROLL_NOW where it is set."""
    return clock_of_all.now(datetime.now().astimezone().tzinfo or UTC).astimezone()


def local(moment: str | None) -> datetime | None:
    """A time of a record (ISO 8601, UTC) as a local one; None for none."""
    if not moment:
        return None
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone()


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def local_day(text: str | date | None) -> date | None:
    """A local day of a record (YYYY-MM-DD) as a date; None for none."""
    if not text:
        return None
    return text if isinstance(text, date) else date.fromisoformat(text[:10])


# --- dates and ages --------------------------------------------------------------------------------------------------
class Dates:
    """Dates and ages in the language in force. One object; its methods are this module's functions below."""

    def tr(self, text: str, comment: str = "", number: int = -1) -> str:
        """A text of this context; lupdate finds the literals."""
        return QCoreApplication.translate("Dates", text, comment, number)

    def day(self, value: str | date | None, today: date | None = None, *, weekday: bool = True) -> str:
        """'Wed 25 Nov' / '11月25日 周三', with the year where it is another than this one's. '' for none."""
        found = local_day(value)
        if found is None:
            return ""
        same_year = found.year == (today or now().date()).year
        if language() == "zh_CN":
            form = ("" if same_year else "yyyy年") + "M月d日" + (" ddd" if weekday else "")
        else:
            form = ("ddd " if weekday else "") + "d MMM" + ("" if same_year else " yyyy")
        return locale().toString(QDate(found.year, found.month, found.day), form)

    def long_day(self, value: str | date | None) -> str:
        """'Friday 27 November' / '11月27日 周五': a heading."""
        found = local_day(value)
        if found is None:
            return ""
        same_year = found.year == now().date().year
        if language() == "zh_CN":
            return self.day(found)
        return locale().toString(QDate(found.year, found.month, found.day), "dddd d MMMM" + ("" if same_year else " yyyy"))

    def named_day(self, value: str | date | None, today: date | None = None) -> str:
        """'Today', 'Yesterday', else the long day: what a group of sessions is headed with."""
        found, base = local_day(value), today or now().date()
        if found is None:
            return self.tr("No date")
        if found == base:
            return self.tr("Today")
        if found == base - timedelta(days=1):
            return self.tr("Yesterday")
        return self.long_day(found)

    def short_name_of_day(self, value: str | date | None, today: date | None = None) -> str:
        """'Today', 'Yesterday', or the name of the weekday: the first line of a day in the timeline."""
        found, base = local_day(value), today or now().date()
        if found is None:
            return self.tr("No date")
        if base - timedelta(days=1) <= found <= base:
            return self.named_day(found, base)
        return locale().toString(QDate(found.year, found.month, found.day), "dddd")

    def timeline_date(self, value: str | date | None) -> str:
        """The date under `short_name_of_day`: without the weekday where that is what stands above."""
        found, base = local_day(value), now().date()
        named = found is not None and base - timedelta(days=1) <= found <= base
        return self.day(found, weekday=named)

    def clock(self, moment: datetime | None) -> str:
        """'16:02'"""
        return "" if moment is None else locale().toString(QTime(moment.hour, moment.minute), "HH:mm")

    def day_and_clock(self, moment: datetime | None) -> str:
        """'Wed 25 Nov 2026, 16:02' / '2026年11月25日 周三 16:02'"""
        if moment is None:
            return ""
        when = QDate(moment.year, moment.month, moment.day)
        if language() == "zh_CN":
            return f"{locale().toString(when, 'yyyy年M月d日 ddd')} {self.clock(moment)}"
        return f"{locale().toString(when, 'ddd d MMM yyyy')}, {self.clock(moment)}"

    def day_range(self, first: str | None, last: str | None) -> str:
        """'23 – 29 Nov', '28 Oct – 3 Nov', 'since 23 Nov', 'before 30 Nov' (the first day after `last`); one day alone where
        both are the same."""
        start, end = local_day(first), local_day(last)
        if start is None and end is None:
            return ""
        if start is None:
            assert end is not None
            return self.tr("before {day}").format(day=self.day(end + timedelta(days=1), weekday=False))
        if end is None:
            return self.tr("since {day}").format(day=self.day(start, weekday=False))
        if start == end:
            return self.day(start)
        if (start.year, start.month) == (end.year, end.month):
            if language() == "zh_CN":
                return f"{self.day(start, weekday=False)} – {end.day}日"
            return f"{start.day} – {self.day(end, weekday=False)}"
        return f"{self.day(start, weekday=False)} – {self.day(end, weekday=False)}"

    def time_range(self, first: str | None, last: str | None, start: str | None, end: str | None) -> str:
        """A range of time, by its days where it begins and ends with days, else with its hours: '23 – 29 Nov',
        'Sun 29 Nov, 18:00 – 24:00', '28 Nov, 22:00 – 29 Nov, 05:00', 'since 3 Nov, 14:00'. `first` and `last` are its local
        days, `start` and `end` its moments, the end not within."""
        begins, ends = local(start), local(end)
        if all(moment is None or _is_midnight(moment) for moment in (begins, ends)):
            return self.day_range(first, last)
        if begins is None:
            assert ends is not None
            return self.tr("before {day}").format(day=self._at(ends))
        if ends is None:
            return self.tr("since {day}").format(day=self._at(begins))
        if _is_midnight(ends):
            ends, until = ends - timedelta(days=1), "24:00"
        else:
            until = self.clock(ends)
        if begins.date() == ends.date():
            return self._joined(self.day(begins.date()), f"{self.clock(begins)} – {until}")
        return f"{self._at(begins)} – {self._joined(self.day(ends.date(), weekday=False), until)}"

    def _at(self, moment: datetime) -> str:
        """'3 Nov, 14:00' / '11月3日 14:00'"""
        return self._joined(self.day(moment.date(), weekday=False), self.clock(moment))

    @staticmethod
    def _joined(day: str, hours: str) -> str:
        return f"{day} {hours}" if language() == "zh_CN" else f"{day}, {hours}"

    def age(self, days: int) -> str:
        """How many days ago, in words: 'today', 'yesterday', '5 days ago', '3 weeks ago', '7 months ago', '2 years ago'."""
        if days <= 0:
            return self.tr("today")
        if days == 1:
            return self.tr("yesterday")
        if days < 21:
            return self.tr("%n days ago", "", days)
        if days < 60:
            return self.tr("%n weeks ago", "", days // 7)
        if days < 730:
            return self.tr("%n months ago", "", days // 30)
        return self.tr("%n years ago", "", days // 365)

    def since(self, moment: datetime | None) -> str:
        """'just now', '12 min ago', '3 h ago' within the day, else the time of day: the age of a recent session."""
        if moment is None:
            return ""
        base = now()
        seconds = (base - moment).total_seconds()
        if moment.date() != base.date() and seconds > 6 * 3600:
            return self.clock(moment)
        if seconds < 60:
            return self.tr("just now")
        if seconds < 3600:
            return self.tr("%n min ago", "", int(seconds // 60))
        return self.tr("%n h ago", "", int(seconds // 3600))

    def updated(self, moment: datetime | None) -> str:
        """How old the index is: 'Updated 4 s ago', 'Updated 3 days ago', 'Not read yet'."""
        if moment is None:
            return self.tr("Not read yet")
        seconds = max(int((now() - moment).total_seconds()), 0)
        if seconds < 60:
            return self.tr("Updated %n s ago", "", seconds)
        if seconds < 3600:
            return self.tr("Updated %n min ago", "", seconds // 60)
        if seconds < 48 * 3600:
            return self.tr("Updated %n h ago", "", seconds // 3600)
        return self.tr("Updated %n days ago", "", seconds // 86400)

    def time_left(self, seconds: float | None) -> str:
        """'about 3 min left'; '' where it is not known."""
        if seconds is None:
            return ""
        if seconds < 60:
            return self.tr("less than a minute left")
        if seconds < 90 * 60:
            return self.tr("about %n min left", "", round(seconds / 60))
        return self.tr("about %n h left", "", round(seconds / 3600))


_dates = Dates()
day = _dates.day
long_day = _dates.long_day
named_day = _dates.named_day
short_name_of_day = _dates.short_name_of_day
timeline_date = _dates.timeline_date
clock = _dates.clock
day_and_clock = _dates.day_and_clock
day_range = _dates.day_range
time_range = _dates.time_range
age = _dates.age
since = _dates.since
updated = _dates.updated
time_left = _dates.time_left


# --- numbers ---------------------------------------------------------------------------------------------------------
def count(number: int) -> str:
    """A whole number with its separators: '12,345'."""
    return locale().toString(number)


def byte_size(number: int) -> str:
    """'812 B', '1.6 MB', '2.1 GB' (powers of 1000, as file managers show them)."""
    size, unit = float(number), 0
    units = ("B", "KB", "MB", "GB", "TB")
    while size >= 999.5 and unit < len(units) - 1:
        size, unit = size / 1000, unit + 1
    digits = 0 if unit == 0 or size >= 100 else 1
    return f"{locale().toString(size, 'f', digits)} {units[unit]}"
