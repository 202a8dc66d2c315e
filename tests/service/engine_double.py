"""A small engine in memory, for tests of the service and the command line, in this process or as a program of its own.

It holds a lock on a file of its own as the database does, so that two engines open at once are an error that shows.
As a program: `engine_double.py KIND SECONDS` connects, prints its owner, waits so long (or for a line on stdin), ends.
"""

from __future__ import annotations

import fcntl
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
from meaning_double import MeaningPart
from memory_double import MemoryPart

from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths
from tray_app.records import (
    Answer,
    Counters,
    Embedding,
    Finding,
    ForgottenView,
    Hit,
    IndexFigures,
    IndexReport,
    KeptView,
    MessageView,
    Owner,
    Problem,
    Progress,
    SearchRequest,
    SessionHits,
    SessionItem,
    SessionPassages,
    SessionView,
    SourceReport,
    SourceView,
    SpaceView,
    Status,
    Understood,
)
from tray_app.service.connection import Connection, connect
from tray_app.settings import Settings

AT = "2026-11-29T08:00:00Z"
RESUME = "cd /home/a/shop && claude --resume 0f3c"
TEXT = "The 退款 webhook retries three times, then the order is parked."


class EngineDouble(MeaningPart, MemoryPart):
    """One session of Claude Code with two messages. `index_s`: how long a pass takes."""

    def __init__(self, paths: Paths, settings: Settings, kind: str, index_s: float = 0.0) -> None:
        MeaningPart.__init__(self)
        MemoryPart.__init__(self)
        self.paths, self.settings, self.kind, self.index_s = paths, settings, kind, index_s
        self.ticked: set[str] = {"claude_code"}
        self.indexed = True
        self.skipped = 0
        self.paused = False
        self.kept_apart: list[SpaceView] = []
        self.gone_for_good: list[ForgottenView] = []
        self.calls: list[str] = []
        self.looks: dict[str, Callable[[], Sequence[Finding]]] = {}
        self.queries: list[SearchRequest] = []
        self._lock: IO[bytes] | None = None
        self._closing = threading.Event()

    def open_or_raise(self) -> None:
        if self._lock is not None:
            return
        lock = (self.paths.data / "double.lock").open("a+b")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise KnownError(
                "index_locked", "Index in use", "Another program (process 77) holds the index.", "End it."
            ) from None
        self._lock = lock

    def close(self) -> None:
        self._closing.set()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _open(self, name: str) -> None:
        if self._closing.is_set():
            raise RuntimeError("closed")
        self.calls.append(name)
        self.open_or_raise()

    def search(self, request: SearchRequest) -> Answer:
        self._open("search")
        self.queries.append(request)
        if request.query == "slow":
            time.sleep(0.3)
        if request.query == "bug":
            raise ValueError("a bug")
        understood = Understood(query=request.query, words=tuple(request.query.split()))
        if not self.indexed or "webhook" not in request.query:
            return Answer(
                found=False,
                verdict="nothing",
                reason="Nothing matches.",
                reason_code="nothing_matches" if self.indexed else "empty_index",
                understood=understood,
                snapshot=AT if self.indexed else "",
            )
        start = TEXT.index("webhook")
        hit = Hit(
            rank=1,
            score=0.93,
            time=AT,
            date_text="2026-11-29",
            date_human="yesterday",
            age_days=1,
            is_recent=True,
            role="assistant",
            kind="round",
            message_id="m2",
            message_ids=("m1", "m2"),
            seq=1,
            text=TEXT,
            marks=((start, start + 7),),
            snippet=TEXT,
            snippet_marks=((start, start + 7),),
            matched=("webhook",),
            duplicate_count=1,
        )
        session = SessionHits(
            session="0f3c",
            agent="claude_code",
            workspace="/home/a/shop",
            project="shop",
            title="退款 webhook",
            start=AT,
            end=AT,
            start_date_text="2026-11-29",
            end_date_text="2026-11-29",
            score=0.93,
            resume_command=RESUME,
            hits=(hit,),
            messages=2,
        )
        return Answer(
            found=True,
            verdict="confident",
            reason="All words stand in one passage.",
            reason_code="found_words",
            understood=understood,
            snapshot=AT,
            sessions=(session,),
            hits=1,
        )

    def show(
        self,
        session: str,
        around: str | None = None,
        limit: int = 200,
        first: int | None = None,
        agent: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> SessionView:
        self._open("show")
        if not "0f3c".startswith(session):
            raise UsageError(
                "no_such_session", "No such session", f"No session {session!r} is known.", "See: backscroll sessions"
            )
        messages = (
            MessageView(message_id="m1", seq=0, time=AT, role="user", kind="round", text="Why does it retry?\n\x1b[31mred"),
            MessageView(message_id="m2", seq=1, time=AT, role="assistant", kind="round", text=TEXT, index=1),
        )
        return SessionView(
            session="0f3c",
            agent="claude_code",
            title="退款 webhook",
            cwd="/home/a/shop",
            project="shop",
            start=AT,
            end=AT,
            resume_command=RESUME,
            messages=messages,
            total=2,
        )

    def sessions(
        self,
        agent: str | None = None,
        project: str | None = None,
        limit: int = 0,
        order: str = "newest",
        space: str | None = None,
        caller: str | None = None,
    ) -> list[SessionItem]:
        self._open("sessions")
        if agent not in (None, "claude_code"):
            return []
        rows = (("0f3c", "退款 webhook", "shop"), ("77aa", "Fix the flaky test", "back"))
        return [
            SessionItem(
                session=name,
                agent="claude_code",
                title=title,
                cwd=f"/home/a/{project_}",
                project=project_,
                start=AT,
                end=AT,
                end_date_text="2026-11-29",
                messages=2,
                resume_command=RESUME,
            )
            for name, title, project_ in rows
            if project in (None, project_)
        ]

    def sources(self) -> list[SourceView]:
        self._open("sources")
        known = (("claude_code", "Claude Code", True), ("codex", "Codex", True), ("dsh", "DSH", False))
        return [
            SourceView(
                id=agent,
                agent=agent,
                name=name,
                path=f"/home/a/.{agent}",
                found=found,
                enabled=agent in self.ticked,
                sessions=12 if found else 0,
                bytes=3_400_000 if found else 0,
                newest=AT if found else None,
                why_off="" if agent in self.ticked else "not_ticked" if found else "not_found",
            )
            for agent, name, found in known
        ]

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        self._open("set_source")
        (self.ticked.add if enabled else self.ticked.discard)(source)
        return self.sources()

    def add_folder(self, agent: str, path: str) -> list[SourceView]:
        self._open("add_folder")
        if path == "/dies":
            os._exit(9)
        return self.sources()

    def remove_folder(self, source: str) -> list[SourceView]:
        self._open("remove_folder")
        return self.sources()

    def index(
        self,
        *,
        all_sources: bool = False,
        full: bool = False,
        vectors: bool = False,
        report: Callable[[Progress], None] | None = None,
    ) -> IndexReport:
        self._open("index")
        if all_sources:
            self.ticked |= {"claude_code", "codex"}
        if report is not None:
            report(Progress(phase="reading", done=1, total=2))
            report(Progress(phase="finishing", done=2, total=2))
        stopped = self._closing.wait(self.index_s) if self.index_s else False
        self.indexed = True
        totals = Counters(files=2, sessions=2, messages=4, chunks=3, bytes_read=900, skipped_records=self.skipped)
        source = SourceReport(agent="claude_code", path="/home/a/.claude_code", state="idle", files=2, sessions=2, messages=4)
        problems = [Problem(path="/home/a/x.jsonl", line=3, offset=90, kind="bad_json", reason="cut off")] * self.skipped
        return IndexReport(totals=totals, sources=(source,), problems=tuple(problems), elapsed_s=0.5, stopped=stopped)

    def pause(self, minutes: float | None = None) -> Status:
        self._open("pause")
        self.paused = True
        return self.status()

    def resume(self) -> Status:
        self._open("resume")
        self.paused = False
        return self.status()

    def rebuild(self) -> None:
        self._open("rebuild")

    def clear_index(self) -> Status:
        self._open("clear_index")
        return self.status()

    def spaces(self) -> list[SpaceView]:
        self._open("spaces")
        rest = SpaceView(id="default", name="default", path="/d/index.duckdb", sessions=2, index_bytes=4_200_000, built_at=AT)
        return [rest, *self.kept_apart]

    def add_space(self, name: str, folders: list[str]) -> list[SpaceView]:
        self._open("add_space")
        if any(space.name == name for space in self.kept_apart):
            raise UsageError("space_exists", "The name is taken", f"There is a space {name!r} already.")
        path = f"/d/spaces/{name}/index.duckdb"
        self.kept_apart.append(SpaceView(id=name, name=name, folders=tuple(folders), path=path, state="waiting"))
        return self.spaces()

    def assign_folders(self, space: str, folders: list[str]) -> list[SpaceView]:
        self._open("assign_folders")
        return self._with(space, folders=(*self._space(space).folders, *folders))

    def unassign_folder(self, folder: str) -> list[SpaceView]:
        self._open("unassign_folder")
        space = next(space for space in self.kept_apart if folder in space.folders)
        return self._with(space.name, folders=tuple(one for one in space.folders if one != folder))

    def rename_space(self, space: str, name: str) -> list[SpaceView]:
        self._open("rename_space")
        return self._with(space, name=name)

    def remove_space(self, space: str) -> list[SpaceView]:
        self._open("remove_space")
        return self._with(space, state="removed", removed=AT)

    def restore_space(self, space: str) -> list[SpaceView]:
        self._open("restore_space")
        return self._with(space, state="ready", removed=None)

    def _space(self, name: str) -> SpaceView:
        return next(space for space in self.kept_apart if space.name == name)

    def _with(self, name: str, /, **changed: Any) -> list[SpaceView]:
        at = self.kept_apart.index(self._space(name))
        self.kept_apart[at] = msgspec.structs.replace(self.kept_apart[at], **changed)
        return self.spaces()

    def kept(self) -> KeptView:
        self._open("kept")
        return KeptView(on=False, folder="/d/archive", sessions=2, bytes=9_000, stored=1_000)

    def keep_now(self) -> KeptView:
        self._open("keep_now")
        return KeptView(on=False, folder="/d/archive", sessions=3, bytes=12_000, stored=2_000, copied=1)

    def write_out(self, session: str, target: str, agent: str | None = None) -> list[str]:
        self._open("write_out")
        if session != "0f3c":
            raise UsageError("no_such_copy", "No such copy", f"No file of a session {session!r} is in the archive.")
        return [f"{target}/0f3c.jsonl"]

    def forget_session(
        self, session: str, agent: str | None = None, space: str | None = None, caller: str | None = None
    ) -> ForgottenView:
        self._open("forget_session")
        self.gone_for_good.append(ForgottenView(session=session, agent="claude_code", time=AT, messages=2, copies=1))
        return self.gone_for_good[-1]

    def forgotten(self) -> list[ForgottenView]:
        self._open("forgotten")
        return self.gone_for_good

    def unforget(self, session: str, agent: str | None = None) -> list[ForgottenView]:
        self._open("unforget")
        meant = [one for one in self.gone_for_good if one.session == session]
        if not meant:
            raise UsageError("not_forgotten", "Not forgotten", f"No session {session!r} was forgotten.")
        self.gone_for_good.remove(meant[0])
        return meant

    def index_figures(self, space: str | None = None, caller: str | None = None) -> IndexFigures:
        self._open("index_figures")
        held = (SessionPassages(session="0f3c", agent="claude_code", passages=3),)
        return IndexFigures(by_kind={"round": 3}, by_agent={"claude_code": 3}, sessions=held)

    def status(self, space: str | None = None, caller: str | None = None) -> Status:
        self._open("status")
        return Status(
            totals=Counters(files=2, sessions=2, messages=4, chunks=3),
            sources=tuple(self.sources()),
            built_at=AT if self.indexed else None,
            oldest=AT,
            newest=AT,
            index_bytes=4_200_000,
            text_bytes=900,
            memory_bytes=0,
            embedding=Embedding(),
            spaces=("default",),
            version="0.1.0",
            schema=1,
            pipeline_version=1,
            owner=Owner(pid=os.getpid(), kind=self.kind),
            paused=self.paused,
        )

    def problems(self, limit: int = 500, space: str | None = None) -> list[Problem]:
        self._open("problems")
        return [Problem(path="/home/a/x.jsonl", line=3, offset=90, kind="bad_json", reason="cut off", agent="claude_code")]

    def also_look(self, name: str, look: Callable[[], Sequence[Finding]]) -> None:
        self.looks[name] = look

    def doctor(self) -> list[Finding]:
        self._open("doctor")
        return [
            Finding(code="fts", severity="ok", title="Search extension", detail="Loaded.", remedy=""),
            Finding(code="skipped", severity="warn", title="Skipped records", detail="12 lines.", remedy="backscroll status"),
        ]

    def config(self) -> dict[str, Any]:
        self._open("config")
        return self.settings.as_dict()

    def set_config(self, key: str, value: Any) -> Any:
        self._open("set_config")
        if value is None:
            self.settings.unset(key)
            return self.settings[key]
        return self.settings.set(key, value)


def connect_double(kind: str = "cli", paths: Paths | None = None, *, index_s: float = 0.0, **more: Any) -> Connection:
    where = paths or Paths.from_environment()

    def make(paths: Paths, settings: Settings, kind: str) -> EngineDouble:
        return EngineDouble(paths, settings, kind, index_s)

    return connect(where, Settings(where.settings_file), kind, make=make, **more)


class WindowDouble:
    """Notes what it was told, in a file, so that another process can see it."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def toggle(self) -> None:
        self._note("toggle")

    def show(self) -> None:
        self._note("show")

    def quit(self) -> None:
        self._note("quit")

    def _note(self, what: str) -> None:
        with self.file.open("a") as stream:
            stream.write(what + "\n")


def run(kind: str, index_s: str = "0") -> None:
    paths = Paths.from_environment()
    window = WindowDouble(paths.data / "window.txt") if kind == "tray" else None
    with connect_double(kind, paths, index_s=float(index_s), window=window) as connection:
        print(f"{connection.owner.pid} {connection.is_owner}", flush=True)
        for line in sys.stdin:
            if line == "index\n":
                report = connection.index()
                print(f"stopped={report.stopped} own={connection.is_owner}", flush=True)
            elif line == "search\n":
                print(connection.search(SearchRequest(query="webhook")).hits, connection.is_owner, flush=True)


if __name__ == "__main__":
    run(*sys.argv[1:])
