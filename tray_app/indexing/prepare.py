"""A reading made ready for the library: cleaned, without our own text, redacted, each message with the hash its copies share.

Runs before anything is stored. `PIPELINE_VERSION` names the rules; raise it when cleaning, redaction, segmenting or
chunking change, and every file is read anew in the background.
"""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Sequence
from pathlib import PurePosixPath, PureWindowsPath

import msgspec

from tray_app.library.rows import FileRow
from tray_app.sources.base import Message, Reading, Session, Stop, Stopped, Unit
from tray_app.sources.bridges import bridge, concerns
from tray_app.text.clean import clean
from tray_app.text.own_marks import gives_pack, is_own_tool, strip_own
from tray_app.text.redact import redact

PIPELINE_VERSION = 2
TITLE_CHARS = 160
LEFT_OUT = "[left out: excluded path]"


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What must not get in. Patterns are shell-style, matched against the whole path and its last part."""

    redact: bool = True
    excluded_paths: tuple[str, ...] = ()
    excluded_workspaces: tuple[str, ...] = ()
    tools: bool = True
    bridges: tuple[str, ...] = ()
    """Patterns of the tools that are chats with people: these are read as talk, even where `tools` are left out."""


class CleanMessage(msgspec.Struct, frozen=True, gc=False):
    """A message as it is stored. `identity` is signed 64 bit, over agent, id, role and text."""

    native: str
    role: str
    text: str
    time: int
    seq: int
    offset: int
    identity: int
    tool: str
    files: str


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """One file's reading, ready to be merged. `file` is the row as it was, None for a new file."""

    unit: Unit
    file: FileRow | None
    reading: Reading
    session: Session
    messages: list[CleanMessage]
    redacted: int
    adapter_version: int
    shift: int = 0
    """By how much the numbers of what follows are raised: results of chats became several messages."""

    @property
    def chars(self) -> int:
        return sum(len(message.text) for message in self.messages)


def prepare(
    unit: Unit, file: FileRow | None, reading: Reading, adapter_version: int, rules: Rules, stop: Stop
) -> Prepared | None:
    """Clean and redact everything of a reading that may ever be shown or searched. None for an excluded workspace. Raises
    Stopped."""
    session = reading.session
    if is_excluded_workspace(session.cwd or (unit.session if unit.agent == "memory" else ""), rules.excluded_workspaces):
        return None
    barred = _barred(reading.messages, rules.excluded_paths)
    given, shift = reading.messages, file.shift if reading.resumed and file is not None else 0
    if shift or concerns(given, rules.bridges):
        given, shift = bridge(given, rules.bridges, but=barred, tools=rules.tools, session=session.id, shift=shift)
    ours = {message.id for message in given if message.tool and is_own_tool(message.tool)}
    messages, redacted = [], 0
    for message in given:
        if stop():
            raise Stopped
        asked = message.role == "tool_call" and not gives_pack(message.tool)
        if message.id in ours and (asked or message.role == "tool_result"):
            continue  # neither what was found once nor the question for it must be found again as a find
        text = strip_own(clean(message.text))
        if message.id in barred:
            text = LEFT_OUT
        elif rules.redact:
            text, hidden = redact(text)
            redacted += hidden
        text = text.strip("\n")
        if not text.strip():
            continue
        files = "\n".join(clean(path) for path in message.files)
        if files and rules.redact:
            files = redact(files)[0]  # not counted: the call's text names the same files
        messages.append(
            CleanMessage(
                clean(message.id),
                message.role,
                text,
                message.time,
                message.seq,
                message.offset,
                identity_of(unit.agent, message.identity or message.id, message.role, text),
                clean(message.tool)[:120],
                files,
            )
        )
    title = one_line(strip_own(clean(session.title)))
    if rules.redact:
        title = redact(title)[0]  # not counted: it repeats a message, and comes with every reading
    session = msgspec.structs.replace(session, title=title[:TITLE_CHARS], cwd=clean(session.cwd))
    return Prepared(
        unit=unit, file=file, reading=reading, session=session, messages=messages, redacted=redacted, adapter_version=adapter_version,
        shift=shift,
    )  # fmt: skip


def identity_of(agent: str, identity: str, role: str, text: str) -> int:
    """The hash that a message and its copies share: same agent, same id, same role, same words."""
    digest = hashlib.blake2b(digest_size=8)
    for part in (agent, identity, role, text):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(4, "little"))
        digest.update(data)
    return int.from_bytes(digest.digest(), "little", signed=True)


def one_line(text: str) -> str:
    return " ".join(text.split())


def project_of(cwd: str) -> str:
    """A session's project: the last part of its folder, whichever system wrote the path. '' without a folder."""
    flavour = PureWindowsPath if "\\" in cwd or cwd[1:2] == ":" else PurePosixPath
    return flavour(cwd).name or cwd


def is_excluded_workspace(cwd: str, patterns: Sequence[str]) -> bool:
    """Whether a folder is one of the excluded ones, lies in one, or matches a pattern. Folder borders are respected."""
    if not cwd:
        return False
    folder = cwd.replace("\\", "/").rstrip("/")
    for pattern in patterns:
        wanted = pattern.replace("\\", "/").rstrip("/")
        if folder == wanted or folder.startswith(wanted + "/") or fnmatch.fnmatchcase(folder, wanted):
            return True
    return False


def _barred(messages: Sequence[Message], patterns: Sequence[str]) -> set[str]:
    """Ids of tool calls (and so of their results) that touch an excluded path."""
    barred = set()
    for message in messages:
        for path in message.files:
            plain = path.replace("\\", "/")
            name = plain.rsplit("/", 1)[-1]
            if any(fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(plain, pattern) for pattern in patterns):
                barred.add(message.id)
    return barred
