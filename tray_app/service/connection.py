"""The running owner, or this process as owner: one backend either way.

Owns the choice. `connect` asks the owner that is there; when there is none, this process becomes it, opens the engine and
listens for others. When an owner is lost, the next call elects anew and is repeated where that is safe. A tray that starts
while a command line or an MCP server owns the files asks it to let go, and so does a program that is newer than such an owner.
"""

from __future__ import annotations

import atexit
import itertools
import logging
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from tray_app.errors import AppError, KnownError
from tray_app.paths import Paths
from tray_app.records import IndexReport, Owner, Progress
from tray_app.service import arguments, ownership, protocol
from tray_app.service.client import Client, Lost
from tray_app.service.forwarding import Forwarding
from tray_app.service.owning import DRAIN_S, Local, Own, become_owner, engine_of
from tray_app.service.server import Window, not_running
from tray_app.settings import Settings

log = logging.getLogger(__name__)

FIND_S = 10.0
"""Longest search for an owner, or for the chance to become one: an owner that just starts or just ends is waited for."""
OPENING_S = 45.0
"""The same where the owner has said that it opens the files, or says nothing any more because it closes them: that takes long
where there is much to mend, or on a machine that has much else to do."""
MOST_TRIES = 20
"""Owners that are lost one after the other before it is told."""
GRACE_S = 0.5
"""How long a former owner and its clients let the one that asked for the files go first."""


class Connection(Forwarding):
    """A `Backend`, answered by the owner wherever it is. Safe to use from several threads."""

    def __init__(
        self,
        paths: Paths,
        settings: Settings,
        kind: str,
        *,
        window: Window | None = None,
        idle_s: float | None = None,
        make: Callable[[Paths, Settings, str], Local] | None = None,
    ) -> None:
        self._paths, self._settings, self._kind, self._make = paths, settings, kind, make or engine_of
        self._window, self._idle_s = window, idle_s
        self._lock = threading.RLock()
        self._own: Own | None = None
        self._client: Client | None = None
        self._gave_way_at = 0.0
        self._calls = threading.Condition()
        self._calling: list[str] = []
        """Methods of the engine that this process itself is in."""
        self._last_call = time.monotonic()
        self._owning = threading.Event()
        self._closed = threading.Event()
        if idle_s is not None:
            threading.Thread(target=self._watch_idleness, name="service-idle", daemon=True).start()

    # --- who answers -----------------------------------------------------------------------------------------------
    @property
    def owner(self) -> Owner:
        """Who holds the files. Raises KnownError when nobody can."""
        own, client = self._elect()
        if own is not None:
            return Owner(pid=protocol.own_hello(self._kind).pid, kind=self._kind)
        assert client is not None
        return Owner(pid=client.owner.pid, kind=client.owner.kind)

    @property
    def is_owner(self) -> bool:
        return self._own is not None

    @property
    def engine(self) -> Local | None:
        """The engine in this process, when this process is the owner."""
        own = self._own
        return own.engine if own is not None else None

    @property
    def window(self) -> Window | None:
        return self._window

    @window.setter
    def window(self, window: Window | None) -> None:
        self._window = window
        own = self._own
        if own is not None:
            own.server.window = window

    def control(self, name: str) -> None:
        """`toggle`, `show_window` or `quit` of the running tray. Raises KnownError: 'not_running', also where it ended meanwhile
        and this process is the owner now; 'owner_silent'."""
        for tries in itertools.count(1):
            _, client = self._elect()
            if client is None:
                raise not_running()
            try:
                client.ask(name, {})
            except Lost as lost:
                self._forget(client)
                if lost.silent or tries > MOST_TRIES:
                    raise _silent(client.note, lost.silent) from lost
            else:
                return

    def close(self) -> None:
        """Let go of everything. Can be called twice."""
        self._closed.set()
        self._owning.set()
        atexit.unregister(self.close)
        with self._lock:
            self._part()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- election --------------------------------------------------------------------------------------------------
    def _elect(self) -> tuple[Own | None, Client | None]:
        with self._lock:
            self._refuse_closed()
            if self._own is None and self._client is None:
                self._find()
            return self._own, self._client

    def _refuse_closed(self) -> None:
        if self._closed.is_set():
            raise KnownError("closed", "Closed", "This connection was closed.")

    def _find(self) -> None:
        began, former = time.monotonic(), None
        pause, silent = 0.005, False
        while True:
            self._refuse_closed()  # who closes waits for this lock
            note = ownership.read_note(self._paths)
            if note != former:  # another owner, or the same a step further: each has its time
                began, former = time.monotonic(), note
            if note is not None and note.address:
                client = Client(note, self._kind)
                try:
                    client.greet()
                except Lost as lost:
                    silent = lost.silent
                    client.close()
                else:
                    if not self._made_way(client):
                        if not client.same_version:
                            client.close()
                            raise protocol.other_version(client.owner)
                        self._client = client
                        return
                    client.close()
            if time.monotonic() - self._gave_way_at > GRACE_S:
                claim = ownership.claim(self._paths)
                if claim is not None:
                    self._own = become_owner(
                        claim, self._paths, self._kind, lambda: self._make(self._paths, self._settings, self._kind),
                        window=self._window, step_down=self._give_way,
                    )  # fmt: skip
                    atexit.unregister(self.close)  # it may be the owner for the second time
                    atexit.register(self.close)  # else the database's threads end under it, and the process aborts
                    self._last_call = time.monotonic()
                    self._owning.set()
                    return
            if time.monotonic() - began > (FIND_S if note is not None and note.address else OPENING_S):
                raise _silent(note, silent)
            self._closed.wait(pause)
            pause = min(pause * 1.5, 0.1)

    def _made_way(self, client: Client) -> bool:
        """Whether another owner lets go: for this tray, or because the program was updated since it started. Never the other
        way round, so that two versions do not take turns."""
        if client.owner.kind == "tray" or not (self._kind == "tray" or protocol.is_older(client.owner.version)):
            return False
        try:
            answer: protocol.Yielding = client.ask("yield_ownership", {})
        except (Lost, AppError) as fault:
            log.info("the owner (%s, process %d) did not let go: %s", client.owner.kind, client.owner.pid, type(fault).__name__)
            return isinstance(fault, Lost)
        return answer.yielding

    def _give_way(self) -> bool:
        """Asked by a tray: finish what runs, let go, and go on as its client."""
        with self._lock:
            self._part(for_tray=True)
            self._gave_way_at = time.monotonic()
        return True

    def _part(self, *, for_tray: bool = False) -> None:
        """Let go of the owner, or of being it. Held: `_lock`."""
        with self._calls:
            own, client, self._own, self._client = self._own, self._client, None, None
            if own is not None:
                self._calls.wait_for(lambda: all(name == "index" for name in self._calling), DRAIN_S)
        if own is not None:
            own.close(lambda: bool(self._calling), for_tray=for_tray)
        if client is not None:
            client.close()

    def _watch_idleness(self) -> None:
        """Let go of the files when nothing was asked for a while; the next call elects anew."""
        assert self._idle_s is not None
        while not self._closed.is_set():
            self._owning.wait()
            if self._closed.wait(self._idle_s / 4):
                return
            with self._lock:
                own = self._own
                if own is None:
                    self._owning.clear()
                    continue
                quiet = time.monotonic() - max(self._last_call, own.server.last_asked)
                if quiet >= self._idle_s and not self._calling and not own.server.busy:
                    self._part()

    # --- asking ----------------------------------------------------------------------------------------------------
    def _ask(self, name: str, params: dict[str, Any], report: Callable[[Progress], None] | None = None) -> Any:
        arguments.check(params)
        tries = 0
        while True:
            own, client = self._elect()
            if own is not None:
                done, result = self._ask_own(own, name, params, report)
                if done:
                    return result
                continue
            assert client is not None
            try:
                return client.ask(name, params, report)
            except Lost as lost:
                self._forget(client)
                tries += 1
                if lost.yields and self._kind != "tray":
                    self._gave_way_at = time.monotonic()
                if lost.silent:
                    raise _silent(client.note, silent=True) from lost
                if (lost.asked and not protocol.METHODS[name].repeat) or tries > MOST_TRIES:
                    raise KnownError(
                        "owner_lost",
                        "No answer",
                        f"The running Backscroll (process {client.note.pid}) ended before it answered.",
                        "See whether it was done, then try again.",
                    ) from lost

    def _ask_own(
        self, own: Own, name: str, params: dict[str, Any], report: Callable[[Progress], None] | None
    ) -> tuple[bool, Any]:
        """The engine's answer, and whether it counts: not when the files were given up in the middle."""
        with self._calls:
            if self._own is not own:
                return False, None
            self._calling.append(name)
        more: dict[str, Any] = {"report": report} if protocol.METHODS[name].progress else {}
        try:
            result = getattr(own.engine, name)(**params, **more)
        except Exception:
            if self._own is own or self._closed.is_set():
                raise
            log.info("%s was cut short because the files were given up; it is asked again", name)
            return False, None
        finally:
            with self._calls:
                self._calling.remove(name)
                self._last_call = time.monotonic()
                self._calls.notify_all()
        stopped = isinstance(result, IndexReport) and result.stopped and self._own is not own and not self._closed.is_set()
        return not stopped, result

    def _forget(self, client: Client) -> None:
        with self._lock:
            if self._client is client:
                self._client = None
        client.close()


