"""A long document as a catalogue shows it and a search finds it: its title, what it is about, its paragraphs.

Owns the sizes and the borders of paragraphs. Sees cleaned, redacted text only; paragraphs are ranges of it. Never raises; the time
is linear in the length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from tray_app.text.blocks import Block, blocks
from tray_app.text.graphemes import cut_before
from tray_app.text.segment import is_unspaced

PARAGRAPH_CHARS = 400
SUMMARY_CHARS = 240
TITLE_CHARS = 120
HEADING_PATH_CHARS = 300
BETWEEN = " > "
"""Between the headings of a path."""

_SENTENCE = re.compile(r"[.!?](?=[\s\"')\]])[\"')\]]*\s*|[。！？；…][”’」』）]*")
_LINE = re.compile(r"\n")
_SPACE = re.compile(r"\s|[，、,;；：:]")
_FRONT_TITLE = re.compile(r"^title[ \t]{0,8}[:=][ \t]{0,8}(\S.{0,200})$", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+", re.MULTILINE)
_ALERT = re.compile(r"\[!\w{1,20}\]")
_ITEM_OR_TABLE = re.compile(r"[ \t]{0,8}(?:[-*+•·][ \t]|\d{1,3}[.)、]|\|)")
_LINK = re.compile(r"\[[^\[\]\n]{0,300}\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,80}\])|<[^<>\n]{0,300}>")
_INLINE = (
    (re.compile(r"\[!\[[^\[\]\n]{0,200}\]\([^()\n]{0,500}\)\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,80}\])"), ""),
    (re.compile(r"!\[[^\[\]\n]{0,200}\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,80}\])"), ""),
    (
        re.compile(r"\[([^\[\]\n]{1,300})\](?:\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\[[^\[\]\n]{0,80}\])"),
        r"\1",
    ),
    (re.compile(r":[\w:+-]{1,40}:`([^`<>\n]{1,200}?)\s?(?:<[^`\n]{0,200}>)?`"), r"\1"),
    (re.compile(r"`([^`<>\n]{1,200}?)\s?<[^<>`\n]{1,300}>`__?"), r"\1"),
    (re.compile(r"<((?:https?|mailto):[^<>\s]{1,500})>"), r"\1"),
    (re.compile(r"</?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,300})?/?>|<!--[^<>]{0,500}-->"), ""),
    (re.compile(r"\*\*|~~|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|`+"), ""),
    (re.compile(r"(?<![\w*\\])[*_](?=[^\s*_])([^*_\n]{1,300})(?<![\s\\])[*_](?![\w*])"), r"\1"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


class Paragraph(msgspec.Struct, frozen=True, gc=False):
    """`text[start:end]` of the document, at most `PARAGRAPH_CHARS`. `headings` from the outermost to the one it stands under."""

    headings: tuple[str, ...]
    start: int
    end: int


class Document(msgspec.Struct, frozen=True):
    """`title` '' where the text gives none; `summary` '' where it begins without prose."""

    title: str
    summary: str
    paragraphs: tuple[Paragraph, ...]


def read_document(text: str, form: str = "markdown") -> Document:
    """The document that a text is. `form`: markdown | rst | plain."""
    parts = blocks(text, form)
    title, head = _title(text, parts)
    return Document(title, _summary(text, parts, head), tuple(_paragraphs(text, parts)))


def heading_path(title: str, headings: Sequence[str]) -> str:
    """The path as text, the document's title first."""
    path = list(headings) if title in headings[:1] else [title, *headings]
    return BETWEEN.join(part for part in path if part)[:HEADING_PATH_CHARS]


def plain_inline(text: str) -> str:
    """Words without the marks for links, pictures, emphasis and code; white space folded."""
    for pattern, instead in _INLINE:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


def _title(text: str, parts: Sequence[Block]) -> tuple[str, Block | None]:
    """The title, and the heading that gives it."""
    headings = [part for part in parts if part.kind == "heading" and any(map(str.isalnum, part.title))]
    first = next((part for part in headings if part.level == 1), None)
    named = None
    if first is None and parts and parts[0].kind == "hidden" and parts[0].start == 0:
        named = _FRONT_TITLE.search(text, 0, parts[0].end)
    if named:
        return _short(plain_inline(named[1].strip().strip("\"'")), TITLE_CHARS), None
    head = first or next(iter(headings), None)
    return (_short(plain_inline(head.title), TITLE_CHARS), head) if head else ("", None)


