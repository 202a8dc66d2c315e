"""Fusion with our few changes, and the one style sheet.

Owns what the system's style engine must be told. What it cannot draw (ticks, switches, tabs, buttons) is painted by the
widgets in `controls`, not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

if TYPE_CHECKING:
    from tray_app.ui.theme import Theme

CARET_PX = 2
RING_MARGIN = 4
"""Gap of 2 and stroke of 2: what the focus frame takes around a control."""


class AppStyle(QProxyStyle):
    """Fusion, with a caret of 2 px, room for the focus ring, and no animation."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def pixelMetric(self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None) -> int:
        if metric == QStyle.PixelMetric.PM_TextCursorWidth:
            return CARET_PX
        if metric in (QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin):
            return RING_MARGIN
        return super().pixelMetric(metric, option, _living(widget))

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        if hint == QStyle.StyleHint.SH_FocusFrame_Mask:
            return 0  # a mask would cut the ring's round corners
        return super().styleHint(hint, option, _living(widget), returnData)


def _living(widget: QWidget | None) -> QWidget | None:
    """A widget that may be handed on: Qt still asks about some while they are being taken down, and their wrapper is dead
    by then (a tray icon at the end of the program)."""
    return widget if widget is not None and shiboken6.isValid(widget) else None


_SHEET = """
QToolTip {{ color: {text}; background: {raised}; border: 1px solid {control}; padding: 4px 8px; font-size: {detail}px; }}
QMenu {{ background: {raised}; color: {text}; border: 1px solid {control}; padding: 5px; }}
QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 6px; }}
QMenu::item:selected {{ background: {sel}; color: {sel_text}; }}
QMenu::item:disabled {{ color: {text3}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 5px 8px; }}
QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox {{
    background: {raised}; color: {text}; border: 1px solid {control}; border-radius: 6px; padding: 3px 8px;
    selection-background-color: {accent}; selection-color: {on_accent}; }}
QLineEdit, QSpinBox, QDoubleSpinBox {{ min-height: {field}px; max-height: {field}px; padding-top: 0; padding-bottom: 0; }}
QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {{ border-color: {focus}; }}
QLineEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled {{
    background: {bg}; color: {text3}; border-color: {line}; }}
QSpinBox::up-button, QSpinBox::down-button {{ width: 0; border: none; }}
QLineEdit[plain="true"] {{ background: transparent; border: none; padding: 0; min-height: 0; max-height: 16777215px; }}
QComboBox QAbstractItemView {{ background: {raised}; color: {text}; border: 1px solid {control}; outline: 0;
    selection-background-color: {sel}; selection-color: {sel_text}; padding: 4px; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; border: none; }}
QScrollBar::handle:vertical {{ background: {scroll}; border-radius: 3px; min-height: 32px; margin: 2px 3px; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; border: none; }}
QScrollBar::handle:horizontal {{ background: {scroll}; border-radius: 3px; min-width: 32px; margin: 3px 2px; }}
QScrollBar::handle:hover {{ background: {text3}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; }}
QBalloonTip QLabel {{ color: #1A1C1C; }}
"""


def sheet(theme: Theme) -> str:
    """The style sheet of the whole application, filled from the tokens. Set once a change of theme."""
    values = {name: color.name() for name, color in theme.colors.items()}
    return _SHEET.format(**values, detail=theme.face("detail").size, field=theme.size("field") - 2)
