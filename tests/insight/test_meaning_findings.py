"""What the check-up says of finding by meaning."""

from __future__ import annotations

import pytest

from tray_app.insight.meaning import findings
from tray_app.records import Embedding


@pytest.mark.parametrize(
    ("embedding", "expected"),
    [
        (Embedding(), []),
        (Embedding(backend="builtin", state="ready", vectors=9), []),
        (Embedding(state="ready", missing=3), [("meaning_missing", "info")]),
        (Embedding(state="filling", missing=3, refused=1), [("meaning_missing", "info"), ("meaning_refused", "info")]),
        (Embedding(state="waiting", missing=3, error_code="embedding_busy", error="Busy."), [("meaning_missing", "warn")]),
        (Embedding(state="stopped", missing=3, error_code="embedding_no_key", error="No key."), [("meaning_stopped", "error")]),
    ],
)
def test_findings(embedding: Embedding, expected: list[tuple[str, str]]) -> None:
    assert [(one.code, one.severity) for one in findings(embedding)] == expected


def test_findings_carry_what_their_texts_need() -> None:
    stopped = findings(Embedding(state="stopped", error_code="embedding_no_key", error="No key."))[0]
    assert (stopped.params, stopped.detail) == ({"error_code": "embedding_no_key", "reason": "No key."}, "No key.")
    assert findings(Embedding(missing=8_225))[0].params["count"] == "8225"
