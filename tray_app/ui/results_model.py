"""The model behind the left-hand list: flat rows, their laid-out passages and their heights.

Owns when rows are laid out: once when they come, and again when width, theme or language changes; never while painting.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from tray_app.ui import rows as kinds
from tray_app.ui import text_layout, theme
from tray_app.ui.rows import Row
from tray_app.ui.text_layout import Passage

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
TEXT_LEFT = 42
TEXT_RIGHT = 20


class ResultsModel(QAbstractListModel):
    """Rows of any kind. `heights` and `passages` go with them."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self.heights: list[int] = []
        self.passages: list[Passage | None] = []
        self._width = 400
        self._theme = theme.current()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.rows = list(rows)
        self._lay_out()
        self.endResetModel()

    def set_width(self, width: int) -> bool:
        """Lay the rows out for a width; True if that changed anything."""
        if width == self._width and self._theme is theme.current():
            return False
        self._width, self._theme = width, theme.current()
        self._lay_out()
        return True

    def refresh(self) -> None:
        """The theme or the scale is another one."""
        self._theme = theme.current()
        self.beginResetModel()
        self._lay_out()
        self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.spoken
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return text_layout.tip(row.why) or None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.why or None
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return Qt.ItemFlag.NoItemFlags
        if self.rows[index.row()].kind in kinds.SELECTABLE:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled

    def selectable(self) -> list[int]:
        """Numbers of the rows that can be chosen."""
        return [number for number, row in enumerate(self.rows) if row.kind in kinds.SELECTABLE]

    def find(self, anchor: str) -> int:
        """The number of the row with this anchor; −1 if there is none."""
        if anchor:
            for number, row in enumerate(self.rows):
                if row.anchor == anchor and row.kind in kinds.SELECTABLE:
                    return number
        return -1

    def _lay_out(self) -> None:
        now = self._theme
        self.passages, self.heights = [], []
        room = self._width - now.px(TEXT_LEFT) - now.px(TEXT_RIGHT)
        for place, row in enumerate(self.rows):
            passage = None
            if row.kind == kinds.PASSAGE:
                face = "code" if row.role in ("tool_call", "tool_result") else "body"
                passage = text_layout.lay_out(now, row.text, row.marks, room, face, row.lines)
            elif row.kind == kinds.CANDIDATE:
                passage = text_layout.lay_out(
                    now, row.text, row.marks, self._width - now.px(52) - now.px(TEXT_RIGHT), "body", 1
                )
            self.passages.append(passage)
            self.heights.append(self._height(row, passage, last=place == len(self.rows) - 1))

    def _height(self, row: Row, passage: Passage | None, *, last: bool) -> int:
        now = self._theme
        if row.kind == kinds.PASSAGE and passage is not None:
            text = passage.lines * now.face(passage.face).line + (now.px(1) if passage.face == "code" else 0)
            reason = now.face("reason").line if row.reasons or row.also else 0
            return int(now.px(7) + text + reason + now.px(6) + (now.px(8) if last else 0))
        fixed = {
            kinds.HEAD: now.size("group_head") + now.px(9 if row.first else 21),
            kinds.OUTSIDE: now.px(44),
            kinds.TITLE: now.px(44),
            kinds.DAY: now.px(22 if row.first else 28),
            kinds.RECENT: now.size("recent_row"),
            kinds.DOUBT: now.px(68),
            kinds.CANDIDATE: now.size("candidate_row"),
            kinds.FURTHER: now.px(44),
            kinds.CHOOSE: now.px(44),
        }
        return int(fixed[row.kind])
