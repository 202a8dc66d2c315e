"""The English time forms: a table of shapes and what each means.

Owns the words only; how they join, which prepositions bound them and what is taken is `timeref`'s. A word that is more often
something else (may, march, sat, fall, spring) is weak, or needs its capital: see `Weak`.
"""

from __future__ import annotations

import re

from tray_app.text import time_spans as spans
from tray_app.text.numerals import ENGLISH, FEW, Amount, read_english
from tray_app.text.time_forms import BOUND_WORDS, COMPANY, Form, Mark, Meaning, Resolve, Weak, ago, lately, stretch_or_mark
from tray_app.text.time_spans import DAY, HOUR, MINUTE, MONTH, QUARTER, WEEK, YEAR, Asked, Cycle, Part, Share, Stretch

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_UNITS = {
    "min": MINUTE, "hour": HOUR, "hr": HOUR, "day": DAY, "week": WEEK, "wk": WEEK, "month": MONTH, "quarter": QUARTER,
    "year": YEAR, "yr": YEAR,
}  # fmt: skip
_SHORT_UNITS = {"d": DAY, "h": HOUR, "hr": HOUR, "w": WEEK, "wk": WEEK, "mo": MONTH, "y": YEAR, "min": MINUTE}
_PARTS = {
    "morning": Part(5, 12), "afternoon": Part(12, 18), "evening": Part(17, 24), "night": Part(18, 29),
    "noon": Part(11, 14), "lunchtime": Part(11, 14),
}  # fmt: skip
_SHARES = {"begin": 0, "start": 0, "early": 0, "mid": 1, "late": 2, "end": 2}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0, "final": 0}

_MONTH = (
    r"(?P<month>january|february|march|april|june|july|august|september|october|november|december|may"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?:\.(?=\s*\d))?"
)
_WEEKDAY = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b"
_UNIT = r"(?P<unit>min|hour|hr|day|week|wk|month|year|yr)(?:ute)?s?"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?P<ordinal>st|nd|rd|th)?"
_DAY_ENDS = r"(?![\w%]|:\d|\.\d)"
_FOLLOW = (
    r"(?=\s*(?:$|[^\w\s\x00(%/]|(?:we|i|you|he|she|they|it|did|do|does|was|were|is|are|had|has|have|why|what|when|how|who"
    r"|where|which|that|this|the|a|an|my|our|his|her|their|your|about|for|with|of|in|at|on|and|or|but|to|from|until|till"
    r"|between|by|before|after|since|morning|afternoon|evening|night|last|around|so|then|there|please|again|onwards?)\b))"
)
"""What may follow a word that would else be a number of things: the 5th, why ... but not: the 5th attempt."""
_MONTH_NEEDS = BOUND_WORDS - {"on"} | {"in", "during", "back in", "throughout", "over", "of"}
_SEASON_NEEDS = frozenset({
    "in", "during", "since", "before", "after", "until", "over", "in the", "during the", "over the", "since the", "before the",
    "after the", "back in the",
})  # fmt: skip
_HOLIDAY_NEEDS = frozenset(
    {"over", "at", "around", "before", "after", "since", "by", "until", "during", "on", "over the", "between"}
)
_SURE_MONTHS = frozenset({"january", "february", "july", "september", "october", "november", "december"})
_CAPITAL_MONTHS = frozenset({"mar", "may", "march", "sep", "oct", "dec"})
"""Words of their own when small."""


def _en(keys: str, shape: str, resolve: Resolve, *, sure: float = 0.9) -> Form:
    return Form(keys, rf"(?<!\w)(?:{shape})(?!\w)", resolve, sure=sure)


def _is_small(match: re.Match[str], group: str, asked: Asked) -> bool:
    return asked.query[match.start(group)].islower()


# --- days and parts of them --------------------------------------------------------------------------------------------
def _day_back(count: int) -> Resolve:
    return lambda match, asked: spans.days(spans.back(asked, count), 1)


def _night(count: int) -> Resolve:
    """The night so many days back; 'tonight' asked in the small hours is the night that is running."""

    def resolve(match: re.Match[str], asked: Asked) -> Meaning:
        running = count == 0 and asked.wall.hour < spans.NIGHT_ENDS
        return spans.part_of(spans.days(spans.back(asked, count + running), 1), _PARTS["night"], asked)

    return resolve


