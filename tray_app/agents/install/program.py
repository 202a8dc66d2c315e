"""How agents start this program: absolute, so that it works whatever their PATH is."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def program() -> list[str]:
    """The frozen program's command line, the installed script, or the module; whichever runs now."""
    here = Path(sys.executable)
    script = here.with_name("backscroll.exe" if sys.platform == "win32" else "backscroll")
    if getattr(sys, "frozen", False):
        return [str(script if script.exists() else here)]
    return [str(script)] if script.exists() else [str(here), "-m", "tray_app.cli.main"]


def can_serve() -> bool:
    """Whether `backscroll mcp` has what it needs here."""
    return importlib.util.find_spec("mcp") is not None


def environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """What must be set for it to find its own files: some agents start servers with an environment of their own."""
    home = (os.environ if environ is None else environ).get("BACKSCROLL_HOME", "").strip()
    return {"BACKSCROLL_HOME": str(Path(home).expanduser().absolute())} if home else {}


def hook_command(agent: str, event: str) -> str:
    """One line for a shell."""
    home = environment().get("BACKSCROLL_HOME")
    return shell_line([*program(), "hook", agent, event, *(["--home", home] if home else [])])


def shell_line(words: Sequence[str], *, windows: bool = sys.platform == "win32") -> str:
    """On Windows agents use one shell or another: with forward slashes and double quotes all of them agree."""
    if not windows:
        return shlex.join(words)
    return " ".join(f'"{word}"' if " " in word else word for word in (word.replace("\\", "/") for word in words))
