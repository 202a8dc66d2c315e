"""How a finding of the check-up is made. Texts are English; windows key on the code, and build their sentence of the params."""

from __future__ import annotations

from tray_app.records import Finding

ORDER = {"error": 0, "warn": 1, "info": 2, "ok": 3}
"""Severities, worst first."""


def finding(code: str, severity: str, title: str, detail: str, remedy: str = "", /, **params: str) -> Finding:
    """`severity`: ok | info | warn | error; what is not ok has a remedy."""
    return Finding(code=code, severity=severity, title=title, detail=detail, remedy=remedy, params=params)


def counted(number: int, what: str, many: str = "") -> str:
    """'1 session', '1,204 sessions'; `many` where an s is not enough."""
    return f"{number:,} {what if number == 1 else many or what + 's'}"
