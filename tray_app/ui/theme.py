"""The look in force: colours, type, measures, from resources/tokens.json.

Owns the one `Theme` object, and the palette, style and style sheet of the application. Nothing else sets a palette or a
style sheet. Holds no widget.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from tray_app.paths import resource
from tray_app.ui.style import AppStyle, sheet

SMALLEST_PX = 11
"""No text is drawn smaller, whatever the system's font."""
DESIGN_PX = 13
"""The system font size that tokens.json is drawn for."""


class Face(NamedTuple):
    """One of the kinds of text: pixel size, line height, weight, fixed pitch."""

    size: int
    line: int
    weight: int
    mono: bool


@dataclass(frozen=True)
class Theme:
    """Everything the painting code needs to know. Immutable: a change of theme or font makes another one."""

    name: str
    """light | dark"""
    colors: Mapping[str, QColor]
    faces: Mapping[str, Face]
    measures: Mapping[str, Any]
    """`size` and `window` of the tokens, unscaled."""
    radii: Mapping[str, int]
    scale: float
    """System font size over 13."""
    _fonts: dict[tuple[str, int], QFont] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, color: str) -> QColor:
        return self.colors[color]

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    def px(self, length: float) -> int:
        """A length of the design in logical pixels at this font size, whole."""
        return round(length * self.scale)

    def size(self, name: str) -> int:
        """A named measure of the tokens ('query_row'), scaled."""
        return self.px(self.measures[name])

    def face(self, name: str) -> Face:
        return self.faces[name]

    def font(self, name: str, weight: int | None = None) -> QFont:
        """The font of a kind of text, with another weight if one is given."""
        face = self.faces[name]
        key = (name, weight or face.weight)
        found = self._fonts.get(key)
        if found is None:
            kind = QFontDatabase.SystemFont.FixedFont if face.mono else QFontDatabase.SystemFont.GeneralFont
            found = QFont(QFontDatabase.systemFont(kind))
            found.setPixelSize(face.size)
            found.setWeight(QFont.Weight(weight or face.weight))
            self._fonts[key] = found
        return QFont(found)


class Notifier(QObject):
    """Says that the theme in force is another one. Palette and style sheet are set before."""

    changed = Signal()


class _Keeper:
    """The state of this module: what is in force, and why."""

    def __init__(self) -> None:
        self.theme: Theme | None = None
        self.choice = "system"
        self.notifier: Notifier | None = None
        self.style: AppStyle | None = None
        self.started_dark = False
        """The palette that the platform gave was a dark one, for desktops that tell no colour scheme."""


_keeper = _Keeper()


@lru_cache(maxsize=1)
def tokens() -> dict[str, Any]:
    """The design's values as they stand in the file."""
    loaded: dict[str, Any] = json.loads(resource("tokens.json").read_text(encoding="utf-8"))
    return loaded


def build(name: str, system_px: float = DESIGN_PX) -> Theme:
    """A theme by name, for a system font of so many pixels."""
    source = tokens()
    scale = min(max(system_px / DESIGN_PX, 0.85), 2.5)
    faces = {
        key: Face(
            max(round(value["size"] * scale), SMALLEST_PX),
            round(value["line"] * scale),
            value["weight"],
            bool(value.get("mono", False)),
        )
        for key, value in source["type"].items()
    }
    return Theme(
        name=name,
        colors={key: QColor(value) for key, value in source["color"][name].items()},
        faces=faces,
        measures={**source["size"], "window": source["window"]},
        radii=source["radius"],
        scale=scale,
    )


def current() -> Theme:
    """The theme in force; a light one before `apply` was called."""
    if _keeper.theme is None:
        _keeper.theme = build("light", _system_px())
    return _keeper.theme


def notifier() -> Notifier:
    """The object whose `changed` is emitted after each change."""
    if _keeper.notifier is None:
        _keeper.notifier = Notifier()
    return _keeper.notifier


def apply(app: QApplication, choice: str) -> Theme:
    """Put a theme in force. `choice`: system | light | dark; `system` follows the desktop where it tells."""
    if _keeper.style is None:
        _keeper.started_dark = app.palette().color(QPalette.ColorRole.Window).lightness() < 128
        _keeper.style = AppStyle()
        app.setStyle(_keeper.style)
        app.styleHints().colorSchemeChanged.connect(lambda _scheme: _follow(app))
    _keeper.choice = choice
    hints = app.styleHints()
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    # Windows and macOS draw title bars by this; elsewhere it changes nothing.
    hints.setColorScheme(schemes.get(choice, Qt.ColorScheme.Unknown))
    return _enforce(app)


def _follow(app: QApplication) -> None:
    if _keeper.choice == "system":
        _enforce(app)


def _enforce(app: QApplication) -> Theme:
    name = _keeper.choice if _keeper.choice in ("light", "dark") else _system_theme(app)
    made = build(name, _system_px())
    if made == _keeper.theme and app.styleSheet():
        return made
    _keeper.theme = made
    app.setPalette(palette(made))
    app.setFont(made.font("body"))
    app.setStyleSheet(sheet(made))
    notifier().changed.emit()
    return made


def _system_theme(app: QApplication) -> str:
    scheme = app.styleHints().colorScheme()
    if scheme == Qt.ColorScheme.Unknown:
        return "dark" if _keeper.started_dark else "light"
    return "dark" if scheme == Qt.ColorScheme.Dark else "light"


def _system_px() -> float:
    return float(QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).pixelSize()) or DESIGN_PX


def palette(theme: Theme) -> QPalette:
    """The palette Fusion draws with."""
    made = QPalette()
    role = QPalette.ColorRole
    for where, name in (
        (role.Window, "bg"),
        (role.WindowText, "text"),
        (role.Base, "raised"),
        (role.AlternateBase, "sunken"),
        (role.Text, "text"),
        (role.PlaceholderText, "text3"),
        (role.Button, "raised"),
        (role.ButtonText, "text"),
        (role.BrightText, "danger"),
        (role.Highlight, "accent"),
        (role.HighlightedText, "on_accent"),
        (role.Link, "accent_text"),
        (role.LinkVisited, "accent_text"),
        (role.ToolTipBase, "raised"),
        (role.ToolTipText, "text"),
        (role.Light, "raised"),
        (role.Midlight, "hover"),
        (role.Mid, "line"),
        (role.Dark, "control"),
        (role.Shadow, "control"),
        (role.Accent, "accent"),
    ):
        made.setColor(where, theme[name])
    for where in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, where, theme["text3"])
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, theme["track"])
    return made
