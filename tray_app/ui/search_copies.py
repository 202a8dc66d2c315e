"""What can be taken out of the search window: a passage, a quotation for the chat, a resume command, a whole session.

Owns what is copied of which row and what the foot answers. Fetches a whole session on a lane of its own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDir, QObject
from PySide6.QtWidgets import QFileDialog

from tray_app.errors import AppError
from tray_app.records import MessageView, SessionView
from tray_app.service.backend import Backend
from tray_app.settings import replace_file
from tray_app.ui import clipboard, rows, wording
from tray_app.ui.queries import Lane
from tray_app.ui.text_layout import one_line

if TYPE_CHECKING:
    from tray_app.ui.search_window import SearchWindow

ALL_MESSAGES = 1_000_000


class SearchCopies(QObject):
    """Called by keys and by the reading pane's buttons."""

    def __init__(self, window: SearchWindow, backend: Backend) -> None:
        super().__init__(window)
        self._window, self._backend = window, backend
        self._lane = Lane("export", self)
        self._quoting = Lane("quote", self)
        window.pane.copy_wanted.connect(self.copy_passage)
        window.pane.chat_wanted.connect(self.copy_for_chat)
        window.pane.resume_wanted.connect(self.copy_resume_command)
        window.pane.export_wanted.connect(self.export)
        window.pane.text_copied.connect(self.copy_text)

    def tr(self, text: str, comment: str = "", number: int = -1) -> str:  # type: ignore[override]
        return QCoreApplication.translate("SearchCopies", text, comment, number)

    def close(self) -> None:
        self._lane.close()
        self._quoting.close()

    def copy_passage(self) -> None:
        """Ctrl+C: the passage as it is, then where it is from."""
        found = self._passage()
        if found is None:
            self._answer(self.tr("Nothing is chosen to copy"))
            return
        text, source = found
        self._put(f"{text}\n\n{source}\n", self.tr("Copied, with its citation"))

    def copy_for_chat(self) -> None:
        """Ctrl+Enter: the passage as a quotation that an agent can be given. The engine makes it: fenced, so that old text is
        not taken for orders, and marked as ours, so that it is not read in again. Without the engine it is only quoted."""
        found = self._passage()
        if found is None:
            self._answer(self.tr("Nothing is chosen to copy"))
            return
        said = self.tr("Copied as a quotation for the chat")
        session, message, agent = self._place()
        if not message:
            self._put_for_chat(clipboard.for_chat(*found), said)
            return
        self._quoting.ask(
            lambda: self._backend.snippet(session, message, for_agent=True, agent=agent or None),
            lambda text: self._put_for_chat(text, said),
            lambda _fault: self._put_for_chat(clipboard.for_chat(*found), said),
        )

    def copy_resume_command(self) -> None:
        """Ctrl+R: the exact command that goes on with the session."""
        command = self._resume_command()
        if command:
            self._put(command, self.tr("Resume command copied"))
        else:
            self._answer(self.tr("This session has no resume command"))

    def copy_text(self, text: str) -> None:
        """A block of code."""
        self._put(text, self.tr("Copied"))

    def export(self) -> None:
        """Ctrl+E: the whole session as markdown, to a file that is asked for."""
        session, agent = self._session()
        if not session:
            self._answer(self.tr("No session is chosen to export"))
            return
        self._answer(self.tr("Reading the session…"))
        self._lane.ask(
            lambda: self._backend.show(session, first=0, limit=ALL_MESSAGES, agent=agent or None),
            self._ask_for_file,
            self._failed,
        )

    def save(self, view: SessionView, file: str) -> None:
        """Write a session to a file, whole or not at all."""
        try:
            replace_file(Path(file), clipboard.session_markdown(view).encode("utf-8", "replace"))
        except OSError as fault:
            self._answer(self.tr("Not saved: {reason}").format(reason=fault.strerror or str(fault)))
        else:
            self._answer(self.tr("Saved as {name}").format(name=Path(file).name))

    def _ask_for_file(self, view: SessionView) -> None:
        self._answer("")
        name = re.sub(r"[^\w\- ]+", " ", one_line(view.title)).strip()[:60].strip() or view.session
        dialog = QFileDialog(self._window, self.tr("Export the session"), QDir.homePath(), "Markdown (*.md)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dialog.selectFile(name + ".md")
        dialog.fileSelected.connect(lambda file: self.save(view, file))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _passage(self) -> tuple[str, str] | None:
        """The chosen passage's whole text, and its citation."""
        row = self._window.list.current_row()
        view = self._window.pane.view
        if row is not None and row.hit is not None and row.group is not None:
            group, hit = row.group, row.hit
            return hit.text, clipboard.citation(group.agent, group.project, hit.date_text, group.title, group.resume_command)
        if view is not None and (self._window.reading or row is None):
            message = self._read_message(view)
            if message is not None:
                day = (message.time or view.start or "")[:10]
                return message.text, clipboard.citation(view.agent, view.project, day, view.title, view.resume_command)
        if row is not None and row.kind == rows.CANDIDATE:
            return row.text, clipboard.citation(row.agent, row.project, "", row.title, "")
        return None

    def _place(self) -> tuple[str, str, str]:
        """Session, message ('' where none is known) and agent of what `_passage` gives."""
        row, view = self._window.list.current_row(), self._window.pane.view
        if row is not None and row.hit is not None:
            return row.session, row.message_id, row.agent
        if view is not None and (self._window.reading or row is None):
            message = self._read_message(view)
            return view.session, message.message_id if message is not None else "", view.agent
        return (row.session, row.message_id, row.agent) if row is not None else ("", "", "")

    def _read_message(self, view: SessionView) -> MessageView | None:
        """The message that is being read: the chosen one, else the first that was said."""
        row = self._window.list.current_row()
        wanted = row.message_id if row is not None else ""
        said = [message for message in view.messages if message.message_id == wanted]
        said += [message for message in view.messages if message.role in ("user", "assistant")]
        return said[0] if said else None

    def _resume_command(self) -> str:
        row, view = self._window.list.current_row(), self._window.pane.view
        if row is not None and row.group is not None:
            return row.group.resume_command
        if view is not None and (row is None or row.session == view.session or self._window.reading):
            return view.resume_command
        if row is not None:
            known = (item for item in self._window.flow.sessions if item.session == row.session and item.agent == row.agent)
            return next((item.resume_command for item in known), "")
        return ""

    def _session(self) -> tuple[str, str]:
        row, view = self._window.list.current_row(), self._window.pane.view
        if row is not None and row.session:
            return row.session, row.agent
        return (view.session, view.agent) if view is not None else ("", "")

    def _put(self, text: str, said: str) -> bool:
        copied = clipboard.put(text)
        self._answer(said if copied else self.tr("Not copied: the clipboard did not take it"))
        return copied

    def _put_for_chat(self, text: str, said: str) -> None:
        if self._put(text, said) and self._window.pasting is not None:
            self._window.pasting.paste(text, self._window.dismiss, self._not_pasted)

    def _not_pasted(self) -> None:
        if not self._window.isVisible():
            self._window.present()
        self._answer(self.tr("Copied, but not pasted. Go to the chat and paste it there."))

    def _failed(self, fault: AppError) -> None:
        self._answer(wording.error_text(fault))

    def _answer(self, words: str) -> None:
        self._window.foot.answer(words)
