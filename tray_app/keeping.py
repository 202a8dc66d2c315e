"""Keeping and forgetting, over all libraries: the archive of session files, vanished sessions, and what never comes back.

Owns when files are copied, and the order in which a session is forgotten: written down first, then taken out, so that nothing
of it can come in again whatever happens in between. No agent's file is changed or removed.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import msgspec

from tray_app import clock
from tray_app.archive import Archive, Original, Round
from tray_app.errors import KnownError, UsageError
from tray_app.folders import Folders
from tray_app.indexing.keeping import Keep, Striker
from tray_app.libraries import Library
from tray_app.library.keeping import ask_anew_of
from tray_app.library.rewriting import WANTED
from tray_app.library.rows import COPY_MARK, FileRow, SessionRow
from tray_app.library.store import Store
from tray_app.moved import Moved
from tray_app.readout import Readout
from tray_app.records import Finding, ForgottenView, KeptView, Problem, Status
from tray_app.settings import Settings
from tray_app.sources.base import Context, Stop
from tray_app.sources.registry import adapter
from tray_app.text.dates import local_zone
from tray_app.tombstones import Tombstone, packed, unpacked
from tray_app.upkeep import Upkeep

log = logging.getLogger(__name__)

EVERY_S = 600.0
"""So often, at most, files are copied by themselves; sooner where some were left for the next round."""
QUICK_BYTES = 256 << 20
"""A file of up to so many bytes is written anew at once."""
Key = tuple[str, str]


class Keeping:
    """`data` is our data folder. The caller keeps the libraries open around every call."""

    def __init__(self, data: Path, settings: Settings, folders: Folders, upkeep: Upkeep) -> None:
        self.settings, self.folders, self.upkeep = settings, folders, upkeep
        self.indexer, self.libraries, self.tombstones = upkeep.indexer, upkeep.libraries, upkeep.indexer.tombstones
        self.archive = Archive(data / "archive")
        self._asking = threading.Lock()
        self._waiting = 0
        self._next_round = 0.0
        self._readout = Readout(Moved(), self.archive.anchor)

    @property
    def in_the_way(self) -> bool:
        """Whether a running pass is to end, because a session is to be forgotten now."""
        return self._waiting > 0

    def readout(self) -> Readout:
        """How sessions are told, by the rules as they stand."""
        rules = tuple(self.settings["projects.moved"])
        if rules != self._readout.moved.rules:
            self._readout = Readout(Moved(rules), self.archive.anchor)
        return self._readout

    # --- the archive -----------------------------------------------------------------------------------------------------------
    def after_pass(self, stop: Stop) -> None:
        """Copy what is due, where that is wanted. What goes wrong is kept to be told; the pass stays good."""
        if not self.settings["keep.archive"] or time.monotonic() < self._next_round:
            return
        try:
            done = self._copy(stop)
        except KnownError as fault:
            log.info("session files were not copied (%s)", fault.code)
            self._next_round = time.monotonic() + EVERY_S
        else:
            self._next_round = 0.0 if done.left else time.monotonic() + EVERY_S

    def copy_now(self, stop: Stop) -> KeptView:
        """One round, whether the setting is on or not. Raises KnownError."""
        done = self._copy(stop)
        return msgspec.structs.replace(self.view(), copied=done.copied, left=done.left, failed=done.failed)

    def _copy(self, stop: Stop) -> Round:
        now = int(clock.now(UTC).timestamp() * 1e9)
        return self.archive.copy(self._originals(), now, self.settings["keep.archive_after_days"], stop)

    def _originals(self) -> Iterator[Original]:
        """Session files of the ticked sources that are in a library, or that only the budget keeps out: nothing that the person
        excluded or forgot, and nothing of a space that was put away."""
        names = self._names()
        keep = Keep(forgotten=self.tombstones.forgotten())
        context = Context(home=self.folders.home)
        unreadable: list[Problem] = []  # the pass has told of these
        for source in self.folders.ticked():
            if source.agent == "memory" or not source.root.is_dir():
                continue
            with contextlib.suppress(OSError):
                for unit in adapter(source.agent).discover(source.root, context, unreadable.append):
                    session = names.get((unit.agent, unit.session))
                    if session is not None and not keep.passes_over(unit):
                        yield Original(agent=unit.agent, session=session, paths=(unit.path, *unit.others))

    def _names(self) -> dict[Key, str]:
        """Ids of the sessions whose files may be copied, by agent and the session as its file is named."""
        names: dict[Key, str] = {}
        for library in self._libraries(removed=False):
            with _store(library) as store:
                rows = [row for row in store.files() if row.session_id >= 0 or row.status == "over_budget"]
                sessions = store.sessions_by_id({row.session_id for row in rows})
            for row in rows:
                names[row.agent, row.unit] = _name(row, sessions)
        return names

    def view(self) -> KeptView:
        """The archive as it stands."""
        sessions, size, stored = self.archive.figures()
        return KeptView(
            on=self.settings["keep.archive"], folder=str(self.archive.folder), sessions=sessions, bytes=size, stored=stored,
            after_days=self.settings["keep.archive_after_days"], error=self.archive.last_error,
        )  # fmt: skip

    def write_out(self, session: str, target: str, agent: str | None) -> list[str]:
        """Write the copies of a session into a folder. Raises UsageError: `no_such_copy`, `several_sessions`, `agents_folder`,
        `target_taken`; KnownError."""
        copies = self.archive.copies(agent)
        meant = [copy for copy in copies if copy.session == session] or [
            copy for copy in copies if len(session) >= 6 and copy.session.startswith(session)
        ]
        if not meant:
            raise UsageError(
                "no_such_copy", "No such copy", f"No file of a session {session!r} is in the archive.", "See: backscroll keep status"
            )  # fmt: skip
        if len({(copy.agent, copy.session) for copy in meant}) > 1:
            raise several(len({(copy.agent, copy.session) for copy in meant}), session)
        folder = Path(target).expanduser().absolute()
        real = folder.resolve()
        ours = [self.archive.folder, *(source.root for source in self.folders.all())]
        if any(real.is_relative_to(root.resolve()) for root in ours):
            raise UsageError(
                "agents_folder", "Not written", f"{folder} belongs to an agent, or to us.", "Choose a folder of your own."
            )
        return [str(path) for path in self.archive.restore(meant, folder)]

    # --- forgetting --------------------------------------------------------------------------------------------------------------
    def forget(self, session: SessionRow) -> ForgottenView:
        """Take a session out of every library for good. Raises KnownError; what was written down then is done at the next try."""
        with self._alone():
            now = clock.iso(int(clock.now(UTC).timestamp() * 1000)) or ""
            stone = self._stone(session, now)
            self.tombstones.add(stone)
            copies = 0
            in_use = len(self._libraries(removed=False))
            for number, library in enumerate(self._libraries(removed=True)):
                with _store(library) as store:
                    copies += Striker(store, local_zone()).strike(stone)
                library.changed()
                self._rewrite(library, at_once=number >= in_use)
            archived = self.archive.drop((stone.agent, one) for one in (stone.session, *stone.also))
        return msgspec.structs.replace(_view(stone), copies=copies, archived=archived)

    def _rewrite(self, library: Library, *, at_once: bool) -> None:
        """Have what was taken out gone from the file too: now where that is quick or no round will do it, else after the next."""
        if at_once or library.size <= QUICK_BYTES or self.indexer.paused()[0]:
            with library.reading(settled=False) as reader:
                wanted = reader.meta(WANTED)
            if wanted:
                library.rewrite()

    def _stone(self, session: SessionRow, now: str) -> Tombstone:
        """A session may have parts in several libraries, such as sub-agents that worked in another folder."""
        stones = []
        for library in self._libraries(removed=True):
            with _store(library) as store:
                stones.append(Striker(store, local_zone()).stone(session.agent, session.native, now))
        return merged(stones)

    def unforget(self, session: str, agent: str | None) -> list[ForgottenView]:
        """Let a session come back; it is read again in the background, if its file is still there. Raises UsageError."""
        now = clock.iso(int(clock.now(UTC).timestamp() * 1000)) or ""
        with self._alone():
            meant = self.tombstones.undo(session, agent, now)
            if not meant:
                raise UsageError(
                    "not_forgotten", "Not forgotten", f"No session {session!r} was forgotten.", "See: backscroll forget --list"
                )
            if len(meant) > 1:
                raise several(len(meant), session)
            for library in self._libraries(removed=False):
                with _store(library) as store, store.transaction():
                    ask_anew_of(store, meant[0].agent)  # any of its files may hold what was left out
        self.indexer.wake.set()
        return [_view(stone) for stone in meant]

    def forgotten(self) -> list[ForgottenView]:
        """Newest first."""
        return [_view(stone) for stone in self.tombstones.all()]

    def _libraries(self, *, removed: bool) -> list[Library]:
        """The rest and the spaces in use, then (`removed`) those that were put away."""
        layout = self.libraries.spaces.layout()
        spaces = sorted(layout.spaces if removed else layout.in_use, key=lambda space: bool(space.removed))
        known = [self.libraries.of(), *(self.libraries.of(space.id) for space in spaces)]
        return [library for number, library in enumerate(known) if not number or library.file.exists()]

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """No pass runs for the length of the block; a running one ends within a second, and is taken up again."""
        with self._asking:
            self._waiting += 1
        try:
            with self.indexer.writing:
                yield
        finally:
            with self._asking:
                self._waiting -= 1
            self.indexer.wake.set()

    # --- telling -----------------------------------------------------------------------------------------------------------------
    def of_status(self, status: Status) -> Status:
        """With the archive's figures."""
        view = self.view()
        return msgspec.structs.replace(
            status, archive_on=view.on, archived_sessions=view.sessions, archive_bytes=view.stored, archive_error=view.error
        )

    def full_view(self, status: Status) -> KeptView:
        """With what is gone, and what their agent will delete when."""
        return msgspec.structs.replace(
            self.view(), gone=status.totals.gone_sessions, vanishing=status.vanishing, vanishing_first=status.vanishing_first
        )  # fmt: skip

    def findings(self, status: Status) -> list[Finding]:
        """What the check-up says of it."""
        found = []
        gone = status.totals.gone_sessions
        if gone:
            found.append(
                Finding(
                    code="gone_kept", severity="info", title=f"{gone} sessions are only here", params={"count": str(gone)},
                    detail="Their agents have deleted the files; the index still has what was said.",
                    remedy="To let them go as well: backscroll config set keep.gone off",
                )
            )  # fmt: skip
        if self.archive.last_error:
            found.append(
                Finding(
                    code="archive_failed", severity="warn", title="Session files could not be copied", detail=self.archive.last_error,
                    remedy="It is tried again after the next pass.", params={"reason": self.archive.last_error},
                )
            )  # fmt: skip
        stones = len(self.tombstones.all())
        if self.tombstones.damaged:
            count = str(self.tombstones.damaged)
            found.append(
                Finding(
                    code="tombstones_damaged", severity="warn", title=f"{count} lines on forgotten sessions cannot be read",
                    detail=f"The other {stones} hold. What these named may come back.",
                    remedy="Look for such sessions, and forget them again.", params={"count": count},
                )
            )  # fmt: skip
        return found


