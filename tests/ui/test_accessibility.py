"""Every control of every window has a name for those who do not see it, and Tab goes through them as they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QScrollBar, QWidget
from surroundings import Login, SettledBackend, finding, problem
from waiting import wait_until

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.crash_dialog import CrashDialog
from tray_app.ui.first_run import FirstRun
from tray_app.ui.folder_dialog import FolderDialog
from tray_app.ui.handover_window import HandoverWindow
from tray_app.ui.health_window import HealthWindow, LookRow
from tray_app.ui.keys_overlay import KeysOverlay
from tray_app.ui.problems_dialog import ProblemsDialog
from tray_app.ui.search_window import SearchWindow
from tray_app.ui.settings_dialog import PAGES, SettingsDialog
from tray_app.ui.source_rows import SourceRow
from tray_app.ui.tasks import Tasks

CARD = (
    ("Goal", "Uploads survive a dropped link, on every store."),
    ("Done", "Part upload, 8 MB a part; 409 counts as done; the ETag is kept"),
    ("Doing", "Resume after a restart: the part list goes to disk"),
    ("Next", "One resume test for each store"),
    ("Files", "src/upload.py src/parts.py"),
)
INSIDE = "qt_spinbox_lineedit"
"""The line edit within a spin box, which speaks for it."""


def name_of(widget: QWidget) -> str:
    """What a screen reader calls a control: its own name, or that of the label that points at it."""
    labels = [label.text() for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    own = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return widget.accessibleName() or "".join(labels) or own


def controls(window: QWidget) -> list[QWidget]:
    """What can have the focus and is not hidden."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisibleTo(window)
        and widget.window() is window
        and widget.objectName() != INSIDE
        and not isinstance(widget, QScrollBar)
    ]


def nameless(window: QWidget) -> list[str]:
    return [f"{type(one).__name__} in {type(one.parent()).__name__}" for one in controls(window) if not name_of(one).strip()]


def by_tab(window: QWidget) -> list[str]:
    """Names of the controls in the order of Tab. It goes round: the list begins with the one that is read first."""
    order: list[str] = []
    widget = window.nextInFocusChain()
    while widget is not window:
        if widget in controls(window) and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            order.append(name_of(widget))
        widget = widget.nextInFocusChain()
    begin = order.index(as_read(window)[0])
    return order[begin:] + order[:begin]


