"""`recall`, `remember`, `memory_update`, `memory_recent`, `memory_stats`: lasting statements about projects."""

from __future__ import annotations

from typing import Any

from tray_app.errors import UsageError
from tray_app.mcp_server import shapes
from tray_app.mcp_server.fences import clipped, counted, quoted_lines, said_of, share
from tray_app.mcp_server.fields import NAME_CHARS, QUERY_CHARS, TEXT, TEXTS, WHOLE, Field
from tray_app.mcp_server.tool import ANY_PROJECT, PROJECT, SPACE, Call, Reply, Tool
from tray_app.records import MemoryStats, MemoryView, Remembered
from tray_app.records.memory import KINDS

CONTENT_CHARS = 20_000
MADE_TITLE_CHARS = 60
WRITTEN_KINDS = tuple(kind for kind in KINDS if kind not in ("checkpoint", "handoff"))
"""Those two are made from a checkpoint."""
MEMORY_FIELDS = (
    "id", "project", "kind", "state", "title", "content", "created", "updated", "superseded_by", "supersedes", "source_agent",
    "source_session", "source_message", "source_path", "score", "matched",
)  # fmt: skip
DATED = "Give the date of a memory when you rely on it (updated); a memory can be out of date: check what it says of code."
NOTHING = "Nothing is remembered about this. What was said in sessions is found with session_recall."


def recall(call: Call) -> Reply:
    query = call["query"].strip()
    if not query:
        raise UsageError("no_question", "No question", "Give a query.", "The latest memories: memory_recent.")
    found = call.backend.recall_memories(
        query, project=call["project"] or None, limit=call["limit"], kinds=call["kinds"] or None, **call.where
    )
    return memories_reply(found, NOTHING)


def recent(call: Call) -> Reply:
    found = call.backend.memories(call["project"] or None, limit=call["limit"], **call.where)
    return memories_reply(found, "Nothing is remembered yet. To write something: remember.")


def memories_reply(found: list[MemoryView], none: str) -> Reply:
    room = share(len(found))
    data = {"memories": [shorter(one, room) for one in found]}
    lines = [line for one in found for line in (memory_line(one), quoted_lines(clipped(one.content, room)), "")]
    head = f"{counted(len(found), 'memory', 'memories')}." if found else "No memories."
    return Reply(head, data, "\n".join(lines), note=DATED if found else none)


def shorter(one: MemoryView, room: int) -> dict[str, Any]:
    return {**shapes.picked(one, MEMORY_FIELDS), "content": clipped(one.content, room)}


def memory_line(one: MemoryView) -> str:
    state = "" if one.state == "active" else one.state
    source = said_of(f"from {one.source_agent} session {one.source_session}" if one.source_session else one.source_path)
    parts = (f"Memory {one.id}", said_of(one.project), one.kind, state, one.updated[:10], f"“{said_of(one.title)}”", source)
    return " · ".join(part for part in parts if part)


def remember(call: Call) -> Reply:
    content, title = call["content"], call["title"].strip()
    if not title:
        title = clipped(" ".join(content.split()), MADE_TITLE_CHARS)
    source = {"session": call.session} if call.session else None
    return written(call.backend.remember(call.project(), call["kind"], title, content, source=source, **call.where))


def update(call: Call) -> Reply:
    if call["title"] is None and call["content"] is None:
        raise UsageError("nothing_given", "Nothing to change", "Give a title or a content.")
    return written(call.backend.update_memory(call["id"], title=call["title"], content=call["content"], **call.where))


def written(done: Remembered) -> Reply:
    """What was changed, in words."""
    one = done.memory
    which = f"memory {one.id}, {one.kind} of {said_of(one.project)}"
    if done.created or done.duplicate:
        head = f"{'Remembered' if done.created else 'Known already'}: {which}."
    else:
        head = f"So it reads now: {which}, “{said_of(one.title)}”."
    if done.superseded:
        head += f" It replaces {', '.join(map(str, done.superseded))}."
    data = {
        "id": one.id, "project": one.project, "kind": one.kind, "state": one.state, "title": one.title, "created": done.created,
        "duplicate": done.duplicate, "superseded": list(done.superseded),
    }  # fmt: skip
    return Reply(head, data, note=said_of(done.note, 400))


