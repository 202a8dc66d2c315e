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
from tray_app.agents.install.files import BY_HAND, ConfigFault, Original
from tray_app.agents.install.parts import Invalid, NotOurs, Part, Refused, Undo
from tray_app.agents.install.program import can_serve
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

    @property
    def notes(self) -> list[str]:
        """What a person has to know afterwards."""
        if self.remove or not self.changes:
            return []
        hook = any("hook" in change.labels for change in self.changes)
        return [note for note in (self.client.note, self.client.hook_note if hook else "") if note]


def plan(
    paths: Paths, agent: str, *, remove: bool = False, hooks: bool = True, instructions: bool = False,
    home: SourcesHome | None = None,
) -> Plan:  # fmt: skip
    """What installing (or, `remove`, uninstalling) would change. Changes nothing. Raises UsageError `no_such_agent`,
    `no_instructions`; KnownError `agent_missing`, `no_mcp`; ConfigFault `config_invalid`, `config_broken`, `config_taken` and those of `files`."""
    client = client_of(agent)
    setup = Setup.of_this_program(paths, home)
    if not remove and not can_serve():
        raise KnownError(
            "no_mcp", "Not installed", "The server for agents needs the package 'mcp', which is not installed.",
            "Install it into the same environment: pip install 'backscroll[mcp]'",
        )  # fmt: skip
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
            "Start it once, or add the entry by hand: backscroll install AGENT --print",
        )  # fmt: skip
    parts = [*client.mcp(setup), *(client.hooks(setup) if hooks else ())]
    told = client.instructions(setup)
    if instructions and not told:
        raise UsageError(
            "no_instructions",
            "No place for them",
            f"{client.name} reads no instructions from a file.",
            f"{client.name} keeps those for all projects in its own settings.",
        )
    return [*parts, *(part for part in told if instructions or _is_there(part))]


def _is_there(part: Part) -> bool:
    """Whether it was put in before: then it is kept up to date."""
    try:
        return part.has(files.read(part.file).text)
    except (Refused, KnownError):
        return False


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
                raise _refused(_code_of(fault), file, fault) from fault
            left.append(f"{shorten(file)}: {fault}.")
            continue
        except Refused as fault:
            raise _refused(_code_of(fault), file, fault) from fault
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
        if known and not (former and _holds_ours(parts, former)):
            raw = former
        elif receipt is not None and receipt.absent and not text.strip():
            raw = None
    return Change(original, raw, tuple(dict.fromkeys(labels)), undo)


def _holds_ours(parts: list[Part], raw: bytes) -> bool:
    """Whether a file had an entry for this program before we wrote one: somebody put it there by hand."""
    text = raw.decode().removeprefix(files.BOM)
    try:
        return any(part.take(text, {}) != text for part in parts)
    except Refused:
        return True


def apply(paths: Paths, planned: Plan) -> list[Path]:
    """Do what was planned, after a copy of every file; gives the copies. All or nothing. Raises KnownError `backup_failed`;
    ConfigFault `config_changed`, `config_unwritable`."""
    receipts = Receipts(paths)
    agent = planned.client.key
    copies = [receipts.copied(agent, change.original) for change in planned.changes]
    done: list[tuple[Change, list[Path]]] = []
    held = receipts.held()
    try:
        for change, copy in zip(planned.changes, copies, strict=True):
            made = files.write(change.original, change.raw)
            done.append((change, made))
            if planned.remove:
                receipts.forget(change.original)
            else:
                assert change.raw is not None
                receipts.note(agent, change.original, copy, change.raw, change.undo, made)
    except KnownError:
        for change, made in reversed(done):
            _undo(change, made)
        receipts.hold(held)
        raise
    receipts.tidy(agent)
    log.info("%s %s: %d files", "uninstalled from" if planned.remove else "installed for", agent, len(done))
    return [receipts.folder / agent / copy for copy in copies if copy]


def _undo(change: Change, made: list[Path]) -> None:
    """Have a file as it was before a change of a moment ago. One that cannot be written again has its copy."""
    try:
        files.write(files.read(change.file), change.original.raw)
        for folder in made:
            folder.rmdir()
    except (KnownError, OSError) as fault:
        log.warning("%s could not be put back (%s)", change.file.name, type(fault).__name__)


class State(NamedTuple):
    """How it stands with an agent. `folder`: where it was used on this machine, None where it was not. Parts: True, False, or
    None where it has none. `off`: those that the person switched off in the agent's config. `stale`: the entry would be written
    otherwise now, as after a move of this program. `fault`: why a config can be neither read nor changed."""

    client: Client
    folder: Path | None
    mcp: bool | None
    hook: bool | None
    instructions: bool | None
    off: tuple[str, ...] = ()
    stale: bool = False
    fault: KnownError | None = None

    @property
    def there(self) -> tuple[str, ...]:
        """The parts that are in its configs."""
        return tuple(part for part in ("mcp", "hook", "instructions") if getattr(self, part))

    @property
    def lacking(self) -> tuple[str, ...]:
        """Those that it can have, and that are not there."""
        return tuple(part for part in ("mcp", "hook", "instructions") if getattr(self, part) is False)


def state(paths: Paths, agent: str, home: SourcesHome | None = None) -> State:
    """What of ours is in an agent's configs. Changes nothing. Raises UsageError `no_such_agent`."""
    client = client_of(agent)
    setup = Setup.of_this_program(paths, home)
    folder = next((one for one in client.folders(setup.home) if one.is_dir()), None)
    found: dict[str, bool | None] = {}
    off: list[str] = []
    stale = False
    wrong: KnownError | None = None
    read: dict[Path, Original] = {}
    for label, parts in (
        ("mcp", client.mcp(setup)),
        ("hook", client.hooks(setup)),
        ("instructions", client.instructions(setup)),
    ):
        found[label] = None if not parts else True
        for part in parts:
            try:
                if part.file not in read:
                    read[part.file] = files.read(part.file)
                original = read[part.file]
                text = original.text
                has = part.has(text)
                if has:
                    stale = stale or part.put(text, {}) != text
                    off += [label] if part.is_off(text) and label not in off else []
                elif folder is not None and label != "instructions":
                    part.put(text, {})
                    files.check_writable(original)
            except Refused as fault:
                has, wrong = False, wrong or _refused(_code_of(fault), part.file, fault)
            except KnownError as fault:
                has, wrong = False, wrong or fault
            found[label] = found[label] and has
    return State(client, folder, found["mcp"], found["hook"], found["instructions"], tuple(off), stale, wrong)


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


def _code_of(fault: Refused) -> str:
    codes = {NotOurs: "config_taken", Invalid: "config_invalid"}
    return codes.get(type(fault), "config_broken")


def _refused(code: str, file: Path, fault: Refused) -> ConfigFault:
    return ConfigFault(code, file, f"{shorten(file)} was left as it is: {fault}.", BY_HAND, fault.line)
