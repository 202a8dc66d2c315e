"""Models on their way, from a hub on this machine."""

from __future__ import annotations

import errno
import random
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tiny_hub import TinyHub, serving
from tiny_models import onnx, write_model

from tray_app.embed import catalogue, download, hub
from tray_app.embed.base import EmbedFault
from tray_app.embed.download import Downloads
from tray_app.embed.fastembed_model import FastembedEmbedder
from tray_app.errors import KnownError
from tray_app.records import Download

MODEL = "BAAI/bge-small-zh-v1.5"
ENTRY = catalogue.found(MODEL)
assert ENTRY is not None
WEIGHTS = random.Random(1).randbytes(200_000)
FILES = {
    "README.md": b"not wanted",
    "model.safetensors": b"not wanted" * 100,
    ENTRY.file: WEIGHTS,
    "tokenizer.json": b"{}" * 50,
    "tokenizer_config.json": b"{}",
    "config.json": b"{ }",
}
WANTED = {name: content for name, content in FILES.items() if name in ENTRY.wanted}
TOTAL = sum(map(len, WANTED.values()))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSES", (0.01, 0.01))


@pytest.fixture
def world() -> Iterator[TinyHub]:
    with serving(TinyHub(ENTRY.repo, dict(FILES))) as made:
        yield made


def fetched(world: TinyHub, cache: Path) -> Download:
    """A download to its end."""
    downloads = Downloads(cache)
    assert downloads.start(MODEL, world.address).state == "running"
    assert downloads.wait(20)
    return downloads.now()


def folder(cache: Path) -> Path:
    return catalogue.place(cache, ENTRY)


def kept(cache: Path) -> dict[str, bytes]:
    files = (path for path in folder(cache).rglob("*") if path.is_file())
    return {path.relative_to(folder(cache)).as_posix(): path.read_bytes() for path in files}


def test_what_is_needed_comes_whole(world: TinyHub, tmp_path: Path) -> None:
    assert fetched(world, tmp_path) == Download(model=MODEL, state="done", done=TOTAL, total=TOTAL)
    found = kept(tmp_path)
    assert found.pop(catalogue.MARK)
    assert found == WANTED
    known = catalogue.mark(tmp_path, ENTRY)
    assert known is not None and known.revision == world.sha
    assert catalogue.views(tmp_path)[catalogue.CATALOGUE.index(ENTRY)].downloaded
    assert not any("README" in path or "safetensors" in path for path, _ in world.asked)


def test_the_hub_here_is_as_the_real_client_knows_it(world: TinyHub) -> None:
    from huggingface_hub import HfApi

    read = HfApi(endpoint=world.address, token=False).model_info(ENTRY.repo, revision="main", files_metadata=True)
    revision, files = hub.Hub(world.address).files(ENTRY.repo)
    assert read.sha == revision
    assert [(file.rfilename, file.size, file.lfs.sha256 if file.lfs else "", file.blob_id) for file in read.siblings or []] == [
        (file.name, file.size, file.sha256, file.blob) for file in files
    ]
    assert world.asked[0] == world.asked[1]


