"""The painted controls work by keyboard, speak to screen readers, and show one focus ring."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFocusFrame, QListView, QVBoxLayout, QWidget

from tray_app.ui.controls import (
    Bar,
    Chooser,
    DangerButton,
    ElidedLabel,
    Field,
    FocusRing,
    GlyphButton,
    KeyCap,
    LinkButton,
    PlainButton,
    PrimaryButton,
    QuietButton,
    Radio,
    Switch,
    TabRow,
    Tick,
)

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize("kind", [Tick, Switch])
def test_space_ticks_and_the_role_is_a_check_box(kind: type[Tick] | type[Switch], qtbot: object) -> None:
    control = kind()
    control.setAccessibleName("Codex")
    control.show()
    QTest.keyClick(control, Qt.Key.Key_Space)
    assert control.isChecked()
    spoken = QAccessible.queryAccessibleInterface(control)
    assert spoken.role() == QAccessible.Role.CheckBox
    assert spoken.text(QAccessible.Text.Name) == "Codex"
    QTest.mouseClick(control, Qt.MouseButton.LeftButton)
    assert not control.isChecked()


def test_states_can_be_told_without_colour() -> None:
    for kind in (Tick, Switch, Radio):
        control = kind("x")
        control.resize(60, 24)
        off = control.grab().toImage().convertToFormat(control.grab().toImage().Format.Format_Grayscale8)
        control.setChecked(True)
        on = control.grab().toImage().convertToFormat(off.format())
        assert on != off


@pytest.mark.parametrize("kind", [PrimaryButton, PlainButton, QuietButton, DangerButton])
def test_buttons_take_space_and_fit_their_text(kind: type[PlainButton]) -> None:
    button = kind("Clear the whole index")
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    button.show()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert pressed == [True]
    assert button.sizeHint().width() > button.fontMetrics().horizontalAdvance("Clear the whole index")


def test_glyph_buttons_have_a_name_and_a_key() -> None:
    button = GlyphButton("copy", "Copy")
    button.set_name("Copy with citation", "Ctrl+C")
    assert button.accessibleName() == "Copy with citation"
    assert button.toolTip() == "Copy with citation (Ctrl+C)"
    assert KeyCap("Esc").accessibleName() == "Esc"


def test_field_says_what_is_wrong() -> None:
    field = Field("Address")
    field.set_error("Begin with http:// or https://")
    assert field.accessibleDescription() == "Begin with http:// or https://"
    field.set_error("")
    assert (field.error, field.accessibleDescription()) == ("", "")


def test_bar_changes_only_where_a_pixel_would() -> None:
    bar = Bar()
    bar.set_share(1, 4)
    assert bar.value() == 250
    bar.set_share(2, 4)  # less than a quarter of a second later
    assert bar.value() == 250
    bar.set_share(4, 4)  # the end is always shown
    assert bar.value() == 1000
    bar.set_share(0, 0)
    assert bar.value() == 1000


def test_tabs_move_by_arrow_keys_and_hold_counts() -> None:
    tabs = TabRow()
    for name in ("Card", "Draft", "Pack"):
        tabs.addTab(name)
    tabs.setTabData(1, 3)
    tabs.show()
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.currentIndex() == 1
    assert tabs.tabSizeHint(1).width() > tabs.tabSizeHint(2).width()
    assert not tabs.grab().isNull()


def test_chooser_changes_by_keys() -> None:
    chooser = Chooser()
    chooser.addItems(["As the system says", "Light", "Dark"])
    chooser.show()
    QTest.keyClick(chooser, Qt.Key.Key_Down)
    assert chooser.currentText() == "Light"
    assert chooser.sizeHint().width() > chooser.fontMetrics().horizontalAdvance("As the system says")


def test_elided_label_keeps_its_whole_text_to_hand() -> None:
    label = ElidedLabel("Upload worker drops the last part of every file")
    label.resize(120, 20)
    label.show()
    assert label.shown_text().endswith("…")
    assert label.toolTip() == label.accessibleName() == "Upload worker drops the last part of every file"
    label.resize(900, 20)
    assert (label.shown_text(), label.toolTip()) == (label.text(), "")


def test_elided_label_can_shorten_in_the_middle() -> None:
    label = ElidedLabel("/home/lin/projects/tide-api/src/upload.py", mode=Qt.TextElideMode.ElideMiddle)
    label.resize(140, 20)
    assert label.shown_text().startswith("/home")
    assert label.shown_text().endswith(".py")


def test_one_focus_ring_a_window(app: QApplication) -> None:
    ring = FocusRing(app)
    window = QWidget()
    column = QVBoxLayout(window)
    first, second, rows = PlainButton("One"), LinkButton("Two"), QListView()
    for part in (first, second, rows):
        column.addWidget(part)
    window.show()
    window.activateWindow()

    def rings() -> list[QWidget]:
        app.processEvents()
        return [frame.widget() for frame in window.findChildren(QFocusFrame) if frame.isVisible()]

    first.setFocus()
    assert rings() == [first]
    second.setFocus()
    assert rings() == [second]
    rows.setFocus()
    assert rings() == []
    ring.deleteLater()
    window.deleteLater()
