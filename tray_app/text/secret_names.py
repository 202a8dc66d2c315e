"""Secrets that show by what stands beside them: a name, an address, a header, the lines of a key block.

Owns the search for the names and the shape between name and value; whether a value is one is for `secret_values`. Works on
one window of a text: `low` is the window in lower case, one byte a character, `?` for what is not ASCII, and begins at
`text[base]`. Matches may reach beyond the window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tray_app.text.secret_shapes import Span
from tray_app.text.secret_values import has_digit, is_login, is_placeholder, is_random, is_secret

NAMES = (
    "private key",
    "url password",
    "webhook",
    "signature",
    "authorization",
    "cookie",
    "password",
    "secret",
    "token",
    "api key",
)


def find_places(low: bytes, literal: bytes, base: int) -> Iterator[int]:
    """Where the literal stands, as offsets into the text."""
    at = low.find(literal)
    while at >= 0:
        yield base + at
        at = low.find(literal, at + len(literal))


# --- blocks of lines -------------------------------------------------------------------------------------------------
_PEM_HEAD = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-[0-9]"
)
_PEM_TAIL = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=:,.()@\-\s\\\"'>|#\[\]]{0,20000}+")
_PEM_DATA = re.compile(r"[A-Za-z0-9+/=]{10}|\[base64 ")
_PEM_LINES = re.compile(r"(?:\s|\\+[nrt])*(?:[A-Za-z0-9+/=]{10,}(?:\s*\n|\\+[nrt]|\s*\Z))+")
_PUTTY = re.compile(r"Private-Lines: [0-9]{1,3}\s+((?:[A-Za-z0-9+/=]{4,100}\s*(?:\n|\\n|\Z))+)")


def find_blocks(text: str, low: bytes, base: int) -> list[Span]:
    """Private keys in PEM and PGP armour, also cut short; a key that is only spoken of, as in code, is none."""
    found: list[Span] = []
    if b"private" not in low:
        return found
    if b"private key" in low:
        at, stop = base, base + len(low)
        while head := _PEM_HEAD.search(text, at, stop):
            end = _end_of_key(text, head.end())
            at = end or head.end()
            if end:
                found.append(Span(head.start(), end, "private key"))
    if b"private-lines:" in low:
        for match in _PUTTY.finditer(text, base, base + len(low)):
            found.append(Span(match.start(1), match.end(1), "private key"))
    return found


def _end_of_key(text: str, start: int) -> int:
    """Where the key ends whose first line ends at `start`; 0 when no key follows."""
    limit = text.find("-----BEGIN", start, start + 20_000)
    body = _PEM_BODY.match(text, start, limit if limit >= 0 else len(text))
    stop = body.end() if body else start
    tail = _PEM_TAIL.search(text, start, stop)
    if tail and not _PEM_DATA.search(text, start, tail.start()):
        tail = None
    ended = tail or _PEM_LINES.match(text, start, stop)
    return ended.end() if ended else 0


# --- addresses -------------------------------------------------------------------------------------------------------
_URL_LOGIN = re.compile(r"://(?:([^\s:/@\"'<>\\\[\]]{0,100}):([^\s/@\"'<>\\\[\]]{1,200})|([A-Za-z0-9_\-]{20,100}))@")
_HOOK = re.compile(
    r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<a>[A-Za-z0-9/_\-]{20,})"
    r"|hook/send\?key=(?P<c>[0-9a-f\-]{32,40})"
    r"|hooks/catch/(?P<d>[0-9]{4,}/[a-z0-9]{5,})"
    r"|hooks?[a-z0-9]{0,2}/(?:[a-z0-9]{1,12}/){0,3}(?P<b>[A-Za-z0-9_\-]{1,40}/[A-Za-z0-9_\-@/]{16,200}|[A-Za-z0-9_\-]{20,200})"
)
_SIGNED = re.compile(
    r"\?(?:[^\s\"'<>\\?]|\\u0026){0,2000}?[?&;6](?:sig|X-Amz-Signature|X-Goog-Signature|Signature)=([A-Za-z0-9%+/=_~\-]{30,1024})|\?[^\s\"'<>?]{0,2000}"
)
_PARTS = re.compile("[/@]")
_PGPASS = re.compile(r"(?m)^[\w.*\-]{1,100}:(?:[0-9]{2,5}|\*):[\w.*\-]{1,60}:[\w.*\-]{1,60}:(\S{4,200})$")
_HOST_BEFORE = re.compile(r"[\w.*\-]{1,100}\Z")


def find_addresses(text: str, low: bytes, base: int) -> list[Span]:
    """Passwords of addresses, secret parts of web hooks, signatures of signed addresses, lines of a PostgreSQL password file."""
    found: list[Span] = []
    signed = base
    for at in find_places(low, b"://", base):
        query = low.find(b"?", at - base, at - base + 300) + base
        if query > base and query >= signed:
            signature = _SIGNED.match(text, query)
            signed = signature.end() if signature else query + 1
            if signature and signature[1]:
                found.append(Span(signature.start(1), signature.end(1), "signature"))
        match = _URL_LOGIN.match(text, at)
        if not match:
            continue
        group = 2 if match[2] else 3
        if not is_placeholder(match[group]) and (group == 2 or _is_token_login(text, at, match[3])):
            found.append(Span(match.start(group), match.end(group), "url password"))
    done = base
    for at in find_places(low, b"hook", base):
        match = _HOOK.match(text, at) if at >= done else None
        done = match.end() if match else done
        if match and match.lastgroup and (match.lastgroup in "cd" or _is_hook(match[match.lastgroup])):
            found.append(Span(match.start(match.lastgroup), match.end(match.lastgroup), "webhook"))
    for at in find_places(low, b":5432:", base):
        host = _HOST_BEFORE.search(text, max(0, at - 100), at)
        match = _PGPASS.match(text, host.start()) if host else None
        if match and not is_placeholder(match[1]):
            found.append(Span(match.start(1), match.end(1), "password"))
    return found


def _is_token_login(text: str, at: int, value: str) -> bool:
    """Whether the user's part of a web address is a token: some hosts take one without a password."""
    return text[max(0, at - 5) : at].lower().endswith(("http", "https")) and len({*value}) > 9 and has_digit(value)


