"""`pages_index`, `pages_search`, `cache_stats`, `doctor`, `cleanup`: long documents, figures, the check-up, tidying."""

from __future__ import annotations

import msgspec

from tray_app.errors import UsageError
from tray_app.mcp_server import shapes
from tray_app.mcp_server.fences import clipped, counted, quoted_lines, said_of, share
from tray_app.mcp_server.fields import QUERY_CHARS, SWITCH, TEXT, VALUES, WHOLE, Field
from tray_app.mcp_server.tool import ANY_PROJECT, PROJECT, SPACE, Call, Reply, Tool
from tray_app.records import CacheStats, CleanupItem, CleanupPlan, Finding, PageView, ParagraphView
from tray_app.settings import checked

PAGE_FIELDS = ("id", "project", "path", "title", "summary", "paragraphs", "updated", "expires", "outdated")
PARAGRAPH_FIELDS = ("page", "project", "path", "title", "heading", "text", "score", "matched", "outdated")
THRESHOLDS = (
    "session_days_with_checkpoint", "session_days", "keep_cards", "keep_checkpoints", "draft_days", "unused_days"
)  # fmt: skip
"""Settings below `memory.` that a plan goes by."""
SEVERITIES = ("error", "warn", "info", "ok")
APART = "Details are left out, since they may name what other spaces hold. The person sees them with: backscroll doctor"


def index_pages(call: Call) -> Reply:
    project = call.project()
    found = call.backend.index_pages(project, **call.where)
    shown = found[: call["limit"]]
    lines = [f"{said_of(page.path)} · “{said_of(page.title)}” · {counted(page.paragraphs, 'paragraph')}" for page in shown]
    lines = [line + (f" · {page.outdated}" if page.outdated else "") for line, page in zip(lines, shown, strict=True)]
    room = share(len(shown))
    cuts = [clipped(page.summary, room) for page in shown]
    quoted = [part for line, cut in zip(lines, cuts, strict=True) for part in (line, quoted_lines(cut), "")]
    head = f"{counted(len(found), 'long document')} of {said_of(project)}" + (
        f", {len(shown)} shown." if len(shown) < len(found) else "."
    )
    pages = [{**shapes.picked(page, PAGE_FIELDS), "summary": cut} for page, cut in zip(shown, cuts, strict=True)]
    return Reply(head, {"project": project, "total": len(found), "pages": pages}, "\n".join(quoted))


def search_pages(call: Call) -> Reply:
    query = call["query"].strip()
    if not query:
        raise UsageError("no_question", "No question", "Give a query.", "The catalogue: pages_index.")
    found = call.backend.search_pages(query, call["project"] or None, call["limit"], **call.where)
    room = share(len(found))
    lines: list[str] = []
    for one in found:
        place = " · ".join(part for part in (said_of(one.path), said_of(one.heading), one.outdated) if part)
        lines += [place, quoted_lines(clipped(one.text, room)), ""]
    data = {"paragraphs": [{**shapes.picked(one, PARAGRAPH_FIELDS), "text": clipped(one.text, room)} for one in found]}
    none = "Nothing in the long documents that were read. To read a project's documents: pages_index."
    return Reply(f"{counted(len(found), 'paragraph')}.", data, "\n".join(lines), note="" if found else none)


def cache(call: Call) -> Reply:
    found = call.backend.cache_stats(call["project"] or None, call["limit"], **call.where)
    rates = [
        f"{said_of(group.name)}: {'not logged' if group.hit_rate is None else f'{group.hit_rate:.0%} of input from the cache'}, "
        f"{counted(group.sessions, 'session')}"
        for group in (*found.by_agent, *found.by_project)
    ]
    lines = [
        *rates,
        f"{counted(found.compactions, 'compaction')}; they cost {found.thrown_away:,} tokens (measured for {found.measured_compactions}).",
        f"Sessions that read the pack: {found.with_pack}, steps to the first write {shown(found.first_write_with)}, repeated reads "
        f"{shown(found.repeated_with)}; others: {found.without_pack}, {shown(found.first_write_without)}, "
        f"{shown(found.repeated_without)}.",
    ]
    return Reply("\n".join(lines), shapes.plain(found), note=said_of(found.note, 400))


def shown(figure: float | None) -> str:
    return "not known" if figure is None else f"{figure:.1f}"


