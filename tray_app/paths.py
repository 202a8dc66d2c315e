"""Where everything of ours lies, and where agents' sessions are looked for.

`BACKSCROLL_HOME` moves all of it under one folder (tests, portable use); unset, the platform's own folders are used.
`BACKSCROLL_SOURCES_HOME` is the home folder in which agents' sessions are looked for; agents' own variables
(`CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `DSH_HOME`) are honoured only when it is unset.
"""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

APP_ID = "io.github.backscroll.Backscroll"
FOLDS_CASE = sys.platform in ("win32", "darwin")


class Paths(NamedTuple):
    """Our own folders. Made on demand by `ensure()`, readable by this user only."""

    config: Path
    data: Path
    cache: Path
    logs: Path
    runtime: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Paths:
        env = os.environ if environ is None else environ
        home = env.get("BACKSCROLL_HOME", "").strip()
        if home:
            base = Path(home).expanduser().absolute()
            return cls(base / "config", base / "data", base / "cache", base / "logs", base / "run")
        import platformdirs

        dirs = platformdirs.PlatformDirs("backscroll", appauthor=False)
        if sys.platform.startswith("linux") and not os.environ.get("XDG_RUNTIME_DIR"):
            runtime = Path(dirs.user_data_path) / "run"  # no shared temporary folder: another user may own it
        else:
            runtime = Path(dirs.user_runtime_path)
        return cls(
            Path(dirs.user_config_path),
            Path(dirs.user_data_path),
            Path(dirs.user_cache_path),
            Path(dirs.user_log_path),
            runtime,
        )

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.toml"

    @property
    def state_file(self) -> Path:
        return self.data / "state.json"

    @property
    def index_file(self) -> Path:
        return self.data / "index.duckdb"

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.config, self.data, self.cache, self.logs, self.runtime)

    def ensure(self) -> Paths:
        """Make the folders, for this user only (0700 where the system knows modes)."""
        for folder in self.folders:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if os.name == "posix" and folder.stat().st_uid == os.getuid():
                folder.chmod(0o700)
        return self


class SourcesHome(NamedTuple):
    """The home folder agents are looked for in, with the variables that agents honour themselves."""

    home: Path
    environ: Mapping[str, str]
    """Empty when `BACKSCROLL_SOURCES_HOME` is set: then only the folder counts."""
    confined: bool = False
    """True when the home was given: workspaces outside it are then not read either."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> SourcesHome:
        env = os.environ if environ is None else environ
        given = env.get("BACKSCROLL_SOURCES_HOME", "").strip()
        if given:
            return cls(Path(given).expanduser().absolute(), {}, confined=True)
        return cls(Path.home(), dict(env))

    def agent_folder(self, variable: str, default: str) -> Path:
        """The folder an agent uses: its own variable if set and not blank, else `default` under the home."""
        value = self.environ.get(variable, "").strip()
        return Path(value).expanduser().absolute() if value else self.home / default


def resource(name: str) -> Path:
    """A file under resources/, in a checkout, an installed wheel or a frozen build."""
    here = Path(__file__).resolve().parent
    frozen = getattr(sys, "_MEIPASS", None)
    for base in ([Path(frozen) / "resources"] if frozen else []) + [here / "_resources", here.parent / "resources"]:
        if (base / name).exists():
            return base / name
    raise FileNotFoundError(f"resource {name} is missing from this installation")


def plain_folder(folder: str) -> str:
    """A folder in the form in which folders are compared: forward slashes, no end slash, nothing to resolve; in lower case
    where the system takes cases for the same (Windows, macOS, and paths with a drive or a share anywhere)."""
    path = posixpath.normpath(folder.replace("\\", "/")) if folder else ""
    return path.lower() if FOLDS_CASE or path[1:2] == ":" or path.startswith("//") else path


def is_within(folder: str, other: str) -> bool:
    """Whether a folder is another or lies in it; both in their plain form."""
    return folder == other or (bool(other) and folder.startswith(other.rstrip("/") + "/"))


def shorten(path: str | Path, home: str | None = None) -> str:
    """A path as it is shown and logged: the home folder as `~`."""
    text, base = str(path), home or str(Path.home())
    return "~" + text[len(base) :] if text == base or text.startswith(base + os.sep) else text
