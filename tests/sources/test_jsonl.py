from __future__ import annotations

import gzip
import json
from pathlib import Path

import msgspec
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tray_app.sources import jsonl
from tray_app.sources.base import Checkpoint, Limits, Message, NotReady, Stopped
from tray_app.sources.jsonl import Collector, Records, head_and_tail, mended


class Row(msgspec.Struct):
    text: str = ""


DECODER = msgspec.json.Decoder(Row)


def open_records(path: Path, checkpoint: Checkpoint | None = None, limits: Limits | None = None) -> Records:
    return Records(path, "made", checkpoint, limits or Limits(), lambda: False)


def texts_of(path: Path, limits: Limits | None = None) -> tuple[list[str], list[tuple[int, str]]]:
    with open_records(path, limits=limits) as records:
        rows = [records.decode(line, DECODER) for line in records]
        assert records.skipped == len([problem for problem in records.problems if problem.kind != "nul_run"])
        return [row.text for row in rows if row is not None], [(problem.line, problem.kind) for problem in records.problems]


def put(tmp_path: Path, data: bytes, name: str = "a.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "texts", "problems"),
    [
        (b'{"text":"a"}\n{"text":"b"}\n', ["a", "b"], []),
        (b'\xef\xbb\xbf{"text":"a"}\r\n\r\n   \n{"text":"b"}\r\n', ["a", "b"], []),
        (b'{"text":"a"}\n{"text":\n{"text":"b"}\n', ["a", "b"], [(2, "bad_json")]),
        (
            b'{"text":"a"}\nnull\n[1]\n42\n"x"\n',
            ["a"],
            [(2, "bad_record"), (3, "bad_record"), (4, "bad_record"), (5, "bad_record")],
        ),
        (b'{"text":"a"}\n{"text":NaN}\n', ["a"], [(2, "bad_json")]),
        (b'{"text":"a","n":' + b"9" * 5000 + b'}\n{"text":"b"}\n', ["a", "b"], []),
        (b'{"text":"a","text":"b"}\n', ["b"], []),
        (b'{"text":"\xff\xfe|\xe4\xb8"}\n', ["\ufffd\ufffd|\ufffd"], []),
        (b'{"text":"\\ud83d|\\ude00|\\ud83d\\ude00"}\n', ["\ufffd|\ufffd|😀"], []),
        (b'{"text":"\\\\ud83d"}\n', ["\\ud83d"], []),
        (
            b'\0\0\0{"text":"a"}\n\0\0\n{"te\0\0{"text":"b"}\n',
            ["a", "b"],
            [(1, "nul_run"), (2, "nul_run"), (3, "nul_run"), (3, "bad_json")],
        ),
        (b'{"text":"a"}\n{"text":"torn', ["a"], []),
    ],
)
def test_lines_as_they_come(tmp_path: Path, data: bytes, texts: list[str], problems: list[tuple[int, str]]) -> None:
    assert texts_of(put(tmp_path, data)) == (texts, problems)


@pytest.mark.parametrize("deep", [b"[" * 200_000 + b"]" * 200_000, b'{"text":' * 100_000, b'{"x":' + b"[" * 200_000])
def test_deep_nesting_is_one_skip(tmp_path: Path, deep: bytes) -> None:
    texts, problems = texts_of(put(tmp_path, b'{"text":"a"}\n' + deep + b'\n{"text":"b"}\n'))
    assert (texts, len(problems)) == (["a", "b"], 1)


def test_a_line_over_the_cap_is_skipped_and_named(tmp_path: Path) -> None:
    big = json.dumps({"text": "z" * 3_000_000}).encode()
    path = put(tmp_path, b'{"text":"before"}\n' + big + b'\n{"text":"after"}\n')
    with open_records(path, limits=Limits(line_bytes=2 << 20)) as records:
        assert [line.number for line in records] == [1, 3]
        assert (records.skipped, records.records) == (1, 2)
        (problem,) = records.problems
        assert (problem.line, problem.offset, problem.kind, problem.agent) == (2, 18, "oversize_line", "made")
        assert problem.reason == "a line longer than 2 MB"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_with_its_last_line(tmp_path: Path, codec: str) -> None:
    path = put(tmp_path, '\ufeff{"text":"中"}\r\n{"text":"😀"}'.encode(codec))
    assert texts_of(path) == (["中", "😀"], [])
    with open_records(path) as records:
        assert (list(records)[-1].number, records.checkpoint(0), records.growing) == (2, None, False)


PLAIN = b'{"text":"a"}\n{"text":"b"}'


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_compressed_files_are_known_by_their_first_bytes(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    assert texts_of(put(tmp_path, pack(PLAIN))) == (["a", "b"], [])


def test_frames_of_zstd_one_after_the_other(tmp_path: Path) -> None:
    pack = zstandard.ZstdCompressor().compress
    assert texts_of(put(tmp_path, pack(b'{"text":"a"}\n') + pack(b'{"text":"b"}\n'))) == (["a", "b"], [])


@given(data=st.data())
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor(write_checksum=True).compress])
def test_damaged_compression_keeps_what_came_before(
    tmp_path_factory: pytest.TempPathFactory, pack: object, data: st.DataObject
) -> None:
    assert callable(pack)
    packed = bytearray(pack(b'{"text":"a"}\n' * 20))
    at = data.draw(st.integers(4, len(packed) - 1))
    packed[at] ^= data.draw(st.integers(1, 255))
    cut = data.draw(st.integers(4, len(packed)))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(packed[:cut])
    with open_records(path) as records:
        for line in records:
            records.decode(line, DECODER)
        assert {problem.kind for problem in records.problems} <= {"bad_frame", "bad_json", "bad_record", "nul_run"}


