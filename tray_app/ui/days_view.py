"""The right-hand side when nothing is being read: what was talked about, day by day.

One list with one delegate. As a timeline (empty field) each row is a topic or a session that can be opened; as topics
(doubt) rows are words only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tray_app.records import MenuDay, SessionItem, TopicCard
from tray_app.ui import i18n, icons, painting, theme, wording
from tray_app.ui.rows import by_day, extent, kinship, session_title
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.text_layout import one_line

TITLE, SESSION, DAY, TOPIC = "title", "session", "day", "topic"
SESSIONS_A_DAY = 5
DAYS = 14
NO_INDEX = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class DayRow:
    """One row. `day` and `date` stand at the left of a day's first session only."""

    kind: str
    title: str = ""
    detail: str = ""
    agent: str = ""
    session: str = ""
    message: str = ""
    """Where in the session; '' for its beginning."""
    day: str = ""
    date: str = ""
    first: bool = False
    last: bool = False

    @property
    def spoken(self) -> str:
        parts = (self.day, self.date, self.title, self.detail, wording.agent_name(self.agent) if self.agent else "")
        return ", ".join(part for part in parts if part)


def timeline(items: Sequence[SessionItem], title: str) -> list[DayRow]:
    """Sessions by day, the latest of each day first."""
    rows = [DayRow(TITLE, title)] if items else []
    for day, sessions in by_day(items)[:DAYS]:
        shown = sessions[:SESSIONS_A_DAY]
        for place, family in enumerate(shown):
            item, first = family.head, place == 0
            detail = " · ".join(part for part in (one_line(item.project), kinship(item), extent(family)) if part)
            rows.append(
                DayRow(
                    SESSION,
                    session_title(item.title),
                    detail,
                    item.agent,
                    item.session,
                    "",
                    i18n.short_name_of_day(day) if first else "",
                    i18n.timeline_date(day) if first else "",
                    first,
                    place == len(shown) - 1,
                )
            )
    return rows


def timeline_of_topics(cards: Sequence[TopicCard], title: str) -> list[DayRow]:
    """What each day was about, the latest day first."""
    rows = [DayRow(TITLE, title)]
    for card in sorted(cards, key=lambda card: card.day, reverse=True)[:DAYS]:
        for place, topic in enumerate(card.topics):
            first = place == 0
            turns = wording.turns(topic.rounds) if topic.rounds else ""
            rows.append(
                DayRow(
                    SESSION,
                    one_line(topic.label),
                    " · ".join(part for part in (one_line(topic.project), turns) if part),
                    topic.agent,
                    topic.session,
                    topic.message_id,
                    i18n.short_name_of_day(card.day) if first else "",
                    i18n.timeline_date(card.day) if first else "",
                    first,
                    place == len(card.topics) - 1,
                )
            )
    return rows if len(rows) > 1 else []


