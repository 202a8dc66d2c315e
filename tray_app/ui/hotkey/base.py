"""What every hotkey back end promises, and how a key is written ('Ctrl+Alt+Space').

No Qt here. A grab's life is the object that `grab` returns: `Grabbed.release()` lets go of that grab and of no other.
Reasons are codes; the window turns them into sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
MODIFIER_NAMES = {
    "ctrl": "Ctrl",
    "control": "Ctrl",
    "alt": "Alt",
    "option": "Alt",
    "shift": "Shift",
    "meta": "Meta",
    "super": "Meta",
    "win": "Meta",
    "cmd": "Meta",
    "command": "Meta",
}
NAMED_KEYS = (
    "Space", "Tab", "Return", "Enter", "Esc", "Backspace", "Del", "Ins", "Home", "End", "PgUp", "PgDown",
    "Up", "Down", "Left", "Right", "Pause", "Print",
)  # fmt: skip
KEY_ALIASES = {
    "escape": "Esc",
    "delete": "Del",
    "insert": "Ins",
    "pageup": "PgUp",
    "pagedown": "PgDown",
    "spacebar": "Space",
    "plus": "+",
    "minus": "-",
}
FUNCTION_KEYS = tuple(f"F{number}" for number in range(1, 25))
PUNCTUATION = "`-=[]\\;',./+"


@dataclass(frozen=True)
class Sequence:
    """One key with its modifiers. `str()` is the form kept in the settings, modifiers always in the same order."""

    modifiers: frozenset[str]
    key: str

    def __str__(self) -> str:
        return "+".join([name for name in MODIFIERS if name in self.modifiers] + [self.key])


class SequenceFault(ValueError):
    """The text is no key, or one that must not be taken. `code`: empty | unknown_key | two_keys | needs_modifier |
    only_shift | input_switch"""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{text!r}: {code}")
        self.code = code


def parse(text: str) -> Sequence:
    """Read 'Ctrl+Alt+Space', in any order and case. Raises SequenceFault.

    A plain letter, or one with Shift alone, is refused: it could not be typed any more. Ctrl+Space is refused: it
    switches Chinese input on and off.
    """
    cleaned = text.strip()
    if not cleaned:
        raise SequenceFault("empty", text)
    if cleaned.endswith("++"):
        parts = [*cleaned[:-2].split("+"), "+"]
    elif cleaned == "+":
        parts = ["+"]
    else:
        parts = cleaned.split("+")
    modifiers: set[str] = set()
    key = ""
    for part in (piece.strip() for piece in parts):
        modifier = MODIFIER_NAMES.get(part.lower())
        if modifier:
            modifiers.add(modifier)
        elif key:
            raise SequenceFault("two_keys", text)
        else:
            key = _key(part, text)
    if not key:
        raise SequenceFault("unknown_key", text)
    found = Sequence(frozenset(modifiers), key)
    if key not in FUNCTION_KEYS:
        if not modifiers:
            raise SequenceFault("needs_modifier", text)
        if modifiers == {"Shift"}:
            raise SequenceFault("only_shift", text)
    if str(found) == "Ctrl+Space":
        raise SequenceFault("input_switch", text)
    return found


def _key(part: str, text: str) -> str:
    if len(part) == 1 and part.isascii() and (part.isalnum() or part in PUNCTUATION):
        return part.upper()
    lowered = part.lower()
    if lowered in KEY_ALIASES:
        return KEY_ALIASES[lowered]
    for name in (*NAMED_KEYS, *FUNCTION_KEYS):
        if name.lower() == lowered:
            return name
    raise SequenceFault("unknown_key", text)


@dataclass(frozen=True)
class Press:
    """One press of the key. `time` is the X server's (0 elsewhere), `token` lets a Wayland window take the focus."""

    time: int = 0
    token: str = ""


@dataclass(frozen=True)
class Grabbed:
    """The key is ours. `text` is how the system names it; `fixed` says that only the system can change it."""

    text: str
    release: Callable[[], None] = field(compare=False)
    fixed: bool = False


@dataclass(frozen=True)
class Refused:
    """This key cannot be had, another might. `reason`: taken | no_such_key | no_permission | denied"""

    reason: str
    detail: str = ""


@dataclass(frozen=True)
class Unsupported:
    """No key can be had here. `reason`: no_portal | no_bus | no_app_id | no_display | not_this_system | no_library |
    lost. `again`: it may be there later, so ask again."""

    reason: str
    detail: str = ""
    again: bool = False


@dataclass(frozen=True)
class Waiting:
    """The system was asked and answers later, through `settled`."""


Outcome = Grabbed | Refused | Unsupported | Waiting


class HotkeyBackend(Protocol):
    """Lives in the GUI thread; none of its calls waits for another program."""

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        """Take the key. `pressed` is called at each press (repeats of a held key left out); `settled` once or more, when
        the outcome was `Waiting` or changes later."""
        ...

    def close(self) -> None:
        """Let go of everything that was grabbed here."""
        ...