def stats(call: Call) -> Reply:
    found = call.backend.memory_stats(**call.where)
    by_kind = ", ".join(f"{kind} {count}" for kind, count in found.by_kind.items() if count) or "none"
    head = (
        f"Memories: {by_kind}. {found.missing_vectors} without a vector; schema {found.schema}; kept in {found.backend}."
        + (f" Mended at opening: {found.mended}" if found.mended else "")
    )  # fmt: skip
    return Reply(head, shapes.plain(found), plain=True)


KIND = Field(
    name="kind", kind=TEXT, default="note", choices=WRITTEN_KINDS,
    help="decision, fact, pitfall, todo, note; baseline for what the project is.",
)  # fmt: skip
_MEMORIES = {"memories": shapes.listed(shapes.record(MemoryView, MEMORY_FIELDS))}
_WRITTEN = {
    **shapes.record(MemoryView, ("id", "project", "kind", "state", "title"))["properties"],
    **shapes.record(Remembered, ("created", "duplicate", "superseded"))["properties"],
}
TOOLS = (
    Tool(
        "recall",
        "Recall memories",
        "Find what is remembered about projects: decisions, facts, pitfalls, todos, notes, and summaries of finished sessions. Use "
        "it before you decide, plan or debug something that may have been decided or met before. What was literally said is "
        "found with session_recall.",
        recall,
        takes=(
            Field(name="query", kind=TEXT, help="What it is about, in plain words.", required=True, chars=QUERY_CHARS),
            ANY_PROJECT,
            Field(name="limit", kind=WHOLE, help="Memories at most.", default=8, least=1, most=50, caps=True),
            Field(name="kinds", kind=TEXTS, help="Only these kinds.", choices=KINDS),
            SPACE,
        ),
        answers=_MEMORIES,
        always=("memories",),
        reads=True,
    ),
    Tool(
        "remember",
        "Remember",
        "Write one lasting statement about a project, so that later sessions of any agent know it: a decision with its reason, a "
        "fact that took effort to find, a pitfall, a todo. One statement a memory, in full sentences, no secrets. The same content "
        "twice is one.",
        remember,
        takes=(
            PROJECT,
            KIND,
            Field(name="title", kind=TEXT, help="A few words; made from the content if left out.", default="", chars=NAME_CHARS),
            Field(name="content", kind=TEXT, help="The statement.", required=True, chars=CONTENT_CHARS),
            SPACE,
        ),
        answers=_WRITTEN,
        always=("id", "created"),
        reads=False,
    ),
    Tool(
        "memory_update",
        "Correct a memory",
        "Change the title or the content of a memory by its id, as recall gives it. Use it when a memory turned out to be wrong "
        "or out of date.",
        update,
        takes=(
            Field(name="id", kind=WHOLE, help="Its id.", required=True, least=1),
            Field(name="title", kind=TEXT, help="The new title (unchanged)."),
            Field(name="content", kind=TEXT, help="The new content (unchanged).", chars=CONTENT_CHARS),
            SPACE,
        ),
        answers=_WRITTEN,
        always=("id", "created"),
        reads=False,
        destroys=True,
    ),
    Tool(
        "memory_recent",
        "Latest memories",
        "The memories that were written or changed last. Use it to see what is new in a project.",
        recent,
        takes=(
            ANY_PROJECT, Field(name="limit", kind=WHOLE, help="Memories at most.", default=20, least=1, most=100, caps=True), SPACE
        ),
        answers=_MEMORIES,
        always=("memories",),
    ),
    Tool(
        "memory_stats",
        "Figures of memory",
        "How many memories there are by kind, state and project, how many lack a vector, the schema and the back end.",
        stats,
        takes=(SPACE,),
        answers=shapes.record(MemoryStats)["properties"],
        always=("by_kind", "by_state", "by_project", "missing_vectors", "schema", "backend"),
    ),
)  # fmt: skip
