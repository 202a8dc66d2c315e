"""Putting our entries in and taking them out: what would change, then doing it.

Owns the order: every file is read and every edit is made before the first one is written, a copy of each is kept, and what was
written is taken back where a later file cannot be. Receipts say how a file was before, so that taking out gives the very bytes,
and what was made for us in a file that others have changed since.
"""

from __future__ import annotations

import difflib
import logging
from pathlib import Path
from typing import NamedTuple

from tray_app.agents.install import files
from tray_app.agents.install.clients import CLIENTS, Client, Setup
from tray_app.agents.install.files import Original
from tray_app.agents.install.parts import NotOurs, Part, Refused, Undo
from tray_app.agents.install.receipts import Receipts
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths, SourcesHome, shorten

log = logging.getLogger(__name__)


class Change(NamedTuple):
    """One file. `raw` is what is to stand in it, None: it is to go. `labels` are the parts: mcp, hook, instructions."""

    original: Original
    raw: bytes | None
    labels: tuple[str, ...]
    undo: Undo

    @property
    def file(self) -> Path:
        return self.original.file

    def diff(self) -> str:
        """As `diff -u` has it, with lines that end in one way or the other shown alike."""
        before = (self.original.raw or b"").decode().splitlines(keepends=True)
        after = (self.raw or b"").decode().splitlines(keepends=True)
        name = shorten(self.file)
        old, new = ("/dev/null" if raw is None else name for raw in (self.original.raw, self.raw))
        lines = difflib.unified_diff(before, after, old, new)
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


class Plan(NamedTuple):
    """What is to be done for an agent; nothing where `changes` is empty. `left` says what of that name is not ours."""

    client: Client
    remove: bool
    changes: list[Change]
    left: list[str]


def plan(
    paths: Paths, agent: str, *, remove: bool = False, hooks: bool = True, instructions: bool = False,
    home: SourcesHome | None = None,
) -> Plan:  # fmt: skip
    """What installing (or, `remove`, uninstalling) would change. Changes nothing. Raises UsageError `no_such_agent`,
    `no_instructions`; KnownError `agent_missing`, `config_broken`, `config_taken` and those of `files`."""
    client = client_of(agent)
    setup = Setup.of_this_program(paths, home)
    parts = _all_parts(client, setup) if remove else _wanted(client, setup, hooks=hooks, instructions=instructions)
    receipts = Receipts(paths)
    changes: list[Change] = []
    left: list[str] = []
    for file in dict.fromkeys(part.file for part in parts):
        change = _change(receipts, file, [part for part in parts if part.file == file], left, remove=remove)
        if change is not None:
            changes.append(change)
    return Plan(client, remove, changes, left)


def _wanted(client: Client, setup: Setup, *, hooks: bool, instructions: bool) -> list[Part]:
    folders = client.folders(setup.home)
    if not any(folder.is_dir() for folder in folders):
        places = " or ".join(map(shorten, folders))
        raise KnownError(
            "agent_missing", "Agent not found", f"{client.name} was never used here: there is no {places}.",
            "Start it once, or add the entry by hand: backscroll install --print",
        )  # fmt: skip
    parts = [*client.mcp(setup), *(client.hooks(setup) if hooks else ())]
    if instructions:
        wanted = client.instructions(setup)
        if not wanted:
            raise UsageError(
                "no_instructions", "No place for them", f"{client.name} reads no instructions from a file.", client.note
            )
        parts += wanted
    return parts


def _all_parts(client: Client, setup: Setup) -> list[Part]:
    return [*client.instructions(setup), *client.hooks(setup), *client.mcp(setup)]


def _change(receipts: Receipts, file: Path, parts: list[Part], left: list[str], *, remove: bool) -> Change | None:
    """What becomes of one file; None where it is as it has to be."""
    original = files.read(file)
    undo = receipts.undo(original)
    before = text = original.text
    labels: list[str] = []
    for part in parts:
        try:
            after = part.take(text, undo) if remove else part.put(text, undo)
        except NotOurs as fault:
            if not remove:
                raise _refused("config_taken", file, fault) from fault
            left.append(f"{shorten(file)}: {fault}.")
            continue
        except Refused as fault:
            raise _refused("config_broken", file, fault) from fault
        if after != text or (remove and part.has(before)):
            labels.append(part.label)
        text = after
    if text == before:
        return None
    files.check_writable(original)
    raw: bytes | None = original.encoded(text)
    if remove:
        receipt = receipts.of(original)
        known, former = receipts.former(original)
        if known:
            raw = former
        elif receipt is not None and receipt.absent and not text.strip():
            raw = None
    return Change(original, raw, tuple(dict.fromkeys(labels)), undo)


def apply(paths: Paths, planned: Plan) -> list[Path]:
    """Do what was planned, after a copy of every file; gives the copies. All or nothing. Raises KnownError `backup_failed`,
    `config_changed`, `config_unwritable`."""
    receipts = Receipts(paths)
    agent = planned.client.key
    copies = [receipts.copied(agent, change.original) for change in planned.changes]
    done: list[Change] = []
    held = receipts.held()
    try:
        for change, copy in zip(planned.changes, copies, strict=True):
            made = files.write(change.original, change.raw)
            done.append(change)
            if planned.remove:
                receipts.forget(change.original)
            else:
                assert change.raw is not None
                receipts.note(agent, change.original, copy, change.raw, change.undo, made)
    except KnownError:
        for change in reversed(done):
            files.write(files.read(change.file), change.original.raw)
        receipts.hold(held)
        raise
    receipts.tidy(agent)
    log.info("%s %s: %d files", "uninstalled from" if planned.remove else "installed for", agent, len(done))
    return [receipts.folder / agent / copy for copy in copies if copy]


class State(NamedTuple):
    """How it stands with an agent. `there`: it was used on this machine. Parts: True, False, or None where it has none."""

    client: Client
    there: bool
    mcp: bool | None
    hook: bool | None
    instructions: bool | None
    problem: str = ""


def state(paths: Paths, agent: str, home: SourcesHome | None = None) -> State:
    """What of ours is in an agent's configs. Raises UsageError `no_such_agent`."""
    client = client_of(agent)
    setup = Setup.of_this_program(paths, home)
    there = any(folder.is_dir() for folder in client.folders(setup.home))
    found: dict[str, bool | None] = {}
    problem = ""
    for label, parts in (
        ("mcp", client.mcp(setup)),
        ("hook", client.hooks(setup)),
        ("instructions", client.instructions(setup)),
    ):
        try:
            found[label] = all(part.has(files.read(part.file).text) for part in parts) if parts else None
        except Refused as fault:
            found[label], problem = False, f"{shorten(parts[0].file)}: {fault}."
        except KnownError as fault:
            found[label], problem = False, fault.message
    return State(client, there, found["mcp"], found["hook"], found["instructions"], problem)


def client_of(agent: str) -> Client:
    """Raises UsageError `no_such_agent`."""
    key = agent.strip().lower().replace("-", "_")
    client = CLIENTS.get(key) or next((one for one in CLIENTS.values() if one.name.lower() == agent.strip().lower()), None)
    if client is None:
        raise UsageError(
            "no_such_agent", "No such agent", f"Nothing is known of an agent {agent!r}.",
            f"There are: {', '.join(CLIENTS)}. For any other: backscroll install --print",
        )  # fmt: skip
    return client


def _refused(code: str, file: Path, fault: Refused) -> KnownError:
    return KnownError(
        code, "Not changed", f"{shorten(file)} was left as it is: {fault}.", "To add it by hand: backscroll install --print"
    )
