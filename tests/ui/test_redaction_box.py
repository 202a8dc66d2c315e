"""Trying out what is hidden: what would be stored, what is marked, and that nothing of it stays."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tray_app.text.redact import explain, redact
from tray_app.ui.redaction_box import LONGEST, RedactionBox, as_stored

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def box(app: QApplication, qtbot: QtBot) -> RedactionBox:
    made = RedactionBox()
    qtbot.addWidget(made)
    made.show()
    return made


def marked(box: RedactionBox) -> list[str]:
    return [one.cursor.selectedText() for one in box.stored.extraSelections()]


def test_what_is_hidden_is_marked_and_named(box: RedactionBox, qtbot: QtBot) -> None:
    assert box.outcome.text() == "When the rules change, everything is read anew in the background."
    assert box.stored.isHidden()
    box.given.setPlainText(f"😀 push with {TOKEN}\nPOSTGRES_PASSWORD=tr0ub4dor3x9\n\x1b[31mred")
    qtbot.waitUntil(lambda: box.stored.isVisible())
    assert box.stored.toPlainText() == "😀 push with [secret: github token]\nPOSTGRES_PASSWORD=[secret: password]\nred"
    assert marked(box) == ["[secret: github token]", "[secret: password]"]
    assert box.outcome.text() == "2 parts would be hidden: github token, password."
    assert box.stored.accessibleDescription() == box.outcome.text()


def test_nothing_to_hide(box: RedactionBox) -> None:
    box.given.setPlainText("the retry loop at commit 3f2a9c1")
    box.look()
    assert (box.outcome.text(), marked(box)) == ("Nothing in it would be hidden.", [])
    assert box.stored.toPlainText() == "the retry loop at commit 3f2a9c1"


def test_with_the_switch_off_it_says_so(box: RedactionBox) -> None:
    box.given.setPlainText(TOKEN)
    box.set_hiding(False)
    assert box.stored.toPlainText() == TOKEN
    assert box.outcome.text() == "Secrets are not hidden now: the text would be stored as it is."


def test_nothing_of_it_stays(box: RedactionBox, caplog: pytest.LogCaptureFixture, qtbot: QtBot) -> None:
    caplog.set_level(logging.DEBUG)
    box.given.insertPlainText(TOKEN)
    box.look()
    box.hide()
    assert (box.given.toPlainText(), box.stored.toPlainText()) == ("", "")
    assert not box.given.document().isUndoAvailable()
    box.show()
    assert (box.given.toPlainText(), box.stored.isVisible()) == ("", False)
    assert caplog.text == ""


def test_of_a_very_long_text_the_beginning_is_looked_at(box: RedactionBox) -> None:
    box.given.setPlainText("word " * (LONGEST // 5 + 1))
    box.look()
    assert box.outcome.text() == "Nothing in it would be hidden. Only the first 50,000 characters are looked at."


@given(st.lists(st.sampled_from([TOKEN, "password: hunter2hunter2", "😀", "plain", "\n", " "]), max_size=8))
def test_it_shows_what_redaction_does(parts: list[str]) -> None:
    text = " ".join(parts)
    stored, marks = as_stored(text, explain(text))
    assert stored == redact(text)[0]
    assert [stored[start:end] for start, end in marks] == [f"[secret: {one.name}]" for one in explain(text)]
