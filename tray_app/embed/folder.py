"""A folder that holds a model: its files, how its vectors are made from those of words, and what tells it from another.

Owns reading such a folder; loads nothing. Knows the layout of Sentence Transformers and of ONNX exports.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from tray_app.embed.base import EmbedFault
from tray_app.embed.catalogue import TOKENIZER

FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
"""Where weights lie, the first that is there."""
SMALL = ("config.json", "tokenizer_config.json", "special_tokens_map.json", "tokenizer.json", "1_Pooling/config.json")
"""What changes vectors beside the weights."""
SAMPLES, SAMPLE = 64, 65_536
"""Of a file of weights, this many pieces of so many bytes are read: those of two trainings differ everywhere."""


class FolderModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model in a folder, not loaded yet."""

    name: str
    folder: Path
    file: str
    """Its weights, as a path in the folder."""
    pooling: str
    """CLS | MEAN | LAST_TOKEN"""
    dense: bool = False
    """A layer of its own comes after pooling, which only an export with the whole text's vector has in it."""
    fingerprint: str
    """Twelve hexadecimal digits. The same for a copy of the folder elsewhere."""


def read_folder(folder: Path, name: str, file: str = "") -> FolderModel:
    """What lies in a folder; `file` names the weights where that is known. Raises EmbedFault('embedding_bad_model')."""
    try:
        weights = file or _weights(folder, name)
        for needed in (weights, *TOKENIZER):
            if not (folder / needed).is_file():
                raise _bad(name, f"has no {needed}")
        return FolderModel(
            name=name,
            folder=folder,
            file=weights,
            pooling=_pooling(folder, name),
            dense=any(folder.glob("*_Dense")),
            fingerprint=_fingerprint(folder, weights),
        )
    except OSError as fault:
        raise _bad(name, f"cannot be read ({fault.strerror or type(fault).__name__})") from fault


def _weights(folder: Path, name: str) -> str:
    known = next((file for file in FILES if (folder / file).is_file()), None)
    if known is not None:
        return known
    others = sorted(path.relative_to(folder).as_posix() for where in (folder, folder / "onnx") for path in where.glob("*.onnx"))
    if len(others) != 1:
        raise _bad(name, "holds several .onnx files and no model.onnx" if others else "has no model.onnx")
    return others[0]


def _pooling(folder: Path, name: str) -> str:
    """As the model says; else the first word's vector for the BGE family, and the mean for all others."""
    said = _json(folder / "1_Pooling" / "config.json")
    ways = {key.removeprefix("pooling_mode_") for key, on in said.items() if key.startswith("pooling_mode_") and on is True}
    given = said.get("pooling_mode")
    ways |= {given} if isinstance(given, str) else set(given) if isinstance(given, list) else set()
    if not ways:
        return "CLS" if "bge" in name.casefold() else "MEAN"
    known = {"cls_token": "CLS", "cls": "CLS", "mean_tokens": "MEAN", "mean": "MEAN", "lasttoken": "LAST_TOKEN"}
    if len(ways) > 1 or not ways <= set(known):
        raise _bad(name, f"makes vectors in a way that is not supported ({', '.join(sorted(map(str, ways)))})")
    return known[ways.pop()]


def _json(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise _bad(file.parent.parent.name, f"holds a {file.name} that cannot be read") from None
    return read if isinstance(read, dict) else {}


def _fingerprint(folder: Path, weights: str) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for name in SMALL:
        if (folder / name).is_file():
            digest.update(f"{name}\0".encode() + hashlib.blake2b((folder / name).read_bytes()).digest())
    main = folder / weights
    beside = sorted(
        path for path in main.parent.iterdir() if path.name.startswith(f"{main.name}_data") or path.name == f"{main.name}.data"
    )
    for path in (main, *beside):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as stream:
            for index in range(SAMPLES):
                stream.seek(max(size - SAMPLE, 0) * index // (SAMPLES - 1))
                digest.update(stream.read(SAMPLE))
                if size <= SAMPLE:
                    break
    return digest.hexdigest()


def _bad(name: str, what: str) -> EmbedFault:
    return EmbedFault(
        "embedding_bad_model", "Model not usable", f"{name} {what}.", "Choose another model or folder.", final=True
    )
