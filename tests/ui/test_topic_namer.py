"""Rounds of naming: one at a time, with a rest, never in the way of the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from tray_app.errors import KnownError
from tray_app.ui import topic_namer
from tray_app.ui.topic_namer import TopicNamer


class Source:
    def __init__(self, *outcomes: int) -> None:
        self.outcomes = list(outcomes)
        self.rounds = 0
        self.during: Callable[[Callable[[], bool]], None] = lambda stop: None

    def name_topics(self, stop: Callable[[], bool]) -> int:
        self.rounds += 1
        self.during(stop)
        return self.outcomes.pop(0) if self.outcomes else 0


def test_it_goes_on_while_days_are_named(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_namer, "REST_S", 0.02)
    source = Source(5, 2, 0)
    namer = TopicNamer(source)
    named: list[bool] = []
    namer.named.connect(lambda: named.append(True))
    namer.look()
    qtbot.waitUntil(lambda: source.rounds == 3)
    qtbot.wait(80)
    assert (source.rounds, named) == (3, [True, True])
    namer.end()


def test_many_changes_are_one_round_after_a_rest(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_namer, "REST_S", 0.15)
    source = Source()
    namer = TopicNamer(source)
    namer.look()
    qtbot.waitUntil(lambda: namer._thread is None and source.rounds == 1)
    for _ in range(10):
        namer.look()
    assert source.rounds == 1
    qtbot.waitUntil(lambda: source.rounds == 2)
    namer.look(at_once=True)
    qtbot.waitUntil(lambda: source.rounds >= 2)
    namer.end()


def test_a_service_that_hangs_holds_nobody_up(qtbot: QtBot) -> None:
    gate = threading.Event()
    source = Source(1)
    source.during = lambda stop: gate.wait(5) and None
    namer = TopicNamer(source)
    namer.look()
    qtbot.waitUntil(lambda: source.rounds == 1)
    namer.look(at_once=True)
    begun = time.monotonic()
    namer.end()
    assert time.monotonic() - begun < 0.5
    named: list[bool] = []
    namer.named.connect(lambda: named.append(True))
    gate.set()
    qtbot.wait(50)
    assert (source.rounds, named) == (1, [])


def test_a_fault_is_no_end(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(stop: Callable[[], bool]) -> None:
        raise KnownError("service_unreachable", "Not there", "It does not answer.")

    source = Source()
    source.during = fail
    namer = TopicNamer(source)
    namer.look()
    qtbot.waitUntil(lambda: namer._thread is None and source.rounds == 1)
    namer.look(at_once=True)
    qtbot.waitUntil(lambda: source.rounds == 2)
    namer.end()
