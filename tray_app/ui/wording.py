"""Names and sentences that several windows share: agents, verdicts, reasons of an answer, errors.

Owns the translations that key on a code of the engine. Texts come from the records where a code is unknown here.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from tray_app.agents.install import ConfigFault
from tray_app.errors import AppError
from tray_app.records import Answer
from tray_app.ui import i18n

AGENTS = {
    "aider": "Aider",
    "claude_code": "Claude Code",
    "cline": "Cline",
    "codebuddy": "CodeBuddy Code",
    "codex": "Codex",
    "copilot_cli": "Copilot CLI",
    "cursor": "Cursor",
    "dsh": "DSH",
    "gemini_cli": "Gemini CLI",
    "kimi": "Kimi",
    "opencode": "OpenCode",
    "pi": "pi",
    "qwen": "Qwen Code",
    "workbuddy": "WorkBuddy",
    "zcode": "ZCode",
}
"""Proper names are the same in every language; `memory` is no proper name."""


class Wording:
    """Shared sentences in the language in force. One object; its methods are this module's functions below."""

    def tr(self, text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("Wording", text, comment, number)

    def agent_name(self, agent: str) -> str:
        """'Claude Code', 'Memory files'; an agent unknown to us by its own id, in words."""
        if agent == "memory":
            return self.tr("Memory files")
        return AGENTS.get(agent) or agent.replace("_", " ").strip().title()

    def agent_called(self, name: str) -> str:
        """The key of the agent that its adapter calls so; the name itself where it is none of them."""
        return {**{called: agent for agent, called in AGENTS.items()}, "Memory files": "memory"}.get(name, name)

    def role_name(self, role: str, agent: str) -> str:
        """Who speaks: 'You', the agent's name, 'Tool', …"""
        names = {
            "user": self.tr("You"),
            "tool_call": self.tr("Tool"),
            "tool_result": self.tr("Tool"),
            "reasoning": self.tr("Reasoning"),
            "summary": self.tr("Summary"),
            "note": self.tr("Note"),
        }
        return names.get(role) or self.agent_name(agent)

    def filter_value(self, key: str, value: str) -> str:
        """What a filter asks for, in words."""
        if key == "agent":
            return self.agent_name(value)
        roles = {
            "user": self.tr("said by you"),
            "assistant": self.tr("said by the agent"),
            "tool": self.tr("tools"),
            "tool_call": self.tr("tool calls"),
            "tool_result": self.tr("tool results"),
            "summary": self.tr("summaries"),
            "reasoning": self.tr("reasoning"),
            "note": self.tr("notes"),
        }
        return roles.get(value, value) if key in ("role", "kind") else value

    def reason_name(self, reason: str) -> str:
        """Why a passage was found: words, meaning, date."""
        names = {"words": self.tr("words"), "meaning": self.tr("meaning"), "date": self.tr("date")}
        return names.get(reason, reason)

    def verdict_text(self, answer: Answer) -> str:
        """The headline of an answer that needs one; '' where the results speak for themselves."""
        if answer.verdict == "unsure":
            return self.tr("Not sure. Is it one of these?")
        if answer.verdict == "nothing":
            return self.tr("Nothing found")
        return ""

    def reason_text(self, answer: Answer) -> str:
        """Why the verdict is as it is, one sentence, by `reason_code`."""
        missing = self.tr(", ", "between listed words").join(
            self.tr("“{word}”").format(word=word) for word in answer.missing[:3]
        )
        texts = {
            "found_words": self.tr("The words stand together in one passage."),
            "found_meaning": self.tr("This passage means what was asked."),
            "found_both": self.tr("The words and the meaning point to the same passage."),
            "weak_words": self.tr("No passage matches well enough to be called the answer."),
            "weak_meaning": self.tr("What is nearest in meaning is not near enough to be called the answer."),
            "quoted_back": self.tr("The agent only repeats the question there."),
            "disagree": self.tr("The words and the meaning point to different passages."),
            "missing_words": self.tr("No passage has {words}.").format(words=missing)
            if missing
            else self.tr("Some words stand in no passage."),
            "no_words": self.tr("There is no word to search for."),
            "nothing_matches": self.tr("Nothing matches these words."),
            "nothing_in_time": self.tr("Nothing matches in that time."),
            "excluded_all": self.tr("What matches is excluded by a word with a minus."),
            "empty_index": self.tr("Nothing has been read yet."),
            "filter_unknown": self.tr("A filter names something that is not in the index."),
            "too_long": self.tr("The question is too long; its beginning was used."),
            "recent": self.tr("The latest passages."),
        }
        return texts.get(answer.reason_code, answer.reason)

    def error_text(self, fault: AppError) -> str:
        """An error in one or two sentences, by its code; the error's own words where the code is unknown here."""
        texts = {
            "settings_unreadable": self.tr("The settings file cannot be read, so nothing was saved. Mend or remove it."),
            "settings_unwritable": self.tr("The settings file cannot be written. The change holds until you quit."),
            "disk_full": self.tr("The disk is full. Nothing more is read until there is room."),
            "index_locked": self.tr("Another program holds the index. Quit it and try again."),
            "index_newer": self.tr("The index was made by a newer version. Update this one."),
            "index_unwritable": self.tr("The index cannot be written. Look at the folder's permissions."),
            "data_unwritable": self.tr("The data folder cannot be written. Look at its permissions."),
            "data_unreachable": self.tr("The data folder cannot be reached."),
            "data_foreign": self.tr("The data folder belongs to another user. Start Backscroll as that user."),
            "no_such_session": self.tr("This session is not in the index any more."),
            "no_such_message": self.tr("This passage is not in the index any more. Search again."),
            "agent_unknown": self.tr("There is no agent of that name."),
            "keyring_unusable": self.tr("The system keyring cannot be used, so no key was kept. The environment can hold it."),
            "bad_key": self.tr("That is no key: it is one word, without spaces. Copy it again."),
            "owner_lost": self.tr("The program that holds the index has gone. Try again."),
            "owner_silent": self.tr("The program that holds the index does not answer. Quit it and try again."),
            "other_version": self.tr("Another version of Backscroll is running. Quit it, then start again."),
            "reply_too_large": self.tr("The answer is too large to be shown. Ask for less."),
            "request_too_large": self.tr("The question is too long. Shorten it."),
            "no_such_project": self.tr("There is no project of that name any more."),
            "no_such_memory": self.tr("This memory is not there any more."),
            "empty_content": self.tr("There is nothing in it to keep."),
            "too_long": self.tr("That is too long to be kept. Shorten it, or make several of it."),
            "duplicate": self.tr("Another memory of this project says that already."),
            "no_draft": self.tr("No draft waits any more."),
            "memory_unwritable": self.tr("Memory cannot be written, so nothing was kept. Look at the folder's permissions."),
            "memory_unopenable": self.tr("Memory cannot be opened. The log has the details."),
            "memory_damaged": self.tr("Memory is damaged and could not be restored. Restore a backup."),
            "memory_newer": self.tr("Memory was written by a newer version. Update this one."),
            "agent_missing": self.tr("This agent was never used here. Start it once, then try again."),
            "no_such_agent": self.tr("There is no agent of that name."),
            "no_instructions": self.tr("This agent reads no instructions from a file."),
            "no_mcp": self.tr("The server for agents is not part of this installation. Install the package “mcp” beside it."),
            "backup_failed": self.tr("No copy of the file could be kept, so nothing was changed."),
            "backend_failed": self.tr("Something went wrong. The log has the details."),
            "bug": self.tr("Something went wrong. The log has the details."),
        }
        if isinstance(fault, ConfigFault) and (text := self._config_text(fault)):
            return text
        return texts.get(fault.code) or " ".join(part for part in (fault.message, fault.hint) if part)

    def _config_text(self, fault: ConfigFault) -> str:
        """Why an agent's config was left as it is: which file, and where in it."""
        place = self.tr("{file}, line {line}").format(file=fault.file, line=fault.line) if fault.line else fault.file
        texts = {
            "config_broken": self.tr("{place}: written in a way that cannot be changed safely, so it was left as it is."),
            "config_invalid": self.tr("{place}: a mistake in the file. It was left as it is; mend it, and try again."),
            "config_taken": self.tr("{place}: an entry called “backscroll” is there that is not this program. It was left."),
            "config_unreadable": self.tr("{place} cannot be read."),
            "config_foreign": self.tr("{place} is no ordinary file of yours, so it was left as it is."),
            "config_encoding": self.tr("{place} is not UTF-8 text, so it was left as it is."),
            "config_readonly": self.tr("{place} is write-protected. Take the protection off and try again."),
            "config_changed": self.tr("{place} was changed by another program meanwhile. Try again."),
            "config_unwritable": self.tr("{place} cannot be written. It is as it was."),
        }
        return texts.get(fault.code, "").format(place=place)

    def two_sentences(self, one: str, two: str) -> str:
        return self.tr("{one} {two}", "two sentences, one after the other").format(one=one, two=two)

    def passages(self, number: int) -> str:
        return self.tr("%Ln passages", "", number)

    def sessions(self, number: int) -> str:
        return self.tr("%Ln sessions", "", number)

    def messages(self, number: int) -> str:
        return self.tr("%Ln messages", "", number)

    def passages_in_sessions(self, passages: int, sessions: int) -> str:
        """'12,345 passages in 812 sessions' / '812 个会话，12,345 段'"""
        return self.tr("{passages} in {sessions}").format(passages=self.passages(passages), sessions=self.sessions(sessions))

    def skipped(self, number: int) -> str:
        return self.tr("%Ln skipped", "", number)

    def outside_time(self, words: str) -> str:
        """'Outside last week': above what lies outside the time that was understood."""
        if words and words[0].isascii() and i18n.language() == "zh_CN":
            words = f" {words}"
        return self.tr("Outside {time}").format(time=words) if words else self.tr("Outside that time")

    def also_in(self, number: int) -> str:
        return self.tr("also in %Ln other places", "", number)

    def subagents(self, number: int) -> str:
        return self.tr("%Ln sub-agents", "", number)

    def subagent_of(self, title: str) -> str:
        """'sub-agent of “Upload worker drops the last part”', or 'sub-agent' alone."""
        return self.tr("sub-agent of “{title}”").format(title=title) if title else self.tr("sub-agent")

    def recent_sessions(self) -> str:
        return self.tr("Recent sessions")

    def turns(self, number: int) -> str:
        """How often something was talked about: questions with their answers."""
        return self.tr("%Ln turns", "", number)

    def quoted(self, words: str) -> str:
        """'“last week”', where words stand within a sentence."""
        return self.tr("“{word}”").format(word=words)

    def look_further(self) -> str:
        return self.tr("None of these: look further")

    def chooses_one(self) -> str:
        return self.tr("chooses one", "after the keys Alt + 1…4")

    def untitled(self) -> str:
        return self.tr("Session without a title")

    def of(self, done: int, total: int) -> str:
        """'214 of 812 sessions'"""
        return self.tr("{done} of {total} sessions").format(done=i18n.count(done), total=i18n.count(total))


_wording = Wording()
agent_name = _wording.agent_name
agent_called = _wording.agent_called
role_name = _wording.role_name
filter_value = _wording.filter_value
reason_name = _wording.reason_name
verdict_text = _wording.verdict_text
reason_text = _wording.reason_text
error_text = _wording.error_text
two_sentences = _wording.two_sentences
passages = _wording.passages
sessions = _wording.sessions
messages = _wording.messages
passages_in_sessions = _wording.passages_in_sessions
skipped = _wording.skipped
of = _wording.of
outside_time = _wording.outside_time
also_in = _wording.also_in
subagents = _wording.subagents
subagent_of = _wording.subagent_of
recent_sessions = _wording.recent_sessions
turns = _wording.turns
quoted = _wording.quoted
look_further = _wording.look_further
untitled = _wording.untitled
chooses_one = _wording.chooses_one
