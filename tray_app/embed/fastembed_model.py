"""Models of the person's choice, run by fastembed on this machine: from the catalogue, once downloaded, or from a folder.

Owns opening and running them. Never asks the network: a model that is not there is a fault that says so. fastembed is
imported with the first text (0.6 s of processor time, 60 MB).

One text at a time goes through the network, and its memory arena is off. Measured with MiniLM (int8), passages of 1,200
characters, one thread: 100 to 110 ms a passage and 310 MB at most; four at a time 140 to 200 ms and 365 to 660 MB, eight 175 to
260 ms and 330 to 1,100 MB. Longer batches are padding, and larger pieces of memory.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tray_app.embed import catalogue
from tray_app.embed.base import EmbedFault, Space, Vectors
from tray_app.embed.folder import FolderModel, read_folder
from tray_app.embed.heap import give_back
from tray_app.embed.plain import plain
from tray_app.embed.prefixes import prefix_rule
from tray_app.embed.turns import Turns, slices
from tray_app.embed.vectors import flaw
from tray_app.paths import shorten

if TYPE_CHECKING:
    from fastembed import TextEmbedding

TOKENS = 512
"""Read of a text, also where the model could read more: what attention costs grows with the square, and 3,000 tokens would take
half a gigabyte."""
TEXT_CHARS = 4_096
"""What 512 tokens are at most, in any language people write."""

WHOLE = "sentence_embedding"

_log = logging.getLogger(__name__)


class FastembedEmbedder:
    """See `Embedder`. A question may be asked from another thread while documents are made: it waits for one text of them, or
    for the model to be loaded. Longer texts are cut, so that TextFault never comes."""

    backend = "fastembed"
    host = ""
    batch = 8
    """About a second of a small model."""

    def __init__(self, model: str, *, cache: Path) -> None:
        """`model`: a name of the catalogue, or a folder. `cache`: our cache folder."""
        self.model = model.strip()
        self._cache = cache
        self._turns = Turns()
        self._rule = prefix_rule(Path(self.model).name)
        self._open: tuple[TextEmbedding, Space] | None = None

    def space(self) -> Space:
        """Of a model of the catalogue without loading it; a folder's is loaded to learn the length."""
        entry = catalogue.found(self.model)
        if entry is not None:
            return self._space(f"{entry.name}@{self._mark(entry).revision[:12]}", entry.dims)
        with self._turns.passages():
            return self._loaded()[1]

    def documents(self, texts: Sequence[str]) -> Vectors:
        rows = [np.empty((0, self.space().dims), np.float32)]
        for group in slices([plain(self._rule.document + text, TEXT_CHARS) for text in texts], 1):
            with self._turns.passages():
                rows.append(self._vectors(group))
        return np.concatenate(rows)

    def query(self, text: str) -> Vectors:
        with self._turns.question():
            row: Vectors = self._vectors([plain(self._rule.query + text, TEXT_CHARS)])[0]
        if flaw(row, row.shape[0]):
            raise _bad_answer("no vector for this question")
        return row

    def close(self) -> None:
        with self._turns.passages():
            if self._open is None:
                return
            self._open = None
        give_back()

    def _vectors(self, texts: list[str]) -> Vectors:
        embedding, space = self._loaded()
        rows = _run(embedding, texts)
        if rows.shape[1:] != (space.dims,):
            raise _bad_answer(f"vectors of length {rows.shape[-1]} instead of {space.dims}")
        return rows

    def _loaded(self) -> tuple[TextEmbedding, Space]:
        if self._open is None:
            entry = catalogue.found(self.model)
            if entry is not None:
                self._open = self._from_catalogue(entry)
            else:
                self._open = self._from_folder(self._folder())
            _log.info("model loaded: %s", self._open[1].key)
        return self._open

    def _from_catalogue(self, entry: catalogue.Entry) -> tuple[TextEmbedding, Space]:
        mark, folder = self._mark(entry), catalogue.place(self._cache, entry)
        name = f"{entry.name}@{mark.revision[:12]}"
        if entry.listed:
            embedding = _opened(entry.name, folder, static=entry.static)
        else:
            embedding = _open_folder(read_folder(folder, entry.name, entry.file))
        return embedding, self._space(name, entry.dims)

    def _from_folder(self, model: FolderModel) -> tuple[TextEmbedding, Space]:
        embedding = _open_folder(model)
        rows = _run(embedding, [self._rule.document + "model"])
        return embedding, self._space(f"{model.name}@{model.fingerprint}", rows.shape[1])

    def _space(self, model: str, dims: int) -> Space:
        return Space(backend=self.backend, model=model, dims=dims, prefix=self._rule.name)

    def _mark(self, entry: catalogue.Entry) -> catalogue.Mark:
        mark = catalogue.mark(self._cache, entry)
        if mark is None:
            raise _no_model(f"{entry.name} is not on this machine.", "Download it in the settings.")
        return mark

    def _folder(self) -> FolderModel:
        if not self.model:
            raise _no_model("No model is chosen.", "Choose one in the settings.")
        try:
            folder = Path(self.model).expanduser()
        except RuntimeError:  # the home of a user that is not there
            folder = Path(self.model)
        if not folder.is_absolute() or not folder.is_dir():
            raise _no_model(
                f"{shorten(self.model)} is neither a model of the list nor a folder.", "Choose a model, or give a whole path."
            )
        return read_folder(folder, folder.name)


