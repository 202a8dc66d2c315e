"""What is written down about running: rotating files, a crash file, and the hooks for what nobody caught.

Owns the log folder. Never holds conversation text: callers log counts, codes and places, exceptions are cut to their first
200 characters, the home folder is written as `~`, and what looks like a secret is taken out. May not import upwards; the
full redactor is handed in by the front end.
"""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import re
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO

from tray_app.paths import Paths

SIZE, FILES = 1_000_000, 5
EXCEPTION_CHARS = 200

SECRET = re.compile(
    r"(?P<keep>://)[^/\s:@]+:[^/\s@]+@"
    r"|(?P<name>\b[\w.-]*(?:api[_-]?key|token|secret|passw(?:or)?d|authorization|authkey)[\w.-]*[\"']?\s*[=:]\s*[\"']?)(?:bearer\s+)?[^\s\"',;&]{4,}"
    r"|\bbearer\s+[\w.~+/=-]{8,}"
    r"|\b(?:sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|pypi-|AKIA|AIza)[\w-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----",
    re.IGNORECASE,
)

_crash_file: IO[str] | None = None


def setup(paths: Paths, kind: str, redact: Callable[[str], str] | None = None) -> Path:
    """Send log records of this process to `<kind>.log` and crashes to `crash-<kind>.txt`. Returns the log file.

    `kind`: tray | cli | mcp. Called again, the earlier set-up is replaced. When the folder cannot be written nothing is
    logged, and the program goes on.
    """
    file = paths.logs / f"{kind}.log"
    root = logging.getLogger()
    shutdown()
    handler = RotatingFile(file)
    handler.setFormatter(Discreet(redact))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    _record_crashes(paths.logs / f"crash-{kind}.txt")
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    return file


def shutdown() -> None:
    """Close what `setup` opened."""
    global _crash_file
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, RotatingFile)]:
        root.removeHandler(handler)
        handler.close()
    if _crash_file is not None:
        faulthandler.disable()
        _crash_file.close()
        _crash_file = None
    if sys.excepthook is _uncaught:
        sys.excepthook = sys.__excepthook__
    if threading.excepthook is _uncaught_in_thread:
        threading.excepthook = threading.__excepthook__


class RotatingFile(logging.handlers.RotatingFileHandler):
    """1 MB times 5, opened with the first record. A log that cannot be written or rotated never stops the program."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, maxBytes=SIZE, backupCount=FILES - 1, encoding="utf-8", errors="replace", delay=True)

    def _open(self) -> IO[str]:  # type: ignore[override]
        file = Path(self.baseFilename)
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        stream = super()._open()
        if sys.platform != "win32":
            file.chmod(0o600)
        return stream

    def rotate(self, source: str, dest: str) -> None:
        try:
            super().rotate(source, dest)
        except OSError:  # another process has it open (Windows), or has just rotated it: go on in the same file
            return

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """A full disk or a lost folder: the record is lost, nothing else. It cannot be logged and has no one to tell."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class Discreet(logging.Formatter):
    """One line a record, with secrets and the home folder taken out of message and traceback alike."""

    def __init__(self, redact: Callable[[str], str] | None = None) -> None:
        super().__init__("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s")
        self._redact = redact
        self._home = str(Path.home())

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another handler may have cached a full one
        text = super().format(record)
        record.exc_text = None
        return self.discreet(text)

    def formatException(  # noqa: N802
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        kind, fault, trace = ei
        if kind is None or fault is None:
            return ""
        places = "".join(traceback.format_tb(trace)) if trace else ""
        cause = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
        earlier = self.formatException((type(cause), cause, cause.__traceback__)) + "\nthen:\n" if cause else ""
        return f"{earlier}{places}{kind.__name__}: {str(fault)[:EXCEPTION_CHARS]}"

    def discreet(self, text: str) -> str:
        """The text as it may be written down."""
        if self._redact is not None:
            text = self._redact(text)
        text = SECRET.sub(_blank, text)
        return text.replace(self._home, "~") if len(self._home) > 1 else text


def _blank(match: re.Match[str]) -> str:
    if match["keep"]:
        return "://[hidden]@"
    return (match["name"] or "") + "[hidden]"


def _record_crashes(file: Path) -> None:
    global _crash_file
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _crash_file = file.open("a", encoding="utf-8")
    except OSError as fault:
        logging.getLogger(__name__).warning("no crash file: %s", fault.strerror)
        return
    faulthandler.enable(_crash_file)


def _uncaught(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, fault, trace)
        return
    logging.getLogger("tray_app").critical("uncaught", exc_info=(kind, fault, trace))
    sys.__excepthook__(kind, fault, trace)


def _uncaught_in_thread(arguments: threading.ExceptHookArgs) -> None:
    if arguments.exc_value is None or issubclass(arguments.exc_type, SystemExit):
        return
    name = arguments.thread.name if arguments.thread else "?"
    logging.getLogger("tray_app").critical(
        "uncaught in thread %s", name, exc_info=(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)
    )
