"""The table of secrets that show by their own shape who issued them: no name need stand beside them.

Owns the shapes and the look-up by the first three characters. Nearly every issued secret is one run of letters, digits,
`_` and `-`, so that only runs of twenty and more are looked at, each once. Knows nothing of names, addresses or blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tray_app.text.secret_values import has_digit, is_filler, is_mixed, is_random

_KEY = r"[A-Za-z0-9_\-]"
_WORD = r"[A-Za-z0-9]"


class Span(NamedTuple):
    """A secret of that name at `text[start:end]`."""

    start: int
    end: int
    name: str


class Shape(NamedTuple):
    """`pattern` is tried only where one of `prefixes` begins, or after one of `leads` for shapes with other signs inside."""

    name: str
    prefixes: tuple[str, ...]
    pattern: re.Pattern[str]
    gate: Callable[[str], bool] | None = None


def _shape(name: str, prefixes: str, rest: str, gate: Callable[[str], bool] | None = None) -> Shape:
    """A shape of one of the prefixes and then `rest`."""
    starts = tuple(prefixes.split())
    return Shape(name, starts, re.compile(f"(?:{'|'.join(map(re.escape, starts))})(?:{rest})"), gate)


_HEX_ENDS = "0123456789abcdef"

SHAPES = (
    # language models
    _shape("anthropic key", "sk-ant-", rf"{_KEY}{{16,}}"),
    _shape("openrouter key", "sk-or-v1- sk-or-", r"[0-9a-f]{32,}"),
    _shape("langfuse key", "sk-lf-", r"[0-9a-f]{8}-[0-9a-f\-]{20,}"),
    _shape("openai key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-", rf"{_KEY}{{20,}}", is_mixed),
    _shape("groq key", "gsk_", rf"{_WORD}{{30,}}"),
    _shape("xai key", "xai-", rf"{_WORD}{{30,}}"),
    _shape("perplexity key", "pplx-", rf"{_WORD}{{30,}}"),
    _shape("replicate token", "r8_", rf"{_WORD}{{30,}}"),
    _shape("cerebras key", "csk-", r"[a-z0-9]{40,}"),
    _shape("fireworks key", "fw_", rf"{_WORD}{{22,}}", is_random),
    _shape("nvidia key", "nvapi-", rf"{_KEY}{{40,}}"),
    _shape("tavily key", "tvly-", rf"{_KEY}{{20,}}", has_digit),
    _shape("together key", "tgp_v1_", rf"{_KEY}{{30,}}"),
    _shape("jina key", "jina_", rf"{_WORD}{{40,}}"),
    _shape("pinecone key", "pcsk_", rf"{_KEY}{{30,}}"),
    _shape("langsmith key", "lsv2_", r"[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}"),
    _shape("hugging face token", "hf_ api_org_", rf"{_WORD}{{30,}}"),
    _shape("firecrawl key", "fc-", r"[0-9a-f]{32}(?![0-9A-Za-z])"),
    # code hosts and registries
    _shape("github token", "ghp_ gho_ ghs_ ghu_ ghr_", rf"{_WORD}{{20,}}"),
    _shape("github token", "github_pat_", r"[A-Za-z0-9_]{22,}"),
    _shape("gitlab token", "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glimt- glagent- gloas-", r"[A-Za-z0-9_\-.]{19,}[A-Za-z0-9_\-]"),
    _shape("atlassian token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_\-=]{28,}"),
    _shape("npm token", "npm_", rf"{_WORD}{{30,}}"),
    _shape("pypi token", "pypi-", rf"{_KEY}{{40,}}"),
    _shape("rubygems key", "rubygems_", r"[0-9a-f]{40,}"),
    _shape("docker token", "dckr_pat_ dckr_oat_", rf"{_KEY}{{20,}}"),
    _shape("sonar token", "sqp_ squ_ sqa_", r"[0-9a-f]{40}"),
    # clouds and platforms
    _shape("aws key id", "AKIA ASIA", r"[0-9A-Z]{16}(?![0-9A-Za-z])"),
    _shape("google key", "AIza", rf"{_KEY}{{35}}"),
    _shape("google token", "GOCSPX-", rf"{_KEY}{{20,}}"),
    _shape("aliyun key id", "LTAI", rf"{_WORD}{{16,26}}(?!{_WORD})", has_digit),
    _shape("tencent key id", "AKID", rf"{_WORD}{{28,40}}(?!{_WORD})", has_digit),
    _shape("volcengine key id", "AKLT", rf"{_WORD}{{30,60}}(?!{_WORD})", has_digit),
    _shape("digitalocean token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{40,}"),
    _shape("heroku key", "HRKU-", rf"{_KEY}{{30,}}"),
    _shape("cloudflare token", "cfut_ cfat_ cfk_", rf"{_WORD}{{30,}}"),
    _shape("cloudflare origin key", " ".join(f"0-{digit}" for digit in _HEX_ENDS), r"[0-9a-f]{23}-[0-9a-f]{100,}"),
    _shape("databricks token", "dapi", r"[0-9a-f]{32}(?:-\d)?(?![0-9A-Za-z])"),
    _shape("vercel token", "vcp_ vci_ vca_ vcr_ vck_", rf"{_WORD}{{24,}}", has_digit),
    _shape("supabase token", "sbp_", r"(?:v0_)?[0-9a-f]{40}"),
    _shape("supabase token", "sb_secret_", rf"{_KEY}{{20,}}"),
    _shape("planetscale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", rf"{_KEY}{{30,}}"),
    _shape("netlify token", "nfp_ nfc_ nfo_", rf"{_WORD}{{30,}}"),
    _shape("neon key", "napi_", r"[a-z0-9]{40,}", has_digit),
    _shape("render key", "rnd_", rf"{_WORD}{{28,}}"),
    _shape("fly token", "fm1_ fm1r_ fm1a_ fm2_ fo1_", r"[A-Za-z0-9+/=_\-]{40,}"),
    _shape("pulumi token", "pul-", r"[0-9a-f]{40}"),
    _shape("prefect key", "pnu_ pnb_", rf"{_WORD}{{36}}"),
    _shape("tailscale key", "tskey-", rf"(?:auth|api|client|scim|webhook)-{_KEY}{{16,}}"),
    # watching, writing, paying, talking
    _shape("grafana token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,}"),
    _shape("sentry token", "sntrys_ sntryu_", r"[A-Za-z0-9_+/=]{40,}"),
    _shape("new relic key", "NRAK- NRII- NRJS-", rf"{_KEY}{{19,}}"),
    _shape("posthog key", "phx_", rf"{_WORD}{{40,}}"),
    _shape("linear key", "lin_api_ lin_oauth_", rf"{_WORD}{{32,}}"),
    _shape("notion token", "ntn_ secret_", rf"{_WORD}{{40,}}", has_digit),
    _shape("figma token", "figd_ figo_ figor_", rf"{_KEY}{{36,}}"),
    _shape("postman key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _shape("contentful token", "CFPAT-", rf"{_KEY}{{43}}"),
    _shape("stripe key", "sk_live_ sk_test_ sk_org_ sk_prod_ rk_live_ rk_test_ rk_prod_", rf"(?:live_|test_)?{_WORD}{{16,}}"),
    _shape("webhook secret", "whsec_", r"[A-Za-z0-9+/]{24,}={0,2}"),
    _shape("elevenlabs key", "sk_", r"[0-9a-f]{48}(?![0-9A-Za-z])"),
    _shape("shopify token", "shpat_ shpss_ shpca_ shppa_", r"[0-9a-fA-F]{32}"),
    _shape("square token", "sq0atp- sq0csp- sq0idp-", rf"{_KEY}{{22,}}"),
    _shape("square token", "EAAA", rf"{_KEY}{{60}}(?!{_KEY})", is_random),
    _shape("slack token", "xoxa xoxb xoxe xoxo xoxp xoxr xoxs xoxc xoxd xapp", rf"(?:\.xox[bp])?-{_KEY}{{10,}}", has_digit),
    _shape("twilio key", " ".join(f"SK{digit}" for digit in _HEX_ENDS), r"[0-9a-f]{31}(?![0-9A-Za-z])"),
    _shape("mailgun key", "key-", r"[0-9a-f]{32}(?![0-9A-Za-z])"),
    _shape("brevo key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _shape("resend key", "re_", rf"{_WORD}{{8}}_{_WORD}{{20,}}", has_digit),
    # files and vaults
    _shape("jwt", "eyJ", rf"{_KEY}{{8,4000}}\.eyJ{_KEY}{{4,}}(?:\.{_KEY}*)?"),
    _shape("age key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
    _shape("one password token", "ops_eyJ", rf"{_KEY}{{60,}}"),
    _shape("private key in base64", "LS0tLS1CRUdJTi", r"(?:BQUklW|BSU0EgUFJJV|BFQyBQUklW|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJV|BQR1AgUFJJV)[A-Za-z0-9+/=]{8,}"),
)  # fmt: skip

_AFTER_LEAD = (
    ("vault token", "hvs. hvb. hvr.", rf"{_KEY}{{24,}}"),
    ("google token", "ya29.", rf"{_KEY}{{20,}}"),
    ("google token", "1//", rf"0{_KEY}{{36,}}"),
    ("sendgrid key", "SG.", r"[\w\-]{16,32}\.[\w\-]{16,64}"),
    ("doppler token", "dp.pt. dp.st. dp.ct. dp.sa.", rf"(?:[a-z]+\.)?{_WORD}{{40,}}"),
    ("mapbox token", "sk.", rf"eyJ{_KEY}{{40,}}\.{_KEY}{{20,}}"),
)
"""Shapes whose first part has a sign in it, so that the run begins behind the lead."""

_EDGE = r"(?:(?<![A-Za-z0-9_\-])|(?<=\\[nrtbf]))"
_AFTER_SIGN = {
    b":": (
        ("bot token", re.compile(rf"(?:{_EDGE}|(?<=bot))[0-9]{{8,10}}:\Z"), re.compile(rf"AA{_KEY}{{32,35}}(?!{_KEY})")),
        ("twilio token", re.compile(rf"{_EDGE}AC[0-9a-f]{{32}}:\Z"), re.compile(r"[0-9a-f]{32}(?![0-9A-Za-z])")),
        ("firebase key", re.compile(rf"{_EDGE}AAAA{_KEY}{{7}}:\Z"), re.compile(rf"{_KEY}{{134,160}}")),
    ),
    b".": (
        ("airtable token", re.compile(rf"{_EDGE}pat{_WORD}{{14}}\.\Z"), re.compile(r"[0-9a-f]{64}")),
        ("terraform token", re.compile(rf"{_EDGE}{_WORD}{{14}}\.atlasv1\.\Z"), re.compile(rf"{_KEY}{{60,}}")),
    ),
}
"""By the sign between: name, what stands before it, what stands after. The second part is of 32 characters and more."""
_BEFORE_DOT = (
    ("zhipu key", re.compile(rf"[0-9a-f]{{32}}\.{_WORD}{{16}}(?![A-Za-z0-9_.\-])"), has_digit),
    ("bot token", re.compile(rf"[MNO]{_KEY}{{22,27}}\.[A-Za-z0-9_\-]{{6}}\.{_KEY}{{27,40}}"), is_random),
)
_AFTER_TILDE = re.compile(
    r"(?:(?<![A-Za-z0-9_~.\-])|(?<=\\[nrt]))[A-Za-z0-9_~.\-]{3}[0-9]Q~[A-Za-z0-9_~.\-]{31,34}(?![A-Za-z0-9_~.\-])"
)
_ESCAPED = re.compile(r"[nrtbf]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}")
_COLOUR = re.compile(r"[0-9]{1,3}m")
_MARKS = re.compile("[_-]+")
_PERCENT = re.compile(r"[0-9A-Fa-f]{2}")

RANDOM = "random string"
_SHORTEST = 20
_RUN = b"a" * _SHORTEST
_CLASSES = bytes(97 if byte < 128 and (chr(byte).isalnum() or byte in b"_-") else 32 for byte in range(256))


def _index() -> dict[bytes, tuple[Shape, ...]]:
    found: dict[bytes, list[Shape]] = {}
    for shape in SHAPES:
        for key in {prefix[:3].encode() for prefix in shape.prefixes}:
            found.setdefault(key, []).append(shape)
    return {key: tuple(shapes) for key, shapes in found.items()}


_BY_START = _index()
_BY_LEAD = {
    lead.encode()[-3:]: (name, lead, re.compile(re.escape(lead) + rest))
    for name, leads, rest in _AFTER_LEAD
    for lead in leads.split()
}
_LEADING = (b".", b":", b"/")
_DIVIDED = frozenset(b"\\%[;_-m")

NAMES = tuple(
    dict.fromkeys(
        [shape.name for shape in SHAPES]
        + [name for name, *_ in _AFTER_LEAD]
        + [name for entries in _AFTER_SIGN.values() for name, *_ in entries]
        + [name for name, *_ in _BEFORE_DOT]
        + ["azure client secret", RANDOM]
    )
)


def find_issued(text: str, data: bytes, base: int) -> list[Span]:
    """The issued secrets of a window: `data` is `text[base:base + len(data)]` with one byte a character, `?` for the foreign."""
    found: list[Span] = []
    by_start, divided = _BY_START, _DIVIDED
    classes = data.translate(_CLASSES)
    at = classes.find(_RUN)
    while at >= 0:
        start = at
        end = classes.find(b" ", start + _SHORTEST)
        if end < 0:
            end = len(data)
        at = classes.find(_RUN, end)
        before = data[start - 1] if start else 32
        if before in divided or data[start] in b"_-":
            start = _skip_escape(text, base + start, chr(before)) - base
        shapes = by_start.get(data[start : start + 3])
        if shapes is None and end - start < 23 and before not in b".:~/+" and data[end : end + 1] not in (b"+", b"/"):
            continue
        span = _match_run(shapes or (), text, data, base, start, end)
        while span is not None:  # what follows without a gap begins a word once the secret is gone
            found.append(span)
            start = _behind_marks(text, span.end) - base
            shapes = by_start.get(data[start : start + 3], ())
            span = _match_run(shapes, text, data, base, start, end) if end - start >= _SHORTEST else None
    return found


def _match_run(shapes: tuple[Shape, ...], text: str, data: bytes, base: int, start: int, end: int) -> Span | None:
    """The secret that begins with the run `data[start:end]`, or shortly before it."""
    at = base + start
    for shape in shapes:
        match = shape.pattern.match(text, at)
        if match and (shape.gate is None or shape.gate(match[0])) and not is_filler(match[0]):
            return Span(at, match.end(), shape.name)
    before = data[start - 1 : start]
    if before in _LEADING:
        lead = _BY_LEAD.get(data[max(0, start - 3) : start])
        span = _match_lead(lead, text, at) if lead else _match_after(before, text, at) if end - start >= 32 else None
        if span:
            return span
    elif before == b"~":
        match = _AFTER_TILDE.match(text, max(0, at - 6))
        if match:
            return Span(match.start(), match.end(), "azure client secret")
    if data[end : end + 1] in (b"+", b"/") or before in (b"+", b"/"):
        span = _match_base64(text, at)
        if span:
            return span
    if end - start <= 32:
        span = _match_dotted(text, at) if end - start > 22 and data[end : end + 1] == b"." else None
        if span or end - start < 32:
            return span
    return _match_random(text, at, base + end) if is_random(data[start:end].decode()) else None


def is_border(text: str, at: int) -> bool:
    """Whether a word may begin here: also after an escaped line break or tab in quoted JSON."""
    if not at:
        return True
    before = text[at - 1]
    if before in "nrt" and text[at - 2 : at - 1] == "\\":
        return True
    return not (before.isascii() and before.isalnum()) and before not in "_-"


def _skip_escape(text: str, at: int, before: str) -> int:
    """Where the word begins when the run begins with the end of an escape (`\\n`, `%3D`, `\\e[31m`) or with marks."""
    escape = None
    if before == "\\":
        escape = _ESCAPED.match(text, at)
    elif before == "%":
        escape = _PERCENT.match(text, at)
    elif before in "[;":
        escape = _COLOUR.match(text, at)
    return _behind_marks(text, escape.end() if escape else at)


def _behind_marks(text: str, at: int) -> int:
    marks = _MARKS.match(text, at)
    return marks.end() if marks else at


def _match_lead(lead: tuple[str, str, re.Pattern[str]], text: str, at: int) -> Span | None:
    name, literal, pattern = lead
    start = at - len(literal)
    if start < 0 or not text.startswith(literal, start) or not is_border(text, start):
        return None
    match = pattern.match(text, start)
    return Span(start, match.end(), name) if match and has_digit(match[0]) and not is_filler(match[0]) else None


def _match_after(sign: bytes, text: str, at: int) -> Span | None:
    for name, lead, pattern in _AFTER_SIGN.get(sign, ()):
        head = lead.search(text, max(0, at - 40), at)
        match = pattern.match(text, at) if head else None
        if head and match:
            return Span(at if name == "twilio token" else head.start(), match.end(), name)
    return None


def _match_dotted(text: str, at: int) -> Span | None:
    for name, pattern, gate in _BEFORE_DOT:
        match = pattern.match(text, at)
        if match and gate(match[0]):
            return Span(at, match.end(), name)
    return None


_LOCATED = re.compile(
    r"(?:[/\\#@.$]|base64(?:,|%2C)|(?:md5|sha(?:1|224|256|384|512)|blake2[bs]?)[-:=_ ]{1,4}|(?:integrity|digest|checksum|hash|etag|fingerprint)\W{1,6})\Z",
    re.IGNORECASE,
)
_PUBLIC = re.compile(
    r"(?:AAAA[A-Z]|MI[A-Z]|gAAAAA|ssh-|sha(?:1|224|256|384|512)-|chatcmpl-|cmpl-|file-|gen-|org-|user-|ftjob-"
    r"|(?:call|toolu|srvtoolu|msg|req|resp|run|step|thread|asst|item|batch|conv|session|proj|prj|team|dpl|rs|fc|ws|ctc|vs|cs_test|cs_live)_)"
)
"""Public keys and certificates, encrypted reasoning, and the identities that models and platforms give to everything."""
_BASE64_BEFORE = re.compile(r"[A-Za-z0-9_\-][A-Za-z0-9+/_\-]*[+]\Z")
_BASE64_AFTER = re.compile(r"(?:[+/][A-Za-z0-9+/_\-]{0,200})?={0,2}")
_BASE64_HEAD = re.compile(r"(?<![A-Za-z0-9+/_.\-])[A-Za-z0-9+/]+\Z")
_BASE64_KEY = re.compile(r"(?:[A-Za-z0-9+/]{40}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)(?![A-Za-z0-9+/=_.\-])")
_RANDOM_LIMIT = 128
_LINE_OF_FILE = 60
"""Characters: so long a run that fills its line is a line of a file in base64."""
_WENT_ON = re.compile(r"[/(]|\\(?![\\nrtu\"'])|\.(?:[A-Za-z0-9_]|\.\.)|…")
"""A path, a call, a name with dots, or a value of which the rest was left out."""
_LINE_START = re.compile(r"(?:\A|\n|\\[nr])[ \t>#*+\-|\"']{0,20}\Z")
_LINE_END = re.compile(r"[\"',;\\]{0,3}(?:\Z|\s|n)")


def _behind_escape(text: str, at: int) -> int:
    return at + 1 if at and text[at - 1] == "\\" and text[at] in "nrt" else at


def _match_base64(text: str, at: int) -> Span | None:
    """A key in base64 of one of the usual lengths, standing by itself, that the signs `+` and `/` part into runs."""
    head = _BASE64_HEAD.search(text, max(0, at - 90), at) if text[at - 1 : at] in ("+", "/") else None
    match = _BASE64_KEY.match(text, _behind_escape(text, head.start()) if head else at)
    if not match or not is_random(match[0]) or _is_public(text, match.start()):
        return None
    return Span(match.start(), match.end(), RANDOM)


def _match_random(text: str, start: int, end: int) -> Span | None:
    """A run that nobody can have typed, unless its surroundings say that it is a hash, a place or a piece of a file."""
    if end - start > _RANDOM_LIMIT or _is_public(text, start):
        return None
    head = _BASE64_BEFORE.search(text, max(0, start - _RANDOM_LIMIT), start) if text[start - 1 : start] == "+" else None
    first = _behind_escape(text, head.start()) if head else start
    tail = _BASE64_AFTER.match(text, end)
    stop = tail.end() if tail else end
    if stop - first > _RANDOM_LIMIT or (head and _is_public(text, first)) or _WENT_ON.match(text, stop):
        return None
    if stop - first >= _LINE_OF_FILE and _LINE_START.search(text, max(0, first - 24), first) and _LINE_END.match(text, stop):
        return None
    return Span(first, stop, RANDOM)


def _is_public(text: str, at: int) -> bool:
    """Whether what begins there is known to be no secret, by itself or by what stands before it."""
    return _PUBLIC.match(text, at) is not None or _LOCATED.search(text, max(0, at - 20), at) is not None
