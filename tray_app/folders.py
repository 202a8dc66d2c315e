"""Which folders are read: found on this machine or added by hand, ticked or not.

Owns the settings `sources.enabled` and `sources.folders`. Looks at folders, opens nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import NamedTuple

from tray_app.clock import iso
from tray_app.errors import UsageError
from tray_app.indexing.merge import path_text
from tray_app.indexing.plan import Source
from tray_app.paths import SourcesHome
from tray_app.records import Problem, SourceView
from tray_app.settings import Settings
from tray_app.sources.base import Adapter, Context
from tray_app.sources.registry import ADAPTERS, adapter

log = logging.getLogger(__name__)

IN_WORKSPACES = ("memory", "aider")
FRESH_SECONDS = 20.0
"""How long counts on disk are kept before folders are looked at again."""


class _Count(NamedTuple):
    """What was counted, and when. `newest` in ns."""

    moment: float = 0.0
    files: int = 0
    bytes: int = 0
    newest: int = 0
    error: str = ""


class Folders:
    """Sources as the person sees them. A source's id is its agent, or 'agent:path' where it is not the usual folder."""

    def __init__(self, home: SourcesHome, settings: Settings) -> None:
        self.home, self.settings = home, settings
        self._lock = threading.Lock()
        self._counted: dict[str, _Count] = {}

    def all(self) -> list[Source]:
        """Every source that could be read: the usual folder of each agent, its other folders that exist or are ticked, added
        ones. A folder keeps its id whether it is there or not: one that is not mounted is still the same source."""
        enabled = set(self.settings["sources.enabled"])
        sources: list[Source] = []
        for agent, one in ADAPTERS.items():
            usual, *others = one.roots(self.home)
            sources.append(Source(agent, agent, usual))
            for root in others:
                other = Source(f"{agent}:{root}", agent, root)
                if root != usual and (other.id in enabled or is_there(root)):
                    sources.append(other)
        for entry in self.settings["sources.folders"]:
            agent, _, path = entry.partition("=")
            if agent in ADAPTERS and path:
                root = Path(path).expanduser()
                if all(source.agent != agent or source.root != root for source in sources):
                    sources.append(Source(f"{agent}:{root}", agent, root))
        return sources

    def ticked(self) -> list[Source]:
        """What is read. Memory files come last: the workspaces they stand in are known from the others."""
        enabled = set(self.settings["sources.enabled"])
        return sorted((source for source in self.all() if source.id in enabled), key=lambda source: source.agent == "memory")

    def look_into_workspaces(self) -> bool:
        """Whether a ticked source keeps files in the folders that sessions name."""
        return any(source.agent in IN_WORKSPACES for source in self.ticked())

    def mark(self) -> str:
        """Changes when the ticked folders do."""
        return "|".join(f"{source.agent}={source.root}" for source in self.ticked())

    def views(self) -> list[SourceView]:
        """All sources with what stands on disk now (cheap, kept for some seconds)."""
        enabled = set(self.settings["sources.enabled"])
        views = []
        sources = self.all()
        there = {source.id for source in sources if is_there(source.root)}
        elsewhere = {source.agent for source in sources if source.id in there}
        for source in sources:
            one = adapter(source.agent)
            found = source.id in there
            if not found and source.id == source.agent and source.id not in enabled and source.agent in elsewhere:
                continue  # the agent keeps its sessions in another folder
            count = self._count(source, one) if found else _Count()
            files, size, newest = count.files, count.bytes, count.newest
            present = found and (files > 0 or source.id != source.agent or bool(count.error))
            off = "unreadable" if count.error else "" if source.id in enabled else "not_ticked" if present else "not_found"
            views.append(
                SourceView(
                    id=source.id, agent=source.agent, name=one.name, path=path_text(source.root), found=present, enabled=source.id in enabled,
                    sessions=files, bytes=size, newest=iso(newest // 1_000_000), why_off=off, confidence=one.confidence,
                    adapter_version=one.version, error=count.error,
                )
            )  # fmt: skip
        return views

    def tick(self, source: str, enabled: bool) -> None:
        """Tick or untick. Raises UsageError for an unknown id."""
        if all(source != one.id for one in self.all()):
            raise UsageError("no_such_source", "No such source", f"There is no source {source!r}.", "See: backscroll sources")
        with self._lock:
            now = [one for one in self.settings["sources.enabled"] if one != source]
            self.settings.set("sources.enabled", [*now, source] if enabled else now)

    def tick_found(self) -> None:
        """Tick every source that is found on this machine."""
        found = [view.id for view in self.views() if view.found]
        with self._lock:
            now = self.settings["sources.enabled"]
            wanted = now + [one for one in found if one not in now]
            if wanted != now:
                self.settings.set("sources.enabled", wanted)

    def add(self, agent: str, path: str) -> None:
        """Add a folder by hand, ticked. Raises UsageError if it is no folder or the agent is unknown."""
        adapter(agent)
        root = Path(path).expanduser().absolute()
        if not root.is_dir():
            raise UsageError("no_such_folder", "No such folder", f"{root} is no folder.")
        with self._lock:
            entry = f"{agent}={root}"
            entries = self.settings["sources.folders"]
            if entry not in entries:
                self.settings.set("sources.folders", [*entries, entry])
        source = next(one for one in self.all() if one.agent == agent and one.root == root)
        self.tick(source.id, True)

    def remove(self, source: str) -> None:
        """Forget a folder that was added by hand; a usual one is only unticked."""
        self.tick(source, False)
        agent, _, path = source.partition(":")
        with self._lock:
            entries = [entry for entry in self.settings["sources.folders"] if entry != f"{agent}={path}"]
            if entries != self.settings["sources.folders"]:
                self.settings.set("sources.folders", entries)

    def _count(self, source: Source, one: Adapter) -> _Count:
        """What stands on disk now. An adapter that fails is said, and leaves the other sources alone."""
        kept = self._counted.get(source.id)
        if kept and time.monotonic() - kept.moment < FRESH_SECONDS:
            return kept
        problems: list[Problem] = []
        files = size = newest = 0
        error = ""
        try:
            for unit in one.discover(source.root, Context(home=self.home), problems.append):
                files += 1
                size += unit.size
                newest = max(newest, unit.mtime_ns)
        except OSError as fault:
            error = fault.strerror or type(fault).__name__
        except Exception as fault:
            log.exception("counting %s files failed", source.agent)
            error = f"could not be looked through ({type(fault).__name__})"
        root = str(source.root)
        error = error or next((one.reason for one in problems if one.path == root and one.kind == "unreadable"), "")
        count = _Count(time.monotonic(), files, size, newest, error)
        self._counted[source.id] = count
        return count


def is_there(root: Path) -> bool:
    """Whether a folder is there. One that may not be looked at counts as there: it is said to be unreadable."""
    try:
        return root.exists()
    except OSError:
        return True
