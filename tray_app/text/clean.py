"""Cleaning: what a terminal, an editor or a model put into a text that nobody wrote as text.

Owns the rules that run before redaction and segmenting: escape sequences, control and invisible characters, broken
surrogates, embedded files in base64. `clean(clean(text)) == clean(text)`; the time is linear in the length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]+[0-~]|\x1b[0-~]"
)
_INVISIBLE = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_JUNK_BYTES = bytes(byte for byte in range(32) if byte not in b"\n\t") + b"\x7f"
_ASCII_BYTES = bytes(range(128))
_JUNK = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200c\u200d\ud800-\udfff{_INVISIBLE}]")
_DROPPED = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}]+")
_BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_JOINED = "\u0600-\u109f\u1780-\u18af\u203c-\u2bff\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
_STRAY_JOINERS = re.compile(f"(?<![{_JOINED}])[\u200c\u200d]+|[\u200c\u200d]{{2,}}|[\u200c\u200d](?![{_JOINED}])")

_DATA_URL = re.compile(
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))data:([\w.+-]{1,60}/[\w.+-]{1,100})(?:;[\w=.+-]{1,60}){0,4}?(?:;base64,((?:[A-Za-z0-9+/_=%-]++|\\[nr]|\n(?=[A-Za-z0-9+/]{20}))*+)"
    r"|,([^\s\"'`()<>\\]{100,}))",
    re.IGNORECASE,
)
_BREAK = r"(?:\r?\n|\\r\\n|\\n)[ \t]{0,16}"
_BLOB = re.compile(
    r"(?<![A-Za-z0-9+/_\-])(?:"
    rf"(?P<lines>[A-Za-z0-9+/]{{60,100}}(?:{_BREAK}[A-Za-z0-9+/]{{60,100}}(?![A-Za-z0-9+/_\-])){{3,}})(?P<tail>{_BREAK}[A-Za-z0-9+/]{{1,99}}={{0,2}}(?![A-Za-z0-9+/=]))?"
    r"|(?P<run>[A-Za-z0-9+/_\-]{256,}))={0,2}"
)
_BLANKS = re.compile(r"\n(?:[ \t]*\n){4,}")
_LONG_RUN = 60
_RUN = b"a" * _LONG_RUN
_RUN_CLASSES = bytes(97 if byte < 128 and (chr(byte).isalnum() or byte in b"+/_-") else 32 for byte in range(256))
_DATA_ONLY = re.compile(r"[A-Za-z0-9+/=_-]+")
_PIECE = 65_536
"""Characters: no single call into C looks at more, so that other threads have their turn; a longer line stays whole."""


def clean(text: str) -> str:
    """The text without what cannot be read: `\\n` and `\\t` are the only control characters left.

    Lone surrogates become U+FFFD; embedded files become `[data image/png 3 MB]` or `[base64 12 kB]`; more than three blank
    lines in a row become three. Hashes, tokens with dots and long hexadecimal numbers stay.
    """
    if len(text) <= _PIECE:
        return _clean_piece(text)
    return "".join([_clean_piece(text[start:stop]) for start, stop in _cut(text)])


def _clean_piece(text: str) -> str:
    if _has_junk(text):
        text = _drop_junk(text)
    if len(text) >= _LONG_RUN:
        text = _fold_blobs(text)
    return _BLANKS.sub("\n\n\n\n", text)


def _cut(text: str) -> Iterator[tuple[int, int]]:
    """Pieces that end between two lines which no rule sees together."""
    start, size = 0, len(text)
    while size - start > _PIECE:
        at = text.rfind("\n", start + _PIECE // 2, start + _PIECE)
        while at >= 0 and not _is_between(text, at):
            at = text.rfind("\n", start + _PIECE // 2, at)
        if at < 0:
            at = text.find("\n", start + _PIECE)
            while at >= 0 and not _is_between(text, at):
                at = text.find("\n", at + 1)
        if at < 0:
            break
        yield start, at + 1
        start = at + 1
    yield start, size


def _is_between(text: str, at: int) -> bool:
    """Whether the line break there is neither among blank lines nor among the lines of an embedded file."""
    if not text[at + 1 : at + 2].isalnum():
        return False
    return not _DATA_ONLY.fullmatch(text, max(0, at - _LONG_RUN + 1), at) and not _DATA_ONLY.fullmatch(text, at + 1, at + 21)


def _has_junk(text: str) -> bool:
    """Whether there is anything to drop: by byte for ASCII, by character only for the rest."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data.translate(None, _JUNK_BYTES)) != len(data):
        return True
    return (
        len(data) != len(text) and _JUNK.search(data.translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass")) is not None
    )


def _drop_junk(text: str) -> str:
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        text = _ESCAPES.sub("", text)
    text = _DROPPED.sub("", _BREAKS.sub("\n", text))
    if text.isascii():
        return text
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = _DROPPED.sub("", text)  # a joined pair may be one of the invisible characters beyond the first plane
    return _STRAY_JOINERS.sub("", text)


def _fold_blobs(text: str) -> str:
    data = text.encode("ascii", "replace")
    at = data.lower().find(b"data:")
    if at >= 0:
        folded = _fold_data(text, data.lower(), at)
        if folded is not text:
            text, data = folded, folded.encode("ascii", "replace")
    classes = data.translate(_RUN_CLASSES)
    start = classes.find(_RUN)
    if start < 0:
        return text
    parts: list[str] = []
    done = 0
    while start >= 0:
        match = _BLOB.match(text, start)
        if match:
            parts += (text[done:start], _name_blob(match))
            done = match.end()
        stop = max(done, classes.find(b" ", start))
        start = classes.find(_RUN, stop) if stop > start else -1
        if start > 0 and classes[start - 1] == 97:  # within a run: the rest of one that was taken in part
            start = classes.find(b" ", start)
            start = classes.find(_RUN, start) if start >= 0 else -1
    return "".join((*parts, text[done:])) if parts else text


def _fold_data(text: str, low: bytes, at: int) -> str:
    parts: list[str] = []
    done = 0
    while at >= 0:
        match = _DATA_URL.match(text, at)
        if match:
            parts += (text[done:at], _name_data(match))
            done = match.end()
        at = low.find(b"data:", max(done, at + 5))
    return "".join((*parts, text[done:])) if parts else text


def _name_data(match: re.Match[str]) -> str:
    payload = match[2]
    if payload is not None and len(payload) < _LONG_RUN:
        return match[0]  # an icon of a few bytes, or code that writes the address
    size = len(payload) * 3 // 4 if payload is not None else len(match[3])
    return f"[data {match[1].lower()} {_size_text(size)}]"


def _name_blob(match: re.Match[str]) -> str:
    whole = match[0]
    if not _is_base64(match["run"] or match["lines"]):
        return whole
    text, end = match.string, match.end()
    if match["run"] and ("." in (text[end : end + 1], text[match.start() - 1 : match.start()])):
        return whole  # a token with dots: redaction knows its shape
    tail = match["tail"]
    kept = ""
    if tail and not (tail.endswith("=") or re.search(r"[0-9+/]|[a-z][A-Z]", tail)):
        kept, whole = tail, whole[: -len(tail)]
    return f"[base64 {_size_text(len(whole) * 3 // 4)}]{kept}"


def _is_base64(run: str) -> bool:
    sample = run if len(run) <= 4096 else run[:2048] + run[-2048:]
    digits = sum(map(sample.count, "0123456789"))
    signs = sum(map(sample.count, "/_-"))
    upper = sum(map(str.isupper, sample))
    lower = sum(map(str.islower, sample))
    return digits > 2 and upper * 12 > len(sample) and lower * 12 > len(sample) and signs * 8 < len(sample)


def _size_text(size: int) -> str:
    if size >= 1_000_000:
        return f"{round(size / 1_000_000)} MB"
    return f"{round(size / 1000)} kB" if size >= 1000 else f"{size} B"


def fold_spaces(text: str) -> str:
    """White space as single spaces, composed characters: what makes two messages the same content."""
    return " ".join(unicodedata.normalize("NFC", text).split())