def _summary(text: str, parts: Sequence[Block], head: Block | None) -> str:
    said: list[str] = []
    size = 0
    for part in parts:
        if part.kind == "heading" and part.level > 1 and part is not head:
            break
        if part.kind in ("prose", "quote"):
            stop = min(part.end, part.start + 4 * SUMMARY_CHARS)
            words = _said(text[part.start : stop], quoted=part.kind == "quote")
            said += words
            size += sum(map(len, words))
            if size > SUMMARY_CHARS:
                break
    return _short(_joined(said), SUMMARY_CHARS)


def _said(text: str, *, quoted: bool) -> list[str]:
    """The words of a block of prose, line by line."""
    if quoted:
        text = _ALERT.sub("", _QUOTE.sub("", text))
        text = "\n".join(line for line in text.split("\n") if not _ITEM_OR_TABLE.match(line))
    text = "\n".join(line for line in text.split("\n") if not _is_menu(line))
    for pattern, instead in _INLINE:
        text = pattern.sub(instead, text)
    return [line for line in (" ".join(line.split()) for line in text.split("\n")) if any(map(str.isalnum, line))]


def _is_menu(line: str) -> bool:
    """A row of links, as stands at the top of many a README."""
    left, links = _LINK.subn("", line)
    return links > 1 and not any(map(str.isalnum, left))


def _joined(lines: Iterable[str]) -> str:
    """Lines as one; scripts without spaces get none at the break."""
    made = ""
    for line in lines:
        tight = bool(made) and _is_tight(made[-1]) and _is_tight(line[0])
        made += line if tight or not made else " " + line
    return made


def _is_tight(character: str) -> bool:
    return is_unspaced(character) or character in "，。、；：！？）（」「》《”“"


def _short(text: str, most: int) -> str:
    """At most so many characters: whole sentences where that leaves half of it, else words and an ellipsis."""
    if len(text) <= most:
        return text
    ends = [match.end() for match in _SENTENCE.finditer(text, most // 2, most)]
    if ends:
        return text[: ends[-1]].rstrip()
    spaces = [match.start() for match in _SPACE.finditer(text, most // 2, most - 1)]
    return text[: spaces[-1] if spaces else cut_before(text, most - 1)].rstrip() + "…"


def _paragraphs(text: str, parts: Sequence[Block]) -> Iterator[Paragraph]:
    headings: list[tuple[int, str]] = []
    start = end = -1

    def path() -> tuple[str, ...]:
        return tuple(title for _, title in headings)

    for part in parts:
        breaks = part.kind in ("heading", "hidden", "rule")
        if start >= 0 and (breaks or part.end - start > PARAGRAPH_CHARS):
            yield Paragraph(path(), start, end)
            start = -1
        if part.kind == "heading":
            while headings and headings[-1][0] >= part.level:
                headings.pop()
            headings.append((part.level, _short(plain_inline(part.title), TITLE_CHARS)))
        elif not breaks:
            if start < 0:
                *whole, (start, end) = _pieces(text, part)
                for first, last in whole:
                    yield Paragraph(path(), first, last)
            else:
                end = part.end
    if start >= 0:
        yield Paragraph(path(), start, end)


def _pieces(text: str, part: Block) -> list[tuple[int, int]]:
    """A block as ranges that are short enough, without the white space at their borders, except before their first words; at least
    one."""
    shapes = (_SENTENCE, _LINE, _SPACE) if part.kind in ("prose", "quote") else (_LINE, _SENTENCE, _SPACE)
    made: list[tuple[int, int]] = []
    at, stop = part.start, part.start + len(text[part.start : part.end].rstrip())
    while stop - at > PARAGRAPH_CHARS:
        border = _border(text, at, at + PARAGRAPH_CHARS, shapes)
        made.append((at, at + len(text[at:border].rstrip())))
        at = border
        while at < stop and text[at].isspace():
            at += 1
    return [*((first, last) for first, last in made if last > first), (at, stop)]


def _border(text: str, start: int, stop: int, shapes: Sequence[re.Pattern[str]]) -> int:
    """The best place to cut in (start, stop]: behind a sentence or a line, else a word, else anywhere."""
    for shape in shapes:
        last = 0
        for match in shape.finditer(text, start + (stop - start) // 2, stop):
            last = match.end()
        if last:
            cut = cut_before(text, last)
            if cut > start:
                return cut
    cut = cut_before(text, stop)
    return cut if cut > start else stop
