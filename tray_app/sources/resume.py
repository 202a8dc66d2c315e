"""Quoting for the command that goes on with a session: what stands in a session file must never become shell syntax.

Owns the `cd` in front of every agent's resume command. Runs nothing and looks at no disk: the folder may be gone by now,
which the caller says to the person.
"""

from __future__ import annotations

import re
import shlex

_WINDOWS_FOLDER = re.compile(r"[A-Za-z]:[\\/]|\\\\[^\\/]")
_NOT_IN_WINDOWS_NAMES = re.compile(r'["<>|?*\x00-\x1f]')


def in_folder(cwd: str, command: str) -> str:
    """`command`, run in `cwd`: `cd '<cwd>' && <command>`, for cmd.exe `cd /d "<cwd>" && <command>` where `cwd` is a
    Windows folder. The command alone where there is no folder, or none that can be quoted safely."""
    if not cwd or "\x00" in cwd:
        return command
    if _WINDOWS_FOLDER.match(cwd):
        return command if _NOT_IN_WINDOWS_NAMES.search(cwd) else f'cd /d "{cwd}" && {command}'
    folder = f"./{cwd}" if cwd.startswith("-") else cwd
    return f"cd {shlex.quote(folder)} && {command}"


def argument(text: str) -> str:
    """One argument of a command, quoted where it needs to be (session ids are letters, digits and dashes as a rule)."""
    return shlex.quote(text)
