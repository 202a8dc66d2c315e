"""Memory in markdown: CLAUDE.md, AGENTS.md, MEMORY.md and their kin, as notes that can be searched.

Owns where such files lie (for all projects in the agents' own folders, for one project in the folder that sessions name)
and how one is cut into sections. Never walks a project: only set names directly in its folder are looked at.
"""

from __future__ import annotations

import re
import stat
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Checkpoint, Context, Limits, Message, Reading, Report, Session, Stop, Stopped, Unit
from tray_app.sources.lines import utf16_text
from tray_app.sources.walk import files_under, unreadable
from tray_app.text.own_marks import INSTRUCTIONS, closing, opening

GLOBAL_FOLDERS = (
    ("CLAUDE_CONFIG_DIR", ".claude"),
    ("CODEX_HOME", ".codex"),
    ("DSH_HOME", ".dsh"),
    ("", ".gemini"),
    ("QWEN_HOME", ".qwen"),
)
GLOBAL_NAMES = ("CLAUDE.md", "AGENTS.md", "MEMORY.md", "GEMINI.md", "QWEN.md")
WORKSPACE_NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "MEMORY.md")
FILE_BYTES = 1 << 20
FOLDER_DEPTH = 3
"""Levels looked at in a folder of markdown that was added by hand."""
STOP_EVERY = 500

_HEADING = re.compile(rb" {0,3}#{1,6}(?:[ \t]|$)")
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_OURS, _OURS_END = opening(INSTRUCTIONS).encode(), closing(INSTRUCTIONS).encode()


class MemoryFilesAdapter:
    """Every memory file is a session of its own; its sections are the messages."""

    agent = "memory"
    name = "Memory files"
    version = 2
    confidence = "recorded"

    def roots(self, home: SourcesHome) -> list[Path]:
        return [home.home]

    def discover(self, root: Path, context: Context, report: Report) -> Iterable[Unit]:
        """Memory files of the agents and of the workspaces that sessions name; below a folder added by hand all markdown."""
        if root != context.home.home:
            for found in files_under(root, lambda name: name.lower().endswith(".md"), report, self.agent, depth=FOLDER_DEPTH):
                yield self._unit(root, found.path, found.size, found.mtime_ns, found.inode)
            return
        seen: set[tuple[int, int]] = set()
        for path in self._candidates(context, report):
            try:
                facts = path.stat()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as fault:
                report(unreadable(path, fault, self.agent))
                continue
            if not stat.S_ISREG(facts.st_mode):
                if not stat.S_ISDIR(facts.st_mode):
                    report(_irregular(path))
                continue
            identity = (facts.st_dev, facts.st_ino)
            if facts.st_ino and identity in seen:  # CLAUDE.md is often a link to AGENTS.md
                continue
            seen.add(identity)
            yield self._unit(root, path, facts.st_size, facts.st_mtime_ns, facts.st_ino)

    def _candidates(self, context: Context, report: Report) -> Iterator[Path]:
        home = context.home
        for variable, default in GLOBAL_FOLDERS:
            folder = home.agent_folder(variable, default)
            for name in GLOBAL_NAMES:
                yield folder / name
        projects = home.agent_folder("CLAUDE_CONFIG_DIR", ".claude") / "projects"
        try:
            for project in sorted(projects.iterdir()):
                if (project / "memory").is_dir():
                    yield from sorted((project / "memory").glob("*.md"))
        except (FileNotFoundError, NotADirectoryError):
            pass  # Claude Code was never used here
        except OSError as fault:
            report(unreadable(projects, fault, self.agent))
        for workspace in dict.fromkeys(context.workspaces):
            folder = Path(workspace)
            if _usable(folder, home):
                for name in WORKSPACE_NAMES:
                    yield folder / name

    def _unit(self, root: Path, path: Path, size: int, mtime_ns: int, inode: int) -> Unit:
        return Unit(
            agent=self.agent, root=root, path=path, session=str(path), size=size, mtime_ns=mtime_ns, inode=inode
        )  # fmt: skip

    def read(self, unit: Unit, checkpoint: Checkpoint | None, limits: Limits, stop: Stop) -> Reading:
        """The whole file, always: it is small and may change anywhere. An empty file is a reading without messages."""
        path = unit.path
        with path.open("rb") as stream:
            data = stream.read(FILE_BYTES + 1)
        truncated = len(data) > FILE_BYTES
        time = unit.mtime_ns // 1_000_000
        messages: list[Message] = []
        for offset, text in _sections(data[:FILE_BYTES], stop):
            name = f"{path}#{len(messages)}"
            messages.append(
                Message(id=name, role="note", text=text, time=time, seq=len(messages), offset=offset, identity=name)
            )  # fmt: skip
        folder = path.parent
        place = folder.parent if folder.name == "memory" and folder.parent.parent.name == "projects" else folder
        return Reading(
            session=Session(
                id=str(path),
                cwd=str(folder),
                title=f"{path.name} · {place.name or place}",
                title_rank=1,
                start=time,
                end=time,
            ),
            messages=messages,
            checkpoint=None,
            bytes_read=len(data),
            records=len(messages),
            recognised=len(messages),
            truncated=truncated,
        )

    def resume_command(self, session: Session) -> str:
        return ""


def _usable(folder: Path, home: SourcesHome) -> bool:
    """Whether a workspace may be looked into: an absolute folder, and inside the home where that is all that counts."""
    if not folder.is_absolute() or "\x00" in str(folder):
        return False
    try:
        return not home.confined or folder.resolve().is_relative_to(home.home.resolve())
    except (OSError, RuntimeError):  # a loop of links: there is nothing to read in it
        return False


def _sections(data: bytes, stop: Stop) -> Iterator[tuple[int, str]]:
    """Byte offset and text of each section: a heading with what stands under it. Headings with nothing under them go with
    the next; `#` inside a code fence is no heading."""
    if codec := utf16_text(data[:4]):
        data = data[2:].decode(codec, "replace").encode("utf-8", "replace")
    data = _without_ours(data)
    held: list[bytes] = []
    start = offset = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    body = False
    fence = b""
    for number, line in enumerate(data[offset:].split(b"\n"), 1):
        if number % STOP_EVERY == 0 and stop():
            raise Stopped
        mark = _FENCE.match(line)
        heading = not fence and _HEADING.match(line) is not None
        if mark and not fence:
            fence = mark.group(1)
        elif mark and mark.group(1).startswith(fence) and not line[mark.end() :].strip():
            fence = b""
        if heading and body:
            yield start, _text(held)
            held, body = [], False
        if not held:
            start = offset
        held.append(line)
        body = body or (not heading and bool(line.strip(b" \t\r\x00")))
        offset += len(line) + 1
    if text := _text(held):
        yield start, text


def _without_ours(data: bytes) -> bytes:
    """The same bytes with blanks where `backscroll install` told the agent about itself: offsets stay, nobody said that. Line
    ends are kept, so that sections end where they did."""
    start = end = 0
    parts: list[bytes] = []
    while (start := data.find(_OURS, end)) >= 0 and (close := data.find(_OURS_END, start)) >= 0:
        parts += (data[end:start], re.sub(rb"[^\n]", b" ", data[start : close + len(_OURS_END)]))
        end = close + len(_OURS_END)
    return b"".join((*parts, data[end:]))


def _text(lines: list[bytes]) -> str:
    return b"\n".join(lines).replace(b"\x00", b"").decode("utf-8", "replace").strip()


def _irregular(path: Path) -> Problem:
    return Problem(path=str(path), line=0, offset=0, kind="unreadable", reason="not a regular file", agent="memory")
