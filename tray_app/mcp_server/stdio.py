"""`backscroll mcp`: the server on standard input and output, from the first line to the end of input.

Owns the start and the end of the process. What is heavy to load (the engine) is loaded with the first call, after the handshake.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from tray_app.errors import KnownError
from tray_app.mcp_server.link import IDLE_S, Link, folder_here, log
from tray_app.paths import Paths

if TYPE_CHECKING:
    from tray_app.service.connection import Connection

LEAVE_S = 5.0
"""How long letting go of the files may take at the end; a pass that is stopped takes a second."""
INSTALL = "pip install 'backscroll[mcp]'"


def serve() -> NoReturn:
    """Serve until the client goes, and end the process. Raises KnownError: `no_mcp` where the SDK is not installed, `no_pipes`
    where there is no input or output."""
    if sys.stdin is None or sys.stdout is None:  # then other files may have got their numbers
        raise KnownError(
            "no_pipes", "Nobody to talk to", "There is no standard input or output.", "This command is started by an agent."
        )
    folder = folder_here()
    if not folder:
        os.chdir(os.sep)  # an import that looks in the working folder would fail
    gc.disable()  # thousands of classes are made now and none is given back: a fifth of the start
    try:
        import anyio

        from tray_app.mcp_server.lines import stdio_lines
        from tray_app.mcp_server.server import make_server
    except ImportError as fault:  # also one that lacks a name: an SDK of another generation
        name = (fault.name or "tray_app").partition(".")[0]
        if name == "tray_app":
            raise
        raise missing(name) from fault
    finally:
        gc.freeze()
        gc.enable()
    link = connected(folder)
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _ender(link))

    async def run() -> None:
        server = make_server(link)
        async with stdio_lines() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        _let_go(link)
    _end_now(0)


def missing(name: str) -> KnownError:
    return KnownError(
        "no_mcp", "Not installed", f"The server for agents needs a package that is not here, or not in the right version: {name}.",
        f"Install it into the same environment: {INSTALL}",
    )  # fmt: skip


def connected(folder: str) -> Link:
    """The link to the real owner, or to this process as owner. `folder`: the one the server speaks for."""

    def make() -> Connection:
        from tray_app.service.connection import connect
        from tray_app.settings import Settings

        paths = Paths.from_environment()
        return connect(paths, Settings(paths.settings_file), "mcp", idle_s=IDLE_S)

    return Link(make, folder)


def _ender(link: Link) -> Callable[[int, FrameType | None], None]:
    """What ends the process on a signal. The end is not left to the loop, which may be waiting for a client that reads nothing."""

    def end(number: int, frame: FrameType | None) -> None:
        def leave() -> None:
            _let_go(link)
            _end_now(128 + number)

        threading.Thread(target=leave, name="mcp-end", daemon=True).start()

    return end


def _let_go(link: Link) -> None:
    """Close the link, as far as that is done in time. What was acknowledged is on the disk either way."""

    def close() -> None:
        try:
            link.close()
        except Exception:
            log.exception("the files were not let go of as they should")

    closing = threading.Thread(target=close, name="mcp-close", daemon=True)
    closing.start()
    closing.join(LEAVE_S)


def _end_now(code: int) -> NoReturn:
    """End the process without the interpreter's own end, which aborts it where a thread is still inside the database: a call
    that nobody waits for any more."""
    logging.shutdown()
    os._exit(code)
