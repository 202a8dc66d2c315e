"""`mcp`: the server for agents. The one place where the command line reaches into that front end."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from tray_app.paths import Paths

BY_HAND = (
    "This is the server for agents: it waits for messages in JSON and answers them here. To have an agent start it: "
    "backscroll install AGENT. To end it: Ctrl+C"
)


def mcp(arguments: argparse.Namespace) -> NoReturn:
    """Serve on standard input and output until the client goes; the log is the server's own. Raises KnownError: `no_mcp`, `no_pipes`."""
    from tray_app import logs
    from tray_app.mcp_server.stdio import serve

    logs.setup(Paths.from_environment(), "mcp", _redact)
    if sys.stdin is not None and sys.stdin.isatty():
        print(BY_HAND, file=sys.stderr)
    serve()


def _redact(text: str) -> str:
    from tray_app.text.redact import redact

    return redact(text)[0]
