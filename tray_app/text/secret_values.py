"""Whether a value is a secret, or only looks like one: beside a name such as `password`, in an address, or by itself.

Owns the gates and knows no places. Errs towards keeping ordinary words, code and placeholders, because a redacted word
cannot be searched.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from itertools import pairwise
from math import log2

_PLACEHOLDER = re.compile(
    r"(?:your|my|the|some|insert|enter|change|replace|put|use|add)[_\-. ]|your|changeme|change-?it|placeholder|redacted|removed|hidden|masked|dummy"
    r"|example|sample|undefined|null\b|none\b|nil\b|true\b|false\b|todo\b|tbd\b|n/a|process\.env|os\.environ|env[.:(\[]|import\.meta"
    r"|secrets?\.|vars?\.|config\.|settings\.|self\.|this\.|await\b|new\b|function|lambda|[<$%*{\[(#!]|\.\.\.|…|x{3,}|-{2,}[a-z]",
    re.IGNORECASE,
)
_FILLER = re.compile(r"\A(.)\1{3,}|example|placeholder|redacted|xxxx|\*\*\*|\.\.\.|…|<[^>]*>?|\$\{", re.IGNORECASE)
_LOCATION = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|\.{0,2}/|~[/\\]|[A-Za-z]:[/\\]|(?-i:[a-z0-9_.-]+/[a-z0-9_.-]+/[a-z0-9_./-]*)\Z)", re.IGNORECASE
)
_CODE_PATH = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+\Z")
_NAME_LIKE = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)*[_-]?v?\d{0,2}\Z")
_HUMP = re.compile(r"[A-Z]?[a-z]{2,}")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z|0x[0-9A-Fa-f]{1,16}[uUlL]{0,3}\Z")
_VERSION = re.compile(r"v?\d+(?:[.\-]\d+)+(?:[\-+.][a-z0-9.]+)?\Z", re.IGNORECASE)
_MEASURE = re.compile(r"[\d.,:]+\s?(?:%|[a-zA-Z]{1,3}|tokens?|bytes|chars)?\Z")
_JUDGED = 128
"""Characters of a long value that are looked at."""
_ASSIGNED = re.compile(r"[A-Za-z_][\w.\-]*[=:][^=]")
_NAMED = re.compile(r"[\w.\-]{0,24}?(?:pass(?:word|wd)?|pwd|secret|token|credentials?|key)[=:][^=]", re.IGNORECASE)
"""A name of its own, whose value is judged by itself."""
_JOINED = re.compile(r"[+,)]\s*[A-Za-z_]\w*[\[(.,)+]")
_OWN_NAME = re.compile(r"pass|token|secret|key", re.IGNORECASE)
_DIGIT = re.compile("[0-9]")
_FILLER_INSIDE = re.compile(r"example|placeholder|xxxx|your|\.\.\.|00000000|redacted|(.)\1{9}", re.IGNORECASE)
_KINDS = bytes(
    48 if 48 <= byte < 58 else 97 if 97 <= byte < 123 else 65 if 65 <= byte < 91 else 45 for byte in range(256)
)  # digits, lower, upper, others
_CHANGES = (b"0a", b"a0", b"0A", b"A0", b"aA", b"Aa")
_TYPED = re.compile(b"a{3,}|A{4,}|0{3,}")
_HUMPS = re.compile(b"Aa+")
_SERIES = re.compile("0123456789|abcdef", re.IGNORECASE)
_SPECIAL = re.compile(r"[!@#$%^&*?~+=]")


def is_secret(kind: str, value: str, *, quoted: bool, weak: bool) -> bool:
    """`kind`: password | other. `weak`: only a space or a word stands between name and value."""
    value = value[:_JUDGED]
    if len(value) < (5 if kind == "password" else 8) or _PLACEHOLDER.match(value) or _NAMED.match(value):
        return False
    if _LOCATION.match(value) or _VERSION.match(value) or _JOINED.match(value) or _FILLER.search(value):
        return False
    if len(set(value)) < 4:
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if not value.isascii() and letters > digits:
        return False
    if _MEASURE.match(value):
        return kind == "password" and not weak and value.isdigit() and digits >= 6
    if value.isalnum() and digits < 3 and sum(map(len, _HUMP.findall(value))) * 3 > len(value) * 2:
        return kind == "password" and digits > 0 and len(value) >= 7 and not _OWN_NAME.match(value) and not _is_camel(value)
    if value.isalpha():
        return _is_random_word(value)
    if not quoted and (_CODE_PATH.match(value) or _CONSTANT.match(value)):
        return False
    if weak:
        return _is_strong(value, digits, letters)
    if _NAME_LIKE.match(value):
        return kind == "password" and digits > 0 and value.isalnum() and len(value) >= 7 and not _OWN_NAME.match(value)
    if digits:
        return True
    return kind == "password" and _SPECIAL.search(value) is not None


def is_placeholder(value: str) -> bool:
    """For a value whose place alone says that it is a secret (the password of an address)."""
    return (
        _PLACEHOLDER.match(value) is not None
        or _FILLER.search(value) is not None
        or value.lower() in ("password", "passwd", "pass", "pwd", "secret", "token", "user", "pw")
    )


def has_digit(value: str) -> bool:
    return _DIGIT.search(value) is not None


def is_login(value: str) -> bool:
    """Whether it is `user:password` in base64, as in a basic authorization."""
    try:
        login = base64.b64decode(value, validate=True)
    except ValueError:
        return False
    return b":" in login[:-1] and login.isascii() and login.decode().isprintable()


def is_filler(value: str) -> bool:
    """Whether an issued shape holds the sign of a made-up example, such as `EXAMPLE` or `xxxx`."""
    return _FILLER_INSIDE.search(value) is not None


def is_random(value: str) -> bool:
    """Letters and digits in an order that nobody types: all three kinds, many changes of kind, few words, much entropy.

    Hashes (one case only), identifiers (words), dates and numbers (few changes) are not. At least twenty characters.
    """
    if len(value) < 20 or value.islower() or value.isupper() or not has_digit(value):
        return False
    kinds = value.encode("ascii", "replace").translate(_KINDS)
    length = len(kinds)
    digits, lower, upper = kinds.count(b"0"), kinds.count(b"a"), kinds.count(b"A")
    if min(lower, upper) * 10 < length or digits * 25 < length or digits * 2 > length:
        return False
    changes = sum(map(kinds.count, _CHANGES))
    words = sum(map(len, _TYPED.findall(kinds)))
    if changes * 25 < length * 9 or words * 2 > length or kinds.count(b"-") * 8 > length:
        return False
    longest = max(kinds.split(b"-"), key=len)
    if len(longest) * 5 > length * 3 and (b"A" not in longest or b"a" not in longest):
        return False  # a hash behind its name
    if (digits <= 2 and sum(map(len, _HUMPS.findall(kinds))) * 10 > length * 7) or _SERIES.search(value):
        return False
    counts = Counter(value).values()
    entropy = log2(len(value)) - sum(count * log2(count) for count in counts) / len(value)
    return entropy >= min(4.1, log2(length) * 0.85)


def is_mixed(value: str) -> bool:
    """Random enough for a key: at least two digits, and a run of sixteen letters and digits."""
    return sum(map(str.isdigit, value)) >= 2 and re.search(r"[A-Za-z0-9]{16}", value) is not None


def _is_camel(value: str) -> bool:
    return any(a.islower() and b.isupper() for a, b in pairwise(value))


def _is_random_word(value: str) -> bool:
    """Letters only: a key has capitals in the middle of many places; words and camel case do not."""
    changes = sum(a.islower() and b.isupper() for a, b in pairwise(value))
    return len(value) >= 20 and changes >= 4


def _is_strong(value: str, digits: int, letters: int) -> bool:
    if not digits or not letters or len(value) < 8 or _NAME_LIKE.match(value) or _ASSIGNED.match(value) or value[0] == "-":
        return False
    mixed = digits > 1 and any(map(str.islower, value)) and any(map(str.isupper, value))
    return mixed or _SPECIAL.search(value) is not None
