"""The slider: keys are tried in the hand-over window; here the pointer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tray_app.ui.slider import Slider


def test_the_pointer_snaps_to_steps(app: QApplication) -> None:
    slider = Slider()
    slider.setRange(1_000, 7_000)
    slider.setSingleStep(100)
    slider.resize(320, 20)
    slider.show()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(160, 10))
    assert slider.value() == 4_000 and slider.isSliderDown()
    QTest.mouseMove(slider, QPoint(300, 10))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(319, 10))
    assert slider.value() % 100 == 0 and not slider.isSliderDown()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(400, 10))
    assert slider.value() == 7_000
    slider.close()
