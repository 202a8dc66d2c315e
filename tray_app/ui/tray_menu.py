"""The tray's menu: one QMenu kept for ever, its texts said anew each time it opens.

Owns the order of the entries and the status line; does nothing itself, its signals say what was chosen. The system draws
it: plain texts, no icons, no style of ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from tray_app.records import Departure, Progress
from tray_app.ui import i18n, leaving_texts, wording

PAUSE_MINUTES = 30.0


@dataclass(frozen=True)
class TrayFacts:
    """All that icon, tooltip and menu show. `state`: idle | indexing | paused | attention."""

    state: str = "idle"
    passages: int = 0
    sessions: int = 0
    skipped: int = 0
    progress: Progress | None = None
    paused_until: str | None = None
    watching: bool = True
    attention: str = ""
    """One sentence about what needs the person."""
    hotkey: str = ""
    leaves: tuple[Departure, ...] | None = None
    """None: not known yet."""


class TrayTexts:
    """The sentences of tray and notes, in the language in force."""

    @staticmethod
    def tr(text: str) -> str:
        return QCoreApplication.translate("TrayTexts", text)

    def status_line(self, facts: TrayFacts) -> str:
        """'12,345 passages from 812 sessions · 3 skipped', and before it what is going on, if anything."""
        parts: list[str] = []
        if facts.state == "paused":
            until = i18n.clock(i18n.local(facts.paused_until))
            parts.append(self.tr("Paused until {time}").format(time=until) if until else self.tr("Paused"))
        elif facts.state == "indexing" and facts.progress is not None and facts.progress.total:
            done, total = i18n.count(facts.progress.done), i18n.count(facts.progress.total)
            parts.append(self.tr("Reading, {done} of {total}").format(done=done, total=total))
        elif facts.state == "indexing":
            parts.append(self.tr("Reading"))
        if facts.passages:
            passages, sessions = wording.passages(facts.passages), wording.sessions(facts.sessions)
            parts.append(self.tr("{passages} from {sessions}").format(passages=passages, sessions=sessions))
        elif facts.state != "indexing":
            parts.append(self.tr("Nothing read yet"))
        if facts.skipped:
            parts.append(wording.skipped(facts.skipped))
        return " · ".join(parts)

    def tooltip(self, facts: TrayFacts) -> str:
        lines = ["Backscroll", self.status_line(facts)]
        if facts.attention:
            lines.append(facts.attention)
        if facts.leaves is not None:
            lines.append(leaving_texts.short(facts.leaves))
        if not facts.watching:
            lines.append(self.tr("The system tells of no changes; sources are looked at every minute."))
        return "\n".join(lines)


class TrayMenu(QObject):
    searchChosen = Signal()
    pauseChosen = Signal(object)
    """Minutes, or None: until resumed."""
    resumeChosen = Signal()
    updateChosen = Signal()
    rebuildChosen = Signal()
    handoverChosen = Signal()
    healthChosen = Signal()
    settingsChosen = Signal()
    quitChosen = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.menu = QMenu()
        self.facts = TrayFacts()
        self._texts = TrayTexts()
        menu = self.menu
        self.search = menu.addAction("")
        self.status = menu.addAction("")
        self.status.setEnabled(False)
        menu.addSeparator()
        self.pause = QMenu(menu)
        menu.addMenu(self.pause)
        self.pause_a_while = self.pause.addAction("")
        self.pause_open_end = self.pause.addAction("")
        self.resume = menu.addAction("")
        self.update_now = menu.addAction("")
        self.rebuild = menu.addAction("")
        menu.addSeparator()
        self.handover = menu.addAction("")
        self.health = menu.addAction("")
        self.settings = menu.addAction("")
        menu.addSeparator()
        self.quit = menu.addAction("")
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.search.triggered.connect(lambda: self.searchChosen.emit())
        self.pause_a_while.triggered.connect(lambda: self.pauseChosen.emit(PAUSE_MINUTES))
        self.pause_open_end.triggered.connect(lambda: self.pauseChosen.emit(None))
        self.resume.triggered.connect(lambda: self.resumeChosen.emit())
        self.update_now.triggered.connect(lambda: self.updateChosen.emit())
        self.rebuild.triggered.connect(lambda: self.rebuildChosen.emit())
        self.handover.triggered.connect(lambda: self.handoverChosen.emit())
        self.health.triggered.connect(lambda: self.healthChosen.emit())
        self.settings.triggered.connect(lambda: self.settingsChosen.emit())
        self.quit.triggered.connect(lambda: self.quitChosen.emit())
        menu.aboutToShow.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say all texts anew, from `facts`. Some panels read the menu once over D-Bus and never open it through Qt, so
        this is called at each change of the state too."""
        paused = self.facts.state == "paused"
        for action, text in (
            (self.search, self.tr("Open search")),
            (self.status, self._texts.status_line(self.facts)),
            (self.pause.menuAction(), self.tr("Pause indexing")),
            (self.pause_a_while, self.tr("For 30 minutes")),
            (self.pause_open_end, self.tr("Until I resume")),
            (self.resume, self.tr("Resume indexing")),
            (self.update_now, self.tr("Update now")),
            (self.rebuild, self.tr("Rebuild index…")),
            (self.handover, self.tr("Hand-over card…")),
            (self.health, self.tr("Index health…")),
            (self.settings, self.tr("Settings…")),
            (self.quit, self.tr("Quit")),
        ):
            if action.text() != text:
                action.setText(text)
        # Only shown beside the words: the grab is the hotkey's, and this action has no window to be active in.
        key = QKeySequence(self.facts.hotkey)
        if self.search.shortcut() != key:
            self.search.setShortcut(key)
            self.search.setShortcutVisibleInContextMenu(True)
        self.pause.menuAction().setVisible(not paused)
        self.resume.setVisible(paused)
        self.update_now.setEnabled(not paused)
