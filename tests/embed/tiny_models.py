"""Models of a few hundred bytes that fastembed really runs: a table of word vectors as ONNX, written by hand.

The network gives each word its row, so that what a text's vector must be can be said. No package that writes ONNX is needed.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

WORDS = ("[PAD]", "[UNK]", "queue", "lock", "cat", "nan", "query", "passage", ":")
DIMS = 4
ROWS = np.array(
    [
        [9, 9, 9, 9],  # padding, which must not count
        [0, 0, 0, 1],
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [np.nan] * 4,
        [3, 0, 0, 0],
        [0, 3, 0, 0],
        [0, 0, 0, 0],
    ],
    dtype=np.float32,
)


def write_model(
    folder: Path, *, file: str = "model.onnx", outputs: tuple[str, ...] = ("last_hidden_state",), limit: int = 512
) -> Path:
    """A folder with weights, tokenizer and its settings. `outputs`: last_hidden_state is a vector a word, any other name the
    mean over all places."""
    target = folder / file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(onnx(outputs))
    write_tokenizer(folder, limit)
    return folder


def write_tokenizer(folder: Path, limit: int = 512) -> None:
    """Words apart at white space, in lower case."""
    model = {"type": "WordLevel", "vocab": {word: index for index, word in enumerate(WORDS)}, "unk_token": "[UNK]"}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": model,
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"model_max_length": limit, "pad_token": "[PAD]"}), encoding="utf-8"
    )
    (folder / "config.json").write_text("{}", encoding="utf-8")


def safetensors(rows: np.ndarray) -> bytes:
    """A file with one tensor, as model2vec writes it."""
    header = json.dumps({"embeddings": {"dtype": "F32", "shape": list(rows.shape), "data_offsets": [0, rows.nbytes]}}).encode()
    return struct.pack("<Q", len(header)) + header + rows.tobytes()


def onnx(outputs: tuple[str, ...]) -> bytes:
    nodes = b""
    for name in outputs:
        if name == "last_hidden_state":
            nodes += _field(1, _node("Gather", ("table", "input_ids"), name))
        else:
            axes = _field(5, _field(1, b"axes") + _field(8, _number(1)) + _field(20, 7)) + _field(
                5, _field(1, b"keepdims") + _field(3, 0) + _field(20, 2)
            )
            nodes += _field(1, _node("Gather", ("table", "input_ids"), f"{name}_words"))
            nodes += _field(1, _node("ReduceMean", (f"{name}_words",), name) + axes)
    table = _field(1, _number(ROWS.shape[0])) + _field(1, _number(ROWS.shape[1])) + _field(2, 1)
    table += _field(8, b"table") + _field(9, ROWS.tobytes())
    graph = nodes + _field(2, b"tiny") + _field(5, table)
    for name in ("input_ids", "attention_mask"):
        graph += _field(11, _value(name, 7, (b"texts", b"words")))
    for name in outputs:
        graph += _field(12, _value(name, 1, (b"texts", b"words", DIMS) if name == "last_hidden_state" else (b"texts", DIMS)))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 13))


def _node(kind: str, inputs: tuple[str, ...], output: str) -> bytes:
    return b"".join(_field(1, name.encode()) for name in inputs) + _field(2, output.encode()) + _field(4, kind.encode())


def _value(name: str, kind: int, shape: tuple[bytes | int, ...]) -> bytes:
    dims = b"".join(_field(1, _field(1, size) if isinstance(size, int) else _field(2, size)) for size in shape)
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, kind) + _field(2, dims)))


def _field(number: int, value: int | bytes) -> bytes:
    """One field of a protocol buffer."""
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    return _number(number << 3 | 2) + _number(len(value)) + value


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
