"""Who may use a model now: one at a time, questions before passages.

Owns the order alone. Two threads inside numpy at once are slower than one after the other: each small step hands the
interpreter's lock over, and a question of 4 ms took 370 ms beside passages.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Turns:
    """A lock with two doors."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._taken = False
        self._questions = 0
        """That wait."""

    @contextmanager
    def question(self) -> Iterator[None]:
        with self._change:
            self._questions += 1
            try:
                self._change.wait_for(lambda: not self._taken)
            finally:
                self._questions -= 1
            self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    @contextmanager
    def passages(self) -> Iterator[None]:
        """For a slice of work that is short: a question waits as long as it lasts."""
        with self._change:
            self._change.wait_for(lambda: not self._taken and not self._questions)
            self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        with self._change:
            self._taken = False
            self._change.notify_all()


def slices(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """Texts in order, in groups of at most `size` characters; a longer one is a group of its own."""
    group: list[str] = []
    used = 0
    for text in texts:
        if group and used + len(text) > size:
            yield group
            group, used = [], 0
        group.append(text)
        used += len(text)
    if group:
        yield group