def topics(days: Sequence[MenuDay], title: str) -> list[DayRow]:
    """The topics of the days that candidates are from."""
    rows = [DayRow(TITLE, title)] if days else []
    for day in days:
        rows.append(DayRow(DAY, i18n.long_day(day.date_text), wording.sessions(day.sessions)))
        for place, topic in enumerate(day.topics):
            rows.append(DayRow(TOPIC, one_line(topic), first=place == 0, last=place == len(day.topics) - 1))
    return rows


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[DayRow] = []

    def set_rows(self, rows: Sequence[DayRow]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.rows[index.row()].spoken
        if index.isValid() and role == Qt.ItemDataRole.ToolTipRole and self.rows[index.row()].agent:
            return wording.agent_name(self.rows[index.row()].agent)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and _opens(self.rows[index.row()]):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled


def _opens(row: DayRow) -> bool:
    return row.kind == SESSION and bool(row.session)


class DaysView(QListView):
    """The list. `opened` carries the agent and the session of a row, and the message in it ('': its beginning)."""

    opened = Signal(str, str, str)
    left = Signal()
    entered = Signal(bool)
    """The keyboard came (True) or went."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = _Model()
        self.setModel(self._rows)
        self.setItemDelegate(_Delegate(self._rows, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)
        OverlayBar(self)
        self.clicked.connect(self._open)
        theme.notifier().changed.connect(self._follow_theme)

    @property
    def rows(self) -> list[DayRow]:
        return self._rows.rows

    def show_rows(self, rows: Sequence[DayRow]) -> None:
        """Replace the rows; the one that was chosen stays chosen, and what is in view stays in view."""
        if list(rows) == self.rows:
            return
        index, top = self.currentIndex(), self.verticalScrollBar().value()
        chosen = self.rows[index.row()] if index.isValid() and self.selectedIndexes() else None
        self._rows.set_rows(rows)
        self.verticalScrollBar().setValue(top)
        if chosen is not None:
            key = (chosen.session, chosen.message, chosen.title)
            same = next((at for at, row in enumerate(rows) if (row.session, row.message, row.title) == key), -1)
            if same >= 0:
                self.setCurrentIndex(self._rows.index(same))

    def enter(self) -> bool:
        """Take the keyboard, at the first session; False if there is none."""
        for place, row in enumerate(self.rows):
            if _opens(row):
                if not self.selectedIndexes():
                    self.setCurrentIndex(self._rows.index(place))
                self.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    def leave(self) -> None:
        """Nothing is selected here any more."""
        self.selectionModel().clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            places = [place for place, row in enumerate(self.rows) if _opens(row)]
            here = self.currentIndex().row()
            step = -1 if key == Qt.Key.Key_Up else 1
            if here in places:
                at = min(max(places.index(here) + step, 0), len(places) - 1)
                self.setCurrentIndex(self._rows.index(places[at]))
                if at == 0:
                    self.scrollToTop()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif key == Qt.Key.Key_Left:
            self.leave()
            self.left.emit()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.entered.emit(False)

    def _follow_theme(self) -> None:
        self.scheduleDelayedItemsLayout()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.current()["bg"])
        painter.end()
        super().paintEvent(event)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid() and _opens(self.rows[index.row()]):
            row = self.rows[index.row()]
            self.opened.emit(row.agent, row.session, row.message)


class _Delegate(QStyledItemDelegate):
    def __init__(self, model: _Model, view: DaysView) -> None:
        super().__init__(view)
        self._model, self._view = model, view

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = self._model.rows[index.row()]
        now = theme.current()
        heights = {
            TITLE: now.px(44),
            SESSION: now.size("topic_row") + now.px(8 if row.last else 0),
            DAY: now.px(34),
            TOPIC: now.px(38 if not row.last else 46),
        }
        return QSize(10, heights[row.kind])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._model.rows[index.row()]
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if row.kind == SESSION:
            self._session(painter, rect, row, state)
        else:
            self._words(painter, rect, row)
        painter.restore()

    def _words(self, painter: QPainter, rect: QRect, row: DayRow) -> None:
        now = theme.current()
        left, right = now.px(24), self._view.width() - now.px(24)
        if row.kind == TITLE:
            painting.draw_text(painter, left, rect.top() + now.px(15), "label", row.title, now["text2"])
        elif row.kind == DAY:
            top = rect.bottom() - now.face("detail").line - now.px(4)
            wide = painting.draw_text(painter, left, top, "detail", row.title, now["text2"])
            painting.draw_text(painter, left + wide + now.px(10), top, "detail", row.detail, now["text3"])
        else:
            text = painting.elide(now, "row_strong", row.title, right - left)
            painting.draw_text(painter, left, rect.top() + now.px(8), "row_strong", text, now["text"])
            if not row.last:
                painting.hairline(painter, left, rect.top() + now.px(37), right - left, now["line"])

    def _session(self, painter: QPainter, rect: QRect, row: DayRow, state: QStyle.StateFlag) -> None:
        now = theme.current()
        left = now.px(24)
        dot = left + now.px(104)
        text_left = dot + now.px(20)
        right = self._view.width() - now.px(20)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        ground = QRectF(text_left - now.px(8), rect.top() + 1, right - text_left + now.px(16), now.size("topic_row") - 3)
        if selected:
            active = self._view.isActiveWindow() and self._view.hasFocus()
            painting.fill_rounded(painter, ground, now.radii["row"], now["sel" if active else "hover"])
            bar = QRectF(ground.left(), ground.top() + now.px(8), 3, ground.height() - now.px(16))
            painting.fill_rounded(painter, bar, 1.5, now["accent" if active else "text3"])
        elif state & QStyle.StateFlag.State_MouseOver:
            painting.fill_rounded(painter, ground, now.radii["row"], now["hover"])
        top = rect.top() + now.px(2)
        middle = top + now.face("row").line / 2
        if row.first:
            day = painting.elide(now, "row_strong", row.day, dot - left - now.px(10))
            painting.draw_text(painter, left, top, "row_strong", day, now["text"])
            date = painting.elide(now, "detail", row.date, dot - left - now.px(10))
            painting.draw_text(painter, left, top + now.px(18), "detail", date, now["text2"])
        start = middle + now.px(7) if row.first else rect.top()
        painting.hairline(
            painter, dot, start, rect.bottom() + 1 - start - (now.px(8) if row.last else 0), now["line"], vertical=True
        )
        if row.first:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(now["control"], 1.5))
            painter.setBrush(now["bg"])
            painter.drawEllipse(QPointF(dot + 0.25, middle), now.px(3.5), now.px(3.5))
        title = painting.elide(now, "row", row.title, right - text_left, weight=600 if selected else None)
        painting.draw_text(painter, text_left, top, "row", title, now["text"], weight=600 if selected else None)
        side = now.px(12)
        detail = painting.elide(now, "detail", row.detail, right - text_left - side - now.px(10))
        wide = painting.draw_text(painter, text_left, top + now.px(18), "detail", detail, now["text2"])
        mark_top = top + now.px(18) + (now.face("detail").line - side) / 2
        icons.draw_mark(painter, row.agent, text_left + wide + now.px(10), mark_top, side, now["text2"])
