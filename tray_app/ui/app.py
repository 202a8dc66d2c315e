"""Starting and ending the tray application.

Owns the order of the start: screen, other instance, files, then Qt and everything on it; the signals of the system; and a
quit that leaves nothing behind. What the application does in between is `application`'s.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

import tray_app
from tray_app import logs
from tray_app.desktop import display
from tray_app.errors import AppError, KnownError
from tray_app.paths import APP_ID, Paths
from tray_app.service.connection import Connection, connect
from tray_app.settings import Settings
from tray_app.state import State
from tray_app.text.redact import redact

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tray_app.ui.application import Application

log = logging.getLogger(__name__)

CLOSE_S = 1.5
"""How long the files may take to be let go of before the process ends all the same."""


def main(argv: Sequence[str] | None = None, paths: Paths | None = None) -> int:
    """Run until the person quits. Returns the exit code: 0, or 3 when it could not start."""
    parser = argparse.ArgumentParser(prog="backscroll-tray", description="Backscroll in the tray.")
    parser.add_argument("--background", action="store_true", help="start without opening a window")
    parser.add_argument("--version", action="version", version=f"backscroll {tray_app.__version__}")
    arguments = parser.parse_args(argv)
    problem = display.problem()
    if problem is not None:
        print(problem, file=sys.stderr)  # noqa: T201 - there is no window to say it in
        return AppError.exit_code
    ours = (paths or Paths.from_environment()).ensure()
    logs.setup(ours, "tray", lambda text: redact(text)[0])
    # It tells of each change; what came of it is in the report of the pass.
    logging.getLogger("watchfiles").setLevel(logging.WARNING)
    settings = Settings(ours.settings_file)
    try:
        connection = connect(ours, settings, "tray")
        if not connection.is_owner and is_another_there(connection, background=arguments.background):
            connection.close()
            return 0
    except AppError as fault:
        log.warning("no start: %s", fault)
        return _say_fault(fault, settings)
    try:
        return _run(connection, ours, settings, background=arguments.background)
    except Exception:
        log.critical("the application ended by an error", exc_info=True)
        raise
    finally:
        _let_go(connection)
        logs.shutdown()


def is_another_there(connection: Connection, *, background: bool) -> bool:
    """Whether another tray runs; without `background` its window is brought. False where it ended meanwhile: this process is the
    owner now. Raises KnownError where it can be neither."""
    if background:
        return True
    try:
        connection.control("show_window")
    except KnownError:
        if connection.is_owner:
            return False
        raise
    return True


def _run(connection: Connection, paths: Paths, settings: Settings, *, background: bool) -> int:
    app = make_application()
    from tray_app.ui.application import Application

    engine: Any = connection.engine
    state = State(paths.state_file)
    application = Application(app, connection, engine, paths, settings, state)
    connection.window = application.commands
    engine.also_look("tray", application.standing.findings)
    signals = SystemSignals(app.quit)
    errors = ErrorDialogs(application, paths)
    app.aboutToQuit.connect(lambda: application.end())
    try:
        application.start(background=background)
        errors.offer_earlier(state)
        gc.freeze()  # walking what the start made held the window for 0.1 to 0.2 s, again and again while sessions are read
        return int(app.exec())
    finally:
        application.end()
        signals.close()
        errors.close()


def make_application() -> QApplication:
    """The QApplication with our names, so that desktops know which program the windows belong to."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    def note(kind: QtMsgType, context: Any, message: str) -> None:
        serious = kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
        logging.getLogger("qt").log(logging.ERROR if serious else logging.INFO, "%s", message)

    qInstallMessageHandler(note)
    QApplication.setApplicationName("backscroll")
    QApplication.setApplicationDisplayName("Backscroll")
    QApplication.setApplicationVersion(tray_app.__version__)
    QApplication.setDesktopFileName(APP_ID)
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["backscroll"])
    from tray_app.ui import icons

    app.setWindowIcon(icons.app_icon())
    return app


