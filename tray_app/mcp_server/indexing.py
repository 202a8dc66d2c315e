"""`session_recall_status`, `_reindex`, `_config` and `session_index_stats`: the index seen and moved by an agent.

An agent may change how windows look, how results are ranked and when memory is tended; what is read, hidden, kept, thrown away
for good or sent elsewhere is the person's.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from tray_app.errors import UsageError
from tray_app.insight.leaving import sentences
from tray_app.mcp_server import shapes
from tray_app.mcp_server.fences import counted, said_of
from tray_app.mcp_server.fields import SWITCH, VALUES, Field
from tray_app.mcp_server.tool import SPACE, Call, Reply, Tool
from tray_app.records import Counters, Embedding, IndexReport, SourceReport, Status
from tray_app.settings import checked
from tray_app.text.redact import redact

WAIT_S = 45.0
"""Longest wait for a pass: clients give up at 60 s. It goes on in the background."""
OPEN = (
    "general.language", "general.theme", "general.hotkey", "general.window_form", "general.tray_icon", "general.hide_on_blur",
    "index.watch", "index.sweep_minutes", "memory.archive", "memory.idle_minutes", "memory.pack_tokens",
    "memory.session_days_with_checkpoint", "memory.session_days", "memory.keep_cards", "memory.keep_checkpoints",
    "memory.draft_days", "memory.unused_days", "meaning.share", "search.limit", "search.found_share", "search.found_evidence",
)  # fmt: skip
"""All others are the person's own: a text that an agent has read must not be able to change them."""


def status(call: Call) -> Reply:
    found = call.backend.status(**call.where)
    meaning = found.embedding
    data: dict[str, Any] = {
        "chunks": found.totals.chunks, "sessions": found.totals.sessions, "messages": found.totals.messages,
        "dims": meaning.dims, "vectors": meaning.vectors, "missing_vectors": meaning.missing, "size_bytes": found.index_bytes,
        "built_at": found.built_at or "", "building": found.indexing, "paused": found.paused,
        "embedding": meaning.backend, "embedding_ready": meaning.state in ("ready", "filling") and meaning.vectors > 0,
        "topic_days": found.topic_days, "leaves_machine": leaves(found), "version": found.version, "snapshot": snapshot(found),
        "last_error": found.last_error or meaning.error, "hint": hint(found), "owner": shapes.plain(found.owner),
    }  # fmt: skip
    lines = [
        f"{counted(data['sessions'], 'session')}, {counted(data['messages'], 'message')}, {counted(data['chunks'], 'passage')}; "
        f"{data['snapshot']}",
        f"Meaning: {meaning.backend}"
        + (f" ({meaning.state}, {meaning.vectors:,} vectors)" if meaning.backend != "off" else ""),
        data["leaves_machine"],
        f"Backscroll {found.version}.",
        *([f"Last error: {said_of(data['last_error'], 400)}"] if data["last_error"] else []),
        *([data["hint"]] if data["hint"] else []),
    ]
    return Reply("\n".join(lines), data, plain=True)


def leaves(found: Status) -> str:
    return " ".join(sentences(found.leaves))


def snapshot(found: Status) -> str:
    if found.indexing:
        return f"being read now; last whole pass: {found.built_at or 'none yet'}"
    return f"as of {found.built_at}" if found.built_at else "never read"


def hint(found: Status) -> str:
    if not any(source.enabled for source in found.sources):
        return "No source is ticked. The person chooses: in the window, or with `backscroll index --all-sources`."
    if found.paused:
        return "Indexing is paused. To go on: `backscroll resume`."
    return "More: the tool doctor." if found.last_error or found.embedding.error else ""