def connect(
    paths: Paths,
    settings: Settings,
    kind: str,
    *,
    window: Window | None = None,
    idle_s: float | None = None,
    make: Callable[[Paths, Settings, str], Local] | None = None,
) -> Connection:
    """The running owner, or this process as owner. `kind`: tray | cli | mcp. `idle_s`: as owner, let go of the files after
    that many idle seconds. `make`: another engine than the real one. Raises KnownError when neither is
    possible (index_locked, owner_silent, data_unwritable, other_version, ...).
    """
    connection = Connection(paths, settings, kind, window=window, idle_s=idle_s, make=make)
    try:
        _ = connection.owner
    except BaseException:
        connection.close()
        raise
    return connection


def running_owner(paths: Paths, kind: str) -> Client | None:
    """The owner if there is one; never becomes it. Raises KnownError when it is there but does not answer."""
    for _ in range(3):
        note = ownership.read_note(paths)
        if note is None or not note.address:
            return None
        client = Client(note, kind)
        try:
            client.greet()
        except Lost as lost:
            client.close()
            if lost.silent:
                raise _silent(note, silent=True) from lost
            time.sleep(0.05)  # it may have just ended, or another has just begun
            continue
        return client
    return None


def _silent(note: ownership.Note | None, silent: bool) -> KnownError:
    who = f"The running Backscroll (process {note.pid})" if note is not None else "Another Backscroll"
    if note is not None and not note.address:
        return KnownError("owner_silent", "Not ready", f"{who} is still opening its files.", "Wait a little, then try again.")
    what = "does not answer" if silent else "holds the files, and cannot be reached"
    return KnownError("owner_silent", "No answer", f"{who} {what}.", "Quit it and try again.")
