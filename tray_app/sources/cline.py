"""Cline, Roo Code and Kilo Code: tasks in the storage of an editor's extension, each a folder of JSON documents.

Owns folders, names and ids, and the folding of a task: words from the conversation that was sent to the model, times and
tokens from what was shown. What stands in a message is in `cline_words`. The documents are rewritten whole at every step.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import cline_words as words
from tray_app.sources.base import (
    Checkpoint,
    Context,
    Limits,
    NotReady,
    Reading,
    Report,
    Session,
    Stop,
    Stopped,
    Unit,
    Usage,
)
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.drift import UnknownKinds
from tray_app.sources.editor_folders import user_folders
from tray_app.sources.json_values import arguments, count_of, decoded, output, text_of
from tray_app.sources.talk import Talk
from tray_app.sources.walk import files_under

EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code")
CONVERSATION = "api_conversation_history.json"
SHOWN = ("ui_messages.json", "claude_messages.json")
SIDE = ("history_item.json", "task_metadata.json")
INDEX = ("state/taskHistory.json", "taskHistory.json", "tasks/_index.json")
DOCUMENT_BYTES = 128 << 20
SIDE_BYTES = 16 << 20
MESSAGES_BETWEEN_STOPS = 100
SURE_CHARS = 20
"""Words shown that are this long may be the beginning only of what the person said."""


class ClineAdapter:
    """Tasks of Cline and its descendants. Nothing outside the editor can resume one."""

    agent = "cline"
    name = "Cline"
    version = 1
    confidence = "fixtures"

    def roots(self, home: SourcesHome) -> list[Path]:
        """The storage of each extension in each editor, then that of the command line."""
        folders = [user / "globalStorage" / extension for user in user_folders(home) for extension in EXTENSIONS]
        return [*folders, home.home / ".cline" / "data"]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        folder = root / "tasks" if (root / "tasks").is_dir() else root
        for found in files_under(folder, lambda name: name == CONVERSATION, report, self.agent, depth=3, enter=_entered):
            task = found.path.parent
            yield Unit(
                agent=self.agent,
                root=root,
                path=found.path,
                session=task.name,
                size=found.size,
                mtime_ns=found.mtime_ns,
                inode=found.inode,
                others=tuple(task / name for name in (*SHOWN, *SIDE) if (task / name).is_file()),
            )

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """The whole task, always."""
        data = _bytes(unit.path, DOCUMENT_BYTES)
        if not data.strip(b" \t\r\n\x00"):
            raise NotReady("the file is empty")
        conversation = decoded(data, words.CONVERSATION)
        if conversation is None:
            problem = Problem(
                path=str(unit.path), line=0, offset=0, kind="bad_json", reason="not a conversation", agent=unit.agent
            )
            return Reading(
                session=Session(id=unit.session),
                messages=[],
                problems=[problem],
                checkpoint=None,
                bytes_read=len(data),
                records=1,
                skipped=1,
            )
        return _Task(unit, limits, _shown(unit.path.parent)).reading(conversation, len(data), stop)

    def resume_command(self, session: Session) -> str:
        return ""


def _entered(folder: Path) -> bool:
    return folder.name not in ("checkpoints", "settings", "cache", ".git", "node_modules")


class _Task:
    """Folds one task. The moments of a conversation without times are those of what was shown beside it, in order."""

    def __init__(self, unit: Unit, limits: Limits, shown: list[words.Shown]) -> None:
        self.unit = unit
        self.history = _history(unit)
        self.parent = text_of(self.history.parent)
        self.talk = Talk(unit.session, limits, subagent=bool(self.parent))
        self.asked = [(milliseconds(one.ts), one) for one in shown if one.say == "api_req_started"]
        self.heard = [
            (milliseconds(one.ts), text_of(one.text).strip()) for one in shown if one.say in ("task", "text", "user_feedback")
        ]
        self.moment = milliseconds(int(unit.session)) if unit.session.isdecimal() and len(unit.session) < 16 else 0
        self.moment = self.moment or milliseconds(self.history.ts) or unit.mtime_ns // 1_000_000
        self.model = text_of(self.history.model_id) or _model(unit.path.parent)
        self.cwd = text_of(self.history.workspace) or text_of(self.history.cwd)
        self.tool = ""
        """The tool whose output stands in the next block."""
        self.speaking: dict[str, str] = {}
        """Calls by which the model spoke to the person: their result is the person's answer."""
        self.unknown = UnknownKinds()

    def reading(self, conversation: list[words.Said], size: int, stop: Stop) -> Reading:
        recognised = turns = 0
        for number, said in enumerate(conversation):
            if number % MESSAGES_BETWEEN_STOPS == 0 and stop():
                raise Stopped
            role = text_of(said.role)
            if role not in ("user", "assistant"):
                if role != "system":
                    self.unknown.met(role)
                recognised += role == "system"
                continue
            recognised += 1
            time = milliseconds(said.ts)
            if role == "assistant":
                time = time or (self.asked[turns][0] if turns < len(self.asked) else 0)
                turns += 1
                info = decoded(said.model_info, words.MODEL_INFO)
                self.model = (text_of(info.model_id) if info is not None else "") or self.model
            self.moment = time or self.moment
            for block in words.blocks_of(said.content):
                self._block(role, block, summary=said.is_summary is True)
        for number, (time, one) in enumerate(self.asked):
            self._count(number, time, one)
        memory = self.talk.memory
        return Reading(
            session=Session(
                id=self.unit.session,
                cwd=self.cwd,
                title=memory.title,
                start=memory.start,
                end=memory.end,
                model=self.model,
                kind="subagent" if self.parent else "main",
                parent=self.parent,
            ),
            messages=self.talk.collector.messages(),
            usage=list(self.talk.usage.values()),
            checkpoint=None,
            bytes_read=size,
            records=len(conversation),
            recognised=recognised,
            unknown=self.unknown.total(),
            unknown_kinds=self.unknown,
            truncated=self.talk.collector.truncated,
        )

    def _block(self, role: str, block: words.Block, *, summary: bool) -> None:
        kind, talk = text_of(block.type), self.talk
        if kind == "text":
            text = text_of(block.text)
            if role == "user":
                self._asked(text, summary=summary)
            elif summary:
                talk.say("summary", text, self.moment)
            else:
                self._answered(text)
        elif kind in ("thinking", "reasoning"):
            talk.think(text_of(block.thinking) or text_of(block.text), self.moment)
        elif kind == "tool_use":
            tool = text_of(block.name)
            spoken = words.spoken_argument(tool, block.input)
            if spoken:
                talk.say("assistant", spoken, self.moment)
                self.speaking[text_of(block.id)] = tool
                return
            given, files = arguments(block.input)
            talk.call(tool, given, files, self.moment, call=text_of(block.id), given=block.input)
        elif kind == "tool_result":
            self._result("", output(block.content), call=text_of(block.tool_use_id))
        elif kind not in ("image", "document", "redacted_thinking"):
            self.unknown.met(kind)

    def _asked(self, text: str, *, summary: bool) -> None:
        self.cwd = self.cwd or words.folder_in(text)
        if summary:
            self.talk.say("summary", text, self.moment)
            return
        tool, found = words.result_in(text)
        if tool and not found:  # the output stands in the next block
            self.tool = tool
        elif tool:
            self._result(tool, found)
        elif self.tool and not text.lstrip().startswith("<environment_details>"):
            tool, self.tool = self.tool, ""
            self._result(tool, text)
        else:
            self.tool = ""
            self._person(words.person_words(text))

    def _result(self, tool: str, text: str, *, call: str = "") -> None:
        named, found = words.result_in(text)
        tool = tool or named or self.speaking.pop(call, "")
        if tool in words.SPEAKING:
            self._person(words.person_words(text))
            return
        self.talk.result(words.output_words(found if named else text), self.moment, call=call, tool=tool)
        self._person(words.feedback_in(text))

    def _person(self, said: str) -> None:
        if said:
            self.talk.say("user", said, self._heard(said) or self.moment)

    def _heard(self, said: str) -> int:
        """When these words were shown as the person's; 0 if they were not."""
        for place, (time, text) in enumerate(self.heard):
            if text and (text == said or (len(text) >= SURE_CHARS and said.startswith(text))):
                del self.heard[: place + 1]
                self.moment = max(self.moment, time)
                return time
        return 0

    def _answered(self, text: str) -> None:
        for piece in words.pieces_of(text):
            if piece.kind == "call":
                self.talk.call(piece.tool, piece.text, piece.files, self.moment)
            elif piece.kind == "thought":
                self.talk.think(piece.text, self.moment)
            else:
                self.talk.say("assistant", piece.text, self.moment)

    def _count(self, number: int, time: int, one: words.Shown) -> None:
        asked = decoded(text_of(one.text).encode("utf-8", "replace"), words.ASKED)
        if asked is not None:
            key = f"{self.unit.session}:{number}"
            counts = [count_of(value) for value in (asked.tokens_in, asked.tokens_out, asked.cache_reads, asked.cache_writes)]
            self.talk.count(Usage(key, time, self.model, *counts))