def reindex(call: Call) -> Reply:
    """A pass over the ticked sources, waited for as long as clients wait."""
    ticked = [source for source in call.backend.sources() if source.enabled]
    if not ticked:
        raise UsageError(
            "nothing_ticked", "Nothing to read", "No source is ticked.",
            "The person chooses what is read: in the Backscroll window, or with `backscroll index --all-sources`.",
        )  # fmt: skip
    done = threading.Event()
    reports: list[IndexReport] = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            reports.append(call.backend.index(full=call["force"], vectors=False, report=call.report))
        except BaseException as fault:  # it is raised in the thread that waits, or told there as going on
            faults.append(fault)
        finally:
            done.set()

    threading.Thread(target=run, name="mcp-reindex", daemon=True).start()
    if not done.wait(WAIT_S):
        return Reply(
            "The pass goes on in the background; see session_recall_status.", {"state": "running", "rebuilt": call["force"]},
            plain=True,
        )  # fmt: skip
    if faults:
        raise faults[0]
    report = reports[0]
    totals = report.totals
    data = {
        "state": "stopped" if report.stopped else "done", "rebuilt": call["force"], "totals": shapes.plain(totals),
        "elapsed_s": round(report.elapsed_s, 3), "problems": len(report.problems),
        "sources": [shapes.picked(source, REPORT_FIELDS) for source in report.sources],
    }  # fmt: skip
    did = "Everything was read anew" if call["force"] else "The index was brought up to date"
    return Reply(
        f"{did}: {counted(totals.sessions, 'session')}, {counted(totals.messages, 'message')}, "
        f"{counted(totals.chunks, 'passage')} in {report.elapsed_s:.1f} s; {counted(len(report.problems), 'problem')}.",
        data,
        plain=True,
    )


def config(call: Call) -> Reply:
    """All settings, or a change of some of them: all that are named, or none."""
    patch: dict[str, Any] = {key: checked(key, value) for key, value in (call["patch"] or {}).items()}
    closed = [key for key in patch if key not in OPEN]
    if closed:
        raise UsageError(
            "persons_own", "Nothing was changed",
            f"{', '.join(closed)}: what is read, hidden, kept or sent elsewhere is for the person to decide.",
            f"Ask the person to change it in the settings window, or with: backscroll config set {closed[0]} VALUE",
        )  # fmt: skip
    before = call.backend.config()
    changed = {}
    for key, value in patch.items():
        kept = call.backend.set_config(key, value)
        if kept != before[key]:
            changed[key] = kept
    values = {key: without_secrets(value) for key, value in (call.backend.config() if patch else before).items()}
    said = ", ".join(f"{key} = {value!r} (was {before[key]!r})" for key, value in changed.items())
    head = f"Changed: {said}" if changed else "Nothing was changed: it is so already." if patch else ""
    listing = "" if patch else "\n".join(f"{key} = {value!r}" for key, value in values.items())
    return Reply(head or "The settings:\n" + listing, {"changed": changed, "settings": values}, plain=True)


def without_secrets(value: Any) -> Any:
    """A setting as it may be shown: keys lie in the keyring, but somebody may have written one into an address."""
    if isinstance(value, list):
        return [without_secrets(item) for item in value]
    return redact(value)[0] if isinstance(value, str) else value


def stats(call: Call) -> Reply:
    found, figures = call.backend.status(**call.where), call.backend.index_figures(**call.where)
    items = {(item.agent, item.session): item for item in call.backend.sessions(**call.where)}
    sessions, totals = Counter(item.agent for item in items.values()), found.totals
    agents = {
        agent: {"sessions": sessions.get(agent, 0), "documents": figures.by_agent.get(agent, 0)}
        for agent in dict.fromkeys([*figures.by_agent, *sessions])
    }
    largest = [
        {
            "session": one.session, "agent": one.agent, "documents": one.passages,
            "project": item.project if item else "", "messages": item.messages if item else 0,
        }
        for one in figures.sessions for item in [items.get((one.agent, one.session))]
    ]  # fmt: skip
    data: dict[str, Any] = {
        "documents": totals.chunks, "messages": totals.messages, "sessions": totals.sessions, "by_kind": figures.by_kind,
        "by_agent": agents, "by_session": largest, "by_session_kind": Counter(item.kind for item in items.values()),
        "skipped": totals.skipped_records, "unknown": totals.unknown_records, "quarantined": totals.quarantined_files,
        "truncated": totals.truncated_files, "over_budget": totals.over_budget_files, "redacted": totals.redacted,
        "built_at": found.built_at or "", "problems": found.problems,
    }  # fmt: skip
    lines = [
        f"{counted(totals.chunks, 'document')} of {counted(totals.messages, 'message')} in {counted(totals.sessions, 'session')}.",
        ", ".join(f"{kind} {count:,}" for kind, count in figures.by_kind.items()),
        *(f"{agent}: {counted(one['sessions'], 'session')}, {counted(one['documents'], 'document')}" for agent, one in agents.items()),
        f"Skipped records {totals.skipped_records:,}, files set aside {totals.quarantined_files:,}, cut {totals.truncated_files:,}, "
        f"beyond the limits {totals.over_budget_files:,}.",
    ]  # fmt: skip
    return Reply("\n".join(line for line in lines if line), data, plain=True)


