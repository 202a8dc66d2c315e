"""pi: what its entries say, appending, any bytes, and where files are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data import pi_files as made
from data.gemini_files import check_growth, check_harmless, encode, millis, mutated, read, read_rows, said, unit_of
from data.pi_files import answer, entry, header, message
from hypothesis import given
from hypothesis import strategies as st

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Context, Limits, NotReady, Session, Stopped, Usage
from tray_app.sources.pi import PiAdapter
from tray_app.sources.pi_reading import person_words

ADAPTER = PiAdapter()


def rows_read(folder: Path, rows: list[Any], limits: Limits | None = None) -> Any:
    return read_rows(ADAPTER, folder / made.NAME, rows, limits, session=made.SESSION)


def test_a_session(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, made.talk())
    assert said(reading) == [
        ("user", "看看 pear.py"),
        ("assistant", "I read it."),
        ("tool_call", "pear.py\nlimit: 3"),
        ("tool_result", "def pear(): ..."),
        ("assistant", "It has one function."),
        ("tool_call", "ls"),
        ("tool_result", "pear.py"),
        ("summary", "Pears were read."),
        ("user", "and this\n[image png 3 KB]"),
        ("summary", "A branch about quinces."),
    ]
    assert reading.session == Session(
        id=made.SESSION,
        cwd=made.CWD,
        title="Pear work",
        title_rank=3,
        start=millis(0),
        end=millis(13),
        model=made.MODEL,
        parent=made.PARENT,
    )
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (17, 17, 0, 0)
    first, _, call, result = reading.messages[:4]
    assert (first.id, first.identity, first.time) == ("0a000004", f"0a000004:{millis(3)}", millis(3))
    assert (call.id, call.identity, call.tool, call.files) == (
        "toolu_0001_0001_0001", "toolu_0001_0001_0001:call", "read", ("pear.py",),
    )  # fmt: skip
    assert (result.id, result.identity, result.tool) == (call.id, "toolu_0001_0001_0001:result", "read")
    assert reading.usage == [
        Usage(key="resp_1", time=millis(4), model=made.MODEL, input=10, output=5, cache_read=7, cache_write=2),
        Usage(key="0a000007", time=millis(6), model=made.MODEL, input=20, output=6, cache_read=0, cache_write=0),
    ]
    thought = said(rows_read(tmp_path, made.talk(), Limits(reasoning=True, tools=False)))
    assert thought[1] == ("reasoning", "THOUGHT of pears")
    assert not any(role.startswith("tool") for role, _ in thought)


def test_the_first_version_has_no_ids(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, made.first_version())
    assert said(reading) == [
        ("user", "看看 pear.py"),
        ("assistant", "I read it."),
        ("tool_call", "pear.py\nlimit: 3"),
        ("tool_result", "def pear(): ..."),
        ("assistant", "It has one function."),
    ]
    first = reading.messages[0]
    assert (first.id, first.identity) == (f"{made.SESSION}:2", f"user:{millis(3)}")
    assert (reading.session.title, reading.session.model) == ("看看 pear.py", made.MODEL)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  plain  ", "plain"),
        ("<div>mine</div>", "<div>mine</div>"),
        ('<skill name="a" location="/s/a">\nINJECTED\n</skill>\n\nthen do it', "then do it"),
        ('<skill name="a" location="/s/a">\nINJECTED\n</skill>', ""),
        ('<skill name="a" location="/s/a">\nnever closed', ""),
        ('<file name="/a.py">\nINJECTED\n</file>\n<file name="/b.png"></file>\nlook at both', "look at both"),
        ('<file name="/a.py">\nnever closed', '<file name="/a.py">\nnever closed'),
        ("<filename> is mine", "<filename> is mine"),
    ],
)
def test_the_persons_words(text: str, words: str) -> None:
    assert person_words(text) == words


def test_parents_by_path_and_by_id(tmp_path: Path) -> None:
    for named in (made.PARENT, f"C:\\pi\\sessions\\x\\2026_{made.PARENT}.jsonl"):
        assert rows_read(tmp_path, [header(parentSession=named)]).session.parent == made.PARENT
    assert rows_read(tmp_path, [header(branchedFrom=f"/s/2026_{made.PARENT}.jsonl")]).session.parent == made.PARENT
    assert rows_read(tmp_path, [header(parentSession=made.SESSION)]).session.parent == ""


def test_a_damaged_header_is_told(tmp_path: Path) -> None:
    reading = rows_read(tmp_path, [b'{"type":"session","id":"', message("a", 1, "user", "still here")])
    assert said(reading) == [("user", "still here")]
    assert (reading.session.id, reading.session.cwd) == (made.SESSION, "")
    assert [(problem.kind, problem.line) for problem in reading.problems] == [("torn_header", 1)]


def test_odd_lines(tmp_path: Path) -> None:
    rows = [
        header(), b"null", b"{", entry("novel", "n", 1), entry("message", "m", 1, message=5), message("x", 1, "novel", "y"),
        message("o", 1, "user", [5, None, "text", {"type": "text", "text": 5}]), answer("a", 2, {"type": "text", "text": "one"}),
    ]  # fmt: skip
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "text"), ("assistant", "one")]
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (8, 3, 2, 3)
    assert reading.unknown_kinds == {"novel": 1, "message.novel": 1}


@pytest.mark.parametrize("make", [made.talk, made.first_version])
def test_every_line_border(tmp_path: Path, make: Any) -> None:
    assert check_growth(ADAPTER, tmp_path / made.NAME, encode(make()), session=made.SESSION) == 0


def test_not_ready_stopped_and_foreign_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / made.NAME
    for data in (b"", b"\n\n", b'{"type":'):
        path.write_bytes(data)
        with pytest.raises(NotReady):
            read(ADAPTER, path)
    path.write_bytes(encode(made.talk() * 20))
    with pytest.raises(Stopped):
        ADAPTER.read(unit_of(ADAPTER, path), None, Limits(), lambda: True)
    whole = read(ADAPTER, path)
    assert (len(whole.messages), whole.repeated) == (10, 190)
    assert whole.checkpoint is not None
    again = read(ADAPTER, path, msgspec.structs.replace(whole.checkpoint, state=b"\xc1"))
    assert (again.resumed, len(again.messages)) == (False, 10)


CHANGES = st.lists(st.tuples(st.integers(0, 1 << 16), st.binary(max_size=12), st.integers(0, 40)), max_size=6)


@given(data=st.binary(max_size=300))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "fuzz.jsonl", data)


@given(changes=CHANGES)
def test_damaged_files(tmp_path_factory: pytest.TempPathFactory, changes: list[Any]) -> None:
    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "fuzz.jsonl", mutated(encode(made.talk()), changes))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner, max_size=3),
    max_leaves=6,
)
FIELDS = [
    "type",
    "id",
    "message",
    "role",
    "content",
    "timestamp",
    "usage",
    "arguments",
    "summary",
    "parentSession",
    "name",
    "data",
]


@given(field=st.sampled_from(FIELDS), value=JSON)
def test_any_shape_of_the_fields_that_are_used(tmp_path_factory: pytest.TempPathFactory, field: str, value: Any) -> None:
    def replaced(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: value if key == field else replaced(inner) for key, inner in node.items()}
        return [replaced(inner) for inner in node] if isinstance(node, list) else node

    check_harmless(ADAPTER, tmp_path_factory.getbasetemp() / "fuzz.jsonl", encode([replaced(row) for row in made.talk()]))


def test_long_lines_and_deep_nesting(tmp_path: Path) -> None:
    deep = b'{"type":"message","message":{"role":"user","content":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
    rows = [header(), json.dumps(message("l", 1, "user", "x" * (24 << 20))).encode(), deep, message("u", 2, "user", "after")]
    reading = rows_read(tmp_path, rows)
    assert said(reading) == [("user", "after")]
    assert reading.problems[0].kind == "oversize_line"


# --- files and folders ------------------------------------------------------------------------------------------------------
def test_discovery(tmp_path: Path) -> None:
    for name in (f"--home-kim--/{made.NAME}", "--home-kim--/old.jsonl", "--home-kim--/notes.txt", "--home-kim--/.x.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    problems: list[Problem] = []
    units = list(ADAPTER.discover(tmp_path, Context(home=SourcesHome(tmp_path, {})), problems.append))
    assert sorted(unit.session for unit in units) == [made.SESSION, "old"]
    assert (problems, {unit.kind for unit in units}) == ([], {"main"})


def test_roots_and_resume_command(tmp_path: Path) -> None:
    assert ADAPTER.roots(SourcesHome(tmp_path, {})) == [tmp_path / ".pi" / "agent" / "sessions"]
    assert ADAPTER.roots(SourcesHome(tmp_path, {"PI_CODING_AGENT_DIR": "/p"})) == [Path("/p").absolute() / "sessions"]
    assert ADAPTER.resume_command(Session(id=made.SESSION, cwd="/a b")) == f"cd '/a b' && pi --session {made.SESSION}"
    assert ADAPTER.resume_command(Session(id="$(x)", cwd="/a")) == ""