def _is_hook(value: str) -> bool:
    """Whether some part of the path is a key and not a word."""
    return any(
        (len(part) >= 16 and sum(map(str.isdigit, part)) >= 3 and not part.isdigit()) or is_random(part)
        for part in _PARTS.split(value)
    )


# --- headers ---------------------------------------------------------------------------------------------------------
_QUOTE = r"\\{0,4}[\"']?"
_BEARER = re.compile(r"(?<![A-Za-z])bearer\s{1,3}([A-Za-z0-9._~+/\-]{12,4096}={0,2})", re.IGNORECASE)
_AUTH = re.compile(
    rf"auth(orization)?{_QUOTE}\s{{0,3}}[:=]\s{{0,3}}{_QUOTE}((?:basic|bearer|token|digest|apikey|key|bot)\s{{1,3}})?([A-Za-z0-9._~+/\-]{{12,4096}}={{0,2}})",
    re.IGNORECASE,
)
_COOKIES = re.compile(rf"cookie{_QUOTE}\s{{0,2}}:\s{{0,2}}{_QUOTE}(?=[^\s=]{{1,80}}=)", re.IGNORECASE)
_COOKIE = re.compile(
    r"(?:[\w.\-]{0,40}(?:sess|sid|auth|token|jwt|remember|login)[\w.\-]{0,40})=([^\s;,\"'\\\[\]]{8,4096})|[\w.\-]{1,80}=[^\s;\"'\\]{0,4096}",
    re.IGNORECASE,
)
_NEXT_PAIR = re.compile(r"; ?")