def merged(stones: list[Tombstone]) -> Tombstone:
    """The parts of one tombstone that several libraries know, as one."""
    first = max(stones, key=lambda stone: len(stone.words))
    messages = {number: None for stone in stones for number in unpacked(stone.messages)}
    return msgspec.structs.replace(
        first, files=tuple(sorted({name for stone in stones for name in stone.files})),
        also=tuple(sorted({name for stone in stones for name in stone.also})), messages=packed(messages),
    )  # fmt: skip


def several(count: int, session: str) -> UsageError:
    return UsageError(
        "several_sessions", "Several sessions", f"{count} sessions begin with {session!r}.", "Give more of the id, or --agent."
    )


def _name(row: FileRow, sessions: dict[int, SessionRow]) -> str:
    known = sessions.get(row.session_id)
    return known.native if known is not None and COPY_MARK not in known.native else row.unit


def _view(stone: Tombstone) -> ForgottenView:
    return ForgottenView(
        session=stone.session, agent=stone.agent, time=stone.time, messages=len(unpacked(stone.messages)),
        sub_agents=len(stone.also),
    )  # fmt: skip


@contextlib.contextmanager
def _store(library: Library) -> Iterator[Store]:
    store = Store(library.open())
    try:
        yield store
    finally:
        store.close()
