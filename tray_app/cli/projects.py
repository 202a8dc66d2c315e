"""Which project a command is about, and what a project that is not known means for the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from tray_app.cli.access import backend, here
from tray_app.errors import KnownError, UsageError
from tray_app.service.connection import Connection
from tray_app.service.protocol import clean

DONE, NOTHING, PARTLY = 0, 1, 4
UNKNOWN = frozenset({"no_such_project", "no_such_memory", "no_draft", "no_checkpoint", "no_such_card", "no_such_backup"})


@contextmanager
def memory() -> Iterator[Connection]:
    """The backend; what it does not know ends the command as 'nothing found'."""
    with backend() as connection:
        try:
            yield connection
        except KnownError as error:
            if error.code in UNKNOWN:
                error.exit_code = NOTHING
            raise


def project_meant(connection: Connection, arguments: argparse.Namespace) -> str:
    """The project that was named, else that of the current folder. Raises UsageError where there is none."""
    if (named := optional(arguments.project)) is not None:
        return named
    guess = connection.guess_project(here(), space=arguments.space, caller=here())
    if not guess.sure:
        raise UsageError(
            "usage", "Which project?", "The current folder belongs to no project.", "Name one; to see them: backscroll projects"
        )
    return guess.project


def optional(text: str | None) -> str | None:
    """A text from the command line as it can be sent on."""
    return None if text is None else str(clean(text))


def names_in(text: str | None) -> list[str] | None:
    """Names given with commas between them; None where none were."""
    return None if text is None else [name.strip() for name in clean(text).split(",") if name.strip()]
