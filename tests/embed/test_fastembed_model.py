"""Models of the person's choice, really run: tiny ones, opened by fastembed as any other."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tiny_models import DIMS, ROWS, safetensors, write_model, write_tokenizer

from tray_app.embed import catalogue
from tray_app.embed.base import EmbedFault, Space
from tray_app.embed.fastembed_model import TOKENS, FastembedEmbedder


def embedder(model: Path | str, cache: Path | None = None) -> FastembedEmbedder:
    return FastembedEmbedder(str(model), cache=cache or Path("/nowhere"))


def put_into_catalogue(cache: Path, name: str) -> catalogue.Entry:
    """A tiny model where the catalogue looks for the real one."""
    entry = catalogue.found(name)
    assert entry is not None
    folder = catalogue.place(cache, entry)
    if entry.static:
        folder.mkdir(parents=True)
        (folder / entry.file).write_bytes(safetensors(np.nan_to_num(ROWS)))
        write_tokenizer(folder)
    else:
        write_model(folder, file=entry.file)
    files = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    (folder / catalogue.MARK).write_bytes(msgspec.json.encode(catalogue.Mark(entry.repo, "0123456789abcdef", files)))
    return entry


def test_a_folder_gives_the_mean_of_its_words_without_padding(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path / "mine"))
    rows = model.documents(["queue", "queue lock", "Queue cat cat"])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[1, 0, 0, 0], [0.70710677, 0.70710677, 0, 0], [0.4472136, 0, 0.8944272, 0]], atol=1e-6)
    np.testing.assert_allclose(model.query("lock"), [0, 1, 0, 0], atol=1e-6)
    space = model.space()
    assert (space.backend, space.dims, space.prefix, space.normalised) == ("fastembed", DIMS, "", True)
    assert space.model.startswith("mine@") and model.host == ""


def test_no_texts_are_no_rows(tmp_path: Path) -> None:
    assert embedder(write_model(tmp_path)).documents([]).shape == (0, DIMS)


@pytest.mark.parametrize(
    "outputs",
    [("sentence_embedding",), ("last_hidden_state", "sentence_embedding"), ("pooled", "last_hidden_state"), ("anything",)],
)
def test_the_right_output_is_found(tmp_path: Path, outputs: tuple[str, ...]) -> None:
    model = embedder(write_model(tmp_path / "m", outputs=outputs))
    np.testing.assert_allclose(model.query("queue lock"), [0.70710677, 0.70710677, 0, 0], atol=1e-6)
    assert model.space().dims == DIMS


def test_a_layer_behind_the_network_is_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "2_Dense").mkdir()
    with pytest.raises(EmbedFault, match="layer") as caught:
        embedder(write_model(tmp_path)).query("queue")
    assert (caught.value.code, caught.value.final) == ("embedding_bad_model", True)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, [1, 0, 0, 0]),
        ({"pooling_mode_lasttoken": True}, [0, 1, 0, 0]),
        ({"pooling_mode": "mean"}, [0.70710677, 0.70710677, 0, 0]),
    ],
)
def test_pooling_is_as_the_model_says(tmp_path: Path, said: dict[str, object], expected: list[float]) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(said))
    np.testing.assert_allclose(embedder(folder).query("queue lock"), expected, atol=1e-6)


def test_the_bge_family_takes_the_first_word_and_its_own_lead_in(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path / "bge-custom"))
    np.testing.assert_allclose(model.query("lock queue"), [0, 1, 0, 0], atol=1e-6)


def test_texts_are_led_in_as_the_model_wants(tmp_path: Path) -> None:
    """'passage: lock' is (0, 3) + 0 + (0, 1), 'query: lock' (3, 0) + 0 + (0, 1)."""
    model = embedder(write_model(tmp_path / "my-e5-small"))
    np.testing.assert_allclose(model.documents(["lock"]), [[0, 1, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(model.query("lock"), [0.9486833, 0.31622776, 0, 0], atol=1e-6)
    assert model.space().prefix == "e5"


def test_long_texts_are_cut(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path, limit=100_000))
    text = "cat " * TOKENS + "queue " * 10
    np.testing.assert_allclose(model.documents([text]), [[0, 0, 1, 0]], atol=1e-6)
    assert model.documents(["queue" * 1_000_000]).shape == (1, DIMS)


def test_any_text_passes(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path))
    assert np.isfinite(model.documents(["\ud800queue", "queue\0lock", "\U0001f600", "锁"])).all()


def test_a_row_that_is_no_vector_is_left_to_who_checks_rows(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path))
    rows = model.documents(["queue", "nan", "lock"])
    assert np.isnan(rows[1]).all() and np.isfinite(rows[[0, 2]]).all()
    with pytest.raises(EmbedFault) as caught:
        model.query("nan")
    assert (caught.value.code, caught.value.final) == ("embedding_bad_answer", False)


def test_close_drops_the_model_and_the_next_text_loads_it_again(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path))
    model.close()
    before = model.query("queue")
    model.close()
    assert model._open is None
    np.testing.assert_array_equal(model.query("queue"), before)
    model.close()


def test_questions_and_passages_from_two_threads(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path))
    rows: list[np.ndarray] = []
    thread = threading.Thread(target=lambda: rows.append(model.documents(["queue lock"] * 50)))
    thread.start()
    for _ in range(20):
        np.testing.assert_allclose(model.query("lock"), [0, 1, 0, 0], atol=1e-6)
    thread.join()
    assert rows[0].shape == (50, DIMS)


def test_a_static_model_of_the_catalogue(tmp_path: Path) -> None:
    entry = put_into_catalogue(tmp_path, "potion-multilingual-128M")
    model = embedder(entry.name, tmp_path)
    assert model.space() == Space(backend="fastembed", model=f"{entry.name}@0123456789ab", dims=256)
    with pytest.raises(EmbedFault, match="length 4 instead of 256"):
        model.query("queue lock")  # it was loaded and run: the tiny table has other rows than the real one


@pytest.mark.parametrize("name", ["BAAI/bge-small-zh-v1.5", "multilingual-e5-small"])
def test_a_model_of_the_catalogue_is_opened_from_our_folder(tmp_path: Path, name: str) -> None:
    entry = put_into_catalogue(tmp_path, name)
    model = embedder(name, tmp_path)
    assert model.space().dims == entry.dims  # without loading
    assert model._open is None
    with pytest.raises(EmbedFault, match=f"length 4 instead of {entry.dims}"):
        model.query("queue lock")


@pytest.mark.parametrize("call", ["space", "query", "documents"])
def test_what_is_not_downloaded_says_so_and_asks_nobody(tmp_path: Path, call: str) -> None:
    model = embedder("BAAI/bge-small-zh-v1.5", tmp_path)
    with pytest.raises(EmbedFault) as caught:
        getattr(model, call)(*{"space": (), "query": ("a",), "documents": (["a"],)}[call])
    assert (caught.value.code, caught.value.final) == ("embedding_no_model", True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "no/such-model", "relative-folder", "~nobody-of-that-name/x", "/no/such/folder"])
def test_what_is_no_model_says_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmbedFault) as caught:
        embedder(name, tmp_path).space()
    assert (caught.value.code, caught.value.final) == ("embedding_no_model", True)


def test_damaged_weights_say_so(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "model.onnx").write_bytes(b"\0" * 1000)
    with pytest.raises(EmbedFault) as caught:
        embedder(folder).query("queue")
    assert (caught.value.code, caught.value.final) == ("embedding_bad_model", True)
    assert str(tmp_path) not in str(caught.value)
