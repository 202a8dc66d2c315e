"""What is read of a model's folder before anything is loaded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tiny_models import write_model

from tray_app.embed.base import EmbedFault
from tray_app.embed.folder import SAMPLE, SAMPLES, read_folder


@pytest.mark.parametrize(
    "file", ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "other.onnx", "onnx/other.onnx"]
)
def test_weights_are_found(tmp_path: Path, file: str) -> None:
    model = read_folder(write_model(tmp_path, file=file), "m")
    assert (model.file, model.pooling, model.dense) == (file, "MEAN", False)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_what_is_missing_is_named(tmp_path: Path, missing: str) -> None:
    (write_model(tmp_path) / missing).unlink()
    with pytest.raises(EmbedFault, match=f"m has no {missing}") as caught:
        read_folder(tmp_path, "m")
    assert caught.value.final


def test_one_of_many_is_not_guessed(tmp_path: Path) -> None:
    folder = write_model(tmp_path, file="a.onnx")
    shutil.copy(folder / "a.onnx", folder / "b.onnx")
    with pytest.raises(EmbedFault, match="several"):
        read_folder(folder, "m")


@pytest.mark.parametrize("said", ['{"pooling_mode_max_tokens": true}', '{"pooling_mode": ["cls", "mean"]}', "{", "[" * 100_000])
def test_other_ways_of_pooling_are_refused(tmp_path: Path, said: str) -> None:
    folder = write_model(tmp_path)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(said)
    with pytest.raises(EmbedFault) as caught:
        read_folder(folder, "m")
    assert caught.value.code == "embedding_bad_model"


def test_a_copy_has_the_same_fingerprint_and_a_change_another(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "one")
    weights = folder / "model.onnx"
    weights.write_bytes(bytes(SAMPLE * (SAMPLES + 10)))
    first = read_folder(folder, "m").fingerprint
    shutil.copytree(folder, tmp_path / "two")
    assert read_folder(tmp_path / "two", "n").fingerprint == first
    content = bytearray(weights.read_bytes())
    content[-1] = 1
    weights.write_bytes(content)
    changed = read_folder(folder, "m").fingerprint
    assert changed != first
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 8, "pad_token": "[PAD]"}')
    assert read_folder(folder, "m").fingerprint not in (first, changed)