def test_nothing_of_the_person_is_sent(world: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secretsecretsecret")
    fetched(world, tmp_path)
    for headers in world.headers:
        assert set(headers) <= {"Host", "User-Agent", "Accept", "Accept-Encoding", "Range"}, headers
        assert headers["User-Agent"].startswith("Backscroll/")


def test_what_came_can_be_used(tmp_path: Path) -> None:
    made = write_model(tmp_path / "made")
    files = {ENTRY.file: onnx(("last_hidden_state",)), **{path.name: path.read_bytes() for path in made.glob("*.json")}}
    with serving(TinyHub(ENTRY.repo, files)) as world:
        assert fetched(world, tmp_path).state == "done"
    model = FastembedEmbedder(MODEL, cache=tmp_path)
    assert model.space().model == f"{MODEL}@{'c' * 12}"
    with pytest.raises(EmbedFault, match="length 4 instead of 512"):
        model.query("queue")


def test_a_model_that_is_there_is_not_asked_for(world: TinyHub, tmp_path: Path) -> None:
    fetched(world, tmp_path)
    asked = len(world.asked)
    assert Downloads(tmp_path).start(MODEL, world.address) == Download(model=MODEL, state="done", done=TOTAL, total=TOTAL)
    assert len(world.asked) == asked


def test_progress_rises_and_cancelling_keeps_what_came(world: TinyHub, tmp_path: Path) -> None:
    world.stall_at = 100_000
    downloads = Downloads(tmp_path)
    downloads.start(MODEL, world.address)
    assert world.stalled.wait(10)
    deadline = time.monotonic() + 10
    while downloads.now().done < 90_000 and time.monotonic() < deadline:
        time.sleep(0.01)
    now = downloads.now()
    assert now.state == "running" and 90_000 < now.done < TOTAL == now.total
    assert downloads.start(MODEL, world.address).state == "running"  # told, not begun again
    with pytest.raises(KnownError) as caught:
        downloads.start("multilingual-e5-small", world.address)
    assert caught.value.code == "download_running"
    began = time.monotonic()
    cancelled = downloads.cancel()
    assert downloads.wait(5) and time.monotonic() - began < 5
    assert cancelled.state == "cancelled" and downloads.now() == cancelled
    assert downloads.cancel() == cancelled
    (part,) = folder(tmp_path).glob("*.part")
    so_far = part.stat().st_size
    assert 90_000 < so_far <= 100_000 and WEIGHTS.startswith(part.read_bytes())
    assert catalogue.mark(tmp_path, ENTRY) is None

    world.stall_at = None
    world.go_on.set()
    assert downloads.start(MODEL, world.address).state == "running"
    assert downloads.wait(20) and downloads.now().state == "done"
    assert kept(tmp_path)[ENTRY.file] == WEIGHTS and not list(folder(tmp_path).glob("*.part"))
    assert world.asked[-1][1] == f"bytes={so_far}-"


def test_a_connection_that_breaks_off_is_taken_up(world: TinyHub, tmp_path: Path) -> None:
    world.drops = [50_000, 0, 30_000, 0, 0]
    assert fetched(world, tmp_path).state == "done"
    starts = [given for path, given in world.asked if path.startswith("/stored")]
    assert starts == ["", "bytes=50000-", "bytes=50000-", "bytes=80000-", "bytes=80000-", "bytes=80000-"]
    assert kept(tmp_path)[ENTRY.file] == WEIGHTS


def test_a_server_without_ranges_begins_anew(world: TinyHub, tmp_path: Path) -> None:
    world.drops, world.ranges = [50_000], False
    assert fetched(world, tmp_path).state == "done"
    assert kept(tmp_path)[ENTRY.file] == WEIGHTS


def test_half_of_an_older_file_is_not_taken_up(world: TinyHub, tmp_path: Path) -> None:
    world.drops = [50_000, 0, 0, 0]
    assert fetched(world, tmp_path).state == "failed"
    world.files[ENTRY.file] = newer = random.Random(2).randbytes(150_000)
    assert fetched(world, tmp_path).state == "done"
    assert kept(tmp_path)[ENTRY.file] == newer and not list(folder(tmp_path).glob("*.part"))


def test_a_file_that_is_whole_already_is_not_fetched_again(world: TinyHub, tmp_path: Path) -> None:
    fetched(world, tmp_path)
    (folder(tmp_path) / "tokenizer.json").write_bytes(b"{}" * 49 + b"[]")
    (folder(tmp_path) / catalogue.MARK).unlink()
    world.asked.clear()
    assert fetched(world, tmp_path).state == "done"
    assert len(world.asked) == 2 and "tokenizer.json" in world.asked[1][0]


@pytest.mark.parametrize("status", [503, 429, 500])
def test_a_busy_hub_is_asked_again(world: TinyHub, tmp_path: Path, status: int) -> None:
    world.statuses = [status, status]
    assert fetched(world, tmp_path).state == "done"


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"list_status": 404}, "embedding_bad_model", "does not have this model"),
        ({"list_status": 401}, "embedding_bad_model", "HTTP 401"),
        ({"list_status": 503}, "embedding_busy", "HTTP 503"),
        ({"list_status": 429, "retry_after": "7"}, "embedding_limited", "asks to wait"),
        ({"list_status": 418}, "embedding_bad_answer", "not answer as a hub"),
        ({"statuses": [404]}, "embedding_bad_model", "HTTP 404"),
        ({"statuses": [503] * 9}, "embedding_busy", "HTTP 503"),
        ({"drops": [0] * 9}, "embedding_unreachable", "broke off"),
        ({"sent": {ENTRY.file: WEIGHTS[:-1] + b"?"}}, "embedding_bad_answer", "did not come as it is"),
        ({"sent": {"config.json": b"[ ]"}}, "embedding_bad_answer", "config.json did not come"),
        ({"sent": {ENTRY.file: WEIGHTS + b"more"}}, "embedding_bad_answer", "sends more"),
        ({"sent": {ENTRY.file: b""}}, "embedding_unreachable", "sends nothing"),
        ({"files": {"tokenizer.json": b"{}"}}, "embedding_bad_model", "no longer has model_optimized.onnx"),
        ({"blobs": False}, "embedding_bad_model", "no longer has"),
        ({"location": "ftp://elsewhere/file"}, "embedding_bad_answer", "not answer as a hub"),
        ({"location": f"/{ENTRY.repo}/resolve/{'c' * 40}/{ENTRY.file}"}, "embedding_bad_answer", "not answer as a hub"),
    ],
)
def test_what_goes_wrong_is_said(world: TinyHub, tmp_path: Path, change: dict[str, object], code: str, words: str) -> None:
    for name, value in change.items():
        setattr(world, name, value)
    now = fetched(world, tmp_path)
    assert (now.state, now.error_code) == ("failed", code) and words in now.error, now
    assert catalogue.mark(tmp_path, ENTRY) is None


