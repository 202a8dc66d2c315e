"""What of a message is prose: sentences that somebody wrote as such, without code, logs, links and pasted blocks.

Owns the rules that tell prose from the rest, one line at a time. Looks at a bounded beginning of a message; the time is
linear in that. Nothing here is stored or searched: it only serves to say what a talk was about.
"""

from __future__ import annotations

import re

import msgspec

from tray_app.text.segment import HAN_KANA_HANGUL

LOOKED_AT = 4_000
"""Code points of a message that are looked at."""
LONGEST = 400
"""Code points of a sentence; the rest of a longer one is left out."""
MOST = 8
"""Sentences taken from a message."""
SHARES = (1.0, 0.88, 0.8, 0.74, 0.7)
"""What the first sentences count; later ones as the last of these. What it is about is mostly said first."""
HOLE = "\ufffc"
"""Stands where something was left out: a sentence ends there."""
FAULT_SHARE = 0.7
"""What the line of an error counts, beside what somebody said in words."""

_FENCED = re.compile(r"^[ \t]{0,8}(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]{0,8}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_PLACEHOLDER = re.compile(
    r"\[(?:Image|Pasted text|File|Attachment|secret|data|base64|left out|Request interrupted|图片|文件)(?![A-Za-z])[^\[\]\n]{0,80}\]|<[/!?a-zA-Z][^<>\n]{0,120}>",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,120})\]\([^()\s]{0,400}\)")
