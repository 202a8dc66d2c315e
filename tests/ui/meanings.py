"""Made-up topics, models and states of meaning for tests of the windows, and the part of a backend that gives them."""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.errors import KnownError
from tray_app.records import Download, Embedding, MeaningTest, MeaningView, ModelView, Topic, TopicCard

MODELS = (
    ModelView(
        name="jinaai/jina-embeddings-v2-base-zh", dims=768, megabytes=640, languages="zh+en", licence="Apache-2.0",
        note="recommended",
    ),
    ModelView(name="BAAI/bge-small-zh-v1.5", dims=512, megabytes=90, languages="zh", licence="MIT", note="light", downloaded=True),
    ModelView(name="intfloat/multilingual-e5-large", dims=1024, megabytes=2240, languages="many", licence="MIT", note="best"),
)  # fmt: skip


def embedding(state: str = "ready", backend: str = "builtin", **more: Any) -> Embedding:
    """As it stands with 12,345 passages."""
    done = {"ready": 12_345, "off": 0}.get(state, 4_120)
    values: dict[str, Any] = {
        "backend": "off" if state == "off" else backend,
        "model": {"builtin": "builtin-1", "openai": "BAAI/bge-m3"}.get(backend, "m"),
        "dims": 0 if state == "off" else 512,
        "vectors": done,
        "missing": 0 if state == "off" else 12_345 - done,
        "state": state,
        "per_minute": 914.0 if state == "filling" else 0.0,
    }
    if backend == "openai" and state != "off":
        values |= {"sends_text_to_cloud": True, "host": "api.siliconflow.cn", "dims": 1024}
    return Embedding(**{**values, **more})


def cards() -> list[TopicCard]:
    """What four days were about; the first topic leads to message 20 of `samples.conversation`."""
    rows = (
        ("2026-11-30", (("Upload: a 409 counts as done", "tide-api", "claude_code", "r-1", "m-20", 9),
                        ("字幕工坊断点续传：先写临时文件再改名", "subtitle-forge", "dsh", "r-2", "m-4", 6),
                        ("Opening hours: one table, not seven columns", "opening-hours", "codex", "r-3", "", 1))),
        ("2026-11-29", (("Importer counted rows twice: missing key", "ledger", "kimi", "r-5", "m-8", 12),
                        ("Weekly report template", "workspace", "workbuddy", "r-4", "m-0", 2))),
        ("2026-11-27", (("Kiosk login on narrow screens", "kiosk-menu", "zcode", "r-6", "m-12", 4),
                        ("Release notes for 0.9", "tide-api", "codex", "r-7", "m-0", 3))),
        ("2026-11-26", (("Backup before migration", "ledger", "kimi", "r-8", "m-0", 5),)),
    )  # fmt: skip
    return [
        TopicCard(
            day=day,
            date_text=day,
            topics=tuple(
                Topic(label=label, project=project, agent=agent, session=session, message_id=message, rounds=rounds)
                for label, project, agent, session, message, rounds in topics
            ),
            sessions=len(topics),
            rounds=sum(topic[-1] for topic in topics),
        )
        for day, topics in rows
    ]


class MeaningDouble:
    """The calls of `Backend` that meaning and topics have. `view` is what `meaning` says, `outcome` what a test says."""

    calls: list[tuple[str, Any]]

    def _start_meaning(self) -> None:
        self.view = MeaningView(embedding=embedding(), models=MODELS)
        self.outcome = MeaningTest(ok=True, dims=1024, elapsed_ms=210.4, host="api.siliconflow.cn")
        self.cards = cards()
        self.keys: dict[str, str | None] = {}
        self.keyring_works = True

    def _called(self, name: str, argument: Any = None) -> None:
        raise NotImplementedError

    def meaning(self) -> MeaningView:
        self._called("meaning")
        return self.view

    def test_meaning(self, values: dict[str, Any], key: str | None = None) -> MeaningTest:
        self._called("test_meaning", (values, key))
        return self.outcome

    def set_key(self, purpose: str, key: str | None) -> MeaningView:
        self._called("set_key", (purpose, key))
        if not self.keyring_works:
            raise KnownError("keyring_unusable", "No keyring", "The system has no keyring that works.")
        self.keys[purpose] = key
        if purpose == "meaning":
            self.view = msgspec.structs.replace(self.view, key_kept=key is not None, key_from="keyring" if key else "")
        return self.view

    def download_model(self, model: str) -> Download:
        self._called("download_model", model)
        return self._download(Download(model=model, state="running", done=0, total=640_000_000))

    def cancel_download(self) -> Download:
        self._called("cancel_download")
        return self._download(msgspec.structs.replace(self.view.download, state="cancelled"))

    def _download(self, download: Download) -> Download:
        self.view = msgspec.structs.replace(self.view, download=download)
        return download

    def topics(self, days: int = 14) -> list[TopicCard]:
        self._called("topics", days)
        return list(self.cards)
