"""Which text under the role `user` the person wrote, in the files of CodeBuddy Code and WorkBuddy.

Owns the wrappers and marks by which injected text is known. Pure functions; knows no files and no earlier lines.

WorkBuddy wraps what the person sent in `<user_query>`, and most of its `user` messages carry none: commands, notices, skill
bodies. CodeBuddy Code wraps nothing and marks what is its own with flags or an opening tag.
"""

from __future__ import annotations

import re

import msgspec

from tray_app.sources.claude_lines import command_label, text_of
from tray_app.sources.codebuddy_lines import Part, Provider, part_text, typed

MAIN_AGENTS = frozenset({"", "cli"})
COMPACT = "compact"

_AROUND = (
    "system-reminder",
    "system_reminder",
    "craft_mode",
    "ask_mode",
    "plan_mode",
    "additional_data",
    "user-prompt-submit-hook",
    "session-start-hook",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
)
"""Blocks that the program puts before or behind a prompt: taken off, the rest is kept."""

_NOT_SAID = (
    "<command-",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification",
    "<teammate-message",
    "<conversation_history_summary",
    "<cb_summary",
    "[Request interrupted",
)
_SUMMARIES = ("<conversation_history_summary", "<cb_summary")
SUMMARY_TAGS = 3
"""Tags around one summary, at most."""
_SUMMARY_HEAD = re.compile(r"<(conversation_history_summary|cb_summary|summary)\b[^>]*>")
_TASK_HEAD = re.compile(r"<teammate-message\b[^>]*>")
_SKILL_MARKS = re.compile(r"(?:@skill:\S+\s*)+")
_QUERY, _QUERY_END = "<user_query>", "</user_query>"


class Prompt(msgspec.Struct, frozen=True):
    """What the person has to do with a message: the words they wrote, or the command they gave."""

    words: str = ""
    queried: bool = False
    """The words stood in `<user_query>`: without doubt the person's."""
    command: str = ""
    """A slash command with its arguments."""


def without_blocks(text: str) -> str:
    """The text without the program's blocks at its beginning and end; '' if a block at its beginning does not end."""
    start, end = 0, len(text)
    while True:
        while start < end and text[start].isspace():
            start += 1
        name = next((name for name in _AROUND if text.startswith((f"<{name}>", f"<{name} "), start)), "")
        if not name:
            break
        closed = text.find(f"</{name}>", start)
        if closed < 0:
            return ""
        start = closed + len(name) + 3
    while True:
        while end > start and text[end - 1].isspace():
            end -= 1
        name = next((name for name in _AROUND if text.endswith(f"</{name}>", start, end)), "")
        opened = text.rfind(f"<{name}", start, end) if name else -1
        if opened < 0 or text[opened + len(name) + 1] not in "> ":
            return text[start:end]
        end = opened


def queries(text: str) -> list[str]:
    """What stands inside the `<user_query>` blocks of a text, in order; one that does not end runs to the end."""
    found = []
    at = text.find(_QUERY)
    while at >= 0:
        start = at + len(_QUERY)
        end = text.find(_QUERY_END, start)
        found.append(text[start : end if end >= 0 else len(text)].strip())
        at = text.find(_QUERY, end) if end >= 0 else -1
    return [query for query in found if query]


def without_marks(text: str) -> str:
    """A prompt without the marks of the skills chosen for it."""
    marks = _SKILL_MARKS.match(text)
    return text[marks.end() :] if marks else text


def prompt_of(parts: list[Part], *, wraps: bool) -> Prompt:
    """The person's part of a `user` message. `wraps`: the program wraps prompts, wherever in the text they then stand."""
    plain: list[str] = []
    wrapped: list[str] = []
    for part in parts:
        shown, given = typed(part), part_text(part)
        if shown.startswith("/") and shown != given.strip():  # the text is what the program made of this command
            return Prompt(command=shown if " " in shown else "")
        text = without_blocks(given)
        if text.startswith("<command-"):
            return Prompt(command=command_label(text))
        if (wraps or text.startswith("<")) and (found := queries(text)):
            wrapped += [words for query in found if (words := without_marks(query))]
        elif not text.startswith(_NOT_SAID) and (words := without_marks(text)):
            plain.append(words)
    return Prompt(words="\n".join(wrapped), queried=True) if wrapped else Prompt(words="\n".join(plain))


def injected(provider: Provider) -> bool:
    """Whether the program's own marks say that a `user` message is neither the person's nor another agent's."""
    flags = (
        provider.skip_run,
        provider.is_meta,
        provider.is_compact,
        provider.is_compact_internal,
        provider.is_compacted,
        provider.is_summary,
    )
    return any(flag is True for flag in flags) or COMPACT in text_of(provider.agent_purpose).lower()


def from_another(provider: Provider) -> bool:
    """Whether another agent sent a `user` message."""
    return provider.is_sub_agent is True or provider.is_teammate_message is True or provider.teammate_message is not None


def task_words(text: str) -> str:
    """What a leading agent wrote to one of its team, without the tag around it; '' if there is no such tag."""
    text = without_blocks(text)
    head = _TASK_HEAD.match(text)
    return text[head.end() :].partition("</teammate-message>")[0].strip() if head else ""


def is_summary(provider: Provider, text: str) -> bool:
    """Whether a message of either role is the summary of a compaction."""
    return provider.is_summary is True or without_blocks(text).startswith(_SUMMARIES)


def summary_words(text: str) -> str:
    """A summary without the tags around it."""
    text = without_blocks(text)
    for _ in range(SUMMARY_TAGS):
        head = _SUMMARY_HEAD.match(text)
        if head is None:
            break
        end = text.rfind(f"</{head[1]}>")
        text = text[head.end() : end if end >= head.end() else len(text)].strip()
    return text
