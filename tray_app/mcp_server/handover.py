"""`handoff_pack`, `handoff_get`, `handoff_put`, `checkpoint_*`, `archive_sessions`: from one session to the next.

Pack and card go out byte for byte as they were made, in their own marks, so that the same prefix is cached across sessions.
"""

from __future__ import annotations

from typing import Any

from tray_app.errors import UsageError
from tray_app.mcp_server import shapes
from tray_app.mcp_server.fences import counted, quoted_lines, said_of
from tray_app.mcp_server.fields import SWITCH, TEXT, TEXTS, WHOLE, Field
from tray_app.mcp_server.tool import ANY_PROJECT, PROJECT, SPACE, Call, Reply, Tool
from tray_app.records import ArchiveReport, CardView, CheckpointState, CheckpointView, PackLayer, PackView, ResumeAdvice
from tray_app.records.memory import FIELDS, LIST_FIELDS
from tray_app.text.own_marks import bare

FIELD_CHARS = 4_000
CARD_CHARS = 40_000
CARD_FIELDS = ("project", "id", "state", "markdown", "created", "checkpoint", "exported_to", "export_error", "history")
PACK_FIELDS = ("project", "pack", "version", "tokens", "budget", "layers", "dropped", "resume")
RESUME_FIELDS = ("advice", "text", "agent", "session", "date_text", "compacted", "command")
"""Without the title: that is old talk, and nothing would mark it as such here."""
POINT_FIELDS = ("id", "state", "created", "updated", *FIELDS, "source_agent", "source_session", "evidence")
EMPTY_PACK = "Nothing is known of this project yet. What was said about it is found with session_recall."


def pack(call: Call) -> Reply:
    own = call.session or None
    view = call.backend.pack(call.project(), call["budget_tokens"], call["with_meta"], exclude_session=own, **call.where)
    data, advice = shapes.picked(view, PACK_FIELDS), view.resume
    texts = [view.pack]
    if advice is not None:
        data["resume"] = shapes.picked(advice, RESUME_FIELDS)
        texts += [said_of(advice.text, 1_000)] if advice.text else []
    return Reply("", data, note="" if holds_anything(view) else EMPTY_PACK, plain=True, exact=("pack",), more=tuple(texts))


def holds_anything(view: PackView) -> bool:
    """Whether a pack says more than that nothing is written down."""
    return any(layer.items or layer.dropped for layer in view.layers)


def card(call: Call) -> Reply:
    view = call.backend.card(call.project(), **call.where)
    note = "" if view.markdown else f"{said_of(view.project)} has no card yet. It is made by checkpoint_put."
    texts = (view.markdown,) if view.markdown else ()
    return Reply("", shapes.picked(view, CARD_FIELDS), note=note, plain=True, exact=("markdown",), more=texts)


def put_card(call: Call) -> Reply:
    view = call.backend.put_card(call.project(), bare(call["content"]), **call.where)
    head = f"The card of {said_of(view.project)} reads so now: card {view.id}."
    if view.history:
        head += " Earlier ones are kept."
    if view.export_error:
        head += f" It was not written to a file: {said_of(view.export_error)}"
    data = shapes.picked(view, [name for name in CARD_FIELDS if name != "markdown"])
    return Reply(head, data, plain=True)


def put(call: Call) -> Reply:
    fields = {name: call.values[name] for name in FIELDS if name in call.values}
    if not fields:
        raise UsageError("nothing_given", "Nothing to write", "No field was given.", f"Give some of: {', '.join(FIELDS)}.")
    return state_reply(call.backend.put_checkpoint(call.project(), fields, **call.where), f"Written: {', '.join(fields)}.")


def get(call: Call) -> Reply:
    return state_reply(call.backend.checkpoint(call.project(), **call.where), "")


def promote(call: Call) -> Reply:
    return state_reply(call.backend.promote_draft(call.project(), **call.where), "The draft was merged into the checkpoint.")


def state_reply(state: CheckpointState, did: str) -> Reply:
    parts = {"active": state.active, "draft": state.draft}
    data: dict[str, Any] = {"project": state.project} | {
        name: shapes.picked(one, POINT_FIELDS) if one is not None else None for name, one in parts.items()
    }
    lines = [line for name, one in parts.items() if one is not None for line in point_lines(name, one)]
    head = f"Project {said_of(state.project)}. {did}".strip()
    if not lines:
        head += " Nothing was checkpointed yet. To write the state: checkpoint_put."
    note = "A draft waits: show it to the person, then checkpoint_promote." if state.draft is not None else ""
    return Reply(head, data, "\n".join(lines), note=note)


def point_lines(name: str, one: CheckpointView) -> list[str]:
    lines = [f"The {'checkpoint' if name == 'active' else 'draft'} of {one.updated[:10]}:"]
    for field in FIELDS:
        value = getattr(one, field)
        text = "\n".join(f"- {item}" for item in value) if field in LIST_FIELDS else value
        if text:
            lines += [f"{field}:", quoted_lines(text)]
    return [*lines, ""]


def archive(call: Call) -> Reply:
    done = call.backend.archive_sessions(call["project"] or None, call["limit"], report=call.report, **call.where)
    head = (
        f"Archived {counted(done.archived, 'session')}, {done.again} again because they had grown; "
        f"{counted(done.drafts, 'draft')} made. "
        f"{done.waiting} wait for the next run, {done.unfinished} are not finished, {done.before_baseline} are from before "
        "archiving began."
    )  # fmt: skip
    return Reply(head, shapes.plain(done), plain=True)


def _field(name: str, text: str) -> Field:
    return Field(name=name, kind=TEXTS if name in LIST_FIELDS else TEXT, help=text, chars=FIELD_CHARS, partial=True)


_POINT = shapes.either(shapes.record(CheckpointView, POINT_FIELDS))
_STATE = {"project": shapes.TEXT, "active": _POINT, "draft": _POINT}
TOOLS = (
    Tool(
        "handoff_pack",
        "Context pack",
        "What a new session reads first about a project: baseline, lasting facts, current state, next steps. Read it once at the "
        "start of a session, before you look around in the code. After it stands whether the last session is better resumed.",
        pack,
        takes=(
            PROJECT,
            Field(
                name="budget_tokens", kind=WHOLE, default=0, shown=2_000, least=200, most=50_000, caps=True,
                help="Tokens at most; left out: as many as the person set (2,000 if nothing was set).",
            ),
            Field(name="with_meta", kind=SWITCH, help="With dates and ids, which are left out to keep it cacheable.", default=False),
            SPACE,
        ),
        answers={
            **shapes.record(PackView, PACK_FIELDS)["properties"], "layers": shapes.listed(shapes.record(PackLayer)),
            "resume": shapes.either(shapes.record(ResumeAdvice, RESUME_FIELDS)),
        },
        always=("project", "pack", "version", "tokens"),
    ),
    Tool(
        "handoff_get",
        "Read the hand-over card",
        "The project's hand-over card: goal, done, doing, next, files, open questions, as markdown.",
        card,
        takes=(PROJECT, SPACE),
        answers=shapes.record(CardView, CARD_FIELDS)["properties"],
        always=("project", "state", "markdown"),
    ),
    Tool(
        "handoff_put",
        "Write the hand-over card",
        "Write the card by hand, as markdown. checkpoint_put is the better way: it keeps the state in fields and renders the card.",
        put_card,
        takes=(
            PROJECT, Field(name="content", kind=TEXT, help="The card, markdown.", required=True, chars=CARD_CHARS), SPACE
        ),
        answers=shapes.record(CardView, [name for name in CARD_FIELDS if name != "markdown"])["properties"],
        always=("project", "id"),
        reads=False,
        repeats=False,
    ),
    Tool(
        "checkpoint_put",
        "Write the checkpoint",
        "Write the state of a project before a session ends or its context is compacted: what the goal is, what is done, what is "
        "being done, what comes next, which files, what is open. Only fields that are given change; an empty text or list empties "
        "one. The card is rendered again.",
        put,
        takes=(
            PROJECT,
            _field("baseline", "What the project is and what always holds."),
            _field("goal", "What this work is for."),
            _field("done", "What is finished."),
            _field("doing", "What is being done now, and how far it is."),
            _field("next", "The next steps, in order."),
            _field("files", "Files that matter."),
            _field("open_questions", "What is undecided."),
            SPACE,
        ),
        answers=_STATE,
        always=("project",),
        reads=False,
    ),
    Tool(
        "checkpoint_get",
        "Read the checkpoint",
        "The state of a project in fields, and the draft that was made from a finished session, if one waits.",
        get,
        takes=(PROJECT, SPACE),
        answers=_STATE,
        always=("project",),
    ),
    Tool(
        "checkpoint_promote",
        "Accept the draft",
        "Merge the draft into the active checkpoint. Only after the person has seen the draft (checkpoint_get).",
        promote,
        takes=(PROJECT, SPACE),
        answers=_STATE,
        always=("project",),
        reads=False,
        destroys=True,
        repeats=False,
    ),
    Tool(
        "archive_sessions",
        "Archive finished sessions",
        "Summarise finished sessions now instead of later: each becomes a memory, with a draft of the checkpoint.",
        archive,
        takes=(
            ANY_PROJECT, Field(name="limit", kind=WHOLE, help="Sessions at most (0: all).", default=20, most=1_000, caps=True), SPACE
        ),
        answers=shapes.record(ArchiveReport)["properties"],
        always=("archived", "drafts"),
        reads=False,
    ),
)  # fmt: skip
