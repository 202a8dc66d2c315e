"""What the lines of a long document are: headings, prose, quotes, lists, tables, code, and what nobody reads.

Owns the line rules of markdown, reStructuredText and plain text, as far as a catalogue needs them. Gives ranges, never copies;
never raises; the time is linear in the length. The text holds `\\n` as its only line break (see `clean`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

import msgspec

from tray_app.text.segment import HAN_KANA_HANGUL

FORMS = {".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".rst": "rst", ".txt": "plain", ".text": "plain"}
"""How a file is written, by the ending of its name."""
FRONT_LINES = 200
"""A front matter that is not closed within so many lines is none."""
HEADING_CHARS = 200
"""A longer line is no heading, whatever stands under it."""


class Block(msgspec.Struct, gc=False):
    """`text[start:end]`, whole lines without the last break. `kind`: heading | prose | quote | list | table | code | hidden (front
    matter, comments, directives) | rule. Of a heading, `level` from 1 and `title`, its words as written."""

    kind: str
    start: int
    end: int
    level: int = 0
    title: str = ""


_FENCE = re.compile(r"[ \t]{0,8}(`{3,}|~{3,})")
_ITEM = re.compile(
    r"[ \t]{0,12}(?:[-*+•·▪◦●][ \t]+|\(?\d{1,3}[.)）、](?=[ \t]|[^\s\d])|（\d{1,3}）|[a-z][.)][ \t]+|[一二三四五六七八九十]{1,3}、)"
)
_CODE_TO_COME = re.compile(r"[ \t]{4}")
_RULE = re.compile(r" {0,3}([-*_=])(?:[ \t]*\1){2,}[ \t]*")
_GRID = re.compile(
    r"[ \t]*(?:\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?|\|[ \t]*:?-+:?[ \t]*\||\+[-=+]{2,}\+|=+(?:[ \t]+=+)+)[ \t]*"
)
_HTML_HEADING = re.compile(
    r"[ \t]*<h([1-6])(?:\s[^<>]{0,200})?>([^<>]{1,200}(?:<[^<>]{1,200}>[^<>]{0,200}){0,4})</h\1>[ \t]*", re.IGNORECASE
)
_CJK = re.compile(f"[{HAN_KANA_HANGUL}]")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{1,}[ \t]*")
_HIDDEN_RST = re.compile(r"\.\.(?:[ \t]|$)|:[A-Za-z][\w -]{0,40}:(?=[ \t]|$)")
_REFERENCE = re.compile(r" {0,3}\[[^\[\]\n]{1,80}\]:[ \t]*\S+")


def blocks(text: str, form: str = "markdown") -> list[Block]:
    """The blocks of a text in order; lines that are blank belong to none, except within code. Every other character is in exactly
    one block."""
    return _Scan(text, form).run()


class _Scan:
    def __init__(self, text: str, form: str) -> None:
        self.text, self.form = text, form
        self.lines = list(_lines(text))
        self.found: list[Block] = []
        self.open: Block | None = None
        self.after_blank = True
        self.closed = -1
        """Where the next comment ends that was looked for."""
        self.styles: list[str] = []
        """Of reStructuredText: the marks of its headings in the order they appeared."""

    def run(self) -> list[Block]:
        at = self._front_matter()
        while at < len(self.lines):
            at = self._take(at)
        return self.found

    def _line(self, at: int) -> str:
        if at >= len(self.lines):
            return ""
        start, end = self.lines[at]
        return self.text[start:end]

    def _front_matter(self) -> int:
        first = self._line(0).rstrip()
        if first not in ("---", "+++") or self.form == "plain":
            return 0
        for at in range(1, min(len(self.lines), FRONT_LINES)):
            line = self._line(at).rstrip()
            if line == first or (first == "---" and line == "..."):
                self._add("hidden", 0, at)
                return at + 1
            if at == 1 and not line:
                return 0
        return 0

    def _take(self, at: int) -> int:
        """One line, or the lines of one thing; gives the next."""
        line = self._line(at)
        bare = line.strip()
        if not bare:
            self.after_blank = True
            if self.open is not None and self.open.kind != "list":
                self.open = None
            return at + 1
        more = self._fenced(at, line) or self._hidden(at, line, bare) or self._heading(at, line, bare)
        if more:
            self.open, self.after_blank = None, False
            return at + more
        self._join(at, self._kind(at, line, bare))
        self.after_blank = False
        return at + 1

    def _fenced(self, at: int, line: str) -> int:
        mark = _FENCE.match(line) if self.form != "plain" else None
        if mark is None or (mark[1][0] == "`" and "`" in line[mark.end() :]):
            return 0
        last = at + 1
        while last < len(self.lines):
            closing = _FENCE.match(self._line(last))
            if closing and closing[1].startswith(mark[1]) and not self._line(last)[closing.end() :].strip():
                break
            last += 1
        last = min(last, len(self.lines) - 1)
        self._add("code", at, last)
        return last - at + 1

    def _hidden(self, at: int, line: str, bare: str) -> int:
        if self.form == "markdown" and bare.startswith("<!--"):
            last = self._comment_end(at)
            if last >= at and self._line(last).rstrip().endswith("-->"):
                self._add("hidden", at, last)
                return last - at + 1
            return 0
        if self.form == "markdown" and _REFERENCE.match(line):
            self._add("hidden", at, at)
            return 1
        if self.form == "rst" and _HIDDEN_RST.match(line):
            last = at
            while last + 1 < len(self.lines) and (not (follow := self._line(last + 1)).strip() or follow[:1] in " \t"):
                last += 1
            while not self._line(last).strip():
                last -= 1
            self._add("hidden", at, last)
            return last - at + 1
        return 0

    def _comment_end(self, at: int) -> int:
        """The line in which a comment ends that begins in this one; -1 if it does not."""
        start = self.lines[at][0]
        if self.closed < start:
            found = self.text.find("-->", start)
            self.closed = found if found >= 0 else len(self.text)
        return bisect_right(self.lines, self.closed, key=lambda line: line[0]) - 1 if self.closed < len(self.text) else -1

    def _heading(self, at: int, line: str, bare: str) -> int:
        if self.form == "markdown":
            level, title = _hashed(line)
            if not level and (html := _HTML_HEADING.fullmatch(line)):
                level, title = int(html[1]), html[2]
            if level:
                self._add("heading", at, at, level, title)
                return 1
        return self._underlined(at, line, bare)

    def _underlined(self, at: int, line: str, bare: str) -> int:
        if len(bare) > HEADING_CHARS:
            return 0
        if self.open is not None and not (self.open.kind == "list" and self.after_blank and line[:1] not in " \t"):
            return 0
        over = _UNDERLINE.fullmatch(line) if self.form == "rst" else None
        title = self._line(at + 1).strip()
        closed = over is not None and self._line(at + 2).rstrip() == line.rstrip()
        if over and closed and 0 < len(title) <= HEADING_CHARS and not _UNDERLINE.fullmatch(title):
            self._add("heading", at, at + 2, self._style(over[1] * 2), title)
            return 3
        under = _UNDERLINE.fullmatch(self._line(at + 1))
        if under is None or _UNDERLINE.fullmatch(bare) or line[:1] in " \t>|" or _ITEM.match(line):
            return 0
        if self.form != "rst" and (under[1] not in "=-" or len(under[0].rstrip()) < 3):
            return 0
        if len(under[0].rstrip()) < min(len(bare), 3):
            return 0
        level = self._style(under[1]) if self.form == "rst" else "=-".index(under[1]) + 1
        self._add("heading", at, at + 1, level, bare)
        return 2

    def _style(self, mark: str) -> int:
        if mark not in self.styles:
            self.styles.append(mark)
        return self.styles.index(mark) + 1

    def _kind(self, at: int, line: str, bare: str) -> str:
        opened = self.open
        if opened is not None and opened.kind == "list":
            if not self.after_blank or line[:1] in " \t" or _ITEM.match(line):
                return "list"
            self.open = opened = None
        if bare[0] == ">" and self.form == "markdown":
            return "quote"
        if _RULE.fullmatch(line) and not _GRID.fullmatch(line):
            return "rule"
        if bare[0] == "|" or _GRID.fullmatch(line) or ("|" in bare and _GRID.fullmatch(self._line(at + 1))):
            return "table"
        if opened is not None and opened.kind == "table" and ("|" in bare or self.form == "rst"):
            return "table"
        if _ITEM.match(line):
            return "list"
        if opened is None and _CODE_TO_COME.match(line) and self.form != "plain":
            return "code"
        if opened is not None and opened.kind in ("code", "quote"):
            return opened.kind
        return "prose"

    def _join(self, at: int, kind: str) -> None:
        if self.open is not None and self.open.kind == kind and kind != "rule":
            self.open.end = self.lines[at][1]
            return
        self._add(kind, at, at)
        self.open = self.found[-1]

    def _add(self, kind: str, first: int, last: int, level: int = 0, title: str = "") -> None:
        self.found.append(Block(kind, self.lines[first][0], self.lines[last][1], level, title))


def _hashed(line: str) -> tuple[int, str]:
    """Level and words of `## Heading ##`; level 0 for another line. Chinese is often written without the space."""
    bare = line.strip()
    level = len(bare) - len(bare.lstrip("#"))
    rest = bare[level:]
    if not 1 <= level <= 6 or len(line) - len(line.lstrip(" ")) > 3 or line[:1] == "\t":
        return 0, ""
    if rest and rest[0] not in " \t" and not (level > 1 and _CJK.match(rest)):
        return 0, ""
    title = rest.strip()
    closed = title.rstrip("#")
    return level, closed.rstrip() if not closed or closed[-1:] in " \t" else title


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield at, end
        at = end + 1