_ADDRESS = re.compile(r"\b(?:https?|ftp|file|ssh|git|wss?)://[^\s<>\"'，。；、）)]+|\bwww\.[^\s<>\"'，。；、）)]+")
_PATH = re.compile(
    r"(?<![\w.~/\\-])@?(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|\\\\)?(?:[\w.+@-]+[\\/])+([\w.+@-]*?)(?::\d+(?::\d+)?)?(?=\.?(?:[^\w/\\.+@-]|$))"
)
_HASH = re.compile(r"\b(?=[0-9a-f-]*\d)(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{12,64})\b", re.IGNORECASE)
_JSON = re.compile(r"\{[^{}\n]{0,600}[\"':][^{}\n]{0,600}\}|\[[^\[\]\n]{0,40}[\"{][^\[\]\n]{0,400}\]")
_JSON_FAULT = re.compile(
    r"\"(?:err(?:or)?_?(?:code|no|msg|message)?|code|status_?(?:code)?|message|msg|reason|detail)\"\s*:\s*\"?([^\"{}\[\],]{1,120})",
    re.IGNORECASE,
)
_LEAD = re.compile(r"\s*(?:(?:[-*+•·]|#{1,6}|\(?\d{1,2}[.)、]|[a-z]\))[ \t]+|[-*•]\s*(?=[^\s\w]?[\u4e00-\u9fff]))")
_CODE_LINE = re.compile(
    r"\s*(?:\$ |>>> |\.\.\. |PS [A-Z]:|at [\w$.<>]+ ?\(|File \"|--> |={2,}|-{3,}|\+{3} |@@ |\|\s|\d+ \||[<>=]{7}|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[EWID] \(\d+\)|/[a-z][\w-]*\s*$)"
)
_STATEMENT = re.compile(
    r"\s*(?:import \w|from [\w.]+ import|def \w+\(|class \w+[(:]|fn \w+|func \w+\(|(?:const|let|var) \w+ ?=|return\b.*;|#include|package \w|"
    r"(?:GET|POST|PUT|DELETE|HEAD) /|sudo |npm |npx |pip3? |docker |kubectl |git [a-z]+ -|curl )"
)
"""Code where a whole line of ASCII begins so and no word stands in it that only people use."""
_PEOPLE = re.compile(
    r"(?<![\w-])(?:the|is|was|does|doesn't|don't|can't|fails?|failed|why|how|what|when|with|after|gives|says|works?|i|we|you|it|my|should|please)(?![\w-])",
    re.IGNORECASE,
)
_CODE_END = re.compile(r"(?:[{;]|\);?|=>)\s*$")
_FAULT = re.compile(
    r"\b(?:[\w.]*(?:Error|Exception|Warning)\b|(?:error|panic|fatal|failed|FAILED|ERROR|FATAL)\b)(?=[\[:\s(]|$)(?:\[\w+\])?:?\s*\S"
)
_FILE = re.compile(r"\w\.[A-Za-z]\w{0,9}$")
_SYMBOLS = frozenset('{}[]()<>=;|\\/_*&%$#@^~+`"')
_SENTENCE_END = re.compile(rf"[。！？!?；;…\n{HOLE}]+|\.+(?=\s|$)|(?<=[\u4e00-\u9fff])\.+")
_BREAKS = re.compile(
    rf"(?:[，、|：]|(?<!\d),|,(?!\d)|:(?=[\s{HAN_KANA_HANGUL}]|$))\s*|\s+[-–—/]+\s+|[—–]+|[()（）【】「」『』《》\"“”]+|(?<=[{HAN_KANA_HANGUL}])[ \t\u3000]+(?=[{HAN_KANA_HANGUL}])"
)
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|`+|~~")
_SPACES = re.compile(r"\s+")


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence without its end mark. `breaks` are the (start, end) of commas, brackets and the like inside it. `share` says
    what it counts: less than 1 for the line of an error, and for what stands late in the message."""

    text: str
    breaks: tuple[tuple[int, int], ...]
    share: float = 1.0


def prose(message: str) -> list[Sentence]:
    """The first `MOST` sentences of a message; behind them the lines of at most two errors in code and logs."""
    faults: list[str] = []

    def without_code(match: re.Match[str]) -> str:
        faults.extend(_faults(match[2].split("\n")))
        return "\n"

    text = _FENCED.sub(without_code, message[:LOOKED_AT])
    said: list[str] = []
    for raw in text.split("\n"):
        line = _plain_line(raw)
        if '":' in raw or '" :' in raw:
            faults.append(" ".join(match[1].strip() for match in _JSON_FAULT.finditer(raw[:LOOKED_AT])))
        if not line.strip(HOLE + " ") or raw.lstrip().startswith(">"):
            continue
        if _is_code(line):
            faults.extend(_faults([raw]))
        else:
            said.extend(part for part in _SENTENCE_END.split(line) if part)
    found = [part for part in map(_strip, said[: MOST * 4]) if part][:MOST]
    sentences = [_sentence(part, SHARES[min(place, len(SHARES) - 1)]) for place, part in enumerate(found)]
    for fault in faults[:2]:
        parts = [part for part in map(_strip, _plain_line(fault).split(HOLE)) if part]
        sentences += [_sentence(part, FAULT_SHARE) for part in parts[:1]]
    return sentences


def _strip(part: str) -> str:
    """A sentence without marks at its ends; '' for one that holds no word."""
    text = part.strip(" \t\u3000,，、:：-–—*#>\"'")[:LONGEST]
    return text if any(map(str.isalnum, text)) else ""


def _sentence(text: str, share: float) -> Sentence:
    return Sentence(text, tuple(match.span() for match in _BREAKS.finditer(text)), share)


def _plain_line(line: str) -> str:
    """One line without marks, links, placeholders and folders; files keep their names."""
    line = line[:LOOKED_AT]
    if "[" in line or "<" in line:
        line = _LINK.sub(r"\1", line)
        line = _PLACEHOLDER.sub(HOLE, line)
    if "://" in line or "www." in line:
        line = _ADDRESS.sub(HOLE, line)
    if "{" in line or "[" in line:
        line = _JSON.sub(HOLE, line)
    if "/" in line or "\\" in line:
        line = _PATH.sub(_file_name, line)
    line = _HASH.sub(HOLE, line)
    match = _LEAD.match(line)
    if match:
        line = line[match.end() :]
    return _SPACES.sub(" ", _EMPHASIS.sub("", line)).strip()


def _file_name(match: re.Match[str]) -> str:
    """The file a path leads to. What is no path ('and/or', 'zh/en', 'GB/s') stays."""
    whole, name = match[0], match[1]
    if _FILE.search(name):
        return name
    return HOLE if whole[0] in "/~.@\\" or whole[1:2] == ":" or whole.count("/") > 2 else whole


def _is_code(line: str) -> bool:
    if _CODE_LINE.match(line):
        return True
    if line.isascii() and (_CODE_END.search(line) or (_STATEMENT.match(line) and not _PEOPLE.search(line))):
        return True
    bare = line.replace(" ", "")
    symbols = sum(character in _SYMBOLS for character in bare)
    letters = sum(map(str.isalpha, bare))
    return symbols * 5 > len(bare) or letters * 2 < len(bare)


def _faults(lines: list[str]) -> list[str]:
    """The parts of lines that name an error, from its name on."""
    found = []
    for line in lines:
        match = _FAULT.search(line[:LONGEST])
        if match:
            found.append(line[match.start() : match.start() + LONGEST])
    return found
