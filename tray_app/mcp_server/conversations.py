"""`session_recall` and `session_search`: what was said, found by words and meaning.

Owns what an agent is told about an answer: that a quotation carries its date, and what to do when nothing certain was found.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from tray_app import clock
from tray_app.errors import UsageError
from tray_app.mcp_server import shapes
from tray_app.mcp_server.fences import clipped, counted, quoted_lines, said_of, share
from tray_app.mcp_server.fields import QUERY_CHARS, SWITCH, TEXT, WHOLE, Field
from tray_app.mcp_server.tool import SPACE, Call, Reply, Tool
from tray_app.records import (
    Answer,
    FallbackMenu,
    Hit,
    MenuDay,
    MenuSession,
    MessageView,
    SearchRequest,
    SessionHits,
    SessionView,
    Understood,
)
from tray_app.text.dates import local_zone
from tray_app.text.snippet import snippet

PATIENCE_MS = 2_000
"""An agent waits for meaning longer than somebody who types."""
HITS_A_SESSION = 4
MOST_HITS = 100
BLOCKS, MOST_BLOCKS = 20, 50
BLOCK_CHARS = 4_000

SESSION_FIELDS = (
    "session", "agent", "workspace", "project", "title", "start", "end", "start_date_text", "end_date_text", "score",
    "resume_command",
)  # fmt: skip
HIT_FIELDS = (
    "time", "date_text", "date_human", "age_days", "is_recent", "role", "message_id", "seq", "text", "matched",
    "duplicate_count", "duplicate_times", "duplicate_sessions", "restored_by_fill",
)  # fmt: skip
SEARCH_HIT_FIELDS = ("rank", "score", "time", "date_text", "role", "kind", "tool", "message_id", "seq", "snippet", "matched")
BLOCK_FIELDS = ("index", "seq", "time", "role", "kind", "tool", "message_id", "text")
VIEW_FIELDS = ("session", "agent", "title", "cwd", "project", "start", "end", "resume_command", "total", "first")
UNDERSTOOD_FIELDS = ("query", "words", "time", "filters")

DATED = "A quotation must carry its date (date_text): memory without a date misleads."
ASK_WHICH = (
    "Not found for certain. Do not guess and do not answer from these. Show the person the numbered candidates below with "
    "their dates and ask which one it is (then session_recall with that session's id); only if it is none of them, ask for a "
    "time or another word."
)
NOTHING_IN = "Nothing was found and there are no candidates. Say so, and ask the person for a time or another word."
NEVER_READ = (
    "Nothing has been read into the index yet. The person chooses what is read: in the Backscroll window, or with "
    "`backscroll index --all-sources` in a terminal."
)


def recall(call: Call) -> Reply:
    query = call["query"].strip()
    if not query and call["session"]:
        return drill_down(call)
    if not query:
        raise UsageError(
            "no_question", "No question", "Give a query, or a session to read.", "Like this: query='why not Redis'"
        )
    most = call["max_sessions"]
    answer = asked(
        call,
        SearchRequest(
            query=query, limit=min(MOST_HITS, HITS_A_SESSION * most), max_sessions=most, role=call["role"] or None,
            session=call["session"] or None, since=days_ago(call["days"]) if call["days"] else None,
            exclude_session=None if call["include_active"] else own_session(call), dedupe=call["dedupe"],
            fresh_first=call["fresh_first"], fill_after_dedupe=call["fill_after_dedupe"], **common(call),
        ),
    )  # fmt: skip
    room = share(answer.hits)
    data: dict[str, Any] = {
        "found": answer.found, "verdict": answer.verdict, "reason": answer.reason, "engine": answer.engine,
        "understood": shapes.picked(answer.understood, UNDERSTOOD_FIELDS), "snapshot": answer.snapshot,
        "sessions": [
            {
                **shapes.picked(one, SESSION_FIELDS),
                "hits": [{**shapes.picked(hit, HIT_FIELDS), "text": clipped(hit.text, room)} for hit in one.hits],
            }
            for one in answer.sessions
        ],
    }  # fmt: skip
    if not answer.found:
        data["fallback_menu"] = shapes.plain(answer.fallback_menu or FallbackMenu(question=query))
    notes = [advice(answer), said_of(answer.meaning_note, 400), "Sessions are being read right now." if answer.indexing else ""]
    quoted = menu_lines(answer.fallback_menu) + [line for one in answer.sessions for line in session_lines(one, room)]
    return Reply(heading(answer), data, "\n".join(quoted), note=" ".join(note for note in notes if note))


def common(call: Call) -> dict[str, Any]:
    """A pretended clock is this process's, not the owner's."""
    now = clock.now(local_zone()).isoformat() if os.environ.get("BACKSCROLL_NOW") else None
    return {"patience_ms": PATIENCE_MS, "now": now, **call.where}


def days_ago(days: int) -> str:
    return (clock.now(local_zone()) - timedelta(days=days)).isoformat()


def own_session(call: Call) -> str | None:
    """The session that is calling, which is left out unless it is the one that was named."""
    named = call["session"]
    return call.session if call.session and not (named and call.session.startswith(named)) else None


def asked(call: Call, request: SearchRequest) -> Answer:
    """The answer; an index that was never read is brought up to date first, where the person has ticked something."""
    answer = call.backend.search(request)
    if answer.snapshot or answer.sessions or answer.indexing or not call.first_reading():
        return answer
    return call.backend.search(request)


def advice(answer: Answer) -> str:
    """What the model is to do with the answer."""
    if answer.found:
        return DATED
    if not answer.snapshot and not answer.sessions and not answer.indexing:
        return NEVER_READ
    if answer.fallback_menu is not None and answer.fallback_menu.sessions:
        return f"{ASK_WHICH} {DATED}"
    return f"These are what there is, without certainty. {DATED}" if answer.sessions else NOTHING_IN


def heading(answer: Answer) -> str:
    count = len(answer.sessions)
    found = f"{counted(answer.hits, 'passage')} in {counted(count, 'session')}" if count else "no passages"
    parts = [f"{'Found' if answer.found else 'Not found'} ({answer.verdict}): {found}."]
    if answer.reason and not answer.found:
        parts.append(said_of(answer.reason))
    time = answer.understood.time
    if time is not None:
        parts.append(f"Time understood: {time.first_day or 'the beginning'} to {time.last_day or 'now'}.")
    if answer.snapshot:
        parts.append(f"Index as of {answer.snapshot}.")
    return " ".join(parts)


def menu_lines(menu: FallbackMenu | None) -> list[str]:
    """The numbered candidates, and what the days were about."""
    if menu is None:
        return []
    lines = [said_of(menu.question)] if menu.question else []
    lines += [
        f"{one.index}. {said_of(one.label, 300)}   (session {said_of(one.session)}, {one.agent})" for one in menu.sessions
    ]
    lines += [f"{day.date_text}: {', '.join(said_of(topic, 80) for topic in day.topics)}" for day in menu.days]
    return [*lines, ""] if lines else []


def session_lines(one: SessionHits, room: int) -> list[str]:
    days = one.start_date_text + (f" to {one.end_date_text}" if one.end_date_text not in ("", one.start_date_text) else "")
    facts = " · ".join(part for part in (one.agent, said_of(one.project), days, f"“{said_of(one.title)}”") if part)
    lines = [f"Session {said_of(one.session)} · {facts}"]
    if one.resume_command:
        lines.append(f"Resume: {said_of(one.resume_command, 400)}")
    for hit in one.hits:
        lines += ["", hit_line(hit), quoted_lines(clipped(hit.text, room))]
    return [*lines, ""]


def hit_line(hit: Hit) -> str:
    said = [f"{hit.date_text} ({hit.date_human})" if hit.date_human else hit.date_text, hit.role, said_of(hit.tool)]
    said.append(f"message {said_of(hit.message_id)}")
    if hit.duplicate_count:
        said.append(f"said {hit.duplicate_count + 1} times")
    return " · ".join(part for part in said if part)


def drill_down(call: Call) -> Reply:
    """A session's own text, in time order."""
    around = call["around"] or None
    view = call.backend.show(call["session"], around, call["limit"], None if around else call["first"], **call.where)
    room = share(len(view.messages), BLOCK_CHARS)
    blocks = [{**shapes.picked(message, BLOCK_FIELDS), "text": clipped(message.text, room)} for message in view.messages]
    last = view.first + len(view.messages)
    note = f"More follows: ask again with first={last}. {DATED}" if last < view.total else DATED
    lines = [line for message in view.messages for line in ("", block_line(message), quoted_lines(clipped(message.text, room)))]
    title = " · ".join(part for part in (view.agent, said_of(view.project), said_of(view.title)) if part)
    return Reply(
        f"Session {said_of(view.session)}, messages {view.first + 1 if blocks else 0} to {last} of {view.total}.",
        {"found": bool(blocks), **shapes.picked(view, VIEW_FIELDS), "blocks": blocks},
        "\n".join([title, *([f"Resume: {said_of(view.resume_command, 400)}"] if view.resume_command else []), *lines]),
        note=note,
    )