class SystemSignals:
    """SIGINT, SIGTERM and SIGHUP end the application by its own way; a second one ends it at once. Python runs a handler
    only when its interpreter gets a turn, so the byte written at each signal wakes the event loop."""

    def __init__(self, leave: Callable[[], None]) -> None:
        from PySide6.QtCore import QSocketNotifier, QTimer

        self._leave, self._asked = leave, False
        self._reading, self._writing = socket.socketpair()
        self._reading.setblocking(False)
        self._writing.setblocking(False)
        self._before: dict[int, Any] = {}
        self._timer: QTimer | None = None
        self._notifier: QSocketNotifier | None = None
        if sys.platform == "win32":
            # There the wake-up socket cannot be watched by Qt; a slow timer gives Python its turn.
            self._timer = QTimer()
            self._timer.start(500)
            self._timer.timeout.connect(lambda: None)
        else:
            signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
            self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read)
            self._notifier.activated.connect(self._woken)
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, self._caught)

    def close(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            signal.set_wakeup_fd(-1)
        if self._timer is not None:
            self._timer.stop()
        self._reading.close()
        self._writing.close()

    def _woken(self) -> None:
        # Reading is all: the handler itself ran before this line.
        self._reading.recv(64)

    def _caught(self, number: int, _frame: FrameType | None) -> None:
        if self._asked:
            os._exit(128 + number)
        self._asked = True
        log.info("signal %d: quitting", number)
        from PySide6.QtCore import QTimer

        QTimer.singleShot(0, self._leave)  # by the event loop: asked before it runs, Qt would forget it


class ErrorDialogs:
    """An error that nobody caught is logged, and shown once at a time with its report."""

    def __init__(self, application: Application, paths: Paths) -> None:
        self._application, self._paths = application, paths
        self._before = sys.excepthook
        self._open = False
        sys.excepthook = self._uncaught

    def close(self) -> None:
        sys.excepthook = self._before

    def offer_earlier(self, state: State) -> None:
        """Show what the last run left in its crash file, once."""
        from tray_app.ui.crash_dialog import earlier_crash

        found = earlier_crash(self._paths.logs / "crash-tray.txt", state.read().crash_offered)
        if found is None:
            return
        report, mark = found
        try:
            state.change(crash_offered=mark)
        except OSError as fault:
            log.warning("state was not kept: %s", fault.strerror)
        self._show(report, earlier=True)

    def _uncaught(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        from tray_app.ui.crash_dialog import report_of

        self._before(kind, fault, trace)
        if issubclass(kind, Exception) and threading.current_thread() is threading.main_thread():
            self._show(report_of(kind, fault, trace))

    def _show(self, report: str, *, earlier: bool = False) -> None:
        from PySide6.QtCore import Qt

        from tray_app.ui.crash_dialog import CrashDialog

        if self._open:
            return
        self._open = True
        dialog = CrashDialog(report, self._paths.logs, earlier=earlier)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._closed)
        dialog.show()

    def _closed(self) -> None:
        self._open = False


def _say_fault(fault: AppError, settings: Settings) -> int:
    """The start failed by the world's fault: say it in a window and on the terminal."""
    print(fault, file=sys.stderr)  # noqa: T201 - started from a terminal, it belongs there too
    app = make_application()
    from PySide6.QtWidgets import QMessageBox

    from tray_app.ui import i18n, theme, wording

    theme.apply(app, settings["general.theme"])
    i18n.install(app, settings["general.language"])
    box = QMessageBox(QMessageBox.Icon.Warning, "Backscroll", fault.title)
    box.setInformativeText(wording.error_text(fault))
    box.exec()
    return fault.exit_code


def _let_go(connection: Connection) -> None:
    """Close the files. What cannot be ended in time (a question that hangs) must not keep the process alive: Python would
    wait for its thread for ever."""
    closing = threading.Thread(target=connection.close, name="close", daemon=True)
    closing.start()
    closing.join(CLOSE_S)
    deadline = time.monotonic() + CLOSE_S
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(max(deadline - time.monotonic(), 0))
    left = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    if closing.is_alive() or left:
        log.warning("ending all the same: %s", ", ".join(["close", *left] if closing.is_alive() else left))
        logging.shutdown()
        os._exit(0)
