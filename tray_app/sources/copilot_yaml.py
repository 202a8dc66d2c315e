"""The plain values at the top of a YAML file: enough for Copilot CLI's workspace.yaml.

Owns `key: value` lines, quotes, block texts (`|`, `>`), values folded over indented lines, and comments. Lists, maps inside
and anything else are passed over; nothing is ever raised. This is no YAML parser and must not become one.
"""

from __future__ import annotations

import re

_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:(?:\s+(.*)|\s*)$")
_COMMENT = re.compile(r"(?<=\s)#")
_BLOCK = re.compile(r"[|>][+-]?\d?[+-]?\s*(?:#.*)?$")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U000([0-9a-fA-F]{5})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "e": "", "/": "/", '"': '"', "\\": "\\", " ": " "}
_NOTHING = frozenset({"null", "Null", "NULL", "~"})


def plain_values(text: str) -> dict[str, str]:
    """Texts by key. A key that comes twice has its last value; one without a plain value is absent."""
    values: dict[str, str] = {}
    lines = text.removeprefix("\ufeff").splitlines()
    at = 0
    while at < len(lines):
        found = _KEY.match(lines[at])
        at += 1
        if found is None:
            continue
        more = []
        while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t"):
            more.append(lines[at].strip())
            at += 1
        value = _value((found[2] or "").strip(), more)
        if value:
            values[found[1]] = value
    return values


def _value(first: str, more: list[str]) -> str:
    if _BLOCK.fullmatch(first):
        return ("\n" if first[0] == "|" else " ").join(more).strip()
    whole = " ".join(part for part in (first, *more) if part)
    if first[:1] in ('"', "'"):
        return _quoted(whole)
    if first[:1] in ("[", "{", "&", "*", "!", "#") or (not first and more and _is_inner(more)):
        return ""
    comment = _COMMENT.search(whole)
    plain = whole[: comment.start()].rstrip() if comment else whole
    return "" if plain in _NOTHING else plain


def _is_inner(lines: list[str]) -> bool:
    """Whether indented lines are a list or a map."""
    head = next((line for line in lines if line), "-")
    return head.startswith("-") or _KEY.match(head) is not None


def _quoted(text: str) -> str:
    quote = text[0]
    if quote == "'":
        body = re.match(r"'((?:[^']|'')*)'", text)
        return body[1].replace("''", "'") if body else ""
    body = re.match(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    return _ESCAPE.sub(_unescaped, body[1]).encode("utf-16", "surrogatepass").decode("utf-16", "replace") if body else ""


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    return chr(int(code, 16)) if code else _ESCAPES.get(found[4], found[4])
