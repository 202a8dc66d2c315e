"""The marks around everything that is made for agents, so that it is known again and never taken in as talk.

What begins with `<!-- backscroll:KIND -->` and ends with `<!-- /backscroll:KIND -->`, each on a line of its own, is ours. Texts
whose bytes must be stable (pack, card) carry the kind alone; the others carry eight random hexadecimal digits behind it. Owns
how the marks are written, found and defused; the time is linear in the text.
"""

from __future__ import annotations

import re
import secrets
from bisect import bisect_left
from collections import defaultdict

PACK, CARD, RECALL, QUOTE, INSTRUCTIONS, PROMPT = "pack", "card", "recall", "quote", "instructions", "prompt"
PACK_TOOL = "handoff_pack"
UNCLOSED_CHARS = 60_000
"""How much is taken out behind a mark whose end is missing: agents cut long results."""

_SIGN = "backscroll:"
_MARK = re.compile(r"(?:<|\\u003[cC])!-- (/?)backscroll:([a-z]{1,20}(?::[0-9a-f]{8})?) --(?:>|\\u003[eE])")
_LIKENESS = re.compile(r"(?:<|\\u003c)(?=!--\s*/?\s*backscroll)", re.IGNORECASE)
_LEAD = re.compile(r"[^\w\n\"'`]*(?:\d{1,7}[^\w\n\"'`]*)?")
"""What may stand before a mark on its line: quotation signs, indentation, the number of the line."""
_LEAD_CHARS = 40
_BREAK = re.compile(r"[ \t]*(?:\r?\n|(?:\\+r)?\\+n|\\+r|\Z)")


def enclosed(text: str, kind: str) -> str:
    """A text of stable bytes between its marks; ends with a line break."""
    return f"{opening(kind)}\n{text.strip(chr(10))}\n{closing(kind)}\n"


def opening(name: str) -> str:
    """`name`: the kind, with a colon and random digits where there are any."""
    return f"<!-- {_SIGN}{name} -->"


def closing(name: str) -> str:
    return f"<!-- /{_SIGN}{name} -->"


def random_digits(text: str = "") -> str:
    """Eight hexadecimal digits that do not stand in the text."""
    while (digits := secrets.token_hex(4)) in text:
        pass
    return digits


def defused(text: str) -> str:
    """The text with nothing in it that could be taken for one of our marks."""
    return _LIKENESS.sub("&lt;", text) if "backscroll" in text.lower() else text


def bare(text: str) -> str:
    """What stands between the marks of a text that is ours as a whole; any other text as it is."""
    first, _, rest = text.partition("\n")
    body, _, last = rest.rstrip("\n").rpartition("\n")
    mark, end = _MARK.fullmatch(first), _MARK.fullmatch(last)
    if mark is None or end is None or mark[1] or not end[1] or mark[2] != end[2]:
        return text
    return body + "\n"


def strip_own(text: str) -> str:
    """The text without what is ours: from each opening mark to its end, both included; to the end of the text, or
    `UNCLOSED_CHARS`, where it has none. A lone closing mark goes, and what stands before it stays. A text without marks is
    given back as it is.

    A mark opens only at the beginning of a line or of a quoted string, and where a line ends behind it: who writes about the
    marks keeps what they wrote.
    """
    if _SIGN not in text:
        return text
    marks = list(_MARK.finditer(text))
    ends: defaultdict[str, list[int]] = defaultdict(list)
    for place, mark in enumerate(marks):
        if mark[1]:
            ends[mark[2]].append(place)
    kept: list[str] = []
    done = 0
    for mark in marks:
        if mark.start() < done:
            continue
        start = _line_start(text, mark.start(), done)
        if start < 0 or (not mark[1] and mark.start() and not _BREAK.match(text, mark.end())):
            continue
        kept.append(text[done:start])
        if mark[1]:
            done = _behind_break(text, mark.end(), start)
            continue
        places = ends[mark[2]]
        at = bisect_left(places, mark.end(), key=lambda place: marks[place].start())
        if at < len(places):
            done = _behind_break(text, marks[places[at]].end(), start)
        else:
            done = min(len(text), mark.end() + UNCLOSED_CHARS)
    return "".join((*kept, text[done:])) if kept or done else text


def is_own_tool(tool: str) -> bool:
    """Whether a tool, as agents name it (`mcp__backscroll__recall`), is one of ours: what it answered was told before."""
    return "backscroll" in re.split(r"[^a-z0-9]+", tool.lower())


def gives_pack(tool: str) -> bool:
    """Whether a tool of ours is that which gives the pack. That it was called is kept, for figures tell sessions that read the
    pack from others; what it answered is not."""
    return PACK_TOOL in tool.lower()


def _line_start(text: str, at: int, floor: int) -> int:
    """Where to cut before a mark: the beginning of its line if nothing is said before it there, the mark itself at the
    beginning of a string or behind an escaped line break; -1 where it stands inside a sentence."""
    first = max(floor, at - _LEAD_CHARS)
    line = text.rfind("\n", first, at) + 1 or (first if first == floor or text[first - 1] == "\n" else -1)
    if line >= 0 and _LEAD.fullmatch(text, line, at):
        return line
    before = text[at - 1]
    if before in "\"'" or (before in "nr" and text[at - 2 : at - 1] == "\\"):
        return at
    return -1


def _behind_break(text: str, at: int, start: int) -> int:
    """Behind the line break that follows, where the cut begins a line too."""
    found = _BREAK.match(text, at)
    if found is None or (start and text[start - 1] != "\n"):
        return at
    return found.end()
