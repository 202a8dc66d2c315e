"""`mcp`: the server for agents. The one place where the command line reaches into that front end."""

from __future__ import annotations

import argparse

from tray_app.paths import Paths


def mcp(arguments: argparse.Namespace) -> int:
    """Serve on standard input and output until the client goes; the log is the server's own. Raises KnownError `no_mcp`."""
    from tray_app import logs
    from tray_app.mcp_server.stdio import serve

    logs.setup(Paths.from_environment(), "mcp", _redact)
    return serve()


def _redact(text: str) -> str:
    from tray_app.text.redact import redact

    return redact(text)[0]