def _bytes(path: Path, most: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(most)


def _side(paths: Iterable[Path]) -> Iterator[bytes]:
    for path in paths:
        try:
            yield _bytes(path, SIDE_BYTES)
        except OSError:  # a side file: the task is read without it
            continue


def _shown(task: Path) -> list[words.Shown]:
    for data in _side(task / name for name in SHOWN):
        found = decoded(data, words.SHOWN)
        if found is not None:
            return found
    return []


def _history(unit: Unit) -> words.History:
    """The task's own file, else its entry in the list of tasks."""
    for data in _side([unit.path.with_name(SIDE[0])]):
        found = decoded(data, words.HISTORY)
        if found is not None:
            return found
    for path in (unit.root / name for name in INDEX):
        try:
            info = path.stat()
            listed = _index(path, info.st_mtime_ns, info.st_size)
        except OSError:  # no list of tasks here
            continue
        if unit.session in listed:
            return listed[unit.session]
    return words.History()


@functools.lru_cache(maxsize=8)
def _index(path: Path, mtime_ns: int, size: int) -> dict[str, words.History]:
    """Tasks by id, of one state of the list (so that a thousand tasks cost one reading of it)."""
    return {text_of(one.id): one for one in decoded(_bytes(path, SIDE_BYTES), words.HISTORIES) or []}


def _model(task: Path) -> str:
    for data in _side([task / SIDE[1]]):
        found = decoded(data, words.METADATA)
        used = decoded(found.model_usage, words.MODEL_USAGES) if found is not None else None
        if used:
            return text_of(used[-1].model_id)
    return ""