def test_nobody_listening(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    downloads = Downloads(tmp_path)
    downloads.start(MODEL, f"http://127.0.0.1:{port}")
    assert downloads.wait(10)
    now = downloads.now()
    assert (now.state, now.error_code) == (
        "failed",
        "embedding_unreachable",
    ) and f"127.0.0.1:{port} is not reached" in now.error


def test_a_hub_that_falls_silent(world: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "STALL_S", 0.05)
    world.stall_at = 0
    now = fetched(world, tmp_path)
    assert (now.state, now.error_code) == ("failed", "embedding_unreachable") and "nothing came for" in now.error


def test_a_full_disk_is_seen_before(world: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "shutil", SimpleNamespace(disk_usage=lambda path: shutil._ntuple_diskusage(1, 1, 1_000)))
    now = fetched(world, tmp_path)
    assert (now.state, now.error_code) == ("failed", "disk_full") and "100 MB more" in now.error
    assert kept(tmp_path) == {}


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "disk_full"), (errno.EACCES, "download_unwritable")])
def test_a_disk_that_takes_no_more(
    world: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr(download.os, "replace", full)
    now = fetched(world, tmp_path)
    assert (now.state, now.error_code) == ("failed", code)


def test_offline_nothing_is_asked(world: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_OFFLINE", "1")
    with pytest.raises(EmbedFault) as caught:
        Downloads(tmp_path).start(MODEL, world.address)
    assert (caught.value.code, caught.value.final, world.asked) == ("embedding_offline", True, [])


def test_only_models_of_the_list(world: TinyHub, tmp_path: Path) -> None:
    with pytest.raises(EmbedFault) as caught:
        Downloads(tmp_path).start("someone/something", world.address)
    assert caught.value.code == "embedding_bad_model" and world.asked == []


def test_a_bad_mirror_is_said(tmp_path: Path) -> None:
    downloads = Downloads(tmp_path)
    downloads.start(MODEL, "https://user:secret@mirror.example")
    assert downloads.wait(10)
    assert downloads.now().state == "failed" and "secret" not in downloads.now().error


def test_closing_ends_it(world: TinyHub, tmp_path: Path) -> None:
    world.stall_at = 0
    downloads = Downloads(tmp_path)
    assert downloads.now() == Download() == downloads.cancel()
    downloads.close()
    downloads.start(MODEL, world.address)
    assert world.stalled.wait(10)
    downloads.close()
    assert downloads.wait(0) and not any(thread.name == "model download" for thread in threading.enumerate())
