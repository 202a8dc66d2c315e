"""All tools by name, and the carrying out of one: arguments checked, the answer or the error in words.

Owns how an error is told: a sentence with what to do, and its code as data; what we did wrong goes to the log.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tray_app.errors import AppError, BugError
from tray_app.mcp_server import conversations, fields, handover, indexing, memories, tending
from tray_app.mcp_server.fences import said_of
from tray_app.mcp_server.link import Link
from tray_app.mcp_server.tool import Call, Tool
from tray_app.records import Progress

log = logging.getLogger(__name__)

TOOLS: dict[str, Tool] = {
    tool.name: tool for tool in (*conversations.TOOLS, *indexing.TOOLS, *memories.TOOLS, *handover.TOOLS, *tending.TOOLS)
}
OUTSIDE = (
    "Pass space with the name of the space that is meant, or space='default' for what belongs to none, if the person agrees."
)
ERROR_CHARS = 600


@dataclass(frozen=True)
class Outcome:
    """What came of a call: texts and data, or an error's."""

    texts: list[str]
    data: dict[str, Any]
    failed: bool = False


def tool_named(name: str) -> Tool | None:
    """A tool by its name, in camelCase too."""
    if name in TOOLS:
        return TOOLS[name]
    plain = name.replace("_", "").replace("-", "").lower()
    return next((tool for tool in TOOLS.values() if tool.name.replace("_", "") == plain), None)


def near_names(name: str) -> str:
    """What somebody who asked for an unknown tool may have meant."""
    near = difflib.get_close_matches(name[:200], TOOLS, 1)
    return f"Did you mean {near[0]}?" if near else f"There are: {', '.join(TOOLS)}."


def carry_out(
    tool: Tool,
    given: Mapping[str, Any] | None,
    link: Link,
    *,
    session: str = "",
    report: Callable[[Progress], None] = lambda progress: None,
) -> Outcome:
    """Answer one call. Raises nothing."""
    try:
        values = fields.read(tool.takes, given)
        backend = link.backend()
        call = Call(backend, values, link.folder, session, report, link.first_reading)
        reply = tool.run(call)
        link.keep_fresh(backend)
        texts, data = reply.rendered()
    except AppError as error:
        log.info("%s: %s", tool.name, error.code)
        return failure(error, OUTSIDE if error.code == "outside_spaces" else "")
    except Exception as fault:
        log.exception("%s failed", tool.name)
        return failure(bug(fault))
    return Outcome(texts, data)


def failure(error: AppError, hint: str = "") -> Outcome:
    """An error in words, on one line and harmless: it may name what was asked. `hint` takes the place of the error's own."""
    parts = {"code": error.code, "title": error.title, "message": error.message, "hint": hint or error.hint}
    said = {name: said_of(text, ERROR_CHARS) for name, text in parts.items()}
    title = said["title"] if said["title"].endswith("?") else said["title"] + ":"
    text = " ".join(part for part in (title, said["message"], said["hint"]) if part)
    return Outcome([text], {"error": said}, True)


def bug(fault: BaseException) -> BugError:
    return BugError(
        "bug",
        "Something went wrong inside",
        f"{type(fault).__name__}.",
        "Details are in Backscroll's log (mcp.log); see doctor.",
    )