def as_read(window: QWidget) -> list[str]:
    """The same from top to bottom, and in a row from left to right."""
    places = {}
    for widget in controls(window):
        if widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            middle = widget.mapTo(window, QPoint(0, min(widget.height(), 40) // 2))
            places[widget] = (round(middle.y() / 16), middle.x())
    return [name_of(widget) for widget in sorted(places, key=lambda widget: places[widget])]


@pytest.fixture
def tasks() -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture
def settled() -> SettledBackend:
    made = SettledBackend()
    made.wrong = [problem("torn_header", "kimi"), problem("bad_json", "codex", 1), problem("bad_json", "codex", 2)]
    made.found = [finding("no_sources", "info"), finding("retention", "info", count="2", days="30")]
    return made


@pytest.fixture
def shown(app: QApplication) -> Iterator[Callable[[QWidget], QWidget]]:
    made: list[QWidget] = []

    def show(window: QWidget) -> QWidget:
        made.append(window)
        window.show()
        QApplication.processEvents()
        return window

    yield show
    for window in made:
        window.hide()
        window.deleteLater()


@pytest.mark.parametrize("page", PAGES)
def test_settings(
    page: str, settled: SettledBackend, tasks: Tasks, shown: Callable[[QWidget], QWidget], tmp_path: Path
) -> None:
    (Path.home() / ".codex").mkdir()  # one agent was used here
    window = SettingsDialog(settled, tasks, Paths.from_environment({"BACKSCROLL_HOME": str(tmp_path)}), Login())
    shown(window)
    window.open(page)
    wait_until(lambda: len(window.findChildren(SourceRow)) == 5 and window.index.cost.text() != "")
    wait_until(lambda: page != "agents" or len(window.agents.rows_shown()) == 1)
    if page == "privacy":
        window.privacy.trial.given.setPlainText("password: hunter2hunter2")
        window.privacy.trial.look()
        assert "As it would be stored" in by_tab(window)
    window.fault.say(KnownError("disk_full", "Disk full", "No room.", ""))
    assert nameless(window) == []
    window.fault.say(None)
    order = by_tab(window)
    assert order[0] == "Pages" and len(order) > 4
    assert order[1:] == [name for name in as_read(window) if name != "Pages"]


@pytest.mark.parametrize("backend", ["off", "builtin", "fastembed", "ollama", "openai"])
def test_settings_of_meaning(
    backend: str, settled: SettledBackend, tasks: Tasks, shown: Callable[[QWidget], QWidget], tmp_path: Path
) -> None:
    settled.real.set("topics.maker", "openai")
    window = SettingsDialog(settled, tasks, Paths.from_environment({"BACKSCROLL_HOME": str(tmp_path)}), Login())
    shown(window)
    window.open("meaning")
    wait_until(lambda: window.meaning._view is not None and window.meaning.topics.cloud.isVisible())
    window.resize(840, 1400)
    window.meaning.choice.rows[backend].radio.click()
    QApplication.processEvents()
    assert nameless(window) == []
    order = by_tab(window)
    assert order[1:] == [name for name in as_read(window) if name != "Pages"]


def test_health(settled: SettledBackend, tasks: Tasks, shown: Callable[[QWidget], QWidget]) -> None:
    window = HealthWindow(settled, tasks)
    shown(window)
    window.open()
    wait_until(lambda: len(window.findChildren(LookRow)) == 4)
    assert nameless(window) == []
    buttons = ["Copy report", "Check again", "Try again", "Show", "Sources…", "Keep files…"]
    assert by_tab(window) == as_read(window) == [*buttons, "Sources"]
    window.check()
    wait_until(lambda: window.again.isEnabled())
    assert by_tab(window) == as_read(window)


def test_first_run(settled: SettledBackend, tasks: Tasks, shown: Callable[[QWidget], QWidget]) -> None:
    window = FirstRun(settled, tasks)
    shown(window)
    window.open()
    wait_until(lambda: len(window.found.chosen()) == 5)
    for _step in window.steps:
        assert nameless(window) == []
        assert by_tab(window) == as_read(window)
        if window.stack.currentIndex() < len(window.steps) - 1:
            window.go_on.click()
            QApplication.processEvents()


@pytest.mark.parametrize(
    "make",
    [
        lambda: FolderDialog(["codex", "kimi"]),
        lambda: ConfirmDialog("Clear?", "All of it.", "Keep it", "Clear index"),
        lambda: CrashDialog("the report", Path("logs")),
        lambda: ProblemsDialog("2 lines skipped", (problem("bad_json", "codex", 1),)),
    ],
    ids=["folder", "confirm", "crash", "problems"],
)
def test_dialogs(make: Callable[[], QWidget], shown: Callable[[QWidget], QWidget]) -> None:
    window = shown(make())
    assert nameless(window) == []
    assert by_tab(window) == as_read(window) != []


def test_search_window(window: SearchWindow) -> None:
    assert nameless(window) == []
    assert by_tab(window)[:2] == ["Search what was said", "Results"]
    window.bar.field.setText("retry with backoff last week")
    wait_until(lambda: window.pane.isVisible() and "Conversation" in by_tab(window))
    assert nameless(window) == []
    order = by_tab(window)
    assert order[0] == "Search what was said"
    assert order.index("Add filter") < order.index("Results") < order.index("Conversation") < order.index("Copy with citation")
    overlay = window.findChild(KeysOverlay) or KeysOverlay(window)
    assert name_of(overlay).strip()


def test_hand_over(handover: HandoverWindow) -> None:
    assert nameless(handover) == []
    assert by_tab(handover) == [
        "Find a project", "Projects", "Parts of the hand-over", "Edit", *(f"{name}: {text}" for name, text in CARD), "State of the memories", "Add",
        "All 5", "Memories", "Size of the pack, in tokens", "Text of the pack", "Export markdown", "Open folder",
        "Copy resume command", "More", "Copy card", "Copy for chat", "Copy pack",
    ]  # fmt: skip
    for tab in ("draft", "history", "memories"):
        handover.go_to(tab)
        QApplication.processEvents()
        assert nameless(handover) == []
    handover.go_to("draft")
    order = by_tab(handover)
    assert order[3:6] == ["Accept: Done", "Edit: Done", "Discard: Done"]
    assert order[15:18] == ["Show the session", "Accept all", "Discard draft"]
    handover.go_to("card")
    handover.card.edit.click()
    handover.memories.begin_new()
    QApplication.processEvents()
    assert nameless(handover) == []
