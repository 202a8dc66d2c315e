"""The models that can be downloaded for the back end `fastembed`, and which of them lie in our cache folder.

Owns the table and the file that marks a whole download. Loads no model and asks nobody: the table is checked against
fastembed's own list by a test, so that it can be shown without importing it. Models whose licence forbids commercial use
are left out.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from tray_app.records import ModelView

MARK = "backscroll.json"
TOKENIZER = ("tokenizer.json", "tokenizer_config.json")
BESIDE = ("config.json", "special_tokens_map.json")
"""Taken along where the model has them."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A model that fits: small enough to run on a processor, Chinese among its languages."""

    name: str
    repo: str
    """Where its files are: owner/name at the hub."""
    file: str
    """Its weights, as a path in the repository."""
    more: tuple[str, ...] = ()
    """Further files of weights."""
    dims: int
    megabytes: int
    """To download, about: the hub says it exactly when the download begins."""
    tokens: int
    """What it reads of a text at most; we let it read less (`fastembed_model.TOKENS`)."""
    languages: str
    licence: str
    note: str = ""
    static: bool = False
    """A table of word vectors without a network (model2vec), not ONNX."""
    listed: bool = True
    """Whether fastembed knows it by this name; else it is opened as a folder is."""

    @property
    def needed(self) -> tuple[str, ...]:
        return (self.file, *self.more, *(TOKENIZER[:1] if self.static else TOKENIZER))

    @property
    def wanted(self) -> tuple[str, ...]:
        return (*self.needed, *BESIDE)


CATALOGUE: tuple[Entry, ...] = (
    Entry(
        name="intfloat/multilingual-e5-small",
        repo="intfloat/multilingual-e5-small",
        file="onnx/model.onnx",
        dims=384,
        megabytes=490,
        tokens=512,
        languages="many",
        licence="MIT",
        note="recommended",
        listed=False,
    ),
    Entry(
        name="BAAI/bge-small-zh-v1.5",
        repo="Qdrant/bge-small-zh-v1.5",
        file="model_optimized.onnx",
        dims=512,
        megabytes=90,
        tokens=512,
        languages="zh",
        licence="MIT",
        note="light",
    ),
    Entry(
        name="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        repo="Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
        file="model_optimized.onnx",
        dims=384,
        megabytes=240,
        tokens=128,
        languages="many",
        licence="Apache-2.0",
    ),
    Entry(
        name="minishlab/potion-multilingual-128M",
        repo="minishlab/potion-multilingual-128M",
        file="model.safetensors",
        dims=256,
        megabytes=530,
        tokens=512,
        languages="many",
        licence="MIT",
        static=True,
    ),
    Entry(
        name="jinaai/jina-embeddings-v2-base-zh",
        repo="jinaai/jina-embeddings-v2-base-zh",
        file="onnx/model.onnx",
        dims=768,
        megabytes=640,
        tokens=8192,
        languages="zh+en",
        licence="Apache-2.0",
    ),
    Entry(
        name="Qwen/Qwen3-Embedding-0.6B-Q",
        repo="Qdrant/Qwen3-Embedding-0.6B-onnx",
        file="onnx/model_quantized.onnx",
        dims=1024,
        megabytes=1120,
        tokens=32768,
        languages="many",
        licence="Apache-2.0",
    ),
    Entry(
        name="intfloat/multilingual-e5-large",
        repo="Qdrant/multilingual-e5-large-onnx",
        file="model.onnx",
        more=("model.onnx_data",),
        dims=1024,
        megabytes=2240,
        tokens=512,
        languages="many",
        licence="MIT",
        note="best",
    ),
)


class Mark(msgspec.Struct, frozen=True):
    """Written last, so that a folder with it is whole."""

    repo: str
    revision: str
    files: dict[str, int]
    """Path in the folder, bytes."""


def found(name: str) -> Entry | None:
    """The model of that name, in any case, with or without its owner."""
    plain = name.strip().casefold()
    return next((entry for entry in CATALOGUE if plain in (entry.name.casefold(), entry.name.casefold().split("/")[1])), None)


def place(cache: Path, entry: Entry) -> Path:
    """Where a model lies or would lie."""
    return cache / "models" / entry.name.replace("/", "--")


def mark(cache: Path, entry: Entry) -> Mark | None:
    """What says that a model is there and whole, None where it is not: files missing, or cut."""
    folder = place(cache, entry)
    try:
        known = msgspec.json.decode((folder / MARK).read_bytes(), type=Mark)
        whole = all((folder / name).stat().st_size == size for name, size in known.files.items())
    except (OSError, ValueError):
        return None
    return known if whole and known.repo == entry.repo and set(entry.needed) <= set(known.files) else None


def views(cache: Path) -> tuple[ModelView, ...]:
    """The list as it is shown."""
    return tuple(
        ModelView(
            name=entry.name,
            dims=entry.dims,
            megabytes=entry.megabytes,
            languages=entry.languages,
            licence=entry.licence,
            downloaded=mark(cache, entry) is not None,
            note=entry.note,
        )
        for entry in CATALOGUE
    )
