"""What goes to the clipboard: plain text alone, byte for byte, with LF.

Owns the citation's words (they are for the chat, so they are the same in every language) and reading back what was set.
"""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QClipboard, QGuiApplication

from tray_app.records import Hit, SessionHits, SessionView
from tray_app.ui import wording
from tray_app.ui.text_layout import one_line

LARGEST = 8_000_000
"""Characters; more than that makes other programs hang when they look at the clipboard."""


def put(text: str, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> bool:
    """Set the clipboard; True if it reads back the same. Line ends become LF, NUL goes (it would cut the text)."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if len(kept) > LARGEST:
        return False
    kept = kept.encode("utf-8", "replace").decode("utf-8")
    data = QMimeData()
    data.setData("text/plain;charset=utf-8", kept.encode("utf-8"))
    data.setText(kept)
    board = QGuiApplication.clipboard()
    board.setMimeData(data, mode)
    return board.text(mode) == kept


def citation(agent: str, project: str, date_text: str, title: str, resume: str) -> str:
    """One or two lines that say where a passage is from and how to go on with that session."""
    parts = (wording.AGENTS.get(agent, agent), one_line(project), date_text, f"“{one_line(title)}”" if title.strip() else "")
    line = "— " + " · ".join(part for part in parts if part)
    return f"{line}\n  {one_line(resume)}" if resume.strip() else line


def passage(hit: Hit, group: SessionHits) -> str:
    """A passage, whole, with its citation."""
    return f"{hit.text}\n\n{citation(group.agent, group.project, hit.date_text, group.title, group.resume_command)}\n"


def for_chat(text: str, source: str) -> str:
    """A passage as a quotation for the chat: each line after '> ', so that an agent takes it as quoted, not as orders."""
    quoted = "\n".join("> " + line if line else ">" for line in text.split("\n"))
    return f"{quoted}\n\n{source}\n"


def session_markdown(view: SessionView) -> str:
    """A whole session as a markdown document. Tool calls and results stand in fences longer than any inside."""
    lines = [f"# {one_line(view.title) or view.session}", ""]
    facts = (
        ("Agent", wording.AGENTS.get(view.agent, view.agent)),
        ("Project", view.project),
        ("Folder", view.cwd),
        ("Started", view.start or ""),
        ("Ended", view.end or ""),
        ("Session", view.session),
        ("Resume", f"`{view.resume_command}`" if view.resume_command else ""),
    )
    lines += [f"- {name}: {one_line(value)}" for name, value in facts if value]
    names = {"user": "You", "assistant": wording.AGENTS.get(view.agent, view.agent), "reasoning": "Reasoning"}
    for message in view.messages:
        name = names.get(message.role) or message.role.replace("_", " ").capitalize()
        head = " · ".join(part for part in (name, one_line(message.tool), message.time or "") if part)
        lines += ["", f"## {head}", ""]
        if message.role in ("tool_call", "tool_result", "reasoning"):
            fence = "`" * max(3, _longest_run(message.text) + 1)
            lines += [fence, message.text.strip("\n"), fence]
        else:
            lines.append(message.text.strip("\n"))
    return "\n".join(lines) + "\n"


def _longest_run(text: str) -> int:
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest
