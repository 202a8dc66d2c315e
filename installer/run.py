#!/usr/bin/env python3
"""Sets up a virtual environment in this checkout and starts Backscroll, or passes its tests.

    python3 installer/run.py              set up, then `backscroll` (further arguments are passed on)
    python3 installer/run.py test         set up, then the tests (further arguments go to pytest)

Owns the virtual environment `.venv` (or the folder named by BACKSCROLL_VENV) and the stamp in it. Needs nothing but Python:
only the standard library, and syntax that Python 3.8 reads, so that an old one can still say what is missing. May not
import anything of ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 13)
WANTED = [(3, minor) for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
STAMP = "backscroll-stamp.json"
EXIT_NOT_AVAILABLE = 3
NETWORK_SIGNS = (
    "NewConnectionError",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Name or service not known",
    "getaddrinfo failed",
    "nodename nor servname",
    "ConnectTimeoutError",
    "Network is unreachable",
    "ProxyError",
    "Read timed out",
    "Connection refused",
    "Connection reset",
)


class SetupError(Exception):
    """Something a person can mend; its text says what and how."""


def main(arguments: list[str]) -> int:
    """Set up and run. Returns the exit status of what was run, or 3 when something is missing."""
    try:
        testing = arguments[:1] == ["test"]
        environment = Environment(venv_folder())
        state = environment.state()
        if state == "misfit":
            raise SetupError(
                f"{environment.folder} belongs to another Python than 3.11 to 3.13. Remove it, or name another folder in BACKSCROLL_VENV."
            )
        if state == "no_pip":
            environment.prepare()
        elif state != "ready":
            if not is_wanted(sys.version_info[:2]):
                return hand_over(arguments)
            environment.make()
        environment.install(["test"] if testing else ["mcp"])
        if testing:
            return run_tests(environment, arguments[1:])
        return run_program(environment, arguments)
    except SetupError as fault:
        say(str(fault))
        return EXIT_NOT_AVAILABLE
    except KeyboardInterrupt:
        say("Stopped. The same command goes on from here.")
        return 130


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# --- a Python that fits --------------------------------------------------------------------------------------------------
def is_wanted(version: Iterable[int]) -> bool:
    return OLDEST <= tuple(version)[:2] <= NEWEST


def hand_over(arguments: list[str]) -> int:
    """Go on with a Python that fits, if there is one on this machine."""
    here = ".".join(str(part) for part in sys.version_info[:2])
    found = find_python()
    if found is None:
        raise SetupError(missing_python(here, sys.platform))
    say(f"This is Python {here}; going on with {' '.join(found)}.")
    return subprocess.call([*found, str(Path(__file__).resolve()), *arguments])


def find_python() -> list[str] | None:
    """The command of the newest Python that fits, or None. It is asked, since a name on the PATH may be an empty shim."""
    commands = [["python{}.{}".format(*version)] for version in WANTED]
    if os.name == "nt":
        commands = [["py", "-{}.{}".format(*version)] for version in WANTED] + commands
    for command in commands:
        if shutil.which(command[0]) and is_wanted(ask_version(command)):
            return command
    return None


def ask_version(command: list[str]) -> tuple[int, ...]:
    """The version a command is, as (3, 12), or () if it does not start."""
    code = "import sys; print(sys.version_info[0], sys.version_info[1])"
    try:
        answer = subprocess.run([*command, "-c", code], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    words = answer.stdout.split()
    return tuple(int(word) for word in words) if answer.returncode == 0 and len(words) == 2 else ()


def missing_python(here: str, platform: str) -> str:
    if platform == "win32":
        remedy = (
            "Install Python 3.13 from https://www.python.org/downloads/ and run this again with:  py -3.13 installer\\run.py"
        )
    elif platform == "darwin":
        remedy = (
            "Install Python 3.13 from https://www.python.org/downloads/ (or: brew install python@3.13), then run this again."
        )
    else:
        remedy = "Install one of them (Debian 12 or later: sudo apt-get install python3 python3-venv), then run this again."
    return f"Backscroll needs Python 3.11, 3.12 or 3.13; this is Python {here}, and no other was found.\n{remedy}"


# --- the virtual environment ---------------------------------------------------------------------------------------------
def venv_folder() -> Path:
    """`.venv` in the checkout; in the cache folder where the checkout cannot be written."""
    given = os.environ.get("BACKSCROLL_VENV", "").strip()
    if given:
        return Path(given).expanduser().absolute()
    usual = ROOT / ".venv"
    if usual.exists() or is_writable(ROOT):
        return usual
    cache = Path(os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(str(ROOT).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return cache / "backscroll-checkout" / name


def is_writable(folder: Path) -> bool:
    """Tried for real: mode bits say nothing on Windows, for root, or on a mount that is read-only."""
    try:
        with tempfile.TemporaryFile(dir=str(folder)):
            return True
    except OSError:
        return False


class Environment:
    """One virtual environment. The stamp in it is written last, so that an interrupted set-up is begun again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.programs / ("python.exe" if os.name == "nt" else "python")

    def state(self) -> str:
        """ready | missing | broken (its Python does not start) | moved (scripts hold its old path) | no_pip | misfit"""
        if not self.python.exists():
            return "missing"
        code = (
            "import sys, importlib.util as u; print(sys.version_info[0], sys.version_info[1], u.find_spec('pip') is not None)"
        )
        try:
            answer = subprocess.run([str(self.python), "-c", code], capture_output=True, text=True, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            return "broken"
        words = answer.stdout.split()
        if answer.returncode != 0 or len(words) != 3:
            return "broken"
        if not is_wanted(int(word) for word in words[:2]):
            return "misfit"
        if self.read_stamp().get("folder", str(self.folder)) != str(self.folder):
            return "moved"
        return "ready" if words[2] == "True" else "no_pip"

    def prepare(self) -> None:
        """Add pip to an environment that works but for that: made by other tools, or interrupted. Raises SetupError."""
        answer = subprocess.run(
            [str(self.python), "-m", "ensurepip", "--upgrade"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if answer.returncode != 0 or self.state() != "ready":
            raise SetupError(f"{self.folder} has no pip, and it cannot be added. Remove that folder, and run this again.")

    def make(self) -> None:
        """Make it new, with the Python that runs this. Raises SetupError."""
        say(f"Making a virtual environment in {self.folder} (Python {sys.version_info[0]}.{sys.version_info[1]}) ...")
        self.check_parts()
        if self.folder.exists() and not (self.folder / "pyvenv.cfg").exists() and any(self.folder.iterdir()):
            raise SetupError(
                f"{self.folder} exists and is no virtual environment. Move it away, or name another folder in BACKSCROLL_VENV."
            )
        command = [sys.executable, "-m", "venv", "--clear", str(self.folder)]
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except OSError as fault:
            raise SetupError(f"The virtual environment could not be made: {fault}.") from fault
        if answer.returncode != 0:
            raise SetupError(
                f"The virtual environment could not be made:\n{answer.stdout.strip()}\n{no_space_hint(answer.stdout)}"
            )

    def check_parts(self) -> None:
        """Debian and its children ship Python without what makes a virtual environment."""
        try:
            import ensurepip  # noqa: F401
            import venv  # noqa: F401
        except ImportError as fault:
            if sys.platform.startswith("linux"):
                line = apt_line(
                    [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv" if not is_system_python() else "python3-venv"]
                )
                raise SetupError(
                    f"This Python cannot make virtual environments. On Debian and Ubuntu this line installs what it lacks:\n  {line}"
                ) from fault
            raise SetupError(
                "This Python cannot make virtual environments. Install Python from https://www.python.org/."
            ) from fault

    # --- what is in it ---
    def read_stamp(self) -> dict[str, object]:
        try:
            stamp = json.loads((self.folder / STAMP).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def is_current(self, extras: list[str]) -> bool:
        stamp = self.read_stamp()
        have = stamp.get("extras")
        return stamp.get("project") == project_hash() and isinstance(have, list) and set(extras) <= set(have)

    def install(self, extras: list[str]) -> None:
        """Install the checkout with its dependencies, unless that was done for this pyproject.toml. Raises SetupError."""
        if self.is_current(extras):
            return
        have = self.read_stamp().get("extras")
        wanted = sorted(set(extras) | {str(extra) for extra in (have if isinstance(have, list) else [])})
        target = str(ROOT) + (f"[{','.join(wanted)}]" if wanted else "")
        say("Installing Backscroll and what it needs (about 250 MB, once; a few minutes) ...")
        started = time.monotonic()
        command = [
            str(self.python),
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--no-input",
            "--retries",
            "1",
            "--timeout",
            "30",
        ]
        self.pip([*command, "--editable", target])
        stamp = {"project": project_hash(), "extras": wanted, "folder": str(self.folder)}
        part = self.folder / (STAMP + ".part")
        part.write_text(json.dumps(stamp), encoding="utf-8")
        os.replace(str(part), str(self.folder / STAMP))
        say(f"Installed in {time.monotonic() - started:.0f} s.")

    def pip(self, command: list[str]) -> None:
        lines: list[str] = []
        settings = dict(os.environ)
        settings.setdefault("PIP_RETRIES", "1")  # as variables, since pip starts a second pip for the build
        settings.setdefault("PIP_DEFAULT_TIMEOUT", "30")
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=settings
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line.rstrip())
                note = progress_note(lines[-1])
                if note:
                    say(f"  {note}")
        if process.returncode != 0:
            raise SetupError(pip_fault(lines))

    def display_problem(self, settings: dict[str, str]) -> str:
        """What Qt lacks on this system, with the line that installs it, or ''. Asked in the environment, where Qt is."""
        code = "from tray_app.desktop.display import problem; print(problem() or '')"
        command = [str(self.python), "-c", code]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, env=settings, cwd=str(ROOT), timeout=120)
        except subprocess.TimeoutExpired:
            return ""
        if answer.returncode != 0:
            raise SetupError(
                f"Backscroll does not start in {self.folder}:\n{answer.stderr.strip()}\nRemove that folder and try again."
            )
        return answer.stdout.strip()


def project_hash() -> str:
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()


def is_system_python() -> bool:
    return os.path.realpath(sys.executable).startswith("/usr/bin/")


def apt_line(packages: list[str]) -> str:
    prefix = "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "sudo "
    return f"{prefix}apt-get update && {prefix}apt-get install -y {' '.join(packages)}"


def progress_note(line: str) -> str:
    """What a line of pip's output is worth saying, or ''."""
    fetched = re.match(r"\s*(?:Downloading|Using cached) (\S+?)(?:-\d\S*)? \(([^)]*B)\)", line)
    if fetched:
        return f"{fetched.group(1).split('/')[-1]} ({fetched.group(2)})"
    if line.startswith("Installing collected packages"):
        return f"unpacking {line.count(',') + 1} packages"
    return ""


def pip_fault(lines: list[str]) -> str:
    """A sentence on why pip gave up, from what it printed."""
    text = "\n".join(lines)
    if any(sign in text for sign in NETWORK_SIGNS):
        return "The packages could not be fetched: no connection to the package index.\nConnect to the network, and run the same command again."
    tail = "\n".join(line for line in lines[-25:] if line)
    return f"pip could not install what Backscroll needs. Its last words:\n{tail}\n{no_space_hint(text)}".rstrip()


def no_space_hint(text: str) -> str:
    return "The disk is full: about 700 MB are needed." if "No space left" in text or "Errno 28" in text else ""


# --- running -------------------------------------------------------------------------------------------------------------
def run_program(environment: Environment, arguments: list[str]) -> int:
    """`backscroll` with the arguments. On POSIX it takes this process's place, so that signals reach it."""
    program = environment.programs / ("backscroll.exe" if os.name == "nt" else "backscroll")
    return become([str(program), *arguments], dict(os.environ))


def run_tests(environment: Environment, arguments: list[str]) -> int:
    """The whole test suite without a screen: the same examples at each run, nothing of the person's is touched."""
    settings = dict(os.environ)
    settings.setdefault("QT_QPA_PLATFORM", "offscreen")
    settings.setdefault("HYPOTHESIS_PROFILE", "ci")
    settings["PYTHONDONTWRITEBYTECODE"] = "1"
    fault = environment.display_problem(settings)
    if fault:
        raise SetupError(f"The tests of the windows cannot run. {fault}\nInstall that, and run the same command again.")
    os.chdir(str(ROOT))
    spread = [] if arguments else ["-n", "auto"]  # the whole suite on all cores; what was asked for by name as pytest does it
    return become([str(environment.python), "-m", "pytest", "-q", *spread, *arguments], settings)


def become(command: list[str], settings: dict[str, str], execute: Callable[..., None] | None = None) -> int:
    if os.name == "nt":
        return subprocess.call(command, env=settings)
    sys.stdout.flush()
    sys.stderr.flush()
    (execute or os.execve)(command[0], command, settings)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