def block_line(message: MessageView) -> str:
    parts = (message.time or "", message.role, said_of(message.tool), said_of(message.message_id))
    return " · ".join(part for part in parts if part)


def search(call: Call) -> Reply:
    answer = asked(
        call,
        SearchRequest(
            query=call["query"], limit=call["max_results"], agent=call["agent"] or None, project=call["project"] or None,
            session=call["session"] or None, kind=call["kind"] or None, exclude_session=own_session(call), **common(call),
        ),
    )  # fmt: skip
    width = min(call["max_snippet_chars"], share(answer.hits))
    cuts = {hit.rank: snippet(hit.text, hit.marks, width)[0] for one in answer.sessions for hit in one.hits}
    data: dict[str, Any] = {
        "engine": answer.engine, "found": answer.found, "verdict": answer.verdict, "hits": answer.hits,
        "snapshot": answer.snapshot,
        "sessions": [
            {
                **shapes.picked(one, SESSION_FIELDS),
                "hits": [{**shapes.picked(hit, SEARCH_HIT_FIELDS), "snippet": cuts[hit.rank]} for hit in one.hits],
            }
            for one in answer.sessions
        ],
    }  # fmt: skip
    lines: list[str] = []
    for one in answer.sessions:
        lines.append(f"Session {said_of(one.session)} · {one.agent} · {said_of(one.project)} · “{said_of(one.title)}”")
        for hit in one.hits:
            lines += [f"{hit.rank}. {hit_line(hit)}", quoted_lines(cuts[hit.rank])]
    note = advice(answer) if answer.found or not answer.sessions else f"Not certain: {said_of(answer.reason)} {DATED}"
    return Reply(f"{heading(answer)} Engine: {answer.engine}.", data, "\n".join(lines), note=note)


