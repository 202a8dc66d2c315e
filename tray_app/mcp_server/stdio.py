"""`backscroll mcp`: the server on standard input and output, from the first line to the end of input.

Owns the start and the end of the process. What is heavy to load (the engine) is loaded with the first call, after the handshake.
Standard output carries the protocol only: the SDK takes it over, and what else is written there goes to standard error.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from tray_app.errors import KnownError
from tray_app.mcp_server.link import IDLE_S, Link, folder_here
from tray_app.paths import Paths
from tray_app.service.backend import Backend

if TYPE_CHECKING:
    from tray_app.service.connection import Connection

INSTALL = "pip install 'backscroll[mcp]'"


def serve() -> int:
    """Serve until the client goes. Gives the exit code. Raises KnownError `no_mcp` where the SDK is not installed."""
    gc.disable()  # thousands of classes are made now and none is given back: a fifth of the start
    try:
        import anyio
        from mcp.server.stdio import stdio_server

        from tray_app.mcp_server.server import make_server
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] == "tray_app":
            raise
        raise missing(fault.name) from fault
    finally:
        gc.enable()
    link = connected()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _ender(link))

    async def run() -> None:
        server = make_server(link)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        link.close()
    return 0


def missing(name: str) -> KnownError:
    return KnownError(
        "no_mcp", "Not installed", f"The server for agents needs the package {name!r}, which is not installed.",
        f"Install it into the same environment: {INSTALL}",
    )  # fmt: skip


def connected() -> Link:
    """The link to the real owner, or to this process as owner."""

    def make() -> Connection:
        from tray_app.service.connection import connect
        from tray_app.settings import Settings

        paths = Paths.from_environment()
        return connect(paths, Settings(paths.settings_file), "mcp", idle_s=IDLE_S)

    def is_owner(backend: Backend) -> bool:
        return bool(getattr(backend, "is_owner", False))

    return Link(make, folder_here(), is_owner)


def _ender(link: Link) -> Callable[[int, FrameType | None], None]:
    """What ends the process on a signal: a thread of the SDK waits on standard input and would hold it up."""

    def end(number: int, frame: FrameType | None) -> None:
        def leave() -> None:
            try:
                link.close()
            finally:
                logging.shutdown()
                os._exit(128 + number)

        threading.Thread(target=leave, name="mcp-end", daemon=True).start()

    return end
