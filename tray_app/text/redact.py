"""Redaction: secrets out of a text before it is indexed, shown, logged or sent anywhere.

Owns the order of the rules, the windows over long texts and the marks; the shapes are in `secret_shapes`, what stands beside a
secret in `secret_names`, what is one in `secret_values`. A window is looked through for a few literals and long runs of
letters, and the expressions run only where one was found; each begins at a place and is bounded, so that the time is linear.
`redact(redact(text)[0]) == (redact(text)[0], 0)`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from tray_app.text import secret_names, secret_shapes
from tray_app.text.secret_shapes import Span

_WINDOW = 65_536
"""Characters: no single call into C looks at more, unless no border is found in them."""
_BORDERS = ("\n", '"', ",", ";", ">", "}", " ")
_REACH = 5000
"""Characters before and behind a secret that are looked through again once it is gone."""


class Found(NamedTuple):
    """`text[start:end]` is a secret of the shape `name`."""

    name: str
    start: int
    end: int


def redact(text: str) -> tuple[str, int]:
    """The text with every secret as `[secret: what it was]`, and how many there were."""
    spans = _find_all(text)
    return (_splice(text, spans), len(spans)) if spans else (text, 0)


def explain(text: str) -> list[Found]:
    """What `redact` would take out of the text, in order; the spans do not overlap."""
    return [Found(span.name, span.start, span.end) for span in _find_all(text)]


def shapes() -> tuple[str, ...]:
    """The names of all shapes that are known, as they stand in the marks."""
    return tuple(dict.fromkeys(secret_names.NAMES + secret_shapes.NAMES))


def _find_all(text: str) -> list[Span]:
    spans = _find(text, [(0, len(text))])
    new = set(spans)
    while new:  # again about the finds: what stood next to a secret without a gap may begin a word only now
        spliced, marks = _splice(text, spans), _marks(spans)
        regions = _around(spliced, [mark for mark, span in zip(marks, spans, strict=True) if span in new])
        found = _find(spliced, regions)
        merged = _merge(spans, _place_back(spans, marks, found)) if found else spans
        new = set(merged).difference(spans)
        spans = merged
    return spans


def _find(text: str, regions: list[tuple[int, int]]) -> list[Span]:
    """One pass: what an earlier rule took, a later one may not touch."""
    found: list[Span] = []
    for region in regions:
        for start, stop in _windows(text, *region):
            data = (text if stop - start == len(text) else text[start:stop]).encode("ascii", "replace")
            low = data.lower()
            issued = secret_shapes.find_issued(text, data, start)
            found += secret_names.find_blocks(text, low, start)
            found += [span for span in issued if span.name != secret_shapes.RANDOM]
            found += secret_names.find_addresses(text, low, start)
            found += secret_names.find_headers(text, low, start)
            found += secret_names.find_named(text, low, start)
            found += [span for span in issued if span.name == secret_shapes.RANDOM]
    return _take_first(found) if found else found


def _windows(text: str, start: int, size: int) -> Iterator[tuple[int, int]]:
    """Pieces that end at the borders of lines, or of words where a line is very long."""
    while size - start > _WINDOW:
        stop = _border_before(text, start + _WINDOW // 2, start + _WINDOW)
        if stop < 0:
            stop = _border_after(text, start + _WINDOW)
        if stop >= size:
            break
        yield start, stop
        start = stop
    if start < size:
        yield start, size


def _border_before(text: str, start: int, stop: int) -> int:
    """Behind the last border within the span; -1 without one."""
    for border in _BORDERS:
        at = text.rfind(border, start, stop)
        if at >= 0:
            return at + 1
    return -1


def _border_after(text: str, start: int) -> int:
    """Behind a border near there: the first of those within the next window that holds any."""
    while start < len(text):
        ends = [at + 1 for border in _BORDERS if (at := text.find(border, start, start + _WINDOW)) >= 0]
        if ends:
            return min(ends)
        start += _WINDOW
    return len(text)


def _around(text: str, marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts of the text in which a rule may see the marks."""
    clusters: list[tuple[int, int]] = []
    for first, last in marks:
        if clusters and first - clusters[-1][1] <= 2 * _REACH:
            clusters[-1] = (clusters[-1][0], last)
        else:
            clusters.append((first, last))
    regions: list[tuple[int, int]] = []
    for first, last in clusters:
        start = max(0, _border_before(text, max(0, first - _REACH - _WINDOW), max(0, first - _REACH)))
        stop = _border_after(text, min(len(text), last + _REACH))
        if regions and start < regions[-1][1]:
            regions[-1] = (regions[-1][0], max(stop, regions[-1][1]))
        else:
            regions.append((start, stop))
    return regions


def _take_first(ranked: list[Span]) -> list[Span]:
    """The spans in order of place, without those that touch one of an earlier rule."""
    taken: list[Span] = []
    for span in ranked:
        at = bisect_right(taken, span)
        if (at and taken[at - 1].end > span.start) or (at < len(taken) and taken[at].start < span.end):
            continue
        taken.insert(at, span)
    return taken


def _splice(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += (text[at : span.start], f"[secret: {span.name}]")
        at = span.end
    parts.append(text[at:])
    return "".join(parts)


def _marks(spans: list[Span]) -> list[tuple[int, int]]:
    """Where the marks of the spans stand in the spliced text."""
    marks: list[tuple[int, int]] = []
    shift = 0
    for span in spans:
        start = span.start + shift
        stop = start + len(span.name) + len("[secret: ]")
        marks.append((start, stop))
        shift = stop - span.end
    return marks


def _place_back(spans: list[Span], marks: list[tuple[int, int]], found: list[Span]) -> list[Span]:
    """Spans found in the spliced text, as spans of the text itself; one that reaches into a mark takes the whole secret."""

    def mark_at(place: int) -> int:
        return bisect_right(marks, (place, marks[-1][1] + 1)) - 1

    placed: list[Span] = []
    for start, end, name in found:
        first, last = start, end
        index = mark_at(start)
        if index >= 0:
            span, stop = spans[index], marks[index][1]
            first = span.start if start < stop else span.end + start - stop
        index = mark_at(end - 1)
        if index >= 0:
            last = spans[index].end + max(0, end - marks[index][1])
        placed.append(Span(first, last, name))
    return placed


def _merge(spans: list[Span], others: list[Span]) -> list[Span]:
    """Both, in order; where they overlap, one span over all with the first one's name."""
    merged: list[Span] = []
    for span in sorted(spans + others):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Span(last.start, max(last.end, span.end), last.name)
        else:
            merged.append(span)
    return merged
