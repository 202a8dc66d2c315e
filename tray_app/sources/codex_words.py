"""Which of the text that Codex stores under the role `user` are the person's own words.

Owns the prefixes and wrappers by which injected text is known, and the positive marks of generation C. Pure functions on
strings; knows no files.
"""

from __future__ import annotations

import re

from tray_app.sources.codex_lines import Item, parts

_WRAPPERS = (
    "user_instructions",
    "INSTRUCTIONS",
    "environment_context",
    "environments_instructions",
    "permissions instructions",
    "collaboration_mode",
    "collaboration_modes",
    "multi_agent_mode",
    "skill",
    "skills_instructions",
    "apps_instructions",
    "plugins_instructions",
    "recommended_plugins",
    "turn_aborted",
    "subagent_notification",
    "codex_internal_context",
    "goal_context",
    "user_shell_command",
    "user_action",
    "personality_spec",
    "model_switch",
    "realtime_conversation",
    "hook_prompt",
    "hook_context",
    "memory_context",
    "system-reminder",
    "agents_md",
)
_WRAPPER = re.compile(rf"<({'|'.join(map(re.escape, _WRAPPERS))})(?=[\s>/])[^>]*>")
_ANY_WRAPPER = re.compile(r"<([A-Za-z][\w-]*)(?: [^<>]*)?>.*</\1>\Z", re.DOTALL)
_FOLDER = re.compile(r"<cwd>([^<\n]+)</cwd>|^Current working directory: (.+)$", re.MULTILINE)
_IMAGE_MARK = re.compile(r"</?image\b[^<>]*>\Z")
_AGENTS_FILE = "# AGENTS.md instructions"
_HANDOVER = "Another language model started to solve this problem"
_REQUEST = "## My request for Codex:"
_NESTING = ("user_instructions", "INSTRUCTIONS", "agents_md")
"""Wrappers around a file's text, which may name the wrapper itself: they end at their last closing tag."""


def person_words(text: str) -> str:
    """What of a `user` text the person wrote: '' if it is injected as a whole, the tail if it is wrapped or prefixed."""
    rest = text.strip()
    while rest:
        if rest.startswith(_AGENTS_FILE):
            rest = _behind(rest, "</INSTRUCTIONS>", last=True)
        elif wrapper := _WRAPPER.match(rest):
            name = wrapper.group(1)
            rest = _behind(rest, f"</{name}>", last=name in _NESTING)
        else:
            break
    if rest.startswith(_HANDOVER) or _IMAGE_MARK.match(rest):
        return ""
    if rest.startswith("# ") and (_REQUEST in rest or rest.startswith("# Context from my IDE setup")):
        return _behind(rest, _REQUEST)
    return rest


def _behind(text: str, mark: str, *, last: bool = False) -> str:
    at = text.rfind(mark) if last else text.find(mark)
    return text[at + len(mark) :].strip() if at >= 0 else ""


def looks_wrapped(text: str) -> bool:
    """Whether the whole text is one tag around something: the shape of all that is injected, whatever its name."""
    return _ANY_WRAPPER.match(text) is not None


def item_words(item: Item) -> tuple[str, bool]:
    """The person's words of a `user` message, and whether the writer itself vouches for them (generation C)."""
    note = item.internal_chat_message_metadata_passthrough
    kinds = (note.content_item_kinds if note else None) or []
    sources = (note.content_item_metadata if note else None) or []
    said, vouched = [], False
    for position, text in enumerate(parts(item.content) or parts(item.message)):
        kind = (kinds[position] if position < len(kinds) else "") or ""
        source = sources[position] if position < len(sources) else None
        author = (source.provenance.type if source and source.provenance else "") or ""
        if (kind not in ("", "unknown") and not kind.startswith("user.")) or author not in ("", "user"):
            continue
        if words := person_words(text):
            said.append(words)
            vouched = vouched or kind.startswith("user.") or author == "user"
    return "\n".join(said), vouched


def environment_folder(item: Item) -> str:
    """The working folder named in an injected environment block: generation A says it nowhere else."""
    for text in parts(item.content):
        if text.lstrip().startswith("<environment_context>") and (found := _FOLDER.search(text)):
            return (found.group(1) or found.group(2)).strip()
    return ""


def summary_words(message: str) -> str:
    """The summary in a `compacted` line, without the sentence that Codex puts in front of it."""
    text = message.strip()
    if text.startswith(_HANDOVER):
        return text.partition("\n")[2].strip()
    return text
