"""Redaction: secrets out of a text before it is indexed, shown, logged or sent anywhere.

Owns the table of known shapes and the key = value scan. Every rule has literals that must stand in the text before its
expression is tried at all, and every expression starts at a border and is bounded, so that the time is linear.
`redact(redact(text)[0]) == (redact(text)[0], 0)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tray_app.text.secret_values import is_mixed, is_placeholder, is_secret

_KEY = r"[A-Za-z0-9_\-]"


class _Rule(NamedTuple):
    """`shape` is tried only where one of `literals`, with which it begins, stands at the border of a word."""

    name: str
    literals: tuple[str, ...]
    shape: re.Pattern[str]
    gate: Callable[[str], bool] | None = None


def _rule(name: str, literals: str, shape: str, gate: Callable[[str], bool] | None = None) -> _Rule:
    return _Rule(name, tuple(literals.split()), re.compile(shape), gate)


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


_RULES = (
    _rule("anthropic key", "sk-ant-", rf"sk-ant-{_KEY}{{16,}}"),
    _rule("openai key", "sk-", rf"sk-(?:proj-|svcacct-|admin-|or-v1-)?{_KEY}{{20,}}", is_mixed),
    _rule("github token", "ghp_ gho_ ghs_ ghu_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,}"),
    _rule("github token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
    _rule("aws key id", "AKIA ASIA", r"A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])"),
    _rule("slack token", "xox xapp-", rf"(?:xox[abeoprs]|xapp)-{_KEY}{{10,}}", _has_digit),
    _rule("slack webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_\-]{20,}"),
    _rule("google key", "AIza", rf"AIza{_KEY}{{35}}"),
    _rule("google token", "ya29. GOCSPX-", rf"(?:ya29\.|GOCSPX-){_KEY}{{20,}}"),
    _rule("stripe key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _rule("webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    _rule("npm token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
    _rule("pypi token", "pypi-", rf"pypi-{_KEY}{{40,}}"),
    _rule("gitlab token", "glpat- gldt- glrt-", r"gl(?:pat|dt|rt)-[A-Za-z0-9_\-.]{20,}"),
    _rule("hugging face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    _rule("jwt", "eyJ", r"eyJ[A-Za-z0-9_\-]{8,4000}\.eyJ[A-Za-z0-9_\-]{4,}(?:\.[A-Za-z0-9_\-]*)?"),
    _rule("digitalocean token", "dop_v1_", r"dop_v1_[0-9a-f]{40,}"),
    _rule("shopify token", "shpat_ shpss_", r"shp(?:at|ss)_[0-9a-fA-F]{32}"),
    _rule("docker token", "dckr_pat_", rf"dckr_pat_{_KEY}{{20,}}"),
    _rule("model service key", "gsk_ xai- pplx- r8_", r"(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{30,}"),
    _rule("vault token", "hvs.", rf"hvs\.{_KEY}{{24,}}"),
    _rule("sendgrid key", "SG.", r"SG\.[\w\-]{16,32}\.[\w\-]{16,64}"),
    _rule("cloud key id", "LTAI AKID", r"(?:LTAI[A-Za-z0-9]{12,26}|AKID[A-Za-z0-9]{28,40})(?![A-Za-z0-9])", _has_digit),
    _rule("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    _rule("bot token", ":AA", r"(?<=[0-9]{8}):AA[A-Za-z0-9_\-]{32,35}"),
)

_BY_LITERAL = tuple((literal, rule) for rule in _RULES for literal in rule.literals)
_ANY_LITERAL = re.compile("|".join(re.escape(literal) for literal, _ in _BY_LITERAL))
_SEARCHED_AT_ONCE = 150
"""Up to so many characters one expression is faster than a search for each literal."""
_SHORTEST = 15
"""No shape of the table is shorter: only words of that length need to be looked through."""

_PEM_HEAD = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_TAIL = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=:,.\-\s\\\"'>|#\[\]]{0,20000}+")
_PEM_DATA = re.compile(r"[A-Za-z0-9+/=]{10}|\[base64 ")
_PEM_LINES = re.compile(r"(?:\s|\\+[nrt])*(?:[A-Za-z0-9+/=]{10,}(?:\s*\n|\\+[nrt]|\s*\Z))+")
_URL = re.compile(r"(://[^\s:/@\"'<>\\\[\]]{0,100}:)([^\s/@\"'<>\\\[\]]{1,200})@")
_AUTHORIZATION = re.compile(
    r"((?<![A-Za-z])(?:bearer|(?:authorization\\{0,4}[\"']?\s{0,3}[:=]\s{0,3}\\{0,4}[\"']?)(?:basic|token|digest|apikey))\s{1,3})"
    r"([A-Za-z0-9._~+/\-]{12,4096}={0,2})",
    re.IGNORECASE,
)


def redact(text: str) -> tuple[str, int]:
    """The text with every secret as `[secret: what it was]`, and how many there were."""
    total = 0
    while True:  # again after a find: what stood next to a secret without a gap may begin a word only now
        text, count = _redact_once(text)
        total += count
        if not count:
            return text, total


def _redact_once(text: str) -> tuple[str, int]:
    count = 0
    if "PRIVATE KEY" in text:
        text, count = _redact_pem(text)
    long_words = " ".join([word for word in text.split() if len(word) >= _SHORTEST])
    if len(long_words) > _SEARCHED_AT_ONCE or _ANY_LITERAL.search(long_words):
        for literal, rule in _BY_LITERAL:
            if literal in long_words:
                text, found = _apply(rule, literal, text)
                count += found
    if "://" in text:
        text, found = _redact_urls(text)
        count += found
    lowered = _lower(text)
    if "bearer" in lowered or "authorization" in lowered:
        text, found = _redact_authorization(text, lowered)
        count += found
        lowered = _lower(text) if found else lowered
    names = _find_names(lowered)
    if names:
        text, found = _redact_named(text, lowered, names)
        count += found
    return text, count


def _lower(text: str) -> str:
    """Lower case with the same offsets: the dotted capital I is the one character that grows."""
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def _apply(rule: _Rule, literal: str, text: str) -> tuple[str, int]:
    out: list[str] = []
    done = count = 0
    at = text.find(literal)
    while at >= 0:
        match = rule.shape.match(text, at) if _is_border(text, at) or literal[0] == ":" else None
        if match and not (rule.gate and not rule.gate(match[0])) and "xxxx" not in match[0].lower():
            out += (text[done:at], f"[secret: {rule.name}]")
            done, count = match.end(), count + 1
        at = text.find(literal, max(done, at + len(literal)))
    return ("".join((*out, text[done:])), count) if count else (text, 0)


def _is_border(text: str, at: int) -> bool:
    """Whether a word may begin here: also after an escaped line break or tab in quoted JSON."""
    if not at:
        return True
    before = text[at - 1]
    if before in "nrt" and text[at - 2 : at - 1] == "\\":
        return True
    return not (before.isascii() and before.isalnum()) and before not in "_-"


def _redact_pem(text: str) -> tuple[str, int]:
    out: list[str] = []
    at = count = 0
    while head := _PEM_HEAD.search(text, at):
        limit = text.find("-----BEGIN", head.end())
        body = _PEM_BODY.match(text, head.end(), limit if limit >= 0 else len(text))
        stop = body.end() if body else head.end()
        tail = _PEM_TAIL.search(text, head.end(), stop)
        if tail and not _PEM_DATA.search(text, head.end(), tail.start()):
            tail = None
        ended = tail or _PEM_LINES.match(text, head.end(), stop)
        if not ended:  # only spoken of, as in code that looks for keys
            out.append(text[at : head.end()])
            at = head.end()
            continue
        end = ended.end()
        out += (text[at : head.start()], "[secret: private key]")
        at, count = end, count + 1
    return "".join((*out, text[at:])), count


def _redact_urls(text: str) -> tuple[str, int]:
    count = 0

    def name(match: re.Match[str]) -> str:
        nonlocal count
        if is_placeholder(match[2]):
            return match[0]
        count += 1
        return f"{match[1]}[secret: url password]@"

    return _URL.sub(name, text), count


def _redact_authorization(text: str, lowered: str) -> tuple[str, int]:
    out: list[str] = []
    done = count = 0
    for name in ("bearer", "authorization"):
        if done:
            break  # offsets have moved: the next pass takes the rest
        at = lowered.find(name)
        while at >= 0:
            match = _AUTHORIZATION.match(text, at)
            if match and not is_placeholder(match[2]) and (_has_digit(match[2]) or match[2].endswith("=")):
                out += (text[done : match.end(1)], "[secret: authorization]")
                done, count = match.end(), count + 1
            at = lowered.find(name, max(done, at + len(name)))
    return ("".join((*out, text[done:])), count) if count else (text, 0)


# --- key = value -----------------------------------------------------------------------------------------------------
_ASCII_NAMES = (("pass", "pass"), ("pwd", "password"), ("secret", "secret"), ("token", "token"), ("credential", "secret"))
_OTHER_NAMES = (
    *(
        ("密码", "password"),
        ("密碼", "password"),
        ("密钥", "secret"),
        ("密鑰", "secret"),
        ("口令", "password"),
        ("令牌", "secret"),
    ),
    *(("秘钥", "secret"), ("私钥", "secret"), ("パスワード", "password"), ("비밀번호", "password")),
)
_KEY_BEFORE = re.compile(
    r"(?:api|access|secret|private|signing|encryption|encrypt|account|auth|session|master|service|shared|license|storage|deploy|admin|app)[_\-. ]?\Z"
)
_LOGIN_BEFORE = re.compile(r"(?:user(?:name)?|login|account|用户名?|账号|帐号)\b.{0,40}\Z", re.DOTALL)
_REST = r"(?:words?|wd|wort|phrase)?(?:[_\-. ]?(?:access|secret|api|app|auth|client|key|value|val|base64|b64|prod|dev|staging|live|new|old|id|[0-9]{1,2})(?![a-z])){0,3}"
_SEPARATED = re.compile(
    rf"{_REST}(?:\\{{0,4}}[\"'`\]])*(?P<gap>\s{{0,3}}(?:=>|:=|==?|[:：]|是|为)\s{{0,3}}|\s{{1,3}}(?:is|was)\s{{1,3}}|[ \t]{{1,3}})"
    r"(?:(?P<quote>\\{0,4}[\"'`]|[“「『])(?P<quoted>[^\s\"'`\\”」』]{1,512})|(?P<bare>[^\s\"'`\\,;<>(){}\[\]|&“”「」，。；、]{1,512}))",
    re.IGNORECASE,
)
_MORE_QUOTED = re.compile(r"[^\s\"'`\\”」』]*+")
_MORE_BARE = re.compile(r"[^\s\"'`\\,;<>(){}\[\]|&“”「」，。；、]*+")


def _redact_named(text: str, lowered: str, names: list[tuple[int, str]]) -> tuple[str, int]:
    out: list[str] = []
    at = count = 0
    for end, kind in names:
        if end < at:
            continue
        match = _SEPARATED.match(text, end)
        if not match:
            continue
        gap = match["gap"].strip()
        weak = not gap or gap.lower() in ("is", "was")
        bare_pass = kind == "pass" and not lowered.startswith(("w", "ph"), end)
        if bare_pass and (
            lowered[end - 5 : end - 4].isalpha() or (weak and not _LOGIN_BEFORE.search(lowered, max(0, end - 60), end - 4))
        ):
            continue
        value, quoted = (match["quoted"], True) if match["quoted"] else (match["bare"], False)
        start = match.start("quoted" if quoted else "bare")
        stop = match.end()
        if not quoted:
            value = value.rstrip(".:?") or value
            stop = start + len(value)
            if text[stop : stop + 1] in ("(", "[") or text[stop : stop + 2] == "::":
                continue
        if not is_secret("password" if kind in ("password", "pass") else "other", value, quoted=quoted, weak=weak):
            continue
        if len(value) >= 500:
            more = (_MORE_QUOTED if quoted else _MORE_BARE).match(text, stop)
            stop = more.end() if more else stop
        out += (text[at:start], f"[secret: {'password' if kind == 'pass' else kind}]")
        at, count = stop, count + 1
    return "".join((*out, text[at:])) if count else text, count


def _find_names(lowered: str) -> list[tuple[int, str]]:
    """Where the names of secrets end, in order, each with its kind."""
    found: list[tuple[int, str]] = []
    for name, kind in _ASCII_NAMES if lowered.isascii() else _ASCII_NAMES + _OTHER_NAMES:
        at = lowered.find(name)
        while at >= 0:
            at += len(name)
            found.append((at, kind))
            at = lowered.find(name, at)
    at = lowered.find("key")
    while at >= 0:
        if _KEY_BEFORE.search(lowered, max(0, at - 12), at):
            found.append((at + 3, "api key"))
        at = lowered.find("key", at + 3)
    found.sort()
    return found
