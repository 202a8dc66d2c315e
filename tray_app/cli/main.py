"""Entry of the command line: finds the command, carries it out, and turns every outcome into words and an exit code.

Imports lazily, so that `--version` and `--help` load neither the database nor Qt nor the engine.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

import tray_app
from tray_app.errors import AppError, UsageError

INTERRUPTED, BROKEN_PIPE, NOT_NOW = 130, 141, 3


def main(argv: list[str] | None = None) -> int:
    """Carry out a command line. Gives the exit code; never raises for what a person or the world does."""
    given = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        code = _run(given)
        sys.stdout.flush()
    except SystemExit as ended:  # argparse, after it printed the help
        return ended.code if isinstance(ended.code, int) else 0
    except AppError as error:
        print(f"backscroll: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _silence(sys.stdout)
        return BROKEN_PIPE
    except Exception as fault:
        return _bug(fault)
    return code


def _run(given: list[str]) -> int:
    name = given[0] if given else ""
    if name in ("--version", "-V", "version"):
        print(f"backscroll {tray_app.__version__}")
        return 0
    if name in ("", "--background"):
        if given[1:]:
            raise UsageError("usage", "Wrong use", f"{given[1]!r} is not known here.", "See: backscroll --help")
        _begin_log()
        from tray_app.cli.starting import start

        return start(background=name == "--background")
    if name == "hook" and not {"--help", "-h"} & set(given[1:]):
        from tray_app.agents.hook import main as answer  # before anything that takes time; wrong use is silent, too

        return answer(given[1:])
    from tray_app.cli import commands

    if name in ("--help", "-h", "help"):
        print(commands.overview())
        return 0
    if name not in commands.COMMANDS:
        raise _unknown(name)
    arguments = commands.parse(name, given[1:])
    _begin_log()
    import importlib

    module, function = commands.COMMANDS[name].run.split(":")
    code: int = getattr(importlib.import_module(f"tray_app.cli.{module}"), function)(arguments)
    return code


def _unknown(name: str) -> UsageError:
    import difflib

    from tray_app.cli import commands

    near = difflib.get_close_matches(name, commands.COMMANDS, 1)
    hint = f"Did you mean {near[0]}?" if near else f"To search: backscroll search {name}" if name[:1] != "-" else ""
    return UsageError("usage", "Wrong use", f"There is no command {name!r}.", hint or "See: backscroll --help")


def _begin_log() -> None:
    from tray_app import logs
    from tray_app.paths import Paths

    logs.setup(Paths.from_environment(), "cli", _redact)


def _redact(text: str) -> str:
    from tray_app.text.redact import redact

    return redact(text)[0]


def _bug(fault: Exception) -> int:
    """One line for the person; the traceback is in the log."""
    import logging

    from tray_app.paths import Paths, shorten

    logging.getLogger(__name__).error("the command failed", exc_info=fault)
    where = shorten(Paths.from_environment().logs / "cli.log")
    print(f"backscroll: something went wrong inside ({type(fault).__name__}). Details are in {where}", file=sys.stderr)
    return NOT_NOW


def _silence(stream: TextIO) -> None:
    """Nobody reads any more: let what is still buffered go nowhere, or the interpreter complains at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # not a real file (a test's), which needs no silencing
        return


if __name__ == "__main__":
    sys.exit(main())
