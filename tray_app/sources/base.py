"""The contract between an agent's adapter and the indexer.

An adapter knows one agent's files. It finds them (`discover`), and turns one of them, from the start or from a checkpoint,
into a `Reading`: the session's facts, its messages, and what could not be read. It holds no state between calls, writes
nothing, locks nothing, and imports neither the database nor Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import msgspec

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources import chat_tools

Report = Callable[[Problem], None]
Stop = Callable[[], bool]
"""Asked at least once a few hundred records; True means: give up this file now (raise `Stopped`)."""


class Stopped(Exception):
    """The person paused, or the program ends: the file is left for the next pass."""


class NotReady(Exception):
    """The file holds nothing that can be read yet (empty, or its first frame is torn): try again when it changes."""


ARGUMENT_CHARS = 64 * 1024
CHAT_CHARS = 256 * 1024


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of one model call, as the agent counted them, made disjoint: `input` is what missed the cache.

    -1 means that the agent did not say (which is not the same as 0).
    """

    key: str
    time: int
    model: str
    input: int = -1
    output: int = -1
    cache_read: int = -1
    cache_write: int = -1


class Message(msgspec.Struct, frozen=True, gc=False):
    """One thing said, or one tool call or result.

    `id` is the agent's own id, shown to people and scripts (Claude line uuid, Codex payload.id or call_id, DSH data.id,
    data.message.id or callId); where the agent gives none, the adapter makes a stable one from the session and position.
    `identity` is what the same message keeps in a copy, a resume or a fork of the session; it need only be unique
    together with the text. Default: the id.
    `time` is epoch milliseconds UTC, 0 where unknown. `offset` is the byte offset in the file of the line, or of the
    frame that holds it. `text` is raw: cleaning and redaction come later.
    """

    id: str
    role: str
    """user | assistant | tool_call | tool_result | reasoning | summary | note"""
    text: str
    time: int
    seq: int
    offset: int = 0
    identity: str = ""
    tool: str = ""
    files: tuple[str, ...] = ()
    """Paths a tool call names as its target, as the agent wrote them."""
    arguments: str = ""
    """A tool call's arguments as JSON, at most `ARGUMENT_CHARS`, for the tools that `Limits.is_chat` names. Never stored."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a session, as far as this reading knows them. '' and 0 mean: not said in what was read."""

    id: str
    cwd: str = ""
    title: str = ""
    title_rank: int = 0
    """Higher wins over a title known from an earlier reading; equal: the later one wins. 0 = made from the first prompt,
    1 = fallback by the agent, 2 = by the agent's model, 3 = by the person."""
    start: int = 0
    end: int = 0
    model: str = ""
    branch: str = ""
    version: str = ""
    """Version of the agent's program."""
    kind: str = "main"
    """main | subagent"""
    parent: str = ""
    """Native id of the session this one was forked, resumed or spawned from."""
    archived: bool = False


class Checkpoint(msgspec.Struct, frozen=True):
    """Where a reading ended, so that the next one costs only what was appended.

    `offset` stands after the last whole line or frame; `guard` is a hash over what stands before it (see `lines.guard`);
    `lines` counts physical lines up to there; `seq` is the next message number; `state` is the adapter's own memory
    (msgpack, small), for instance the current turn, cwd and model.
    """

    offset: int
    guard: bytes
    lines: int
    seq: int
    state: bytes = b""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What one file gave.

    `sessions` has the facts, normally one. `messages` are in order and belong to `sessions[0]` unless `of` says
    otherwise. `records` counts records looked at and `recognised` those whose kind the adapter knows: '0 of N
    recognised' is a finding.
    """

    session: Session
    messages: list[Message]
    usage: list[Usage] = []
    problems: list[Problem] = []
    checkpoint: Checkpoint | None
    """None: the file cannot be continued, read it whole next time (old JSON documents, markdown)."""
    bytes_read: int = 0
    records: int = 0
    recognised: int = 0
    skipped: int = 0
    unknown: int = 0
    unknown_kinds: dict[str, int] = {}
    """The names of the unknown records' kinds with how often each was met in this reading; see `drift`."""
    repeated: int = 0
    """Records that repeat a message within the file."""
    truncated: bool = False
    """Text was left out because the file is over its budget (the newest was kept)."""
    resumed: bool = False
    """True: the messages continue those of the checkpoint that was given. False: they are the whole session."""
    growing: bool = False
    """The last line or frame is not complete yet."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One session's file as found on disk, not opened yet.

    `session` is the native id as far as the name tells. `others` are further files of the same session whose change must
    cause a re-reading (older DSH generations, a side file with the title); the adapter chooses among them. When two
    units of an agent have the same `session`, the indexer keeps the one with the higher `preference`, then size.
    """

    agent: str
    root: Path
    path: Path
    session: str
    size: int
    mtime_ns: int
    inode: int
    others: tuple[Path, ...] = ()
    preference: int = 0
    archived: bool = False
    kind: str = "main"
    parent: str = ""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Caps of a reading. Text beyond `file_chars` is dropped oldest first; lines longer than `line_bytes` are skipped."""

    file_chars: int = 16 * 1024 * 1024
    line_bytes: int = 8 * 1024 * 1024
    tool_chars: int = 4_000
    """A tool call's or result's text is cut to this, head and tail kept."""
    window_bytes: int = 128 * 1024 * 1024
    """Largest zstd window that is read."""
    tools: bool = True
    reasoning: bool = False
    bridges: tuple[str, ...] = ()
    """Patterns of the tools that are chats with people (see `chat_tools`)."""

    def is_chat(self, tool: str) -> bool:
        """Whether a tool sends to or receives from people: its results are kept up to `CHAT_CHARS`, for `bridges` to read."""
        return chat_tools.sends(tool, self.bridges) or chat_tools.receives(tool, self.bridges)

    def wants(self, tool: str) -> bool:
        """Whether this tool's calls and results are read."""
        return self.tools or self.is_chat(tool)


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What discovery may know: the workspaces that sessions name (for memory files in them)."""

    home: SourcesHome
    workspaces: tuple[str, ...] = ()


class Adapter(Protocol):
    """What every agent module offers, as one object in `registry.ADAPTERS`."""

    agent: str
    """'claude_code'"""
    name: str
    """'Claude Code'"""
    version: int
    """Raised when the reading changes, so that old readings are redone."""
    confidence: str
    """recorded | fixtures | readers"""

    def roots(self, home: SourcesHome) -> list[Path]:
        """Folders in which this agent keeps sessions, existing or not; the first is the usual one."""
        ...

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """The session files under `root`. Never follows links out into loops, never opens what is no regular file;
        what cannot be looked at is reported with its reason and does not stop the rest."""
        ...

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """Read one file, from the checkpoint if one is given and still fits, else whole.

        Raises NotReady (nothing to read yet), Stopped, or OSError; never anything else, whatever the bytes are.
        """
        ...

    def resume_command(self, session: Session) -> str:
        """The exact shell command that goes on with this session, with a quoted `cd`; '' if there is none."""
        ...
