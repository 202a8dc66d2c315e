"""Where a window may stand: inside a screen that exists, as large as that screen allows.

Pure arithmetic on rectangles in device-independent pixels, and one function that asks Qt which screen the pointer is on.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QCursor, QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

TOP_SHARE = 0.22
MARGIN = 16


def fit(wanted: QSize, least: QSize, screen: QRect) -> QSize:
    """The wanted size, no larger than the screen less a margin, no smaller than the least (the screen's own size wins)."""
    widest, highest = screen.width() - 2 * MARGIN, screen.height() - 2 * MARGIN
    width = min(max(wanted.width(), least.width()), widest)
    height = min(max(wanted.height(), least.height()), highest)
    return QSize(max(width, 1), max(height, 1))


def centred(size: QSize, screen: QRect) -> QRect:
    """In the middle of the screen."""
    left = screen.left() + (screen.width() - size.width()) // 2
    top = screen.top() + (screen.height() - size.height()) // 2
    return QRect(left, top, size.width(), size.height())


def upper(size: QSize, screen: QRect) -> QRect:
    """Centred, its top edge at 22 % of the height, or higher so that all of it fits."""
    left = screen.left() + (screen.width() - size.width()) // 2
    lowest = screen.bottom() + 1 - MARGIN - size.height()
    top = min(screen.top() + round(screen.height() * TOP_SHARE), lowest)
    return QRect(left, max(top, screen.top()), size.width(), size.height())


def brought_in(window: QRect, screens: list[QRect], home: QRect) -> QRect:
    """The window where it is if at least 80 % of it can be seen on one screen; else moved onto `home`, and made smaller
    where it must be. Cases: a monitor that was unplugged, a size from a larger one."""
    area = window.width() * window.height()
    for screen in screens:
        seen = window.intersected(screen)
        if area > 0 and seen.width() * seen.height() >= 0.8 * area:
            return window
    return centred(fit(window.size(), QSize(1, 1), home), home)


def screen_with_pointer() -> QScreen:
    return QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()


def bring_in(window: QWidget) -> None:
    """A window that is shown again: onto a screen, if the one it was on is gone."""
    home = screen_with_pointer().availableGeometry()
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    wanted = brought_in(window.geometry(), screens, home)
    if wanted != window.geometry():
        window.setGeometry(wanted)


def open_centred(window: QWidget, wanted: QSize, least: QSize) -> None:
    """Give an ordinary window its first size and, where the system lets us place windows, its place."""
    free = screen_with_pointer().availableGeometry()
    size = fit(wanted, least, free)
    window.setMinimumSize(min(least.width(), size.width()), min(least.height(), size.height()))
    window.resize(size)
    window.move(centred(size, free).topLeft())
