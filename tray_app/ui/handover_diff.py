"""What changed between two states of a field: lists by item, prose by word.

Pure: texts in, spans out. Owns no Qt and no words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

PLAIN, ADDED, REMOVED, CODE = "plain", "added", "removed", "code"
FINEST = 1_200
"""Prose with more words than this is compared by sentence: the time goes with the square."""
ALIKE = 0.35
"""Prose that shares less than this with what it replaces is shown as replaced whole; a patchwork of words reads badly."""

_WORD = re.compile(r"[㐀-鿿぀-ヿ가-힯]|\s+|[^\s㐀-鿿぀-ヿ가-힯]+")
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+\s*|\n+|$)")
_TICKED = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text. `kind`: plain | added | removed | code"""

    text: str
    kind: str = PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph of spans, with a bullet in front if it is an item of a list."""

    spans: tuple[Span, ...]
    bullet: bool = False
    mono: bool = False

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def plain_lines(text: str) -> tuple[Line, ...]:
    """A prose field as it is; what stands in backticks is code."""
    return tuple(Line(ticked(line)) for line in text.split("\n")) if text.strip() else ()


def item_lines(items: Sequence[str], *, bullet: bool = True) -> tuple[Line, ...]:
    """A list field as it is."""
    return tuple(Line(ticked(_joined(item)), bullet) for item in items)


def ticked(text: str) -> tuple[Span, ...]:
    """A text with what stands in backticks as code, without the ticks."""
    spans: list[Span] = []
    end = 0
    for found in _TICKED.finditer(text):
        if found.start() > end:
            spans.append(Span(text[end : found.start()]))
        spans.append(Span(found[1], CODE))
        end = found.end()
    if end < len(text) or not spans:
        spans.append(Span(text[end:]))
    return tuple(spans)


def compare_items(old: Sequence[str], new: Sequence[str], *, bullet: bool = True, mono: bool = False) -> tuple[Line, ...]:
    """Items of both, each whole: kept, removed, or added."""
    before, after = [_joined(item) for item in old], [_joined(item) for item in new]
    lines: list[Line] = []
    for what, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            lines += [Line(ticked(item), bullet, mono) for item in after[start:end]]
        else:
            lines += [Line((Span(item.replace("`", ""), REMOVED),), bullet, mono) for item in before[first:last]]
            lines += [Line((Span(item.replace("`", ""), ADDED),), bullet, mono) for item in after[start:end]]
    return tuple(lines)


def compare_prose(old: str, new: str) -> tuple[Line, ...]:
    """Prose of both in one paragraph: what went is removed, what came is added."""
    before, after = _joined(old).replace("`", ""), _joined(new).replace("`", "")
    if not before or not after:
        return tuple(Line((Span(text, kind),)) for text, kind in ((before, REMOVED), (after, ADDED)) if text)
    one, two = _pieces(before, after)
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    if matcher.ratio() < ALIKE:
        return (Line((Span(before, REMOVED), Span(" "), Span(after, ADDED))),)
    spans: list[Span] = []
    for what, first, last, start, end in _smoothed(matcher.get_opcodes(), one):
        gone, came = "".join(one[first:last]), "".join(two[start:end])
        if what == "equal":
            spans.append(Span(came))
            continue
        _append(spans, gone, REMOVED)
        if gone.strip() and came.strip() and not gone.endswith(" "):
            spans.append(Span(" "))
        _append(spans, came, ADDED)
    return (Line(tuple(span for span in spans if span.text)),)


def _append(spans: list[Span], text: str, kind: str) -> None:
    """Blanks at the ends of a change are not part of it: a ground over them looks like a mistake."""
    inner = text.strip()
    if not inner:
        spans.append(Span(text))
        return
    start = text.index(inner)
    spans += [Span(text[:start]), Span(inner, kind), Span(text[start + len(inner) :])]


def _pieces(before: str, after: str) -> tuple[list[str], list[str]]:
    one, two = _WORD.findall(before), _WORD.findall(after)
    if len(one) + len(two) > 2 * FINEST:
        one = [piece for piece in _SENTENCE.findall(before) if piece]
        two = [piece for piece in _SENTENCE.findall(after) if piece]
    return one, two


def _smoothed(codes: Sequence[tuple[str, int, int, int, int]], one: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Changes with nothing but a blank between them as one change."""
    joined: list[tuple[str, int, int, int, int]] = []
    for code in codes:
        what, first, last, start, end = code
        if what != "equal" and len(joined) > 1 and joined[-1][0] == "equal":
            _what, at, until, _start, _end = joined[-1]
            if not "".join(one[at:until]).strip():
                joined.pop()
        if what != "equal" and joined and joined[-1][0] != "equal":
            _what, at, _last, begin, _end = joined.pop()
            joined.append(("replace", at, last, begin, end))
        else:
            joined.append((what, first, last, start, end))
    return joined


def _joined(item: str) -> str:
    return " ".join(item.split())
