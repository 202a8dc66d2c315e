"""What tells the running tray to do something: `toggle`, `show-window`, `quit`, `pause`, `resume`."""

from __future__ import annotations

import argparse

from tray_app.cli.access import backend, owner, print_json
from tray_app.cli.reports import activity
from tray_app.service.client import Lost
from tray_app.service.server import not_running

DONE = 0


def toggle(arguments: argparse.Namespace) -> int:
    return _tell("toggle")


def show_window(arguments: argparse.Namespace) -> int:
    return _tell("show_window")


def end(arguments: argparse.Namespace) -> int:
    return _tell("quit")


def _tell(control: str) -> int:
    with owner() as running:
        if running is None or running.owner.kind != "tray":
            raise not_running()
        try:
            running.ask(control, {})
        except Lost as lost:
            if control != "quit":  # it may be gone before it could answer
                raise not_running() from lost
    return DONE


def pause(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        found = connection.pause(arguments.minutes)
    print_json(found) if arguments.json else print(f"Indexing: {activity(found)}.")
    return DONE


def resume(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        found = connection.resume()
    print_json(found) if arguments.json else print(f"Indexing: {activity(found)}.")
    return DONE
