"""What the windows around the search window need in tests: sources, problems, a backend with real settings, an autostart
that is a variable, and a way to let tasks come back."""

from __future__ import annotations

from typing import Any

import msgspec
import samples

from tray_app.errors import KnownError
from tray_app.records import Counters, Finding, Problem, SourceView, Status
from tray_app.settings import Settings

HOME = "/home/lin"


def source(agent: str, sessions: int, size: int, **more: Any) -> SourceView:
    values: dict[str, Any] = {
        "id": agent,
        "agent": agent,
        "name": agent.title(),
        "path": f"{HOME}/.{agent}",
        "found": True,
        "enabled": True,
        "sessions": sessions,
        "bytes": size,
        "newest": "2026-11-30T13:52:00Z",
        "state": "ok",
    }
    return SourceView(**{**values, **more})


def sources() -> list[SourceView]:
    return [
        source("claude_code", 318, 412_000_000, counters=Counters(sessions=318, chunks=5210)),
        source("codex", 141, 230_000_000, counters=Counters(sessions=141, chunks=2077, quarantined_files=1), state="partial"),
        source("kimi", 26, 12_000_000, enabled=False, why_off="not_ticked"),
        source("memory", 15, 400_000, counters=Counters(sessions=15, chunks=76)),
        source("codex", 12, 1_200_000, id="codex:/archive", path="/archive"),
        source("cursor", 0, 0, found=False, enabled=False, why_off="not_found", newest=None),
    ]


def problem(kind: str, agent: str, line: int = 0, path: str = "/x/a.jsonl") -> Problem:
    return Problem(path=path, line=line, offset=0, kind=kind, reason=f"because of {kind}", agent=agent)


def finding(code: str, severity: str = "warn", **params: str) -> Finding:
    return Finding(code=code, severity=severity, title=f"Title of {code}", detail="Detail.", remedy="Remedy.", params=params)


class SettledBackend(samples.StaticBackend):
    """Keeps settings as the real ones do, ticks sources, and has problems."""

    def __init__(self) -> None:
        super().__init__()
        self.real = Settings()
        self.listed = sources()
        self.found: list[Finding] = []
        self.wrong: list[Problem] = []

    def config(self) -> dict[str, Any]:
        self._called("config")
        return self.real.as_dict()

    def set_config(self, key: str, value: Any) -> Any:
        self._called("set_config", (key, value))
        return self.real.set(key, value)

    def sources(self) -> list[SourceView]:
        self._called("sources")
        return list(self.listed)

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        self._called("set_source", (source, enabled))
        why = "" if enabled else "not_ticked"
        self.listed = [
            msgspec.structs.replace(one, enabled=enabled, why_off=why) if one.id == source else one for one in self.listed
        ]
        return list(self.listed)

    def remove_folder(self, source: str) -> list[SourceView]:
        self._called("remove_folder", source)
        self.listed = [one for one in self.listed if one.id != source]
        return list(self.listed)

    def add_folder(self, agent: str, path: str) -> list[SourceView]:
        self._called("add_folder", (agent, path))
        if path == "/refused":
            raise KnownError("no_such_folder", "No such folder", f"{path} is no folder.")
        self.listed = [*self.listed, source(agent, 3, 3_000_000, id=f"{agent}:{path}", path=path)]
        return list(self.listed)

    def status(self) -> Status:
        self._called("status")
        return msgspec.structs.replace(
            self.state,
            sources=tuple(self.listed),
            totals=Counters(chunks=12_345, sessions=812, skipped_records=2, quarantined_files=1),
            index_bytes=214_000_000,
            text_bytes=356_000_000,
            oldest="2026-08-26T10:00:00Z",
            newest="2026-11-30T13:00:00Z",
        )

    def doctor(self) -> list[Finding]:
        self._called("doctor")
        return list(self.found)

    def problems(self, limit: int = 500) -> list[Any]:
        self._called("problems", limit)
        return list(self.wrong)


class Login:
    """An autostart that is a variable; `fault` is raised instead of changing it."""

    def __init__(self) -> None:
        self.on = False
        self.fault: KnownError | None = None

    def enabled(self) -> bool:
        return self.on

    def set(self, enabled: bool) -> None:
        if self.fault is not None:
            raise self.fault
        self.on = enabled
