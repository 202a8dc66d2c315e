"""This process as owner: opening the engine and listening, and letting go of both in the right order.

Whether this process is to be the owner is `connection`'s to decide; here the claim is held already.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.records import Finding
from tray_app.service import ownership, protocol, standing
from tray_app.service.backend import Backend
from tray_app.service.ownership import Claim
from tray_app.service.server import Server, Window
from tray_app.settings import Settings

LOCKED_S = 3.0
"""Longest wait for a database that a process without a socket has locked."""
DRAIN_S = 2.0
"""How long requests under way may take when the owner lets go."""
LEAVE_S = 3.0
"""How long calls may take to leave an engine that was closed under them."""


class Local(Backend, Protocol):
    """The engine as this package needs it."""

    def open_or_raise(self) -> None:
        """Open the files. Raises KnownError 'index_locked' when another process holds them."""
        ...

    def close(self) -> None: ...

    def also_look(self, name: str, look: Callable[[], Sequence[Finding]]) -> None:
        """Have the check-up ask this too."""
        ...


def engine_of(paths: Paths, settings: Settings, kind: str) -> Local:
    """Raises KnownError where the program on the disk is another by now than the one that runs: half of each would be loaded."""
    installed = protocol.replaced_by()
    if installed:
        raise protocol.updated(installed)
    from tray_app.engine import Engine

    engine: Local = Engine(paths, settings, kind=kind)
    return engine


class Own:
    """What is held while this process is the owner."""

    def __init__(self, claim: Claim, engine: Local, server: Server) -> None:
        self.claim, self.engine, self.server = claim, engine, server

    def close(self, is_calling: Callable[[], bool], *, for_tray: bool) -> None:
        """Let go: first no new requests, then the files, then the right to them. A call that is still in the engine could
        open the files again, so they are closed until none is."""
        self.server.drain(DRAIN_S, for_tray=for_tray)
        self.claim.withdraw()
        deadline = time.monotonic() + LEAVE_S
        with contextlib.ExitStack() as last:  # whatever fails before: nobody else could own the files while this is not done
            for step in (self.claim.release, self.engine.close, self.server.close):
                last.callback(step)
            self.engine.close()
            while (is_calling() or self.server.busy) and time.monotonic() < deadline:
                time.sleep(0.01)
                self.engine.close()


def become_owner(
    claim: Claim,
    paths: Paths,
    kind: str,
    make: Callable[[], Local],
    *,
    window: Window | None,
    step_down: Callable[[], bool],
) -> Own:
    """Open the files and listen. The claim is given back when that fails. Raises KnownError."""
    engine: Local | None = None
    try:
        claim.announce_opening(kind)
        engine = make()
        _open_patiently(engine)
        note = claim.announce(kind)
        try:
            server = Server(engine, note, window=window, step_down=step_down)
        except OSError as fault:
            raise ownership.unwritable(paths.runtime, fault) from fault
        server.start()
        engine.also_look("service", lambda: standing.findings(paths, note))
    except BaseException:
        try:
            if engine is not None:
                engine.close()
        finally:
            claim.release()
        raise
    return Own(claim, engine, server)


def _open_patiently(engine: Local) -> None:
    """Open the files; when a process that does not listen has them, wait a little for it to end."""
    deadline = time.monotonic() + LOCKED_S
    while True:
        try:
            engine.open_or_raise()
        except KnownError as error:
            if error.code != "index_locked" or time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return
