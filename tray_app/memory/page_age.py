"""How long a page can be trusted, by what it is about: prices soon change, versions and migrations before long, the rest later.

A page is about a thing when its title or path names it, or when a quarter of its paragraphs do, their headings included: a guide that
mentions a version once is no list of versions. Counted from the last change of its file. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

DAY_MS = 86_400_000
DAYS = {"prices": 14, "versions": 30, "policies": 180, "other": 180}
"""What a page can be about, the soonest out of date first, with the days until it may be."""
SHARE = 4
"""One of so many paragraphs makes a page be about a thing."""

_AMOUNT = r"\d[\d,]{0,12}(?:\.\d{1,4})?"
_CUES = {
    "prices": re.compile(
        rf"\b(?:pric(?:e|es|ed|ing)|billing|billed|tariffs?|fees?|discounts?|surcharges?|quotation|rate card)\b|[€£¥￥]\s?\d|\b(?:USD|EUR|GBP|CNY|RMB|JPY)\b"
        rf"|\$\d[\d,]{{0,12}}\.\d|\$\d\d|\$\d\s?(?:/|per\b|an?\b|each\b)|{_AMOUNT}\s?(?:dollars|euros|cents)\b"
        rf"|价格|定价|单价|计费|收费|费用|报价|资费|套餐|折扣|涨价|降价|{_AMOUNT}\s?(?:元|美元|美金|欧元|块钱|万元)",
        re.IGNORECASE,
    ),
    "versions": re.compile(
        r"\b(?:versions?|release notes?|upgrad(?:e|es|ed|ing)|migrat(?:e|es|ed|ing|ions?)|deprecat(?:ed|ion|ions|es)|end[ -]of[ -]life|EOL|LTS|compatibility"
        r"|breaking changes?|roadmap)\b|(?<![\d.\w])v?\d{1,3}\.\d{1,4}\.\d{1,5}(?![\d.])|版本|升级|迁移|弃用|兼容|路线图|发布说明",
        re.IGNORECASE,
    ),
    "policies": re.compile(
        r"\b(?:polic(?:y|ies)|terms of (?:service|use)|compliance|regulations?|privacy|GDPR|guidelines?)\b|政策|规定|条款|合规|隐私|制度|规范|守则",
        re.IGNORECASE,
    ),
}
_NAMES = re.compile(r"[\W_]+")


def page_about(name: str, title: str, paragraphs: Sequence[str]) -> str:
    """What a page is about, as a key of `DAYS`. `paragraphs`: each with the headings it stands under."""
    label = f"{_NAMES.sub(' ', name.rsplit('.', 1)[0])}\n{title}"
    for about, cue in _CUES.items():
        if cue.search(label):
            return about
        if paragraphs and SHARE * sum(cue.search(text) is not None for text in paragraphs) >= len(paragraphs):
            return about
    return "other"


def expires_at(about: str, mtime_ns: int) -> int:
    """Epoch ms."""
    return mtime_ns // 1_000_000 + DAYS.get(about, DAYS["other"]) * DAY_MS


def outdated_text(about: str, changed: int, expires: int, now: int) -> str:
    """Why a page may be out of date, '' while it need not be. Times in epoch ms."""
    if now < expires:
        return ""
    what = {"prices": "Prices", "versions": "Versions and migrations", "policies": "Policies"}.get(about, "Pages")
    try:
        day = datetime.fromtimestamp(changed / 1000, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        day = "an unknown day"
    return f"May be out of date: last changed on {day}. {what} are trusted for {DAYS.get(about, DAYS['other'])} days."