def _this_part(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.part_of(spans.days(asked.today, 1), _PARTS[match["part"]], asked)


def _part(match: re.Match[str], asked: Asked) -> Meaning:
    return Weak(_PARTS[match["part"]])


def _earlier(match: re.Match[str], asked: Asked) -> Meaning:
    unit = match["unit"]
    if unit in _UNITS and unit != "day":
        first = spans.first_of(_UNITS[unit], asked.today)
        return spans.days(first, (asked.today - first).days + 1, _UNITS[unit])
    return Stretch(spans.at(asked.today), max(asked.wall, spans.at(asked.today, 1)), HOUR)


def _oclock(match: re.Match[str], asked: Asked) -> Meaning:
    hour = int(match["hour"])
    return (
        Weak(spans.Clock(hour, 0, hour > 12), frozenset({"at", "around", "about"}) if "clock" in match[0] else COMPANY)
        if hour < 24
        else None
    )


# --- counts ------------------------------------------------------------------------------------------------------------
def _amount(match: re.Match[str]) -> Amount | None:
    first = read_english(match["n"])
    last = read_english(match["upto"]) if match["upto"] else first
    if first is None or last is None or not first.least <= last.most:
        return None
    half = 0.5 if "half" in match.groupdict() and match["half"] else 0
    return Amount(first.least + half, last.most + half)


def _ago(match: re.Match[str], asked: Asked) -> Meaning:
    amount = _amount(match)
    return amount and ago(_UNITS[match["unit"]], amount, asked)


def _lately(match: re.Match[str], asked: Asked) -> Meaning:
    amount = _amount(match)
    return amount and lately(_UNITS[match["unit"]], amount, asked)


def _short(match: re.Match[str], asked: Asked) -> Meaning:
    """3d ago, last 24h."""
    amount, unit = Amount(int(match["n"]), int(match["n"])), _SHORT_UNITS[match["unit"]]
    return ago(unit, amount, asked) if match["ago"] else lately(unit, amount, asked)


# --- weeks to years ----------------------------------------------------------------------------------------------------
def _unit_back(count: int) -> Resolve:
    return lambda match, asked: spans.unit_back(_UNITS[match["unit"]], count, asked)


def _share_of_unit(match: re.Match[str], asked: Asked) -> Meaning:
    """'The end of the month' is the latest that has begun."""
    unit, share = _UNITS[match["unit"]], _share(match)
    return Cycle(
        unit, lambda first: spans.share_of(Stretch(spans.at(first), spans.at(spans.move(unit, first, 1)), unit), share), WEEK
    )


def _share(match: re.Match[str]) -> Share:
    return Share(next(third for word, third in _SHARES.items() if match["share"].startswith(word)), is_edge=True)


def _weak_share(match: re.Match[str], asked: Asked) -> Meaning:
    word = match["share"] or match["early"] or "mid"
    third = next(third for name, third in _SHARES.items() if word.startswith(name))
    return Weak(Share(third, is_edge=match["share"] is not None))


def _week_of_month(match: re.Match[str], asked: Asked) -> Meaning:
    return Weak(Share(0, week=_ORDINALS[match["nth"]] - 1))


def _nth_of_month(match: re.Match[str], asked: Asked) -> Meaning:
    cycle = spans.weekend() if match["weekend"] else spans.weekday(_WEEKDAYS.index(match["weekday"][:3]))
    return Weak(Share(0, week=_ORDINALS[match["nth"]] - 1, cycle=cycle))


def _which(cycle: Cycle, word: str | None, asked: Asked) -> Stretch | None:
    """last: over before today; this: of this week or year."""
    return spans.current(cycle, asked) if word == "this" else spans.ended(cycle, asked)


def _weekday(match: re.Match[str], asked: Asked) -> Meaning:
    name = match["weekday"]
    cycle = spans.weekday(_WEEKDAYS.index(name[:3]))
    if name.endswith("day") or name in ("tues", "weds", "thurs"):
        return cycle
    if name in ("mon", "sat", "sun") and not re.match(_FOLLOW, match.string[match.end() :]):
        return Weak(cycle)
    return Weak(cycle, BOUND_WORDS)


def _which_weekday(match: re.Match[str], asked: Asked) -> Meaning:
    return _which(spans.weekday(_WEEKDAYS.index(match["weekday"][:3])), match["which"], asked)


def _weekday_before_last(match: re.Match[str], asked: Asked) -> Meaning:
    last = spans.ended(spans.weekday(_WEEKDAYS.index(match["weekday"][:3])), asked)
    return spans.days(spans.move(WEEK, last.start.date(), -1), 1) if last and last.start else None


def _weekend(match: re.Match[str], asked: Asked) -> Meaning:
    """'This weekend', said before it has begun of what was, is the one before."""
    cycle, which = spans.weekend(), match["which"]
    if which == "last":
        return spans.ended(cycle, asked)
    return (
        cycle
        if which
        else Weak(cycle, frozenset({"on", "over", "at", "during", "since", "before", "after", "until", "by", "from", "of"}))
    )


def _weekend_before_last(match: re.Match[str], asked: Asked) -> Meaning:
    last = spans.ended(spans.weekend(), asked)
    return spans.days(spans.move(WEEK, last.start.date(), -1), 2, WEEK) if last and last.start else None


# --- months and dates --------------------------------------------------------------------------------------------------
def _month_number(match: re.Match[str], group: str = "month") -> int:
    return _MONTHS.index(match[group][:3]) + 1


def _month(match: re.Match[str], asked: Asked) -> Meaning:
    name = match["month"]
    cycle = spans.year_months(_month_number(match), 1, MONTH)
    if name in _SURE_MONTHS:
        return cycle
    is_code = len(name) <= 3 and name in _CAPITAL_MONTHS and name != "may" and _is_small(match, "month", asked)
    return Weak(cycle, COMPANY if is_code else _MONTH_NEEDS)


def _which_month(match: re.Match[str], asked: Asked) -> Meaning:
    name = match["month"]
    if name in _CAPITAL_MONTHS and (name == "may" or match["which"] == "this") and _is_small(match, "month", asked):
        return None
    return _which(spans.year_months(_month_number(match), 1, MONTH), match["which"], asked)


def _month_day(match: re.Match[str], asked: Asked) -> Meaning:
    cycle = spans.year_day(_month_number(match), int(match["day"]))
    if cycle and match["month"] in _CAPITAL_MONTHS and not match["ordinal"] and _is_small(match, "month", asked):
        return Weak(cycle, BOUND_WORDS)
    return stretch_or_mark(cycle)


def _month_days(match: re.Match[str], asked: Asked) -> Meaning:
    month, last_month = _month_number(match), _month_number(match, "month2") if match["month2"] else _month_number(match)
    return spans.year_days(month, int(match["day"]), last_month, int(match["last"]))


def _days_month(match: re.Match[str], asked: Asked) -> Meaning:
    month = _month_number(match)
    return spans.year_days(month, int(match["day"]), month, int(match["last"]))


def _day_only(match: re.Match[str], asked: Asked) -> Meaning:
    return Weak(spans.month_day(int(match["day"])), BOUND_WORDS | {"around", "on the"})


def _quarter(match: re.Match[str], asked: Asked) -> Meaning:
    number = int(match["number"]) if match["number"] else _ORDINALS[match["nth"]]
    cycle = spans.year_months(3 * number - 2, 3, QUARTER)
    if match["number"] and _is_small(match, "q", asked):
        return Weak(cycle, _MONTH_NEEDS)
    return cycle


def _half(match: re.Match[str], asked: Asked) -> Meaning:
    return Weak(Share(_ORDINALS[match["nth"]] - 1, is_half=True))


def _season(match: re.Match[str], asked: Asked) -> Meaning:
    cycle = spans.year_months(_SEASONS[match["season"]], 3, QUARTER)
    if match["which"]:
        return spans.latest(cycle, asked) if match["which"] == "this" else spans.ended(cycle, asked)
    if match["season"] in ("spring", "fall"):
        follows = match["season"] == "fall" or re.match(_FOLLOW, match.string[match.end() :])
        return Weak(cycle, frozenset(need for need in _SEASON_NEEDS if need.endswith("the")) if follows else COMPANY)
    return Weak(cycle, _SEASON_NEEDS)


def _holiday(match: re.Match[str], asked: Asked) -> Meaning:
    name = match["holiday"]
    if name.startswith("new"):
        cycle = spans.year_day(12, 31) if "eve" in name else spans.year_days(1, 1, 1, 2)
    elif "eve" in name or "day" in name:
        cycle = spans.year_day(12, 24 if "eve" in name else 25)
    else:
        cycle = spans.year_days(12, 24, 12, 26)
    if cycle and match["which"]:
        return _which(cycle, match["which"], asked)
    return cycle and Weak(cycle, _HOLIDAY_NEEDS)


def _vague(match: re.Match[str], asked: Asked) -> Meaning:
    return Mark.VAGUE


_UPTO = rf"(?P<n>{ENGLISH})(?:\s*(?:-|to|or)\s*(?P<upto>{ENGLISH}))?"
_LAST = r"(?P<which>last|past|previous|this)"
_TO = r"\s*(?:-|–|to|and|until|till|through|thru)\s*(?:the\s+)?"
ENGLISH_FORMS = (
    _en("today", "today", _day_back(0)),
    _en("tonight", "tonight", _night(0)),
    _en("last", r"last\s+night", _night(1)),
    _en("night", r"(?:the\s+)?night\s+before\s+last", _night(2)),
    _en("this", rf"this\s+(?P<part>{'|'.join(_PARTS)})", _this_part),
    _en("yester", "yesterday", _day_back(1)),
    _en("before yesterday", r"(?:the\s+)?day\s+before\s+yesterday", _day_back(2)),
    _en("other", r"the\s+other\s+(?:day|night|evening|morning|afternoon)", lambda m, asked: ago(DAY, FEW, asked), sure=0.8),
    _en("other", r"the\s+other\s+week", lambda m, asked: ago(WEEK, Amount(1, 3), asked), sure=0.7),
    _en("earlier far", r"(?:earlier|so\s+far)\s+(?:this\s+)?(?P<unit>today|week|month|quarter|year)", _earlier),
    _en("morning noon evening night lunch", rf"(?P<part>{'|'.join(_PARTS)})", _part),
    _en("clock", r"(?P<hour>\d{1,2})\s*o'?clock", _oclock, sure=0.6),
    _en("at", rf"(?<=at\s)(?P<hour>\d{{1,2}}){_FOLLOW}", _oclock, sure=0.6),
    # counts
    _en("ago back", rf"{_UPTO}\s+{_UNIT}(?P<half>\s+and\s+a\s+half)?(?:\s+or\s+(?:so|two))?\s+(?:ago|back)", _ago),
    _en("half", rf"{_UPTO}(?P<half>\s+and\s+a\s+half)\s+{_UNIT}\s+ago", _ago),
    _en("last past previous", rf"(?:last|past|previous)\s+{_UPTO}\s+{_UNIT}", _lately),
    _en(
        "past last",
        r"(?:past|last)\s+(?P<n>)(?P<upto>)(?P<unit>hour|day(?!\s+of))",
        lambda m, asked: lately(_UNITS[m["unit"]], Amount(1, 1), asked),
    ),
    _en(
        "past last",
        r"(?:past\s+|(?:in|over|within|during|for)\s+the\s+(?:past|last)\s+)(?P<unit>week|month|year)",
        lambda m, asked: lately(_UNITS[m["unit"]], Amount(1, 1), asked),
    ),
    _en("ago", r"(?P<n>\d{1,3})(?P<unit>d|h|hr|w|wk|mo|y|min)s?\s+(?P<ago>ago)", _short),
    _en("last past", r"(?:last|past)\s+(?P<n>\d{1,3})(?P<unit>d|h|hr|w|wk|mo|y|min)s?(?P<ago>)" + _FOLLOW, _short),
    _en("fortnight", r"(?:a\s+)?fortnight\s+(?:ago|back)", lambda m, asked: ago(WEEK, Amount(2, 2), asked)),
    _en(
        "now moment minute second",
        r"just\s+now|(?:a\s+)?(?:few\s+)?(?:moments?|minute|second)s?\s+ago",
        lambda m, asked: lately(HOUR, Amount(3, 3), asked),
        sure=0.7,
    ),
    _en("recent lately late", r"recently|lately|of\s+late(?!\s+\w)", _vague, sure=0.5),
    _en(
        "ago back",
        r"(?:ages|(?<!how\s)long|a\s+long\s+time|(?:quite\s+)?a\s+while|some\s+time|years|months|weeks|days|hours)\s+(?:ago|back)",
        _vague,
        sure=0.5,
    ),
    # weeks, months, quarters, years as a whole
    _en("this current", r"(?:this|current)\s+(?P<unit>week|month|quarter|year)", _unit_back(0)),
    _en("last previous", r"(?:last|previous)\s+(?P<unit>week|month|quarter|year)", _unit_back(1)),
    _en("before last", r"(?:the\s+)?(?P<unit>week|month|quarter|year)\s+before\s+last", _unit_back(2)),
    _en("week", r"(?:(?P<which>last|this|past|previous|the)\s+)?weekend", _weekend),
    _en("weekend", r"(?:the\s+)?weekend\s+before\s+last", _weekend_before_last),
    _en(
        "of the",
        r"(?:the\s+)?(?P<share>beginning|start|middle|end)\s+of\s+the\s+(?P<unit>week|month|quarter|year)",
        _share_of_unit,
        sure=0.7,
    ),
    _en(
        "beginning start mid end early late",
        r"(?:the\s+)?(?P<share>beginning|start|middle|end)\s+of|(?P<early>early|late)|mid",
        _weak_share,
    ),
    Form("mid-", r"(?<!\w)mid-(?=[a-z])", lambda m, asked: Weak(Share(1))),
    _en("week", r"(?:the\s+)?(?P<nth>first|second|third|fourth|last)\s+week\s+of", _week_of_month),
    _en(
        "first second third fourth last",
        rf"(?:the\s+)?(?P<nth>first|second|third|fourth|last)\s+(?:(?P<weekend>weekend)|{_WEEKDAY})\s+(?:of|in)",
        _nth_of_month,
    ),
    # weekdays
    _en("mon tue wed thu fri sat sun", _WEEKDAY, _weekday),
    _en("last this past previous", rf"{_LAST}\s+{_WEEKDAY}", _which_weekday),
    _en("before last", rf"(?:the\s+)?{_WEEKDAY}\s+before\s+last", _weekday_before_last),
    # months and dates
    _en(" ".join(_MONTHS), _MONTH, _month),
    _en("last this past previous", rf"{_LAST}\s+{_MONTH}", _which_month),
    _en(" ".join(_MONTHS), rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_DAY_ENDS}", _month_day),
    _en(" ".join(_MONTHS), rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}", _month_day),
    _en(
        " ".join(_MONTHS),
        rf"{_MONTH}\s+{_DAY}{_TO}(?:{_MONTH.replace('<month>', '<month2>')}\s+)?(?P<last>\d{{1,2}})(?:st|nd|rd|th)?{_DAY_ENDS}",
        _month_days,
    ),
    _en(" ".join(_MONTHS), rf"(?:the\s+)?{_DAY}{_TO}(?P<last>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}", _days_month),
    _en("st nd rd th", r"(?:the\s+)?(?P<day>[12]\d|3[01]|[1-9])(?:st|nd|rd|th)" + _FOLLOW, _day_only, sure=0.8),
    # quarters, halves, seasons, holidays
    _en(
        "q1 q2 q3 q4 quarter",
        r"(?P<q>q)(?P<number>[1-4])|(?:the\s+)?(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter(?:\s+of)?",
        _quarter,
        sure=0.7,
    ),
    _en("half", r"(?:the\s+)?(?P<nth>first|second|1st|2nd)\s+half\s+of", _half),
    _en(
        "spring summer autumn fall winter",
        r"(?:(?P<which>last|past|this)\s+)?(?P<season>spring|summer|autumn|fall|winter)",
        _season,
        sure=0.8,
    ),
    _en(
        "christmas xmas new",
        rf"(?:{_LAST}\s+)?(?P<holiday>(?:christmas|xmas)(?:\s+(?:eve|day))?|new\s+year(?:'?s)?(?:\s+(?:eve|day))?)",
        _holiday,
        sure=0.7,
    ),
    _en("now date", r"now|to\s+date", lambda m, asked: Mark.NOW),
)