def doctor(call: Call) -> Reply:
    """The check-up is one of the whole machine: where libraries are kept apart, what it names of them stays with the person."""
    order = {name: place for place, name in enumerate(SEVERITIES)}
    found = sorted(call.backend.doctor(), key=lambda finding: order.get(finding.severity, 0))
    apart = sum(space.state != "removed" for space in call.backend.spaces()) > 1
    if apart:
        found = [msgspec.structs.replace(finding, detail="", params={}) for finding in found]
    lines = [
        f"{finding.severity}: " + ": ".join(said_of(text, 600) for text in (finding.title, finding.detail) if text)
        + (f" -> {said_of(finding.remedy, 600)}" if finding.remedy else "")
        for finding in found
    ]  # fmt: skip
    return Reply(
        "\n".join(lines) or "Nothing was found.", {"findings": shapes.plain(found)}, note=APART if apart else "", plain=True
    )


def cleanup(call: Call) -> Reply:
    """The plan, or with `apply` its doing. Thresholds hold for this call alone."""
    thresholds = {key.removeprefix("memory."): value for key, value in (call["thresholds"] or {}).items()}
    for key, value in thresholds.items():
        if key not in THRESHOLDS:
            raise UsageError("no_threshold", "Not a threshold", f"{key!r} is none.", f"There are: {', '.join(THRESHOLDS)}.")
        thresholds[key] = checked(f"memory.{key}", value)
    plan = call.backend.cleanup(apply=call["apply"], limits=thresholds or None, **call.where)
    lines = [f"{item.action}: {item.kind} {item.id} of {said_of(item.project)}, “{said_of(item.title)}”: {item.reason}"
             for item in plan.items]  # fmt: skip
    if plan.applied:
        head = f"Archived {plan.archived}, reported {plan.reported}." if plan.items else "There was nothing to tidy."
        if plan.backup:
            head += " A backup was made before, and what was archived can be restored."
    else:
        head = "There is nothing to tidy."
        if plan.items:
            head = f"{counted(len(plan.items), 'thing')} to be tidied; nothing was changed. To do it: apply=true."
    return Reply(head, shapes.plain(plan), "\n".join(lines))


TOOLS = (
    Tool(
        "pages_index",
        "Catalogue of documents",
        "Read the long documents of a project's folder (markdown, text) that are new or changed, and give their catalogue with "
        "summaries. Use it to know what documentation there is before you open files.",
        index_pages,
        takes=(
            PROJECT, Field(name="limit", kind=WHOLE, help="Documents shown at most.", default=50, least=1, most=200, caps=True), SPACE
        ),
        answers={"project": shapes.TEXT, "total": shapes.WHOLE, "pages": shapes.listed(shapes.record(PageView, PAGE_FIELDS))},
        always=("project", "pages"),
        reads=False,
    ),
    Tool(
        "pages_search",
        "Search documents",
        "Find paragraphs in the long documents that were read (pages_index), with the path of headings they stand under.",
        search_pages,
        takes=(
            Field(name="query", kind=TEXT, help="What to look for.", required=True, chars=QUERY_CHARS),
            ANY_PROJECT,
            Field(name="limit", kind=WHOLE, help="Paragraphs at most.", default=8, least=1, most=50, caps=True),
            SPACE,
        ),
        answers={"paragraphs": shapes.listed(shapes.record(ParagraphView, PARAGRAPH_FIELDS))},
        always=("paragraphs",),
    ),
    Tool(
        "cache_stats",
        "Cache figures",
        "How much of the agents' input came from the prompt cache, what compactions cost, and whether sessions that read the pack "
        "got to work sooner.",
        cache,
        takes=(
            ANY_PROJECT, Field(name="limit", kind=WHOLE, help="Sessions listed at most.", default=20, least=1, most=200, caps=True),
            SPACE,
        ),
        answers=shapes.record(CacheStats)["properties"],
        always=("by_agent", "sessions"),
    ),
    Tool(
        "doctor",
        "Check-up",
        "Check the index, memory, models, sources and the service; each finding comes with its remedy. Use it when something does "
        "not work as it should.",
        doctor,
        answers={"findings": shapes.listed(shapes.record(Finding))},
        always=("findings",),
    ),
    Tool(
        "cleanup",
        "Tidy memory",
        "What a clean-up of old summaries, cards and drafts would archive; with apply it is done, after a backup, and can be "
        "restored. Show the plan to the person before you apply it.",
        cleanup,
        takes=(
            Field(name="apply", kind=SWITCH, help="Do it.", default=False),
            Field(name="thresholds", kind=VALUES, help=f"Other limits for this call: {', '.join(THRESHOLDS)}."),
            SPACE,
        ),
        answers={
            **shapes.record(CleanupPlan, ("applied", "backup", "archived", "deleted", "reported"))["properties"],
            "items": shapes.listed(shapes.record(CleanupItem)),
        },
        always=("applied", "items"),
        reads=False,
        destroys=True,
    ),
)  # fmt: skip
