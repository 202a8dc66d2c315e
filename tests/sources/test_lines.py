from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.sources.lines import BLOCK, GUARD_WHOLE, Line, LineReader, guard, guard_holds, utf16_text


def lines_of(data: bytes, cap: int = 8 << 20) -> list[Line]:
    return list(LineReader(io.BytesIO(data), cap=cap))


def test_offsets_and_numbers() -> None:
    assert lines_of(b"one\n\ntwo\r\n\xe4\xb8\xad\n") == [
        Line(b"one", 0, 1),
        Line(b"", 4, 2),
        Line(b"two", 5, 3),
        Line(b"\xe4\xb8\xad", 10, 4),
    ]


def test_a_torn_tail_does_not_move_the_end() -> None:
    reader = LineReader(io.BytesIO(b'one\n{"half'))
    assert [line.data for line in reader] == [b"one"]
    assert (reader.end, reader.number, reader.growing, reader.tail, reader.bytes_read) == (4, 1, True, b'{"half', 10)


def test_only_the_newline_cuts() -> None:
    odd = "a\u2028b\x0bc\x85d\re".encode()
    assert [line.data for line in lines_of(odd + b"\n")] == [odd]


def test_the_byte_order_mark_goes_at_the_start_only() -> None:
    mark = b"\xef\xbb\xbf"
    assert [line.data for line in lines_of(mark + b"a\n" + mark + b"b\n")] == [b"a", mark + b"b"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\0" * 400 + b"rec\n", [Line(b"rec", 0, 1, "nul_run")]),
        (b"rec" + b"\0" * 9 + b"\n", [Line(b"rec", 0, 1, "nul_run")]),
        (b"\0" * 300 + b"\nrec\n", [Line(b"", 0, 1, "nul_run"), Line(b"rec", 301, 2)]),
        (b"cut" + b"\0" * 5 + b"rec\nnext\n", [Line(b"cut", 0, 1, "nul_run"), Line(b"rec", 8, 1), Line(b"next", 12, 2)]),
        (b"\0a\0b\0a\0\r\n", [Line(b"a", 0, 1, "nul_run"), Line(b"a", 5, 1)]),
    ],
)
def test_nul_runs(data: bytes, expected: list[Line]) -> None:
    assert lines_of(data) == expected


def test_a_line_of_24_mb_is_skipped_without_being_held() -> None:
    class Endless(io.RawIOBase):
        """24 MiB of one line, then a good one, made on the fly."""

        left = 24

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"z" * BLOCK if self.left >= 0 else b"\nafter\n" if self.left == -1 else b""

    tracemalloc.start()
    got = list(LineReader(Endless(), cap=8 << 20))  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert got == [Line(b"", 0, 1, "oversize_line"), Line(b"after", (24 << 20) + 1, 2)]
    assert peak < 12 << 20


def test_a_tail_over_the_cap_is_not_held() -> None:
    reader = LineReader(io.BytesIO(b"a\n" + b"x" * 300), cap=100)
    assert ([line.data for line in reader], reader.growing, reader.tail, reader.end) == ([b"a"], True, b"", 2)


def test_the_pulse_can_stop_a_line_without_end() -> None:
    def pulse() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(LineReader(io.BytesIO(b"x"), pulse=pulse))


@pytest.mark.parametrize("size", [BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_lines_over_the_edge_of_a_block(size: int) -> None:
    text = ("界😀" * (size // 7 + 1)).encode()[:size]
    assert lines_of(text + b"\r\nnext\n") == [Line(text, 0, 1), Line(b"next", size + 2, 2)]


@given(
    st.lists(st.binary(max_size=12).map(lambda data: data.replace(b"\n", b"")), max_size=12), st.binary(max_size=5), st.data()
)
def test_reading_on_from_any_line_gives_the_rest(parts: list[bytes], tail: bytes, data: st.DataObject) -> None:
    whole = b"".join(part + b"\n" for part in parts) + tail.replace(b"\n", b"")
    every = lines_of(whole, cap=10)
    start = data.draw(st.integers(0, len(parts)))
    stream = io.BytesIO(whole)
    offset = sum(len(part) + 1 for part in parts[:start])
    stream.seek(offset)
    reader = LineReader(stream, offset, start, cap=10)
    assert list(reader) == [line for line in every if line.number > start]
    assert (reader.end, reader.number) == (sum(len(part) + 1 for part in parts), len(parts))
    for line in every:
        assert whole[line.offset :].lstrip(b"\0\xef\xbb\xbf").startswith(line.data.lstrip(b"\0\xef\xbb\xbf"))


def test_utf16_is_known_by_its_mark() -> None:
    assert utf16_text("\ufeff{}".encode("utf-16-le")) == "utf-16-le"
    assert utf16_text("\ufeff{}".encode("utf-16-be")) == "utf-16-be"
    assert utf16_text(b'{"a"') is None


def test_the_guard_sees_a_changed_beginning_and_not_an_append(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\ntwo\n")
    with path.open("rb") as stream:
        mark = guard(stream, 8)
    path.write_bytes(b"one\ntwo\nthree\n")
    assert guard_holds(path, 8, mark)
    path.write_bytes(b"ONE\ntwo\nthree\n")
    assert not guard_holds(path, 8, mark)
    path.write_bytes(b"one\n")
    assert not guard_holds(path, 8, mark)


@pytest.mark.parametrize("place", [0, 17_000, 600_000, -1])
def test_the_guard_of_a_large_file(place: int) -> None:
    size = 3 * GUARD_WHOLE
    data = bytearray(b"x" * size)
    before = guard(io.BytesIO(bytes(data)), size)
    assert guard(io.BytesIO(bytes(data) + b"more"), size) == before
    data[place] = ord("y")
    changed = guard(io.BytesIO(bytes(data)), size)
    assert (changed != before) == (place in (0, -1))