REPORT_FIELDS = ("agent", "state", "files", "sessions", "messages", "chunks", "error")
_OBJECT = {"type": "object", "additionalProperties": True}
TOOLS = (
    Tool(
        "session_recall_status",
        "Status of the index",
        "How much is indexed and how fresh it is, whether finding by meaning works, what leaves the machine, the last error with "
        "a hint. Use it when session_recall finds less than expected, or when the person asks about the index.",
        status,
        takes=(SPACE,),
        answers={
            "chunks": shapes.WHOLE, "sessions": shapes.WHOLE, "messages": shapes.WHOLE, "dims": shapes.WHOLE,
            "vectors": shapes.WHOLE, "missing_vectors": shapes.WHOLE, "size_bytes": shapes.WHOLE, "built_at": shapes.TEXT,
            "building": shapes.SWITCH, "paused": shapes.SWITCH, "embedding": shapes.record(Embedding)["properties"]["backend"],
            "embedding_ready": shapes.SWITCH, "topic_days": shapes.WHOLE, "leaves_machine": shapes.TEXT, "version": shapes.TEXT,
            "snapshot": shapes.TEXT, "last_error": shapes.TEXT, "hint": shapes.TEXT, "owner": _OBJECT,
        },
        always=("chunks", "built_at", "building", "leaves_machine", "version"),
    ),
    Tool(
        "session_recall_reindex",
        "Update the index",
        "Read what is new in the ticked sources now; with force, read every file anew. Use it when something very recent is not "
        "found. Sessions themselves are never changed.",
        reindex,
        takes=(Field(name="force", kind=SWITCH, help="Read every file anew instead of what is new.", default=False),),
        answers={
            "state": shapes.TEXT, "rebuilt": shapes.SWITCH, "totals": shapes.record(Counters),
            "elapsed_s": {"type": "number"}, "problems": shapes.WHOLE,
            "sources": shapes.listed(shapes.record(SourceReport, REPORT_FIELDS)),
        },
        always=("state",),
        reads=False,
    ),
    Tool(
        "session_recall_config",
        "Settings",
        "Read the settings, or change some with `patch` ({\"search.limit\": 30}). Change only what the person asked for. What is "
        "read, hidden, kept or sent elsewhere is the person's own and cannot be changed here.",
        config,
        takes=(Field(name="patch", kind=VALUES, help="Settings to change, by key. Without it, all are shown."),),
        answers={"changed": _OBJECT, "settings": _OBJECT},
        always=("changed", "settings"),
        reads=False,
    ),
    Tool(
        "session_index_stats",
        "Figures of the index",
        "How many documents (passages) are indexed by kind, agent and session, and what was skipped, set aside or cut. Use it to judge how "
        "complete an answer can be.",
        stats,
        takes=(SPACE,),
        answers={
            "documents": shapes.WHOLE, "messages": shapes.WHOLE, "sessions": shapes.WHOLE, "by_kind": _OBJECT,
            "by_agent": _OBJECT, "by_session": shapes.listed(_OBJECT), "by_session_kind": _OBJECT, "skipped": shapes.WHOLE,
            "unknown": shapes.WHOLE, "quarantined": shapes.WHOLE, "truncated": shapes.WHOLE, "over_budget": shapes.WHOLE,
            "redacted": shapes.WHOLE, "built_at": shapes.TEXT, "problems": shapes.WHOLE,
        },
        always=("documents", "by_kind", "by_agent", "by_session"),
    ),
)  # fmt: skip