def test_a_bomb_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "EXPANDED_LIMIT", 4 << 20)
    path = put(tmp_path, zstandard.ZstdCompressor().compress(b'{"text":"a"}\n' + b"x" * (64 << 20)))
    with open_records(path) as records:
        assert [line.number for line in records] == [1]
        assert records.bytes_read < 8 << 20
        assert [(problem.kind, problem.reason) for problem in records.problems] == [
            ("bad_frame", "the compressed file breaks off (EOFError)")
        ]


def test_an_empty_file_is_not_ready(tmp_path: Path) -> None:
    with pytest.raises(NotReady):
        open_records(put(tmp_path, b""))


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_records(tmp_path / "gone")


def test_a_stop_is_obeyed_between_records(tmp_path: Path) -> None:
    path = put(tmp_path, b'{"text":"a"}\n' * 1000)
    asked = iter([False, False])
    with Records(path, "made", None, Limits(), lambda: next(asked, True)) as records, pytest.raises(Stopped):
        for _ in records:
            pass
    assert records.records == 399


def test_a_checkpoint_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = put(tmp_path, b'{"text":"a"}\n{"text":"half')
    with open_records(path) as records:
        assert ([line.number for line in records], records.growing) == ([1], True)
        checkpoint = records.checkpoint(7, b"state")
    assert checkpoint is not None
    assert (checkpoint.offset, checkpoint.lines, checkpoint.seq, checkpoint.state) == (13, 1, 7, b"state")
    put(tmp_path, b'{"text":"a"}\n{"text":"half and half"}\n')
    with open_records(path, checkpoint) as records:
        assert [(line.number, line.offset, line.data) for line in records] == [(2, 13, b'{"text":"half and half"}')]
        assert (records.resumed, records.bytes_read) == (True, 25)
    for other in (b'{"text":"X"}\n{"text":"half and half"}\n', b'{"text":"a"'):
        put(tmp_path, other)
        with open_records(path, checkpoint) as records:
            assert not records.resumed


def test_problems_are_counted_beyond_those_that_are_kept(tmp_path: Path) -> None:
    with open_records(put(tmp_path, b"{\n" * 500)) as records:
        for line in records:
            assert records.decode(line, DECODER) is None
        assert (records.skipped, len(records.problems)) == (500, jsonl.PROBLEMS_KEPT)


HIGH = st.integers(0xD800, 0xDBFF)
LOW = st.integers(0xDC00, 0xDFFF)


def escaped(unit: int) -> str:
    return f"\\u{unit:04x}"


PIECES = st.one_of(
    st.tuples(HIGH, LOW).map(lambda pair: (escaped(pair[0]) + escaped(pair[1]).upper().replace("U", "u"), pair)),
    st.one_of(HIGH, LOW).map(lambda unit: (escaped(unit), (unit,))),
    st.sampled_from(["\\\\", '\\"', "\\n", "ud83d", "u", "中", "a", "\\u4e2d", "\\\\ud83d", "\\\\\\\\ude00"]).map(
        lambda text: (text, ())
    ),
)


@given(st.lists(PIECES, max_size=10))
def test_lone_surrogates_are_replaced_and_pairs_kept(pieces: list[tuple[str, tuple[int, ...]]]) -> None:
    text = '"' + "".join(piece for piece, _ in pieces) + '"'
    meant = json.loads(text)  # json joins pairs and lets lone ones through
    expected = "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in meant)
    assert msgspec.json.decode(mended(text.encode()), type=str) == expected


@given(st.text())
def test_good_json_is_left_as_it_is(text: str) -> None:
    for ascii_only in (True, False):
        data = json.dumps({"text": text}, ensure_ascii=ascii_only).encode()
        assert mended(data) == data


@given(st.binary())
def test_mended_text_is_utf8(data: bytes) -> None:
    mended(data).decode("utf-8")


def message(seq: int, text: str, role: str = "user") -> Message:
    return Message(f"m{seq}", role, text, 0, seq)


def test_the_budget_drops_the_oldest() -> None:
    collector = Collector(Limits(file_chars=10))
    for seq, text in enumerate(["aaaa", "bbbb", "cccc", "d" * 50]):
        collector.add(message(seq, text))
    assert ([kept.seq for kept in collector.messages()], collector.truncated) == ([3], True)


def test_the_budget_cuts_tool_text_only() -> None:
    collector = Collector(Limits(tool_chars=100))
    collector.add(message(0, "u" * 300))
    collector.add(message(1, "h" * 200 + "t" * 200, "tool_result"))
    said, result = (kept.text for kept in collector.messages())
    assert (said, collector.truncated) == ("u" * 300, False)
    assert (len(result), result[:3], result[-3:]) == (100, "hhh", "ttt")


@given(st.text(max_size=200), st.integers(60, 300))
def test_head_and_tail_keeps_its_length(text: str, most: int) -> None:
    cut = head_and_tail(text, most)
    assert len(cut) == min(len(text), most)
    assert (cut == text) == (len(text) <= most)
