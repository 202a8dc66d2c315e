"""Time words: what range of time a question means.

Owns how the forms of `time_forms_*` are found, joined and bounded, and which of several is meant; the tables own the words,
`time_spans` the calendar. A range is half-open and made of whole local days or parts of one, as aware datetimes in the zone of
`now`; a month or a day without a year is the latest one that has begun.

Days are calendar days also just after midnight. Only the night runs on: before four o'clock 'tonight' and 今晚 are the night
that began the evening before, which 'last night' and 昨晚 always are. 11/03 is read month first, or day first where the zone of
`now` lies in a land that writes so; what is impossible one way is read the other way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from tray_app.text import time_spans as spans
from tray_app.text.time_bounds import BOUNDS, LEFT, LEFT_MOST, RIGHT
from tray_app.text.time_folding import fold
from tray_app.text.time_forms import DIGIT_FORMS, Form, Mark, Weak
from tray_app.text.time_spans import DAY, HOUR, MINUTE, MONTH, WEEK, Asked, Clock, Cycle, Part, Stretch, Value


class TimeRef(NamedTuple):
    words: str
    """What in the question said it, with its preposition or 的: the first stretch of `spans`."""
    span: tuple[int, int]
    """Where, in code points."""
    start: datetime | None
    end: datetime | None
    """Both None: time was meant, but no range ('recently'). One of them: open to that side ('since March')."""
    explicit: bool
    """True for a written-out date (2026-11-03), which may filter hard."""
    sure: float = 1.0
    """0..1: how rarely such words mean something else, or another time."""
    label: str = ""
    """The expression to show: all its stretches, without a preposition that bounds nothing."""
    spans: tuple[tuple[int, int], ...] = ()
    """All stretches that belong to it, in order; more than one in 'last week ... on Tuesday'."""


def understand(query: str, now: datetime) -> TimeRef | None:
    """The time that a question names; None: none.

    Words that narrow one another count together, wherever they stand; of others the surest counts, or the first. `now` must
    be aware (ValueError); its zone is the person's. A day that does not exist (2026-02-31) is no expression.
    """
    if now.tzinfo is None:
        raise ValueError("now must be aware")
    text = fold(query)
    asked = Asked(now, now.replace(tzinfo=None), query)
    try:
        chains = _link(_find(text, asked), text, asked)
        return _chosen(_bound_all(chains, text, asked), text, asked) if chains else None
    except (OverflowError, ValueError):
        return None  # beyond the years that a calendar holds


# --- single words ----------------------------------------------------------------------------------------------------
class _Piece(NamedTuple):
    start: int
    end: int
    value: Value | Mark
    needs: frozenset[str] | None
    """None: it stands by itself."""
    form: Form


@cache
def _tables() -> tuple[Sequence[Form], Sequence[Form]]:
    """Of a question in ASCII, and of one that is not. Loaded when first asked."""
    from tray_app.text.time_forms_en import ENGLISH_FORMS
    from tray_app.text.time_forms_zh import CHINESE_FORMS
    from tray_app.text.time_lookalikes import CHINESE_LOOKALIKES, ENGLISH_LOOKALIKES

    english = (*DIGIT_FORMS, *ENGLISH_FORMS, *ENGLISH_LOOKALIKES)
    return english, (*CHINESE_FORMS, *CHINESE_LOOKALIKES, *english)


def _find(text: str, asked: Asked) -> list[_Piece]:
    """All words of time, from the left, the longest of those that begin together; none overlaps another."""
    found: list[_Piece] = []
    for form in _tables()[not text.isascii()]:
        if any(key in text for key in form.keys):
            for match in form.find(text):
                meaning = form.resolve(match, asked)
                if isinstance(meaning, Weak):
                    found.append(_Piece(*match.span(), meaning.value, meaning.needs, form))
                elif meaning is not None:
                    found.append(_Piece(*match.span(), meaning, None, form))
    found.sort(key=lambda piece: (piece.start, -piece.end))
    kept: list[_Piece] = []
    for piece in found:
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
    return kept


# --- what belongs together -------------------------------------------------------------------------------------------
class _Chain(NamedTuple):
    """Pieces that stand beside one another. `start` and `end` are what is taken, `core` what is shown."""

    start: int
    end: int
    core: tuple[int, int]
    value: Value | Mark
    needs: frozenset[str] | None
    sure: float
    explicit: bool
    bound: str = ""
    """before | after | since | until | week (that holds it) | '': none, and then `value` may still be narrowed."""
    is_range: bool = False
    """From one to another, so that 'since' or 从 before it bounds nothing more."""


_GAP = re.compile(r"(?:[\s,，(（的]|[那当这]天|'s(?!\w)|(?<!\w)(?:on|of|in|at|the|around|about|during|from|between)(?!\w))*")
_TO = re.compile(r"\s*(?:(?:to|until|till|through|thru|up\s+to)(?:\s+(?:the|last|around))?|[-–—~]|一?直?[到至])\s*")
_AND = re.compile(r"\s*(?:and(?:\s+the)?|[和与跟])\s*")
_BETWEEN = re.compile(r"(?<!\w)between\s+(?:the\s+)?$")
_OR = re.compile(r"\s*(?:(?:or|and)(?:\s+(?:on|in|the|maybe))*|还是|或者?|[和与跟、])\s*是?\s*")
_GAP_MOST = 14
_EITHER_MOST = timedelta(days=31)


def _link(pieces: Sequence[_Piece], text: str, asked: Asked) -> list[_Chain]:
    chains: list[_Chain] = []
    is_void, end = False, 0
    for piece in pieces:
        is_near = _is_gap(text, end, piece.start)
        is_void = piece.value is Mark.VOID or (is_void and is_near and not isinstance(piece.value, Stretch))
        end = piece.end
        if is_void:
            continue
        last = chains[-1] if chains and _is_gap(text, chains[-1].end, piece.start) else None
        joined = _joined(last, piece, text, asked) if last else None
        if piece.value is Mark.IMPOSSIBLE or joined is Mark.IMPOSSIBLE:
            is_void = True
            if last:
                chains.pop()
        elif isinstance(joined, _Chain):
            chains[-1] = joined
        else:
            span = (piece.start, piece.end)
            chains.append(_Chain(*span, span, piece.value, piece.needs, piece.form.sure, piece.form.explicit))
    return _ranges(chains, text, asked)


def _is_gap(text: str, start: int, end: int) -> bool:
    return end - start <= _GAP_MOST and _GAP.fullmatch(text, start, end) is not None


def _joined(chain: _Chain, piece: _Piece, text: str, asked: Asked) -> _Chain | Mark | None:
    one, other = chain.value, piece.value
    if isinstance(one, Mark) or isinstance(other, Mark):
        return None
    if isinstance(one, Stretch) and isinstance(other, Stretch) and piece.needs is not None:
        return None
    value = spans.narrow(one, other, asked)
    if value is None:
        is_day_of = isinstance(one, Stretch) and isinstance(other, Cycle) and one.grain >= MONTH
        return Mark.IMPOSSIBLE if is_day_of and not text[chain.end : piece.start].strip() else None
    explicit = chain.explicit and (piece.form.explicit or isinstance(other, Clock))
    sure = max(chain.sure, piece.form.sure)
    return _Chain(chain.start, piece.end, (chain.start, piece.end), value, None, sure, explicit)


def _ranges(chains: list[_Chain], text: str, asked: Asked) -> list[_Chain]:
    """From one to the other, where two chains stand so."""
    done: list[_Chain] = []
    for chain in chains:
        last = done[-1] if done else None
        if last and last.end <= chain.start and (value := _range(last, chain, text, asked)):
            strong = last.needs is None and (chain.needs is None or isinstance(chain.value, Mark | Clock))
            needs = None if strong else frozenset({"from", "between", "since"})
            start, end = last.start, chain.end
            if match := _BETWEEN.search(text, max(0, start - _GAP_MOST), start):
                start, needs = match.start(), None
            done[-1] = _Chain(
                start,
                end,
                (last.start, end),
                value,
                needs,
                min(last.sure, chain.sure),
                last.explicit and chain.explicit,
                is_range=True,
            )
        else:
            done.append(chain)
    return [chain for chain in done if chain.value is not Mark.NOW]


def _range(first: _Chain, last: _Chain, text: str, asked: Asked) -> Stretch | None:
    gap = text[first.end : last.start]
    if _OR.fullmatch(gap) and not _is_between(first, last, text):
        return _either(first, last, asked)
    if len(gap) > _GAP_MOST or not (_TO.fullmatch(gap) or (_AND.fullmatch(gap) and _is_between(first, last, text))):
        return None
    one, other = first.value, last.value
    begin = _resolved(one, asked)
    if begin is None or begin.start is None:
        return None
    moment = begin.start
    if other is Mark.NOW:
        return Stretch(moment, None, begin.grain)
    if isinstance(other, Mark):
        return None
    finish: Stretch | None = None
    if begin.grain == MINUTE and (isinstance(other, Clock) or isinstance(one, Clock)):
        return spans.hours(one if isinstance(one, Clock) else begin, other, asked)
    if isinstance(other, Stretch):
        finish = other
        if isinstance(one, Cycle) and other.start and other.start.tzinfo is None:
            begin = spans.last_until(one, other.start) or begin
    elif isinstance(other, Cycle) and moment.tzinfo is None:
        finish = spans.first_from(other, moment)
    if not finish or not finish.end or not begin.start or (begin.start.tzinfo is None) != (finish.end.tzinfo is None):
        return None
    return Stretch(begin.start, finish.end, max(WEEK, begin.grain)) if begin.start < finish.end else None


def _either(first: _Chain, last: _Chain, asked: Asked) -> Stretch | None:
    """From the earlier to the later of two that were both named by themselves, if they are near enough to mean one time."""
    if first.needs is not None or last.needs is not None:
        return None
    one, other = _resolved(first.value, asked), _resolved(last.value, asked)
    if not one or not other or one.grain > WEEK or other.grain > WEEK or MINUTE in (one.grain, other.grain):
        return None
    starts, ends = [x.start for x in (one, other) if x.start], [x.end for x in (one, other) if x.end]
    if len(starts) < 2 or len(ends) < 2 or max(ends) - min(starts) > _EITHER_MOST:
        return None
    return Stretch(min(starts), max(ends), WEEK)


def _is_between(first: _Chain, last: _Chain, text: str) -> bool:
    is_said = "between" in text[first.start : first.end] or _BETWEEN.search(text, max(0, first.start - _GAP_MOST), first.start)
    return bool(is_said) or text.startswith(("之间", "间"), last.end)


def _resolved(value: Value | Mark, asked: Asked) -> Stretch | None:
    if isinstance(value, Stretch):
        return value
    if isinstance(value, Cycle):
        return spans.latest(value, asked)
    return spans.latest_clock(value, asked) if isinstance(value, Clock) else None


# --- what bounds it --------------------------------------------------------------------------------------------------


def _bound_all(chains: Sequence[_Chain], text: str, asked: Asked) -> list[_Chain]:
    """Each with its words; no word belongs to two."""
    found: list[_Chain] = []
    floor = 0
    for chain in chains:
        bounded = _bounded(chain, text, max(floor, chain.start - LEFT_MOST), asked)
        floor = bounded.end if bounded else chain.end
        if bounded:
            found.append(bounded)
    return found


def _bounded(chain: _Chain, text: str, floor: int, asked: Asked) -> _Chain | None:
    """The chain with the words beside it that belong to it; None where it is no reference."""
    if chain.value is Mark.VAGUE:
        return chain
    left = LEFT.search(text[floor : chain.start])
    right = RIGHT.match(text, chain.end)
    if left and left.lastgroup and (left["bad"] or left["bad_zh"]):
        return None
    bound_left = next((name for name in BOUNDS if left and (left[name] or left[f"{name}_zh"])), "")
    bound_right = next((name for name in BOUNDS if right and (right.groupdict().get(name) or right[f"{name}_zh"])), "")
    if left and left["since_zh"] and not bound_right and right and right["of_zh"]:
        left, bound_left = None, ""  # 从昨天的日志: of yesterday
    if chain.is_range and bound_left in ("since", "until"):
        bound_left = ""
    elif left and left["week"]:
        bound_left = "week"
    bound = bound_right or bound_left
    if bound_left == "since" and bound_right in ("before", "until"):
        bound = bound_right
    is_met = chain.needs is None or _is_met(chain.needs, left, bound)
    if not is_met and not isinstance(chain.value, Part):
        return None
    start = chain.start - (len(left[0].lstrip()) if left else 0)
    end = right.end() if right else chain.end
    core = (
        start if bound_left else chain.core[0],
        (right.end("of_zh") - 1 if right and right["of_zh"] else end) if bound_right else chain.core[1],
    )
    value = chain.value
    if not bound and right and right["around_zh"] and isinstance(value, Cycle | Stretch):
        value = _widened(value, asked)
    needs = None if is_met else chain.needs
    return chain._replace(start=start, end=end, core=core, value=value, needs=needs, bound=bound)


def _is_met(needs: frozenset[str], left: re.Match[str] | None, bound: str) -> bool:
    if not left or not any(left[name] for name in ("plain", "week", *BOUNDS)):
        return bound in needs
    words = " ".join(next(word for name in ("plain", "week", *BOUNDS) if (word := left[name])).split())
    return words in needs or (left["the"] is not None and f"{words} the" in needs)


def _widened(value: Cycle | Stretch, asked: Asked) -> Cycle | Stretch:
    """前后: some days more on each side of whole days."""
    found = _resolved(value, asked)
    if not found or not found.start or not found.end or found.grain < DAY:
        return value
    more = timedelta(days=2 if found.grain <= WEEK else 5)
    return Stretch(found.start - more, found.end + more, WEEK)


def _cut(found: Stretch | None, bound: str) -> Stretch | None:
    if found is None or not bound:
        return found
    if bound == "week":
        return spans.days(spans.first_of(WEEK, found.start.date()), 7, WEEK) if found.start else None
    start = {"after": found.end, "since": found.start}.get(bound)
    end = {"before": found.start, "until": found.end}.get(bound)
    return Stretch(start, end, found.grain) if start or end else None


# --- which one is meant ----------------------------------------------------------------------------------------------
_SURER = 0.25


class _Choice(NamedTuple):
    chains: tuple[_Chain, ...]
    value: Value | Mark
    bound: str
    sure: float


def _chosen(chains: Sequence[_Chain], text: str, asked: Asked) -> TimeRef | None:
    meant = [chain for chain in chains if chain.needs is None]
    ranges = [chain for chain in meant if not isinstance(chain.value, Mark) and _resolved(chain.value, asked)]
    if not ranges:
        vague = next((chain for chain in meant if chain.value is Mark.VAGUE), None)
        return _reference(_Choice((vague,), Mark.VAGUE, "", vague.sure), None, asked) if vague else None
    choice = _Choice((ranges[0],), ranges[0].value, ranges[0].bound, ranges[0].sure)
    for chain in ranges[1:]:
        is_or = not (choice.bound or chain.bound) and _OR.fullmatch(text[choice.chains[-1].end : chain.start])
        together = None if is_or else _together(choice, chain, asked)
        if together:
            choice = together
        elif len(choice.chains) == 1 and chain.sure >= choice.sure + _SURER:
            choice = _Choice((chain,), chain.value, chain.bound, chain.sure)
    for chain in chains:
        if chain.needs is not None and not choice.bound and isinstance(chain.value, Part) and _is_said_of_day(chain, text):
            choice = _with_part(choice, chain, asked)
    return _reference(choice, _cut(_resolved(choice.value, asked), choice.bound), asked)


def _together(choice: _Choice, chain: _Chain, asked: Asked) -> _Choice | None:
    if isinstance(choice.value, Mark) or isinstance(chain.value, Mark):
        return None
    value: Value | None
    if choice.bound or chain.bound:
        one, other = _cut(_resolved(choice.value, asked), choice.bound), _cut(_resolved(chain.value, asked), chain.bound)
        value = spans.common(one, other) if one and other else None
    else:
        value = spans.narrow(choice.value, chain.value, asked)
    return value and _Choice((*choice.chains, chain), value, "", min(choice.sure, chain.sure))


def _is_said_of_day(chain: _Chain, text: str) -> bool:
    """A part of a day apart from its day: 下午, in the morning, at night; a bare 'morning' may be part of a name."""
    return not text[chain.core[0]].isascii() or text[chain.start : chain.core[0]].strip() in ("in the", "at", "during the")


def _with_part(choice: _Choice, chain: _Chain, asked: Asked) -> _Choice:
    if isinstance(choice.value, Mark):
        return choice
    value = spans.narrow(choice.value, chain.value, asked) if isinstance(chain.value, Part) else None
    is_days = isinstance(choice.value, Stretch | Cycle) and choice.value.grain > HOUR
    if value is None and not is_days:
        return choice
    return choice._replace(chains=(*choice.chains, chain), value=value or choice.value)


def _reference(choice: _Choice, found: Stretch | None, asked: Asked) -> TimeRef | None:
    zone = asked.now.tzinfo
    if zone is None or (found is None and choice.value is not Mark.VAGUE):
        return None
    start = spans.place(found.start, zone) if found and found.start else None
    end = spans.place(found.end, zone) if found and found.end else None
    if start and end and start.timestamp() >= end.timestamp():
        return None  # a day that the zone has left out
    chains = sorted(choice.chains)
    places = tuple((chain.start, chain.end) for chain in chains)
    label = " ".join(asked.query[slice(*chain.core)].strip() for chain in chains)
    explicit = all(chain.explicit for chain in chains)
    return TimeRef(asked.query[slice(*places[0])], places[0], start, end, explicit, choice.sure, label, places)
