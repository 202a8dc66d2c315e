"""Whatever stands in a DSH log: nothing unforeseen is raised, and how rows were grouped into frames makes no difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from data.dsh_files import conversation, frame, header, put
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.sources.base import Checkpoint, Context, Limits, NotReady, Reading
from tray_app.sources.dsh import DshAdapter

DSH = DshAdapter()


def read(home: Path, checkpoint: Checkpoint | None = None) -> Reading:
    """Reads the only session under `home`."""
    (unit,) = DSH.discover(home, Context(home=SourcesHome(home, {})), lambda problem: None)
    return DSH.read(unit, checkpoint, Limits(reasoning=True), lambda: False)


ROWS = conversation().rows
WHOLE = [
    "Where do the tulips go? 郁金香种在哪里？",
    "The plan is a file.",
    "I will look at the plan.",
    "cat beds.txt",
    "north bed: tulips",
    "In the north bed.",
    "Tulips stand in the north bed.",
    "And the beans?",
    "South of the shed.",
]


def said(reading: Reading) -> list[str]:
    return [message.text for message in reading.messages]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def changed_rows(draw: st.DrawFn) -> bytes:
    """A sound log in which some field of some rows holds something else."""
    rows = json.loads(json.dumps([header(), *ROWS]))
    for _ in range(draw(st.integers(1, 4))):
        place: Any = draw(st.sampled_from(rows))
        while isinstance(place, dict) and place:
            key = draw(st.sampled_from(sorted(place)))
            if not isinstance(place[key], dict) or draw(st.booleans()):
                place[key] = draw(JSON)
                break
            place = place[key]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def survives(folder: Path, data: bytes, file: str) -> None:
    put(folder, data, file)
    try:
        reading = read(folder)
    except NotReady:
        return
    assert reading.checkpoint is not None
    for message in reading.messages:
        message.text.encode()  # no lone surrogates: what stores the text would refuse them
        message.id.encode()
    again = read(folder, reading.checkpoint)
    assert not (again.resumed and again.messages)


@given(st.binary(max_size=300), st.sampled_from(["session.jsonl", "session.v4.jsonl.zstd"]))
def test_any_bytes_raise_nothing_unforeseen(tmp_path_factory: pytest.TempPathFactory, data: bytes, file: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    survives(folder, data, file)
    survives(folder, frame(data), file)
    survives(folder, frame([header()]) + data, file)


@given(changed_rows())
def test_any_json_in_any_field_raises_nothing_unforeseen(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    survives(tmp_path_factory.mktemp("json"), data, "session.v4.jsonl")


@given(st.lists(st.integers(1, 12), min_size=1, max_size=30))
def test_any_grouping_into_frames_gives_the_same(tmp_path_factory: pytest.TempPathFactory, sizes: list[int]) -> None:
    folder = tmp_path_factory.mktemp("groups")
    rows, data = [header(), *ROWS], b""
    for size in sizes:
        data += frame(rows[:size]) if rows else b""
        rows = rows[size:]
    put(folder, data + (frame(rows) if rows else b""))
    assert said(read(folder)) == WHOLE