def _open_folder(model: FolderModel) -> TextEmbedding:
    """Opened as it says itself, and once more where its outputs show that it must be read otherwise: exports of Sentence
    Transformers give the whole text's vector too, and some name the words' second."""
    embedding = _opened(_registered(model), model.folder)
    outputs = {output.name: len(output.shape) for output in _network(embedding).get_outputs()}
    first = next(iter(outputs))
    words = next((name for name, rank in outputs.items() if rank == 3), None)
    if outputs.get(WHOLE) == 2:
        return _opened(_registered(model, output=WHOLE, pooled=True), model.folder)
    if model.dense:
        raise _bad_model(model.name, "has a layer behind its network that is not supported")
    if words == first:
        return embedding
    if words is None and outputs[first] != 2:
        raise _bad_model(model.name, "gives no vectors of words or texts")
    return _opened(_registered(model, output=words, pooled=words is None), model.folder)


def _registered(model: FolderModel, output: str | None = None, pooled: bool = False) -> str:
    """The name under which fastembed knows a folder; it takes a name once in a process."""
    import fastembed
    from fastembed.common.model_description import ModelSource, PoolingType

    pooling = PoolingType.DISABLED if pooled else PoolingType[model.pooling]
    name = f"folder/{model.fingerprint}/{model.file}/{pooling.value}/{output or ''}"
    if all(known["model"] != name for known in fastembed.TextEmbedding.list_supported_models()):
        fastembed.TextEmbedding.add_custom_model(
            model=name,
            pooling=pooling,
            normalization=True,
            sources=ModelSource(hf=name),
            dim=0,  # it is learnt from a vector
            model_file=model.file,
            output_name=output,
        )
    return name


def _opened(name: str, folder: Path, *, static: bool = False) -> TextEmbedding:
    import fastembed
    import onnxruntime
    from loguru import logger

    logger.disable("fastembed")  # it writes to stderr; what matters of it is raised too
    onnxruntime.set_default_logger_severity(3)
    onnxruntime.disable_telemetry_events()
    options: dict[str, Any] = {"mmap": True} if static else {"threads": 1, "enable_cpu_mem_arena": False}
    try:
        embedding = fastembed.TextEmbedding(
            name, specific_model_path=str(folder), local_files_only=True, providers=None, **options
        )
    except Exception as fault:  # whatever the parsers of models and tokenizers raise
        raise _bad_model(folder.name, f"cannot be loaded ({_reason(fault)})") from fault
    tokenizer = getattr(embedding.model, "tokenizer", None)
    limits = tokenizer.truncation if tokenizer is not None else None
    if tokenizer is not None and (limits is None or limits["max_length"] > TOKENS):
        tokenizer.enable_truncation(max_length=TOKENS, direction=limits["direction"] if limits else "right")
    return embedding


def _network(embedding: TextEmbedding) -> Any:
    return getattr(embedding.model, "model")  # noqa: B009 -- only the classes for ONNX declare it


def _run(embedding: TextEmbedding, texts: list[str]) -> Vectors:
    try:
        rows = np.asarray(list(embedding.embed(texts, batch_size=1)), dtype=np.float32)
    except Exception as fault:  # whatever the runtime raises
        raise _bad_answer(f"nothing ({_reason(fault)})") from fault
    if rows.ndim != 2:
        raise _bad_answer("something that is no vector")
    return rows


def _reason(fault: Exception) -> str:
    """Its kind alone: messages of the runtime hold paths, and those of tokenizers texts."""
    return type(fault).__name__


def _no_model(message: str, hint: str) -> EmbedFault:
    return EmbedFault("embedding_no_model", "No model", message, hint, final=True)


def _bad_model(name: str, what: str) -> EmbedFault:
    return EmbedFault(
        "embedding_bad_model", "Model not usable", f"{name} {what}.", "Download it again, or choose another.", final=True
    )


def _bad_answer(what: str) -> EmbedFault:
    return EmbedFault("embedding_bad_answer", "No vector", f"The model gives {what}.", "Choose another model.")
