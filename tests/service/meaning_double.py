"""The part of the small engine in memory that knows of meaning and topics: one model, one key, one card."""

from __future__ import annotations

from typing import Any

from tray_app.records import Download, Embedding, MeaningTest, MeaningView, ModelView, Topic, TopicCard

MODEL = ModelView(name="small", dims=384, megabytes=90, languages="zh+en", licence="MIT")


class MeaningPart:
    """Keeps that there is a key, never the key."""

    def __init__(self) -> None:
        self.has_key = False
        self.download = Download()

    def _open(self, name: str) -> None:
        raise NotImplementedError

    def meaning(self) -> MeaningView:
        self._open("meaning")
        origin = "keyring" if self.has_key else ""
        return MeaningView(
            embedding=Embedding(), models=(MODEL,), download=self.download, key_kept=self.has_key, key_from=origin
        )

    def test_meaning(self, values: dict[str, Any], key: str | None = None) -> MeaningTest:
        self._open("test_meaning")
        if key is None and not self.has_key:
            return MeaningTest(ok=False, code="embedding_no_key", message="There is no key.")
        return MeaningTest(ok=True, dims=int(values.get("dims") or 384), elapsed_ms=4.0, host="api.example.com")

    def set_key(self, purpose: str, key: str | None) -> MeaningView:
        self._open("set_key")
        self.has_key = key is not None
        return self.meaning()

    def download_model(self, model: str) -> Download:
        self._open("download_model")
        self.download = Download(model=model, state="running", total=90_000_000)
        return self.download

    def cancel_download(self) -> Download:
        self._open("cancel_download")
        self.download = Download(model=self.download.model, state="cancelled")
        return self.download

    def topics(self, days: int = 14, space: str | None = None, caller: str | None = None) -> list[TopicCard]:
        self._open("topics")
        topic = Topic(label="退款 webhook", session="0f3c", agent="claude_code", project="shop", message_id="m2", rounds=1)
        return [TopicCard(day="2026-11-29", date_text="2026-11-29", topics=(topic,), sessions=1, rounds=1)][:days]
