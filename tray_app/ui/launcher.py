"""The frame of the search window: no title bar, own corners and shadow, placed where a launcher is looked for.

Owns the window's flags, its form (one line or full), its place and size, and what is painted around the content. The
shadow is one nine-patch pixmap a theme and pixel ratio.
"""

from __future__ import annotations

import sys
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QPixmap, QScreen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tray_app.state import State
from tray_app.ui import painting, screen_place, theme

MARGIN = 24
"""Room for the shadow around the window, in logical pixels; it does not grow with the font."""
GRAB = 6
"""How near to an edge the pointer resizes."""


class Launcher(QWidget):
    """An empty frame. Content goes into `body`. `composited` False: opaque, square, with an outline."""

    def __init__(self, state: State | None = None, *, composited: bool | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._one_line = False
        self._shadows: dict[tuple[str, float], QPixmap] = {}
        self._composited = can_be_translucent() if composited is None else composited
        flags = Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.Window
        self.setWindowFlags(flags)
        if self._composited:
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setMouseTracking(True)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(*(self._edge(),) * 4)
        outer.setSpacing(0)
        self.body = QWidget()
        self.body.setCursor(Qt.CursorShape.ArrowCursor)
        outer.addWidget(self.body)
        self._full = self._default_size()
        theme.notifier().changed.connect(self._drop_shadows)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.screenRemoved.connect(self._screen_gone)
        self._fit(self._full)

    # --- form and place ----------------------------------------------------------------------------------------------
    @property
    def one_line(self) -> bool:
        """The window is its query row alone."""
        return self._one_line

    def set_one_line(self, one_line: bool) -> None:
        """Change the form. Width and top edge stay."""
        if one_line == self._one_line:
            return
        if one_line:
            self._full = self.content_size()
        self._one_line = one_line
        self._fit(QSize(self._full.width(), self._line_height()) if one_line else self._full)

    def content_size(self) -> QSize:
        """The window without the room for its shadow."""
        return QSize(self.width() - 2 * self._edge(), self.height() - 2 * self._edge())

    def set_content_size(self, size: QSize) -> None:
        """The size of the full window, without the room for its shadow."""
        self._full = size
        if not self._one_line:
            self._fit(size)

    def place(self, screen: QScreen | None = None) -> None:
        """Put the window on the screen the pointer is on, in its size for that screen, wholly inside it."""
        where = screen or screen_place.screen_with_pointer()
        free = where.availableGeometry()
        size = screen_place.fit(self._kept_size(where), self._least(), free)
        self._full = size
        shown = QSize(size.width(), self._line_height()) if self._one_line else size
        self._fit(shown)
        corner = screen_place.upper(size, free).topLeft()
        self.move(corner - QPoint(self._edge(), self._edge()))

    def remember_size(self) -> None:
        """Keep the size of the full window for the screen it is on."""
        screen = self.screen()
        if self._state is None or screen is None:
            return
        size = self._full if self._one_line else self.content_size()
        if size != self._default_size() or screen.name() in self._state.read().window_sizes:
            self._state.remember_window(screen.name(), size.width(), size.height())

    def _screen_gone(self, _screen: QScreen) -> None:
        """A monitor was taken away: the window comes onto one that is there."""
        if self.isVisible():
            home = screen_place.screen_with_pointer().availableGeometry()
            screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
            self.setGeometry(screen_place.brought_in(self.geometry(), screens, home))

    def _kept_size(self, screen: QScreen) -> QSize:
        kept = self._state.read().window_sizes.get(screen.name()) if self._state is not None else None
        least = self._least()
        return QSize(*kept).expandedTo(least) if kept is not None else self._full.expandedTo(least)

    def _default_size(self) -> QSize:
        now = theme.current()
        width, height = now.measures["window"]["launcher"]["default"]
        return QSize(now.px(width), now.px(height))

    def _least(self) -> QSize:
        width, height = theme.current().measures["window"]["launcher"]["min"]
        return QSize(width, height)

    def _line_height(self) -> int:
        return theme.current().size("query_row")

    def _edge(self) -> int:
        return MARGIN if self._composited else 1

    def _fit(self, size: QSize) -> None:
        around = QSize(2 * self._edge(), 2 * self._edge())
        least = QSize(self._least().width(), self._line_height()) if self._one_line else self._least()
        self.setMinimumSize(least + around)
        self.setMaximumHeight(self._line_height() + around.height() if self._one_line else 16_777_215)
        self.resize(size + around)

    # --- moving and resizing by hand ---------------------------------------------------------------------------------
    def drag(self) -> None:
        """The system moves the window with the pointer."""
        handle = self.windowHandle()
        if handle is not None:
            handle.startSystemMove()

    def edges_at(self, point: QPoint) -> Qt.Edge:
        """Which edges of the content a point of the window is at."""
        area = self.body.geometry()
        edges = Qt.Edge(0)
        near = area.adjusted(-GRAB, -GRAB, GRAB, GRAB)
        if not near.contains(point) or area.adjusted(GRAB, GRAB, -GRAB, -GRAB).contains(point):
            return edges
        if point.x() <= area.left() + GRAB:
            edges |= Qt.Edge.LeftEdge
        elif point.x() >= area.right() - GRAB:
            edges |= Qt.Edge.RightEdge
        if not self._one_line and point.y() >= area.bottom() - GRAB:
            edges |= Qt.Edge.BottomEdge
        return edges

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        edges = self.edges_at(event.position().toPoint())
        sides = bool(edges & (Qt.Edge.LeftEdge | Qt.Edge.RightEdge))
        if edges & Qt.Edge.BottomEdge and sides:
            falling = bool(edges & Qt.Edge.RightEdge)
            self.setCursor(Qt.CursorShape.SizeFDiagCursor if falling else Qt.CursorShape.SizeBDiagCursor)
        elif sides:
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        elif edges:
            self.setCursor(Qt.CursorShape.SizeVerCursor)
        else:
            self.unsetCursor()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        edges = self.edges_at(event.position().toPoint())
        handle = self.windowHandle()
        if edges and handle is not None and event.button() == Qt.MouseButton.LeftButton:
            handle.startSystemResize(edges)

    def leaveEvent(self, event: QEvent) -> None:
        self.unsetCursor()
        super().leaveEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.remember_size()
        super().closeEvent(event)

    # --- painting ----------------------------------------------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        area = QRectF(self.body.geometry())
        if not self._composited:
            painter.fillRect(self.rect(), now["control"])
            painter.fillRect(area, now["bg"])
            return
        ratio = self.devicePixelRatioF()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_shadow(painter, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = self.corner()
        edge = 1 / ratio
        painting.fill_rounded(
            painter, area.adjusted(-edge, -edge, edge, edge), radius + edge, now["keyline" if now.dark else "scroll"]
        )
        painting.fill_rounded(painter, area, radius, now["bg"])

    def _drop_shadows(self) -> None:
        self._shadows.clear()
        self.update()

    def corner(self) -> float:
        """Radius of the window's corners."""
        return float(theme.current().radii["window"]) if self._composited else 0.0

    def _paint_shadow(self, painter: QPainter, ratio: float) -> None:
        now = theme.current()
        key = (now.name, ratio)
        if key not in self._shadows:
            self._shadows[key] = shadow(now.dark, ratio)
        patch = self._shadows[key]
        cut = 2 * MARGIN
        whole = 2 * cut + 1
        scale = patch.width() / whole
        width, height = self.width(), self.height()
        columns = ((0, cut, 0, cut), (cut, 1, cut, width - 2 * cut), (cut + 1, cut, width - cut, cut))
        # the one-line form is lower than the two corners of the patch: these then meet in its middle
        tall = min(cut, height // 2)
        lines = ((0, tall, 0, tall), (cut, 1, tall, height - 2 * tall), (whole - tall, tall, height - tall, tall))
        for from_x, from_width, x, wide in columns:
            for from_y, from_height, y, high in lines:
                if wide > 0 and high > 0:
                    source = QRectF(from_x * scale, from_y * scale, from_width * scale, from_height * scale)
                    painter.drawPixmap(QRectF(x, y, wide, high), patch, source)


def can_be_translucent() -> bool:
    """Something on this screen draws what is behind a window. Plain X11 without a compositor does not."""
    platform = QGuiApplication.platformName()
    if platform == "offscreen" or sys.platform in ("win32", "darwin") or platform.startswith("wayland"):
        return True
    if platform != "xcb":
        return False
    import xcffib
    import xcffib.xproto  # without it xcffib cannot connect

    try:
        connection: Any = xcffib.connect()
    except xcffib.ConnectionException:
        return False
    try:
        name = f"_NET_WM_CM_S{connection.pref_screen}"
        atom = connection.core.InternAtom(False, len(name), name).reply().atom
        return bool(connection.core.GetSelectionOwner(atom).reply().owner)
    finally:
        connection.disconnect()


def shadow(dark: bool, ratio: float) -> QPixmap:
    """The nine-patch: corners of twice the margin and a middle of one pixel, for a window that begins at the margin."""
    cut = 2 * MARGIN
    whole = 2 * cut + 1
    pixmap = QPixmap(round(whole * ratio), round(whole * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(pixmap.width() / whole, pixmap.height() / whole)
    reach = float(MARGIN)
    # stacked rounded rectangles, fainter outwards: a blur without an effect that repaints the window
    steps = 24
    strength = 0.42 if dark else 0.20
    painter.setPen(Qt.PenStyle.NoPen)
    for step in range(steps):
        part = (step + 1) / steps
        spread = reach * (1 - step / steps) - 1
        inset = reach - spread
        painter.setBrush(QColor.fromRgbF(0, 0, 0, strength * 2 * part / steps))
        painter.drawRoundedRect(QRectF(inset, inset + 3 * part, whole - 2 * inset, whole - 2 * inset), 12 + spread, 12 + spread)
    painter.end()
    return pixmap
