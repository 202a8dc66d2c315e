"""Index health: what is said of findings and problems, the table, the report."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from surroundings import SettledBackend, finding, problem, source

from tray_app.errors import KnownError
from tray_app.insight import keyring
from tray_app.records import Counters, Departure
from tray_app.ui.health_table import HealthModel
from tray_app.ui.health_texts import ACTIONS, HealthTexts, Look
from tray_app.ui.health_window import HealthWindow, LookRow
from tray_app.ui.problems_dialog import ProblemsDialog
from tray_app.ui.settings_dialog import PAGES
from tray_app.ui.tasks import Tasks

VERSIONS = (
    "Backscroll 1.0 · Python 3.12 · DuckDB none · full-text extension none · Qt 6.11 · MCP SDK none · index 3 · memory none · "
    "text rules none · none"
)
ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"[a-z]+(_[a-z]+)+|unreadable|retention|versions")
PLACES = ("remembering/findings.py", "keeping.py", "service/standing.py", "ui/standing.py")


@pytest.fixture
def settled() -> SettledBackend:
    made = SettledBackend()
    made.wrong = [
        problem("torn_header", "codex", path="/home/lin/.codex/rollout.jsonl"),
        problem("bad_json", "workbuddy", 12),
        problem("bad_json", "workbuddy", 40),
    ]
    made.found = [finding("disk_low", count="320"), finding("records_skipped", "info", agent="WorkBuddy", count="2")]
    return made


@pytest.fixture
def window(app: QApplication, qtbot: QtBot, settled: SettledBackend) -> Iterator[HealthWindow]:
    tasks = Tasks()
    made = HealthWindow(settled, tasks)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: made.table.rows.rowCount() == 5)
    yield made
    tasks.close()


def looks(window: HealthWindow) -> list[tuple[str, str, str]]:
    return [
        (row.look.what, row.look.consequence, row.button.text() if row.button else "") for row in window.findChildren(LookRow)
    ]


def test_what_needs_a_look(window: HealthWindow) -> None:
    assert window.heading.text() == "3 things need a look"
    assert window.under.text() == "Everything else is in order. Checked just now."
    assert looks(window) == [
        ("1 file of Codex set aside: the beginning is damaged", "/home/lin/.codex/rollout.jsonl", "Try again"),
        ("2 lines skipped in WorkBuddy: not valid JSON", "Counted and left out. The rest of those sessions is in.", "Show"),
        ("Little space is left", "320 MB are free where the index lies.", "Data folder…"),
    ]


def test_figures(window: HealthWindow) -> None:
    assert [figure.figure.text() for figure in window.figures] == ["12,345", "812", "214 MB", "26 Aug – 30 Nov"]
    words = [figure.word.text() for figure in window.figures]
    assert words == ["passages", "sessions", "on disk, 0.6 of the text", "all that was found"]


def test_all_in_order(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    settled.wrong, settled.found = [], [finding("all_in_order", "ok")]
    window.again.click()
    qtbot.waitUntil(lambda: window.heading.text() == "Everything is in order")
    assert looks(window) == []
    assert window.needs.isHidden()


def test_no_source_ticked_is_said_with_the_way_there(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    settled.wrong, settled.found = [], [finding("no_sources", "info")]
    window.again.click()
    qtbot.waitUntil(lambda: window.heading.text() == "1 thing needs a look")
    (row,) = window.findChildren(LookRow)
    assert row.button is not None
    with qtbot.waitSignal(window.settingsRequested) as wanted:
        row.button.click()
    assert wanted.args == ["sources"]


def test_try_again(window: HealthWindow, qtbot: QtBot) -> None:
    button = window.findChildren(LookRow)[0].button
    assert button is not None
    with qtbot.waitSignal(window.retryRequested):
        button.click()
    settled_calls = window._backend.asked("status")  # type: ignore[attr-defined]
    window.pass_ended()
    qtbot.waitUntil(lambda: len(window._backend.asked("status")) > len(settled_calls))  # type: ignore[attr-defined]


def test_one_check_at_a_time(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    """Passes end every few seconds while agents work, and a check may hang on a disk for some: they must not pile up."""
    begun, free = threading.Event(), threading.Event()

    def hold(name: str, argument: object) -> None:
        if name == "doctor":
            begun.set()
            assert free.wait(60)

    settled.before = hold
    before = len(settled.asked("doctor"))
    for _ in range(5):
        window.pass_ended()
    assert begun.wait(60)
    settled.wrong, settled.found = [], [finding("all_in_order", "ok")]
    free.set()
    qtbot.waitUntil(lambda: window.heading.text() == "Everything is in order" and not window._checking)
    assert len(settled.asked("doctor")) - before == 2  # the one that was under way, and one for all that came meanwhile
    assert window.again.isEnabled()


def test_the_places_are_listed(window: HealthWindow, qtbot: QtBot) -> None:
    button = window.findChildren(LookRow)[1].button
    assert button is not None
    button.click()
    dialog = window.findChild(ProblemsDialog)
    assert isinstance(dialog, ProblemsDialog)
    assert dialog.text() == "/x/a.jsonl  line 12  because of bad_json\n/x/a.jsonl  line 40  because of bad_json\n"
    dialog.copy.click()
    assert QApplication.clipboard().text() == dialog.text()
    dialog.close()


def test_the_report_has_counts_and_places_only(window: HealthWindow) -> None:
    window.copy.click()
    report = QApplication.clipboard().text()
    assert "passages 12345, sessions 812" in report
    assert "torn_header: /home/lin/.codex/rollout.jsonl (because of torn_header)" in report
    assert "[warn] disk_low" in report
    assert window.under.text() == "Copied. It holds counts and paths, nothing of what was said."


def test_a_backend_that_fails_is_told(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    def refuse(name: str, argument: object) -> None:
        raise KnownError("index_locked", "Index locked", "Another program holds it.", "")

    settled.before = refuse
    window.again.click()
    qtbot.waitUntil(lambda: window.heading.text() == "Index locked")
    assert window.again.isEnabled()


@pytest.mark.parametrize(
    ("kind", "count", "what"),
    [
        ("bad_json", 1, "1 line skipped in Codex: not valid JSON"),
        ("over_budget", 3, "3 files of Codex read in part: they are larger than the budget"),
        ("unreadable", 2, "2 files of Codex could not be opened"),
        ("something_new", 2, "2 places skipped in Codex"),
    ],
)
def test_kinds_of_problem(app: QApplication, kind: str, count: int, what: str) -> None:
    (look,) = HealthTexts().looks([], [problem(kind, "codex")] * count)
    assert look.what == what


def test_unknown_records_need_nobody(app: QApplication) -> None:
    assert HealthTexts().looks([], [problem("unknown_record", "codex")]) == []


def test_a_finding_of_a_newer_engine_speaks_for_itself(app: QApplication) -> None:
    (look,) = HealthTexts().looks([finding("brand_new")], [])
    assert (look.what, look.consequence) == ("Title of brand_new", "Detail. Remedy.")


def test_rows(app: QApplication) -> None:
    texts = HealthTexts()
    fine = texts.row(source("dsh", 3, 100, counters=Counters(sessions=3, chunks=9)))
    assert (fine.glyph, fine.state, fine.skipped) == ("check", "Up to date, newest 12 min ago", "")
    bad = texts.row(source("codex", 3, 100, counters=Counters(quarantined_files=1, skipped_records=2), state="partial"))
    assert (bad.glyph, bad.skipped) == ("warn", "1 file, 2 lines")
    off = texts.row(source("kimi", 3, 100, enabled=False))
    assert (off.glyph, off.state) == ("minus", "Off")
    gone = texts.row(source("kimi", 3, 100, state="offline"))
    assert (gone.glyph, gone.state) == ("warn", "Not reachable now")
    old = texts.row(source("kimi", 3, 100, newest="2026-11-27T09:00:00Z"))
    assert old.state == "Up to date, newest 27 Nov"


def test_the_model(app: QApplication) -> None:
    model = HealthModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_rows([HealthTexts().row(source("dsh", 3, 100, counters=Counters(sessions=3, chunks=9_000)))])
    texts = [model.index(0, column).data() for column in range(model.columnCount())]
    assert texts == ["DSH", "3", "9,000", "0", "0", "Up to date, newest 12 min ago"]
    model.set_rows([])


def test_keys(window: HealthWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_new_kinds_of_records_are_named_where_they_are_many(
    window: HealthWindow, settled: SettledBackend, qtbot: QtBot
) -> None:
    kinds = finding("unknown_kinds", "warn", agent="Codex", count="4", kinds="event_msg/new (3), ledger (1)")
    unknown = [problem("unknown_record", "codex", path="/home/lin/.codex/rollout.jsonl") for _ in range(3)]
    reasons = ("kind 'event_msg/new', 3 times", "kind '?', 1 time", "torn")
    settled.wrong = [msgspec.structs.replace(one, reason=why) for one, why in zip(unknown, reasons, strict=True)]
    settled.wrong.append(problem("unknown_record", "dsh"))
    settled.found = [kinds, finding("unknown_kinds", "info", agent="Memory files", count="1", kinds="x (1)")]
    window.again.click()
    qtbot.waitUntil(lambda: window.heading.text() == "1 thing needs a look")
    update = "The rest of these files is in. Update Backscroll; the format may have changed."
    assert looks(window) == [
        ("4 records of Codex are of kinds that are not known", f"event_msg/new (3), ledger (1). {update}", "Show"),
        ("1 record of Memory files is of a kind that is not known", f"x (1). {update}", ""),
    ]
    assert not window.good_to_know.isHidden()
    button = window.findChildren(LookRow)[0].button
    assert button is not None
    button.click()
    dialog = window.findChild(ProblemsDialog)
    assert isinstance(dialog, ProblemsDialog)
    place = "/home/lin/.codex/rollout.jsonl"
    assert dialog.text() == f"{place}  event_msg/new × 3\n{place}  kinds without a name × 1\n{place}  torn\n"
    dialog.close()


def codes() -> list[str]:
    """The codes of all findings that the check-up can make, as its source says."""
    found = set(keyring.CODES.values())
    told = [*(ROOT / "tray_app" / "insight").glob("*.py"), *(ROOT / "tray_app" / place for place in PLACES)]
    for file in told:
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("finding", "_listed", "_unfit", "Finding"):
                given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "code")]
                found |= {one.value for one in ast.walk(ast.Module(given, [])) if isinstance(one, ast.Constant)}
    return sorted(code for code in found if isinstance(code, str) and CODE.fullmatch(code))


def test_the_codes_are_found() -> None:
    known = {"index_behind", "retention", "files_set_aside", "unknown_kinds", "all_in_order", "hotkey_refused", "owner_answers"}
    assert known | {"index_proved", "drafts_waiting", "leftover_files", "backup_unreadable", "gone_kept"} <= set(codes())


@pytest.mark.parametrize("code", codes())
def test_every_finding_of_the_check_up_has_words_here(app: QApplication, code: str) -> None:
    given = {
        "agent": "Codex", "count": "2", "path": "/x", "days": "30", "space": "Acme", "kinds": "a (2)", "fault": "f", "reason": "r",
        "listed": "x 1", "one": "A 1", "other": "B 2", "remedy": "Do so.", "projects": "tide", "day": "2026-11-30", "what": "archive",
    }  # fmt: skip
    made = finding(code, "info", **given)
    texts = HealthTexts()
    shown = texts.looks([made], []) + texts.notes([made], [])
    if code == "all_in_order":
        assert shown == []
        return
    (look,) = shown
    assert look.what and "Title" not in look.what and look.consequence not in ("", "Detail. Remedy.")
    assert "{" not in look.what + look.consequence


def test_what_is_in_order_stands_last(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    settled.wrong = []
    settled.found = [
        finding("versions", "ok", program="1.0", python="3.12", qt="6.11", index="3"),
        finding("hotkey_active", "ok", name="active", key="Ctrl+Alt+Space", wanted="Ctrl+Alt+Space"),
        finding("backups_open", "ok", count="1"),
        finding("all_in_order", "ok"),
    ]
    window.again.click()
    qtbot.waitUntil(lambda: window.heading.text() == "Everything is in order")
    assert not window.in_order.isHidden() and window.needs.isHidden() and window.good_to_know.isHidden()
    assert looks(window) == [
        ("Versions", VERSIONS, ""),
        ("Ctrl+Alt+Space opens the search", "Active.", ""),
        ("Memory is backed up", "1 backup can be opened.", ""),
    ]
    assert {row.look.glyph for row in window.findChildren(LookRow)} == {"check"}


def test_every_finding_leads_to_where_it_is_mended(
    window: HealthWindow, settled: SettledBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    settled.wrong = []
    settled.found = [
        finding("index_differs", "warn", count="1", total="8"),
        finding("hotkey_refused", "warn", name="taken", wanted="Ctrl+Alt+Space", reason="taken"),
        finding(
            "entry_broken",
            "warn",
            agent="Codex",
            path="/gone/backscroll",
            place="/x/config.toml",
            command="backscroll install codex",
        ),
        finding("retention", "info", count="18", days="30"),
        finding("drafts_waiting", "info", count="2", projects="tide-api, ledger", day="2026-11-28"),
        finding("leftover_files", "info", count="3", bytes="4200", path="/tmp/x.tmp", listed="/tmp/x.tmp"),
    ]
    window.again.click()
    qtbot.waitUntil(lambda: len(window._notes) == 3)
    said: list[tuple[str, str]] = []
    window.rebuildRequested.connect(lambda: said.append(("rebuild", "")))
    window.settingsRequested.connect(lambda page: said.append(("settings", page)))
    window.draftsRequested.connect(lambda project: said.append(("drafts", project)))
    rows = window.findChildren(LookRow)
    for row in rows:
        assert row.button is not None
        row.button.click()
    assert [row.button.text() for row in rows if row.button] == [
        "Rebuild index…", "Hotkey…", "Agents…", "Keep files…", "Drafts…", "Open folder",
    ]  # fmt: skip
    assert said == [
        ("rebuild", ""),
        ("settings", "general"),
        ("settings", "agents"),
        ("settings", "privacy"),
        ("drafts", "tide-api"),
    ]
    assert opened == ["/tmp"]
    assert looks(window)[1][:2] == ("Ctrl+Alt+Space could not be had", "Ctrl+Alt+Space is taken by another program.")
    assert looks(window)[5][:2] == ("3 files of writings that never ended", "4.2 KB, which nothing needs: /tmp/x.tmp")


def test_every_action_has_a_button_and_every_page_exists(window: HealthWindow) -> None:
    for action in {*ACTIONS.values(), "show"}:
        button = window._button(Look("info", "What", "So.", action=action))
        assert button is not None and button.text()
        button.deleteLater()
    pages = set(ACTIONS.values()) & {"sources", "index", "meaning", "general", "agents"}
    assert pages <= set(PAGES)


def test_what_leaves_is_said_at_the_foot_and_in_full(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    assert window.leaves.text() == "Nothing leaves this machine. Words and meaning are worked out here."
    leaves = (Departure(what="topics", host="api.example.com"),)
    settled.state = msgspec.structs.replace(settled.state, leaves=leaves)
    settled.wrong, settled.found = [], []
    window.again.click()
    qtbot.waitUntil(lambda: window.leaves.text() == "Sends text to api.example.com")
    sent = "Titles and beginnings of what you said are sent to api.example.com, which names what days were about."
    assert looks(window) == [("Sends text to api.example.com", sent, "Meaning…")]
    assert window.heading.text() == "Everything is in order"


def test_what_is_good_to_know_needs_no_look(app: QApplication) -> None:
    texts = HealthTexts()
    found = [finding("retention", "info", count="7", days="30"), finding("index_behind", "info", count="1", total="40")]
    assert texts.looks(found, []) == []
    assert [(one.glyph, one.what) for one in texts.notes(found, [])] == [
        ("info", "Claude Code deletes 7 session files within five days"),
        ("info", "1 file has changed since it was read"),
    ]


def test_what_is_wrong_with_meaning_leads_to_its_settings(window: HealthWindow, settled: SettledBackend, qtbot: QtBot) -> None:
    settled.wrong = []
    settled.found = [
        finding("meaning_stopped", "error", error_code="embedding_refused_key"),
        finding("meaning_missing", "warn", count="8225"),
        finding("meaning_refused", "info", count="1"),
    ]
    window.check()
    qtbot.waitUntil(lambda: len(window._looks) == 2)
    assert [(look.what, look.consequence) for look in (*window._looks, *window._notes)] == [
        (
            "Meaning has stopped: search goes by words",
            "The key was refused. Replace the key, or see whether the account is verified for this model.",
        ),
        (
            "8,225 passages cannot be found by meaning yet",
            "Words find them. They are worked through in the background, where that is on.",
        ),
        ("The model refused 1 passage", "Each of them alone, for what it holds. Words find them."),
    ]
    settled.found = [finding("meaning_missing", "warn", count="1", error_code="embedding_unreachable")]
    window.check()
    qtbot.waitUntil(lambda: len(window._looks) == 1)
    assert window._looks[0].consequence.startswith("The service cannot be reached. See whether the address is right")
    settled.found = [finding("meaning_stopped", "error"), finding("meaning_missing", "warn", count="2")]
    window.check()
    qtbot.waitUntil(lambda: len(window._looks) == 2)
    wanted: list[str] = []
    window.settingsRequested.connect(wanted.append)
    for row in window.findChildren(LookRow):
        if row.button is not None:
            row.button.click()
    assert wanted == ["meaning", "meaning"]
