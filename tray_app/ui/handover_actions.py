"""What the hand-over window does beside showing: copies, exports, the folder, archiving, clean-up, backups.

Owns these actions and what is answered after them. All work is done on a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDir, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from tray_app.errors import AppError
from tray_app.records import ArchiveReport, Progress
from tray_app.service.backend import Backend
from tray_app.settings import replace_file
from tray_app.ui import clipboard, i18n, wording
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.handover_cleanup import CleanupDialog
from tray_app.ui.handover_texts import texts
from tray_app.ui.tasks import Tasks

if TYPE_CHECKING:
    from tray_app.ui.handover_window import HandoverWindow


class HandoverActions(QObject):
    _progressed = Signal(object)

    def __init__(self, window: HandoverWindow, backend: Backend) -> None:
        super().__init__(window)
        self._window, self._backend = window, backend
        self._tasks = Tasks(self, threads=1)
        self._progressed.connect(self._tell_progress)
        window.foot.wanted.connect(self.do)

    def tr(self, text: str, comment: str = "", number: int = -1) -> str:  # type: ignore[override]
        return QCoreApplication.translate("HandoverActions", text, comment, number)

    def close(self) -> None:
        self._tasks.close()

    def do(self, name: str) -> None:
        """One of the foot's actions, by its name."""
        actions: dict[str, Callable[[], None]] = {
            "export": self.export, "folder": self.open_folder, "resume": self.copy_resume, "card": self.copy_card,
            "chat": self.paste, "pack": self.copy_pack, "archive": self.archive, "backfill": self.backfill,
            "changelog": self.take_changelog, "cleanup": self.clean_up, "backup": self.back_up,
        }  # fmt: skip
        actions[name]()

    # --- copies ------------------------------------------------------------------------------------------------------
    def copy_pack(self) -> None:
        pack = self._window.flow.pack
        if pack is not None and pack.pack:
            self._put(pack.pack, self.tr("Pack copied"))
        else:
            self._answer(self.tr("There is nothing in the pack yet"), "info")

    def copy_card(self) -> None:
        card = self._window.flow.card
        if card is not None and card.markdown:
            self._put(card.markdown, self.tr("Card copied"))
        else:
            self._answer(self.tr("There is no card to copy yet"), "info")

    def copy_resume(self) -> None:
        pack = self._window.flow.pack
        command = pack.resume.command if pack is not None and pack.resume is not None else ""
        if command:
            self._put(command, self.tr("Resume command copied"))
        else:
            self._answer(self.tr("There is no session to resume"), "info")

    def paste(self) -> None:
        """The pack, for the chat one came from."""
        pack = self._window.flow.pack
        if pack is None or not pack.pack:
            self._answer(self.tr("There is nothing in the pack yet"), "info")
        else:
            copied = self._put(pack.pack, self.tr("Copied. Go to the chat and paste it there."))
            if copied and self._window.pasting is not None:
                self._window.pasting.paste(pack.pack, self._window.hide, self._not_pasted)

    def _not_pasted(self) -> None:
        self._window.show()
        self._window.activateWindow()
        self._answer(self.tr("Copied, but not pasted. Go to the chat and paste it there."), "warn")

    # --- files -------------------------------------------------------------------------------------------------------
    def export(self) -> None:
        """The card as a markdown file that is asked for."""
        card, project = self._window.flow.card, self._window.flow.project
        if card is None or not card.markdown:
            self._answer(self.tr("There is no card to export yet"), "info")
            return
        view = self._window.flow.view()
        folder = view.folder if view is not None and view.state == "present" and view.folder else QDir.homePath()
        dialog = QFileDialog(self._window, self.tr("Export the card"), folder, "Markdown (*.md)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        name = "".join(char if char.isalnum() or char in " -_." else " " for char in project).strip()
        dialog.selectFile(f"{name or 'project'} hand-over.md")
        markdown = card.markdown
        dialog.fileSelected.connect(lambda file: self.save(markdown, file))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save(self, markdown: str, file: str) -> None:
        """Write a file, whole or not at all."""
        try:
            replace_file(Path(file), markdown.encode("utf-8", "replace"))
        except OSError as fault:
            self._answer(self.tr("Not saved: {reason}").format(reason=fault.strerror or str(fault)), "warn")
        else:
            self._answer(self.tr("Saved as {name}").format(name=Path(file).name))

    def open_folder(self) -> None:
        view = self._window.flow.view()
        if view is None or not view.folder:
            self._answer(self.tr("This project has no folder"), "info")
        elif not Path(view.folder).is_dir():
            self._answer(self.tr("The folder is not there any more"), "warn")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(view.folder)):
            self._answer(self.tr("The system opened nothing for this folder"), "warn")

    # --- upkeep ------------------------------------------------------------------------------------------------------
    def archive(self) -> None:
        """Finished sessions, now rather than by and by."""
        self._archive(backfill=False)

    def backfill(self) -> None:
        """Sessions from before archiving began, after saying what that means."""
        agreed = ConfirmDialog.ask(
            self._window,
            self.tr("Archive earlier sessions too?"),
            self.tr("Sessions from before archiving began are summarised, each once. It can take a while; search goes on."),
            self.tr("Leave them"),
            self.tr("Archive them"),
        )
        if agreed:
            self._archive(backfill=True)

    def _archive(self, *, backfill: bool) -> None:
        space = self._window.flow.space
        self._begin(self.tr("Archiving…"))

        def work() -> ArchiveReport:
            return self._backend.archive_sessions(backfill=backfill, space=space, report=self._progressed.emit)

        self._tasks.run(self, work, lambda report: self._done(texts.archived(report)), self._failed)

    def take_changelog(self) -> None:
        project, space = self._window.flow.project, self._window.flow.space
        self._begin(self.tr("Reading the changelogs…"))
        self._tasks.run(
            self,
            lambda: self._backend.changelog(project, space=space),
            lambda report: self._done(texts.changelog(report)),
            self._failed,
        )

    def clean_up(self) -> None:
        """The plan first."""
        dialog = CleanupDialog(self._backend, self._window.flow.space, self._window)
        dialog.finished.connect(lambda _result: self._window.flow.refresh())
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def back_up(self) -> None:
        space = self._window.flow.space
        self._begin(self.tr("Backing up…"))
        self._tasks.run(
            self,
            lambda: self._backend.backup(space=space),
            lambda made: self._done(
                self.tr("Backed up: {name}, {size}").format(name=Path(made.path).name, size=i18n.byte_size(made.bytes))
            ),
            self._failed,
        )

    def _begin(self, words: str) -> None:
        self._window.foot.set_busy(True)
        self._answer(words, "info")

    def _done(self, words: str) -> None:
        self._window.foot.set_busy(False)
        self._answer(words)
        self._window.flow.refresh()

    def _failed(self, fault: AppError) -> None:
        self._window.foot.set_busy(False)
        self._answer(wording.error_text(fault), "warn")

    def _tell_progress(self, progress: Progress) -> None:
        if progress.total:
            done, total = i18n.count(progress.done), i18n.count(progress.total)
            self._answer(self.tr("Archiving, {done} of {total}").format(done=done, total=total), "info")

    def _put(self, text: str, said: str) -> bool:
        copied = clipboard.put(text)
        if copied:
            self._answer(said)
        else:
            self._answer(self.tr("Not copied: the clipboard did not take it"), "warn")
        return copied

    def _answer(self, words: str, glyph: str = "check") -> None:
        self._window.answer(words, glyph)
