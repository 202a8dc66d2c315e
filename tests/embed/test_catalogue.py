"""The list of models, against fastembed's own, and what counts as downloaded."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tray_app.embed.catalogue import CATALOGUE, MARK, Entry, Mark, found, mark, place, views


def whole(cache: Path, entry: Entry) -> Path:
    folder = place(cache, entry)
    for name in entry.needed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
    files = {name: len(name) for name in entry.needed}
    (folder / MARK).write_bytes(msgspec.json.encode(Mark(entry.repo, "abc", files)))
    return folder


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_what_fastembed_knows_is_as_it_says(entry: Entry) -> None:
    from fastembed import TextEmbedding

    known = {model["model"]: model for model in TextEmbedding.list_supported_models()}.get(entry.name)
    if not entry.listed:
        assert known is None
        return
    assert known is not None
    assert (entry.dims, entry.repo, entry.file) == (known["dim"], known["sources"]["hf"], known["model_file"])
    assert entry.more == tuple(known["additional_files"]) and entry.licence.casefold() == known["license"]
    assert known["size_in_GB"] * 1000 == pytest.approx(entry.megabytes, rel=0.1)
    assert f"{entry.tokens} input tokens" in known["description"]


def test_names_are_found_in_any_case_and_without_their_owner() -> None:
    assert found("baai/BGE-small-zh-v1.5") is found(" bge-small-zh-v1.5 ") is CATALOGUE[1]
    assert found("") is None and found("BAAI") is None and found("/models/bge-small-zh-v1.5") is None


def test_nothing_is_downloaded_in_an_empty_folder(tmp_path: Path) -> None:
    shown = views(tmp_path)
    assert [view.name for view in shown] == [entry.name for entry in CATALOGUE]
    assert not any(view.downloaded for view in shown)
    assert [view.name for view in shown if view.note == "recommended"] == ["intfloat/multilingual-e5-small"]
    assert list(tmp_path.iterdir()) == []


def test_a_whole_model_is_downloaded(tmp_path: Path) -> None:
    whole(tmp_path, CATALOGUE[0])
    assert [view.downloaded for view in views(tmp_path)] == [True] + [False] * (len(CATALOGUE) - 1)


@pytest.mark.parametrize("damage", ["cut", "gone", "mark", "repo", "less"])
def test_a_damaged_one_is_not(tmp_path: Path, damage: str) -> None:
    entry = CATALOGUE[0]
    folder = whole(tmp_path, entry)
    if damage == "cut":
        (folder / entry.file).write_bytes(b"")
    elif damage == "gone":
        (folder / entry.file).unlink()
    elif damage == "mark":
        (folder / MARK).write_bytes(b"{")
    elif damage == "repo":
        (folder / MARK).write_bytes(msgspec.json.encode(Mark("other/one", "abc", {name: len(name) for name in entry.needed})))
    else:
        (folder / MARK).write_bytes(msgspec.json.encode(Mark(entry.repo, "abc", {})))
    assert mark(tmp_path, entry) is None
