"""Changelogs as entries, and which of them carry a conclusion.

Owns what an entry is. Below a heading that is no more than a version or a date (or 'Unreleased'), every item of a list, every
row of a table and every paragraph is one; a heading with words of its own is one entry with all that stands under it, unless that
is longer than what is taken of an entry: then its parts are. The same below lines that begin with a date. Entries are ranges of the
text; the time is linear in its length. Never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from tray_app.text.blocks import Block, blocks
from tray_app.text.document import plain_inline
from tray_app.text.graphemes import cut_before
from tray_app.text.segment import fold_traditional

ENTRY_CHARS = 400
"""As much is taken of an entry."""
TITLE_CHARS = 120

_DATE = r"(?:19|20)\d\d(?:-[01]?\d-[0-3]?\d|/[01]?\d/[0-3]?\d|\.[01]?\d\.[0-3]?\d|年[01]?\d月(?:[0-3]?\d[日号])?|-[01]\d)(?!\d)"
_VERSION = r"(?:\b(?:version|release|ver)\s{0,3}|版本\s{0,3}|\bv\s?)?\d{1,4}(?:\.\d{1,6}){1,4}(?:[-+.]?(?:alpha|beta|rc|dev|pre|post|b|a)[.\-]?\d{0,4}|[-+][\w.]{1,30})?|\bv\d{1,4}\b|\b(?:version|release)\s{1,3}\d{1,4}\b"
_UNRELEASED = r"\bunreleased\b|\bupcoming\b|\bnext(?: release| version)?\b|\bhead\b|\bmaster\b|未发布|待发布|即将发布"
_WHEN = re.compile(_DATE)
_MARKS = re.compile(rf"(?:{_DATE}|{_VERSION}|{_UNRELEASED})", re.IGNORECASE)
_MONTH_DAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b\d{0,2}(?:st|nd|rd|th)?\s?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]{0,6}\.?\s\d{1,2}(?:st|nd|rd|th)?,?(?:\s\d{4})?|星期[一二三四五六日天]|周[一二三四五六日]|\byanked\b|\breleased?(?: on)?\b|\b\d\d:\d\d(?::\d\d)?\b|发布(?:于)?|更新",
    re.IGNORECASE,
)
_DATE_LINE = re.compile(rf"[ \t]{{0,3}}(?:\*\*|__|【|\[|\()?({_DATE})(?:\*\*|__|】|\]|\))?")
_ITEM = re.compile(
    r"([ \t]{0,12})(?:[-*+•·▪◦●][ \t]+|\(?\d{1,3}[.)）、]|（\d{1,3}）|[a-z][.)][ \t]+|[一二三四五六七八九十]{1,3}、)"
)
_SEPARATOR = re.compile(r"[\s|:+=-]*")
_CELLS = re.compile(r"\s*\|\s*")
_NUMBER = re.compile(r"\d+")

_CUES = re.compile(
    r"\b(?:lessons?|decided|decisions?|because|roll(?:ed|ing|s)?[ -]backs?|rollbacks?|revert(?:ed|ing|s)?|costs?|costly|risks?|risky|never again|root causes?"
    r"|turned out|turns out|conclusions?|concluded|pitfalls?|trade-?offs?|in hindsight|mistakes?|learn(?:ed|t) that)\b"
    r"|教训|结论|踩|值得|别再|不要再|回滚|回退|代价|风险|决定|因为|根因|原因是|事后|得不偿失|切记|权衡|经验是|原来是",
    re.IGNORECASE,
)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """`text[start:end]` of the changelog. `heading`: the words it stands under; `date` of it as ISO, '' where none is given."""

    heading: str
    start: int
    end: int
    date: str = ""


class _Section(msgspec.Struct, gc=False):
    """A heading, or a line that begins with a date, and the blocks under it."""

    heading: str
    bare: bool
    """It is no more than a version or a date."""
    date: str
    blocks: list[Block]
    start: int
    entry: bool = True
    """False: what stands here before the first entry is no entry itself."""


def entries(text: str, form: str = "markdown") -> list[Entry]:
    """All entries, newest first where their dates tell, else as they stand."""
    found = [entry for section in _sections(text, blocks(text, form)) for entry in _entries_of(text, section)]
    dates = [entry.date for entry in found if entry.date]
    if dates and dates[0] < dates[-1]:
        found.reverse()
    return found


def concludes(text: str) -> bool:
    """Whether a text says what was learned, decided or paid, rather than merely what was done."""
    return _CUES.search(fold_traditional(text)) is not None


def taken(text: str, entry: Entry) -> str:
    """The first characters of an entry as they stand, `ENTRY_CHARS` at most."""
    part = text[entry.start : entry.end]
    return part if len(part) <= ENTRY_CHARS else part[: cut_before(part, ENTRY_CHARS)].rstrip()


def entry_title(text: str, entry: Entry) -> str:
    """What an entry stands under, with its first words."""
    first = text[entry.start : entry.end].split("\n", 1)[0]
    item = _ITEM.match(first)
    words = plain_inline(_CELLS.sub(" | ", first[item.end() if item else 0 :].lstrip("#> \t").strip("| \t")))
    if not entry.heading or entry.heading == words or words.startswith(entry.heading):
        title = words
    else:
        title = f"{entry.heading} · {words}"
    return title if len(title) <= TITLE_CHARS else title[: cut_before(title, TITLE_CHARS - 1)].rstrip() + "…"


def _sections(text: str, parts: Sequence[Block]) -> Iterator[_Section]:
    marked = [part for part in parts if part.kind == "heading" and _MARKS.search(part.title)]
    plain = [part for part in parts if part.kind == "heading" and part.level > 1 and not _MARKS.search(part.title)]
    outer = min((part.level for part in marked), default=0) or min((part.level for part in plain), default=0)
    section = _Section("", True, "", [], 0, entry=not outer)
    for part in parts:
        if part.kind == "heading" and (part.level <= max(outer, 1) or (marked and _MARKS.search(part.title))):
            yield section
            heading = plain_inline(part.title)
            title = part.level < outer or (part.level == 1 and not _MARKS.search(part.title))
            section = _Section(heading, _is_bare(heading), _date_of(heading), [], part.start, entry=not title or not outer)
            if title:
                section.heading, section.bare = "", True
            if not title and not section.bare:
                section.blocks.append(part)
        elif part.kind == "heading":
            if not section.bare:
                section.blocks.append(part)
        elif part.kind == "prose" and (cuts := _date_lines(text, part)):
            if part.start < cuts[0]:
                section.blocks.append(Block("prose", part.start, cuts[0] - 1))
            for first, last in pairwise([*cuts, part.end + 1]):
                yield section
                section = _dated(text, first, last - 1)
        elif part.kind not in ("hidden", "rule"):
            section.blocks.append(part)
    yield section


def _dated(text: str, start: int, end: int) -> _Section:
    """The section that a line begins which starts with a date; its further lines are the first of what stands under it."""
    stop = text.find("\n", start, end)
    line = plain_inline(text[start : stop if stop >= 0 else end])
    bare = _is_bare(line)
    section = _Section(line, bare, _date_of(line), [], start)
    if not bare:
        section.blocks.append(Block("prose", start, end))
        section.heading = ""
    elif 0 <= stop < end:
        section.blocks.append(Block("prose", stop + 1, end))
    return section


def _date_lines(text: str, part: Block) -> list[int]:
    """Where lines of a block of prose begin that start with a date."""
    found, at = [], part.start
    while 0 <= at < part.end:
        if _DATE_LINE.match(text, at, part.end):
            found.append(at)
        at = text.find("\n", at, part.end)
        at = at + 1 if at >= 0 else -1
    return found


def _entries_of(text: str, section: _Section) -> Iterator[Entry]:
    if not section.blocks:
        return
    start, end = section.blocks[0].start, section.blocks[-1].end
    if not section.bare and end - start <= ENTRY_CHARS:
        yield Entry(section.heading, start, end, section.date)
        return
    own = [block for block in section.blocks if block.kind != "heading"]
    if not own:  # a heading that is the entry itself
        yield Entry(section.heading, start, end, section.date)
    for block in own:
        if block.kind == "list":
            ranges = _items(text, block)
        elif block.kind == "table":
            ranges = _rows(text, block)
        elif section.entry:
            ranges = [(block.start, block.end)]
        else:
            ranges = []
        for first, last in ranges:
            date = section.date or (_date_of(text[first : min(last, first + 60)]) if block.kind == "table" else "")
            yield Entry(section.heading, first, last, date)


def _items(text: str, block: Block) -> list[tuple[int, int]]:
    """The items of a list, each with what is nested in it."""
    starts: list[int] = []
    depth = -1
    at = block.start
    while 0 <= at < block.end:
        item = _ITEM.match(text, at, block.end)
        if item and (depth < 0 or len(item[1].expandtabs(4)) <= depth):
            depth = len(item[1].expandtabs(4)) if depth < 0 else depth
            starts.append(at)
        at = text.find("\n", at, block.end)
        at = at + 1 if at >= 0 else -1
    if not starts or starts[0] > block.start:
        starts.insert(0, block.start)
    return _trimmed(text, [(first, last) for first, last in pairwise([*starts, block.end])])


def _rows(text: str, block: Block) -> list[tuple[int, int]]:
    """The rows of a table below its head."""
    lines: list[tuple[int, int]] = []
    at, head = block.start, 0
    while at < block.end:
        end = text.find("\n", at, block.end)
        end = block.end if end < 0 else end
        if _SEPARATOR.fullmatch(text, at, end):
            head = head or len(lines)
        else:
            lines.append((at, end))
        at = end + 1
    return _trimmed(text, lines[head:])


def _trimmed(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    made = []
    for start, end in ranges:
        part = text[start:end]
        inner = part.strip()
        if inner:
            first = start + len(part) - len(part.lstrip())
            made.append((first, first + len(inner)))
    return made


def _is_bare(heading: str) -> bool:
    """Whether a heading is no more than a version, a date, or both."""
    if not _MARKS.search(heading):
        return False
    rest = _MONTH_DAY.sub(" ", _MARKS.sub(" ", heading))
    return sum(map(str.isalpha, rest)) < 2


def _date_of(text: str) -> str:
    found = _WHEN.search(text)
    if not found:
        return ""
    return "-".join(number.zfill(2) for number in _NUMBER.findall(found[0]))
