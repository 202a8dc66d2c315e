"""Why the chosen passage is there: when the search window's panel says it, and when it goes.

Owns no widget; the panel is `why_panel`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from tray_app.ui.rows import Row
from tray_app.ui.search_frame import RESULTS

if TYPE_CHECKING:
    from tray_app.ui.search_window import SearchWindow


class SearchWhy(QObject):
    """`toggle` is what Ctrl+I does, `close` what Esc does first."""

    def __init__(self, window: SearchWindow) -> None:
        super().__init__(window)
        self._window = window
        window.why.closed.connect(self.close)

    def toggle(self) -> None:
        """Say why the chosen passage stands where it stands, or no longer."""
        window = self._window
        if not window.why.isHidden():
            self.close()
        elif window.mode == RESULTS and window.list.isVisible():
            window.why.show()
            window.keep_in_view()
            window.flow.explain(True)
            self.show(window.list.current_row())

    def close(self) -> bool:
        """Take the panel away. False if it was not there."""
        self._window.flow.explain(False)
        there = not self._window.why.isHidden()
        self._window.why.hide()
        return there

    def follow_answer(self) -> None:
        """Another answer is shown."""
        if self._window.mode != RESULTS:
            self.close()
        else:
            self.show(self._window.list.current_row())

    def show(self, row: Row | None) -> None:
        """Another row is chosen."""
        answer = self._window.flow.answer
        if not self._window.why.isHidden() and answer is not None:
            self._window.why.show_hit(row.hit if row is not None else None, answer)
