"""Cleaning: what a terminal, an editor or a model put into a text that nobody wrote as text.

Owns the rules that run before redaction and segmenting: escape sequences, control and invisible characters, broken
surrogates, embedded files in base64. `clean(clean(text)) == clean(text)`; the time is linear in the length.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]+[0-~]|\x1b[0-~]"
)
_INVISIBLE = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_JUNK_ASCII = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_JUNK = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200c\u200d\ud800-\udfff{_INVISIBLE}]")
_DROPPED = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}]+")
_BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_JOINED = "\u0600-\u109f\u1780-\u18af\u203c-\u2bff\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
_STRAY_JOINERS = re.compile(f"(?<![{_JOINED}])[\u200c\u200d]+|[\u200c\u200d]{{2,}}|[\u200c\u200d](?![{_JOINED}])")

_DATA_URL = re.compile(
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))data:([\w.+-]{1,60}/[\w.+-]{1,100})(?:;[\w=.+-]{1,60}){0,4}?(?:;base64,((?:[A-Za-z0-9+/_=%-]|\\[nr]|\n(?=[A-Za-z0-9+/]{20}))*)"
    r"|,([^\s\"'`()<>\\]{100,}))",
    re.IGNORECASE,
)
_BREAK = r"(?:\r?\n|\\r\\n|\\n)[ \t]{0,16}"
_BLOB = re.compile(
    r"(?<![A-Za-z0-9+/_\-])(?:"
    rf"(?P<lines>[A-Za-z0-9+/]{{60,100}}(?:{_BREAK}[A-Za-z0-9+/]{{60,100}}){{3,}})(?P<tail>{_BREAK}[A-Za-z0-9+/]{{1,99}}={{0,2}}(?![A-Za-z0-9+/=]))?"
    r"|(?P<run>[A-Za-z0-9+/_\-]{256,}))={0,2}"
)
_RUN = re.compile(r"(?<![A-Za-z0-9+/_\-])[A-Za-z0-9+/_\-]{60}")
_BLANKS = re.compile(r"\n(?:[ \t]*\n){4,}")
_LONG_WORD = 60


def clean(text: str) -> str:
    """The text without what cannot be read: `\\n` and `\\t` are the only control characters left.

    Lone surrogates become U+FFFD; embedded files become `[data image/png 3 MB]` or `[base64 12 kB]`; more than three blank
    lines in a row become three. Hashes, tokens with dots and long hexadecimal numbers stay.
    """
    if (_JUNK_ASCII if text.isascii() else _JUNK).search(text):
        text = _drop_junk(text)
    if len(text) >= _LONG_WORD:
        text = _fold_blobs(text)
    return _BLANKS.sub("\n\n\n\n", text)


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
    long_words = [word for word in text.split() if len(word) >= _LONG_WORD]
    if not long_words:
        return text
    if "data:" in text.lower():
        text = _DATA_URL.sub(_name_data, text)
    return _BLOB.sub(_name_blob, text) if any(map(_RUN.search, long_words)) else text


def _name_data(match: re.Match[str]) -> str:
    payload = match[2]
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
