"""The tray asks for attention when meaning has stopped and the person must act, and for nothing else of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import meanings
import pytest
import samples
from PySide6.QtWidgets import QApplication

from tray_app.records import Embedding
from tray_app.ui.index_news import IndexNews
from tray_app.ui.indexer_thread import IndexerThread
from tray_app.ui.search_window import SearchWindow
from tray_app.ui.tasks import Tasks
from tray_app.ui.tray import Tray
from tray_app.ui.tray_menu import TrayMenu


class Still:
    """A source whose thread is never started."""

    wake = threading.Event()


@pytest.fixture
def news(app: QApplication, window: SearchWindow, backend: samples.StaticBackend) -> Iterator[IndexNews]:
    still: Any = Still()
    tasks, tray = Tasks(), Tray(TrayMenu(), "auto")
    made = IndexNews(IndexerThread(still, {}.get, lambda: 0.0), backend, tasks, tray, window)
    yield made
    made.close()
    tasks.close()
    tray.close()


def test_stopped_asks_for_attention_until_it_is_mended(news: IndexNews) -> None:
    tray = news._tray
    news.status_is(samples.status(embedding=meanings.embedding("stopped", "openai", error_code="embedding_arrears")))
    assert tray.facts.state == "attention"
    assert tray.facts.attention == ("Meaning has stopped. The account has no credit left. Top up the account; then it goes on.")
    news.status_is(samples.status(embedding=meanings.embedding("ready", "openai")))
    assert (tray.facts.state, tray.facts.attention) == ("idle", "")


@pytest.mark.parametrize("state", ["off", "ready", "filling", "waiting"])
def test_nothing_else_does(news: IndexNews, state: str) -> None:
    embedding = Embedding() if state == "off" else meanings.embedding(state, error_code="embedding_unreachable")
    news.status_is(samples.status(embedding=embedding))
    assert (news._tray.facts.state, news._tray.facts.attention) == ("idle", "")
    assert news._refresh.isActive() is (state in ("filling", "waiting"))
