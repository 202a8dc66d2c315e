"""What commands are made of: the parser, the options that many of them share, and the kinds of values these take.

Imports nothing heavy: `--help` is instant.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from tray_app.errors import UsageError

MARK = "\0"
"""Stands in front of a word of a question that begins with a dash, so that it is not taken for an option."""


class Command(NamedTuple):
    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: str
    """module:function in this package, called with the parsed arguments; gives the exit code."""
    words: bool = False
    """Takes a question: words may begin with a dash, and what comes after -- belongs to it."""


class Parser(argparse.ArgumentParser):
    """Wrong use as an error like any other."""

    def error(self, message: str) -> NoReturn:
        raise UsageError("usage", "Wrong use", f"{message}.".replace(MARK, ""), f"See: {self.prog} --help")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def minutes(text: str) -> float:
    number = float(text)
    if not 0 < number <= 525_600:
        raise ValueError
    return number


positive.__name__, minutes.__name__ = "whole number above 0", "number of minutes"  # what argparse says it expected


def json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def space_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--space", metavar="S", help="in this space (else that of the current folder); default: outside all")


def no_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""
