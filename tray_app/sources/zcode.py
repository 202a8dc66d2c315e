"""ZCode: its database, the request logs of sessions that the database lacks, and the command that resumes a session.

Owns folders, names and ids. The database has OpenCode's tables; what its messages mean is told by `zcode_lines.RULES`. The
request log is read in `zcode_rollout`. The transcripts of sub-agents that older versions left are not read: what they hold
stands in the database too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.sources import zcode_lines as shapes
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading, Report, Session, Stop, Unit, Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.json_values import count_of, decoded, disjoint, text_of
from tray_app.sources.jsonl import Records
from tray_app.sources.opencode import database_units
from tray_app.sources.opencode_database import fold, is_subagent
from tray_app.sources.resume import argument, in_folder
from tray_app.sources.sqlite_files import Database, read_database
from tray_app.sources.talk import BY_MODEL, one_line
from tray_app.sources.walk import files_under
from tray_app.sources.zcode_rollout import Memory, RolloutReading, restored

DATABASES = ("cli/db/db.sqlite", "db/db.sqlite", "db.sqlite")
ROLLOUTS = ("cli/rollout", "rollout", ".")
AGENTS = ("cli/agents", "agents")
"""Below the usual folder, below `cli`, or in a folder that was added by hand."""
PREFIX = "model-io-"
META_BYTES = 256 * 1024
USAGE = (
    *("id", "session_id", "model_id", "status", "started_at", "input_tokens", "output_tokens"),
    *("cache_read_input_tokens", "cache_creation_input_tokens", "computed_total_tokens"),
)


class ZCodeAdapter:
    """Sessions of ZCode. A session of the database is read from there; only others are read from their request log."""

    agent = "zcode"
    name = "ZCode"
    version = 1
    confidence = "readers"

    def roots(self, home: SourcesHome) -> list[Path]:
        return [home.agent_folder("ZCODE_HOME", ".zcode")]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """Sessions of the database, then request logs of those it lacks (of all, where it cannot be read)."""
        seen: set[str] = set()
        for name in DATABASES:
            for unit in database_units(root, root / name, self.agent, report):
                if unit.session not in seen:
                    seen.add(unit.session)
                    yield unit
        folder = next((root / name for name in ROLLOUTS if (root / name).is_dir()), root)
        metas: dict[str, Path] | None = None
        for found in files_under(folder, _is_rollout, report, self.agent, depth=2):
            session = found.path.name.removeprefix(PREFIX).removesuffix(".jsonl")
            if session in seen:
                continue
            subagent = _is_subagent(session)
            if subagent and metas is None:
                metas = dict(_metas(root))
            meta = (metas or {}).get(session.removeprefix("sess_subagent_")) if subagent else None
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=session,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
                others=(meta,) if meta else (),
                kind="subagent" if subagent else "main",
                parent=meta.parent.parent.name if meta else "",
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """A session of the database whole; a request log from its checkpoint, which gives only what is new in it."""
        if unit.path.suffix == ".jsonl":
            return self._read_rollout(unit, checkpoint, limits, stop)

        def work(database: Database) -> Reading:
            folded = fold(database, unit.session, shapes.RULES, limits, unit.path, self.agent)
            counted = list(_usage(database, unit.session))
            if counted:
                folded.talk.usage.clear()
            for usage in counted:
                folded.talk.count(usage)
            return folded.reading()

        return read_database(unit.path, work, stop)

    def _read_rollout(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        memory = restored(checkpoint)
        with Records(unit.path, self.agent, checkpoint if memory else None, limits, stop) as records:
            resumed = records.resumed and memory is not None
            reading = RolloutReading(
                unit.session,
                records,
                limits,
                memory if memory is not None and resumed else Memory(),
                subagent=unit.kind == "subagent",
            )
            for line in records:
                reading.take(line)
            if not resumed and not records.records and not records.skipped:
                raise NotReady("no whole line yet")
            meta = _meta(unit.others)
            title = one_line(text_of(meta.description))
            return Reading(
                session=reading.session(title, BY_MODEL, text_of(meta.cwd), text_of(meta.parent_session_id) or unit.parent),
                messages=reading.talk.collector.messages(),
                usage=list(reading.talk.usage.values()),
                problems=records.problems,
                checkpoint=reading.checkpoint(),
                bytes_read=records.bytes_read,
                records=records.records,
                recognised=reading.recognised,
                skipped=records.skipped,
                unknown=reading.unknown,
                repeated=reading.repeated,
                truncated=reading.talk.collector.truncated,
                resumed=resumed,
                growing=records.growing,
            )

    def resume_command(self, session: Session) -> str:
        """`cd <folder> && zcode --resume <id>`: that of the parent for a sub-agent."""
        target = session.parent if session.kind == "subagent" and session.parent else session.id
        return in_folder(session.cwd, f"zcode --resume {argument(target)}") if target else ""


def _is_rollout(name: str) -> bool:
    return name.startswith(PREFIX) and name.endswith(".jsonl")


def _is_subagent(session: str) -> bool:
    return is_subagent(session, "", "") or session.startswith("sess_dwf-")


def _metas(root: Path) -> Iterator[tuple[str, Path]]:
    """The metadata of each sub-agent, by the agent's id: `agents/<parent session>/<agent id>/metadata.json`."""
    folder = next((root / name for name in AGENTS if (root / name).is_dir()), None)
    for parent in _folders(folder) if folder else ():
        for one in _folders(parent):
            yield one.name, one / "metadata.json"


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:  # a side folder: the session is read without it
        return []


def _meta(paths: tuple[Path, ...]) -> shapes.AgentMeta:
    for path in paths:
        try:
            with path.open("rb") as stream:
                data = stream.read(META_BYTES)
        except OSError:  # a side file: the session is read all the same
            continue
        return decoded(data, shapes.META) or shapes.AgentMeta()
    return shapes.AgentMeta()


def _usage(database: Database, session: str) -> Iterator[Usage]:
    """Tokens of each completed model call, from the table that newer versions keep of them."""
    if not database.has("model_usage", *USAGE):
        return
    for row in database.rows(f"select {', '.join(USAGE)} from model_usage where session_id = ?", session):
        key, _, model, status, started, fresh, made, read, written, total = row
        if status == "completed":
            counts = disjoint(count_of(fresh), count_of(made), count_of(read), count_of(written), count_of(total))
            yield Usage(str(key), milliseconds(started), text_of(model), *counts)
