"""`backscroll` without a command: the tray, the window of the one that runs, or the terminal where there is no screen."""

from __future__ import annotations

from tray_app.cli.access import backend, owner
from tray_app.cli.terminal import say
from tray_app.desktop import display


def start(*, background: bool) -> int:
    with owner() as running:
        if running is not None and running.owner.kind == "tray":
            if not background:
                running.ask("show_window", {})
            return 0
    missing = display.problem()
    if missing is None:
        try:
            return open_window(["--background"] if background else [])
        except ImportError as fault:
            say(f"The window cannot be opened: {fault}.")
    else:
        say(str(missing))
    from tray_app.cli import prompt

    with backend() as connection:
        return prompt.begin(connection)


def open_window(arguments: list[str]) -> int:
    """Become the tray, until the person quits. Raises ImportError where Qt is not installed. The one place where the command
    line reaches into the other front end."""
    from tray_app.ui.app import main

    return main(arguments)
