"""Our own folders: what lies about in them, and who can look into them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tray_app.insight import leftovers
from tray_app.paths import Paths
from tray_app.records import Finding


@pytest.fixture
def paths() -> Paths:
    return Paths.from_environment().ensure()


def found(paths: Paths) -> dict[str, Finding]:
    return {one.code: one for one in leftovers.findings(paths, time.time())}


def put(file: Path, size: int, age_s: float = 7_200) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x" * size)
    moment = time.time() - age_s
    os.utime(file, (moment, moment))
    return file


def test_a_tidy_home_says_nothing(paths: Paths) -> None:
    for name in ("index.duckdb", "index.duckdb.wal", "memory.journal.jsonl", "owner.json"):
        put(paths.data / name, 10)
    assert found(paths) == {}


def test_writings_that_never_ended(paths: Paths) -> None:
    first = put(paths.config / "settings.tomlq1.tmp", 1_000)
    put(paths.data / "spaces" / "0a0b0c0d" / "index.duckdb.fresh", 2_000)
    put(paths.data / "snapshots" / "memory-1.duckdb.part", 3_000)
    put(paths.data / "spill" / "duckdb_temp_storage-0.tmp", 4_000)
    put(paths.data / "state.jsonnow.tmp", 9_000, age_s=1)  # it may be just being written
    one = found(paths)["leftover_files"]
    assert (one.severity, one.params["count"], one.params["bytes"], one.params["path"]) == ("info", "4", "10000", str(first))
    assert one.remedy


def test_damaged_files_that_were_kept(paths: Paths) -> None:
    put(paths.data / "index.duckdb.corrupt-20261101-101112", 5_000_000)
    put(paths.data / "memory.damaged-20261101.duckdb", 1_000)
    put(paths.data / "state.json.damaged", 2)
    one = found(paths)["set_aside_kept"]
    assert (one.params["count"], one.title) == ("3", "3 files that were damaged and set aside (5.0 MB)")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no modes")
def test_a_folder_that_others_can_look_into(paths: Paths) -> None:
    paths.data.chmod(0o755)
    one = found(paths)["folder_open"]
    assert (one.severity, one.params["path"], one.remedy) == ("warn", str(paths.data), f"chmod 700 '{paths.data}'")
    paths.data.chmod(0o700)
    assert found(paths) == {}
