"""Findings about formats that have moved on: kinds of records nobody knows, and files nothing came out of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tray_app.library.drift import Drift
from tray_app.records import Finding, Problem, SourceView


def findings(drifts: Sequence[Drift], problems: Sequence[Problem], sources: Sequence[SourceView]) -> list[Finding]:
    """One finding a source folder with unknown kinds (a warning where they are much of a file), and one an agent of whose
    files nothing was recognised though others gave something."""
    names = {(view.agent, view.path): view.name for view in sources}
    by_agent = {view.agent: view.name for view in sources}
    found = []
    for drift in drifts:
        name = names.get((drift.agent, drift.root)) or by_agent.get(drift.agent, drift.agent)
        kinds = ", ".join(f"{kind} ({times:,})" for kind, times in drift.kinds.items())
        more = drift.different - len(drift.kinds)
        listed = kinds + (f" and {more:,} further kinds" if more else "")
        found.append(
            Finding(
                code="unknown_kinds",
                severity="warn" if drift.files else "info",
                title=f"{drift.records:,} records of {name} are of kinds that are not known",
                detail=(f"{listed}. " if listed else "") + "They are left out; what is known in the same files is in.",
                remedy=f"Update Backscroll. To report it: backscroll doctor --census {drift.agent}",
                params={"agent": name, "count": str(drift.records), "kinds": listed, "files": str(drift.files)},
            )
        )
    unread = Counter(problem.agent for problem in problems if problem.kind == "not_recognised")
    for agent, count in sorted(unread.items()):
        name = by_agent.get(agent, agent)
        example = next(problem for problem in problems if problem.kind == "not_recognised" and problem.agent == agent)
        found.append(
            Finding(
                code="files_not_recognised",
                severity="warn",
                title=f"{count} file{'' if count == 1 else 's'} of {name} not recognised",
                detail=f"{example.path}: {example.reason}.",
                remedy=f"Update Backscroll. To report it: backscroll doctor --census {agent}",
                params={"agent": name, "count": str(count), "path": example.path},
            )
        )
    return found
