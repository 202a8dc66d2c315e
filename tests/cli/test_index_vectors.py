"""What `index` says of finding by meaning."""

from __future__ import annotations

import pytest
from engine_double import EngineDouble
from outcomes import Run

from tray_app.cli.indexing import tell_vectors
from tray_app.cli.terminal import ProgressBar
from tray_app.records import Embedding, Progress


@pytest.mark.parametrize(
    ("embedding", "said"),
    [
        (Embedding(), ""),
        (Embedding(state="ready", vectors=5), ""),
        (Embedding(state="ready", missing=15), ""),
        (Embedding(state="ready", missing=16), "16 passages cannot be found by meaning yet. Go on: backscroll index\n"),
        (
            Embedding(state="stopped", missing=4, error_code="embedding_no_key", error="A key is wanted."),
            "Not everything is found by meaning (embedding_no_key): A key is wanted.\n",
        ),
    ],
)
def test_what_is_not_found_by_meaning_is_told_beside_the_figures(
    embedding: Embedding, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_vectors(embedding)
    assert tuple(capsys.readouterr()) == ("", said)


def test_vectors_are_asked_for_unless_they_are_not_wanted(
    run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    plain = engine.index

    def index(**given: object) -> object:
        asked.append(bool(given["vectors"]))
        return plain(**given)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "index", index)
    assert run("index", "--all-sources").code in (0, 4)
    assert run("index", "--no-vectors", "--json").code in (0, 4)
    assert asked == [True, False]


def test_the_bar_counts_passages_while_vectors_are_made() -> None:
    line = ProgressBar.line(Progress(phase="embedding", done=50, total=1_000, eta_s=42.0))
    assert line.endswith("   5% · 50 of 1,000 passages by meaning · about 42 s left")