def find_headers(text: str, low: bytes, base: int) -> list[Span]:
    """The values of authorization headers and settings, and of cookies that name a session."""
    found: list[Span] = []
    for at in find_places(low, b"bearer", base):
        match = _BEARER.match(text, at)
        if match and _is_credential(match[1]):
            found.append(Span(match.start(1), match.end(1), "authorization"))
    for at in find_places(low, b"auth", base):
        match = _AUTH.match(text, at)
        if not match or not _is_credential(match[3]):
            continue
        if match[2] or (
            (match[1] or text[at - 1 : at] in ("_", '"', "'"))
            and (is_login(match[3]) or is_secret("other", match[3], quoted=False, weak=True))
        ):
            found.append(Span(match.start(3), match.end(3), "authorization"))
    for at in find_places(low, b"cookie", base):
        header = _COOKIES.match(text, at)
        place = header.end() if header else 0
        while place and (pair := _COOKIE.match(text, place)):
            if pair[1] and has_digit(pair[1]) and not is_placeholder(pair[1]):
                found.append(Span(pair.start(1), pair.end(1), "cookie"))
            gap = _NEXT_PAIR.match(text, pair.end())
            place = gap.end() if gap else 0
    return found


def _is_credential(value: str) -> bool:
    return not is_placeholder(value) and (has_digit(value) or value.endswith("=") or is_login(value))


# --- key = value -----------------------------------------------------------------------------------------------------
_ASCII_NAMES = ((b"pass", "pass"), (b"pwd", "password"), (b"secret", "secret"), (b"token", "token"), (b"credential", "secret"))
_OTHER_NAMES = (
    ("密", (("密码", "password"), ("密碼", "password"), ("密钥", "secret"), ("密鑰", "secret"))),
    ("令", (("口令", "password"), ("令牌", "secret"))),
    ("钥", (("秘钥", "secret"), ("私钥", "secret"))),
    ("ワ", (("パスワード", "password"),)),
    ("밀", (("비밀번호", "password"),)),
)
"""By the one character that is searched for first."""
_KEY_BEFORE = re.compile(
    rb"(?:client|api|access|secret|private|signing|encryption|encrypt|account|auth|session|master|service|shared|license|storage|deploy|admin|app)[_\-. ]?\Z"
)
_LOGIN_BEFORE = re.compile(r"(?:user(?:name)?|login|account|用户名?|账号|帐号)\b.{0,40}\Z", re.DOTALL)
_REST = r"(?:words?|wd|wort|phrase)?(?:[_\-. ]?(?:access|secret|api|app|auth|client|key|value|val|data|base64|b64|prod|dev|staging|live|new|old|id|[0-9]{1,2})(?![a-z])){0,3}"
_SEPARATED = re.compile(
    rf"{_REST}(?:\\{{0,4}}[\"'`\]])*(?P<gap>\s{{0,3}}(?:=>|:=|==?|[:：]|是|为)\s{{0,3}}|\s{{1,3}}(?:is|was)\s{{1,3}}|[ \t]{{1,3}})"
    r"(?:(?P<quote>\\{0,4}[\"'`]|[“「『])(?P<quoted>[^\s\"'`\\”」』]{1,512})|(?P<bare>[^\s\"'`\\,;<>(){}\[\]|&“”「」，。；、]{1,512}))",
    re.IGNORECASE,
)
_MORE_QUOTED = re.compile(r"[^\s\"'`\\”」』]*+")
_MORE_BARE = re.compile(r"[^\s\"'`\\,;<>(){}\[\]|&“”「」，。；、]*+")