_HIT, _SESSION = shapes.record(Hit, HIT_FIELDS), shapes.record(SessionHits, SESSION_FIELDS)
_MENU = {
    "type": "object",
    "properties": {
        "question": shapes.TEXT,
        "sessions": shapes.listed(shapes.record(MenuSession)),
        "days": shapes.listed(shapes.record(MenuDay)),
    },
}


def _sessions_with(hit: dict[str, Any]) -> dict[str, Any]:
    return shapes.listed({"type": "object", "properties": {**_SESSION["properties"], "hits": shapes.listed(hit)}})


TOOLS = (
    Tool(
        "session_recall",
        "Recall past conversations",
        "Recall what the person and their coding agents said in earlier sessions, of any agent on this machine. Use it when the "
        "person refers to something from before ('as we decided', 'last week', 'that error again', '上次说的'), or when you are "
        "about to redo work that may have been done. Describe the thing in the person's own words; times such as 'yesterday' or "
        "'上周' are understood. When `found` is false, show the person the numbered candidates and ask which one it is. With "
        "`session` alone it reads that session's messages in order.",
        recall,
        takes=(
            Field(name="query", kind=TEXT, help="What to look for, in plain words; agent:codex, project:x, before:2026-10-01 narrow it.", default="", chars=QUERY_CHARS),
            Field(name="days", kind=WHOLE, help="Only the last so many days.", least=1, most=36_500),
            Field(name="role", kind=TEXT, help="Only what was said by: user, assistant, tool.", default=""),
            Field(
                name="max_sessions", kind=WHOLE, help="Sessions at most.", default=5, least=1, most=50, caps=True
            ),
            Field(name="include_active", kind=SWITCH, help="Also the session that is calling.", default=False),
            Field(name="dedupe", kind=SWITCH, help="Show what was said several times once.", default=True),
            Field(name="fresh_first", kind=SWITCH, help="Newest first.", default=False),
            Field(
                name="fill_after_dedupe", kind=SWITCH, help="Fill places that folding left empty with repetitions.", default=False
            ),
            Field(
                name="session", kind=TEXT, help="Only this session (its id or the beginning of it); alone: read it.", default="",
                aliases=("session_id",),
            ),
            SPACE,
            Field(name="around", kind=TEXT, help="Reading a session: the message to have in the middle.", default=""),
            Field(name="first", kind=WHOLE, help="Reading a session: the message to begin at, from 0.", default=0),
            Field(
                name="limit", kind=WHOLE, help="Reading a session: messages at most.", default=BLOCKS, least=1, most=MOST_BLOCKS,
                caps=True,
            ),
        ),
        answers={
            "found": shapes.SWITCH, "verdict": shapes.TEXT, "reason": shapes.TEXT, "engine": shapes.TEXT,
            "understood": shapes.record(Understood, UNDERSTOOD_FIELDS), "snapshot": shapes.TEXT,
            "sessions": _sessions_with(_HIT), "fallback_menu": _MENU,
            **shapes.record(SessionView, VIEW_FIELDS)["properties"],
            "blocks": shapes.listed(shapes.record(MessageView, BLOCK_FIELDS)),
        },
        always=("found",),
    ),
    Tool(
        "session_search",
        "Search sessions",
        "Search the index of all sessions by words and filters, and get short snippets grouped by session. Use it for exact "
        "things: an error code, a file name, a command, 'what did codex do in project x'. For a vague memory use session_recall.",
        search,
        takes=(
            Field(
                name="query", kind=TEXT, required=True, chars=QUERY_CHARS,
                help='Words; "phrases" and -without are understood.',
            ),
            Field(name="kind", kind=TEXT, help="Only: round, tool, summary, note, reasoning.", default=""),
            Field(name="agent", kind=TEXT, help="Only this agent: claude_code, codex, dsh, ...", default=""),
            Field(name="project", kind=TEXT, help="Only this project.", default=""),
            Field(name="session", kind=TEXT, help="Only this session.", default="", aliases=("session_id",)),
            Field(
                name="max_results", kind=WHOLE, help="Passages at most.", default=20, least=1, most=MOST_HITS, caps=True,
                aliases=("limit",),
            ),
            Field(
                name="max_snippet_chars", kind=WHOLE, help="Length of a snippet, in characters.", default=240, least=20,
                most=4_000, caps=True,
            ),
            SPACE,
        ),
        answers={
            "engine": shapes.TEXT, "found": shapes.SWITCH, "verdict": shapes.TEXT, "hits": shapes.WHOLE,
            "snapshot": shapes.TEXT, "sessions": _sessions_with(shapes.record(Hit, SEARCH_HIT_FIELDS)),
        },
        always=("engine", "sessions"),
    ),
)  # fmt: skip
