"""Whether the entries in agents' configs still lead here: to a program that exists, and to this one. Changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

from tray_app.agents.install import CLIENTS, Change, State, plan, state
from tray_app.agents.install.receipts import Receipts
from tray_app.errors import KnownError
from tray_app.insight.findings import finding
from tray_app.paths import Paths, SourcesHome, shorten
from tray_app.records import Finding

_PATH = re.compile(r"(?:/|[A-Za-z]:[\\/])[^\"'\s,\]]+")


def findings(paths: Paths, home: SourcesHome) -> list[Finding]:
    """Of all agents in whose configs something of ours stands."""
    found: list[Finding] = []
    right: list[str] = []
    receipts = Receipts(paths).folder
    for agent in CLIENTS:
        one = state(paths, agent, home)
        name = one.client.name
        ours = one.there or (receipts / agent).is_dir()
        if one.folder is None or not ours:
            continue
        if one.fault is not None:
            found.append(
                finding(
                    "entry_unread", "info", f"The config of {name} cannot be checked", one.fault.message,
                    f"Mend the file, then: backscroll install {agent}", agent=name, reason=one.fault.message,
                )
            )  # fmt: skip
        elif one.stale:
            found.append(_stale(paths, agent, one, home))
        elif one.there:
            right.append(name)
    if right:
        names = ", ".join(right)
        found.append(finding("entries_lead_here", "ok", f"Entries in {names}", "They lead to this program.", names=names))
    return found


def _stale(paths: Paths, agent: str, one: State, home: SourcesHome) -> Finding:
    """An entry that would be written otherwise now: it starts another program, perhaps one that is gone."""
    name, again = one.client.name, f"backscroll install {agent}"
    try:
        planned = plan(paths, agent, hooks=bool(one.hook), instructions=bool(one.instructions), home=home)
        changes = [change for change in planned.changes if any(label in one.there for label in change.labels)]
    except KnownError as fault:
        return finding(
            "entry_unread", "info", f"The entry in {name} cannot be checked", fault.message,
            fault.hint or f"Look into it: {again} --dry-run", agent=name, reason=fault.message,
        )  # fmt: skip
    place = str(changes[0].file) if changes else str(one.folder)
    gone = next((path for change in changes for path in _replaced(change) if not Path(path).exists()), "")
    if gone:
        return finding(
            "entry_broken", "warn", f"{name} starts a Backscroll that is no longer there", f"{shorten(place)} names {shorten(gone)}.",
            f"To have it start this one: {again}", agent=name, path=gone, place=place, command=again,
        )  # fmt: skip
    return finding(
        "entry_differs", "info", f"The entry in {name} is not what this program would write",
        f"{shorten(place)} names another installation, or was made by an earlier version.",
        f"To see the difference: {again} --dry-run", agent=name, place=place, command=again,
    )  # fmt: skip


def _replaced(change: Change) -> list[str]:
    """Programs in the lines that would go."""
    lines = [line[1:] for line in change.diff().splitlines() if line.startswith("-") and not line.startswith("---")]
    paths = [path for line in lines for path in _PATH.findall(line)]
    return [path for path in paths if re.search(r"(?:backscroll|python)[\w.]*$", path, re.IGNORECASE)]