_AFTER_AND = re.compile(r"&(?!&|amp;|[\w.\-]{1,40}=)[^\s\"'`\\,;<>(){}\[\]|“”「」，。；、]{1,200}")
_PARTED = (b"_", b"-", b'"', b"'")
_ENVIRONMENT_BEFORE = re.compile(r"(?:\A|[^A-Za-z0-9_])[A-Z][A-Z0-9_]{2,40}_KEY\Z")
_HEXADECIMAL = re.compile(r"[0-9a-f]{32,128}")
_NETRC_BEFORE = re.compile(r"\b(?:login|user)\s{1,3}\S{1,80}\s{1,9}\Z")
_MARK_BEFORE = re.compile(r"\[secret: [a-z ]{1,30}\]\Z")


def find_named(text: str, low: bytes, base: int) -> list[Span]:
    """The values beside the names of secrets: settings, JSON, command lines, sentences."""
    found: list[Span] = []
    done = base
    for end, kind in _find_names(text, low, base):
        if end < done:
            continue
        match = _SEPARATED.match(text, end)
        if not match:
            continue
        span = _judge(text, end, kind, match)
        if span:
            found.append(span)
            done = span.end
    return found


def _judge(text: str, end: int, kind: str, match: re.Match[str]) -> Span | None:
    gap = match["gap"].strip()
    weak = not gap or gap.lower() in ("is", "was")
    if kind == "pass":
        kind = "password"
        bare = not text.startswith(("w", "W", "ph", "PH"), end)
        if bare and (
            text[end - 5 : end - 4].isalpha() or (weak and not _LOGIN_BEFORE.search(text[max(0, end - 60) : end - 4].lower()))
        ):
            return None
    before = match.start("gap")
    if text[before - 1] == "]" and _MARK_BEFORE.search(text, max(0, before - 40), before):
        return None  # the name stands in a mark of ours
    if weak and not gap and kind == "password" and _NETRC_BEFORE.search(text, max(0, end - 110), end - 4):
        weak = False
    value, quoted = (match["quoted"], True) if match["quoted"] else (match["bare"], False)
    start = match.start("quoted" if quoted else "bare")
    stop = match.end()
    if not quoted:
        value = value.rstrip(".:?") or value
        stop = start + len(value)
        if text[stop : stop + 1] in ("(", "[") or text[stop : stop + 2] == "::":
            return None
    if not is_secret("password" if kind == "password" else "other", value, quoted=quoted, weak=weak):
        return None
    if kind == "key":  # of whatever: keys of caches and tables are named so too
        hexadecimal = gap == "=" and _ENVIRONMENT_BEFORE.search(text, max(0, end - 40), end) and _HEXADECIMAL.fullmatch(value)
        if not is_random(value) and not hexadecimal:
            return None
        kind = "api key"
    if len(value) >= 500:
        more = (_MORE_QUOTED if quoted else _MORE_BARE).match(text, stop)
        stop = more.end() if more else stop
    if not quoted and kind == "password":  # `&` parts the values of an address and commands of a shell, and stands in passwords
        rest = _AFTER_AND.match(text, stop)
        stop = rest.end() if rest else stop
    return Span(start, stop, kind)


def _find_names(text: str, low: bytes, base: int) -> list[tuple[int, str]]:
    """Where the names of secrets end, in order, each with its kind."""
    found: list[tuple[int, str]] = []
    for name, kind in _ASCII_NAMES:
        size = len(name)
        at = low.find(name)
        while at >= 0:
            at += size
            found.append((base + at, kind))
            at = low.find(name, at)
    at = low.find(b"key")
    while at >= 0:
        if _KEY_BEFORE.search(low, max(0, at - 12), at):
            found.append((base + at + 3, "api key"))
        elif low[at - 1 : at] in _PARTED:
            found.append((base + at + 3, "key"))
        at = low.find(b"key", at + 3)
    if b"?" in low and not text.isascii():
        stop = base + len(low)
        for character, others in _OTHER_NAMES:
            if text.find(character, base, stop) < 0:
                continue
            for other, kind in others:
                at = text.find(other, base, stop)
                while at >= 0:
                    at += len(other)
                    found.append((at, kind))
                    at = text.find(other, at, stop)
    found.sort()
    return found
