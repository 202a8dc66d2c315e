"""What one part of an installation is to the rest: a file, and how our entry is put into its text and taken out again.

Owns the protocol, and what an edit leaves behind so that taking out gives the very text that was there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

Undo = dict[str, str | None]
"""What stood where something had to be made for our entry, by its name in the text; None: nothing."""


class Refused(ValueError):
    """The text cannot be changed without a risk for what else is in it; the message says why, as the end of a sentence. `line`
    is where, from 1; 0 where no line is to blame."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Invalid(Refused):
    """The text is not what a file of its kind has to be."""


class NotOurs(Refused):
    """Something with our name is there that we did not write."""


class Part(Protocol):
    label: str
    """mcp | hook | instructions"""
    file: Path

    def put(self, text: str, undo: Undo) -> str:
        """The text with our entry as it has to be; the same text where it is so already. Notes in `undo` what it made. Raises
        Refused."""
        ...

    def take(self, text: str, undo: Undo) -> str:
        """The text without anything of ours; the same text where nothing is. Raises Refused."""
        ...

    def has(self, text: str) -> bool:
        """Whether an entry of ours is in it. Raises Refused."""
        ...

    def is_off(self, text: str) -> bool:
        """Whether the person switched off there what our entry is for. Raises Refused."""
        ...
