"""Frames are found and read alone, damage costs only itself, and no file makes the reader allocate or loop."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
import zstandard
from data import dsh_files as made
from hypothesis import example, given
from hypothesis import strategies as st

from tray_app.records import Problem
from tray_app.sources import frames
from tray_app.sources.base import Checkpoint, Limits, NotReady, Stopped
from tray_app.sources.frames import LogLines

MAGIC = b"\x28\xb5\x2f\xfd"
SKIPPABLE = b"\x53\x2a\x4d\x18\x04\x00\x00\x00skip"


def frame(*words: str) -> bytes:
    return made.frame("".join(f"{word}\n" for word in words).encode())


class Outcome:
    """What a reading of `data` gave."""

    def __init__(self, path: Path, data: bytes, checkpoint: Checkpoint | None = None, limits: Limits | None = None) -> None:
        path.write_bytes(data)
        with LogLines(path, "dsh", checkpoint, limits or Limits(), lambda: False) as log:
            self.lines = list(log)
            self.words = [line.data.decode(errors="replace") for line in self.lines]
            self.problems: list[Problem] = log.problems
            self.kinds = [problem.kind for problem in log.problems]
            self.end, self.growing, self.skipped, self.resumed = log.end, log.growing, log.skipped, log.resumed
            self.bytes_read = log.bytes_read
            self.checkpoint = log.checkpoint(0, b"")


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "session.v4.jsonl.zstd"


def test_each_frame_is_read_and_skippable_ones_are_passed_over(log_file: Path) -> None:
    first = frame("one")
    read = Outcome(log_file, first + SKIPPABLE + frame("two", "three") + SKIPPABLE)
    assert read.words == ["one", "two", "three"]
    assert [line.offset for line in read.lines] == [0, len(first) + 12, len(first) + 12]
    assert [line.number for line in read.lines] == [1, 2, 3]
    assert (read.problems, read.growing, read.end) == ([], False, log_file.stat().st_size)


@pytest.mark.parametrize("how", [{}, {"level": 19}, {"threads": 0}])
def test_any_way_of_writing_frames_is_understood(log_file: Path, how: dict[str, int]) -> None:
    content = b"".join(f"line {number} {'x' * (number % 700)}\n".encode() for number in range(3_000))
    sized = zstandard.ZstdCompressor(write_content_size=True, write_checksum=False, **how).compress(content)
    streamed = zstandard.ZstdCompressor(write_checksum=True, **how).compressobj()
    parts = [streamed.compress(content[:100_000]), streamed.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)]
    parts += [streamed.compress(content[100_000:]), streamed.flush()]
    read = Outcome(log_file, sized + b"".join(parts))
    assert read.words == content.decode().splitlines() * 2
    assert read.problems == []


def test_plain_lines_and_frames_are_told_by_their_bytes_not_their_names(tmp_path: Path) -> None:
    assert Outcome(tmp_path / "session.jsonl.zstd", b'{"a":1}\n{"b":2}\n').words == ['{"a":1}', '{"b":2}']
    assert Outcome(tmp_path / "session.jsonl", frame("one")).words == ["one"]
    gzip = Outcome(tmp_path / "session.v2.jsonl", b"\x1f\x8b\x08\x00rest")
    assert (gzip.words, gzip.kinds, gzip.skipped) == ([], ["not_recognised"], 1)


def test_garbage_between_frames_is_one_damaged_span(log_file: Path) -> None:
    before = frame("one", "two")
    read = Outcome(log_file, before + b"twelve bytes" + frame("five"))
    assert read.words == ["one", "two", "five"]
    assert [(p.kind, p.offset, p.reason) for p in read.problems] == [
        ("bad_frame", len(before), "bytes that belong to no frame")
    ]


def test_a_frame_whose_checksum_fails_gives_none_of_its_lines(log_file: Path) -> None:
    broken = bytearray(frame("three", "four"))
    broken[-1] ^= 1
    read = Outcome(log_file, frame("one") + bytes(broken) + frame("five"))
    assert read.words == ["one", "five"]
    assert [(p.kind, p.offset) for p in read.problems] == [("bad_frame", len(frame("one")))]
    assert read.problems[0].reason == "a damaged frame (Restored data doesn't match checksum)"


def test_a_large_frame_is_checked_to_its_end_before_its_first_line_is_given(
    log_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "HELD", 1_000)
    large = frame(*(f"word {number}" for number in range(5_000)))
    assert len(Outcome(log_file, frame("one") + large + frame("two")).words) == 5_002
    broken = bytearray(large)
    broken[-1] ^= 1
    read = Outcome(log_file, frame("one") + bytes(broken) + frame("two"))
    assert (read.words, read.kinds) == (["one", "two"], ["bad_frame"])


@given(st.data())
def test_a_flipped_byte_costs_at_most_the_frame_it_stands_in(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    log_file = tmp_path_factory.mktemp("flip") / "session.jsonl.zstd"
    written = [frame(f"frame {number}", "with some words in it " * number) for number in range(1, 6)]
    hurt = data.draw(st.integers(0, 4))
    broken = bytearray(written[hurt])
    broken[data.draw(st.integers(0, len(broken) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    read = Outcome(log_file, b"".join([*written[:hurt], bytes(broken), *written[hurt + 1 :]]))
    others = [f"frame {number}" for number in range(1, 6) if number != hurt + 1]
    found = [word for word in read.words if word.startswith("frame ")]
    # flips that mean nothing to a decoder (an unused bit) leave the frame as it was; in the last frame, it may look torn
    assert found in (others, [f"frame {number}" for number in range(1, 6)])
    assert found != others or len(read.problems) + read.growing >= 1


def test_a_torn_last_frame_waits_until_it_is_whole(log_file: Path) -> None:
    whole, last = frame("one"), frame(*(f"two {number}" for number in range(20)))
    for cut in range(1, len(last)):
        read = Outcome(log_file, whole + last[:cut])
        assert (read.words, read.growing, read.problems, read.end) == (["one"], True, [], len(whole)), cut
    torn = Outcome(log_file, whole + last[:-1])
    after = Outcome(log_file, whole + last, torn.checkpoint)
    assert (after.resumed, len(after.words), after.growing) == (True, 20, False)
    assert after.lines[0].number == 2
    assert after.bytes_read == len(last)


def test_a_frame_that_breaks_off_before_another_is_damage_and_no_tail(log_file: Path) -> None:
    last = frame(*(f"words {number} {number * 7919}" for number in range(200)))
    read = Outcome(log_file, frame("one") + last[:-20] + frame("three"))
    assert (read.words, read.kinds, read.growing) == (["one", "three"], ["bad_frame"], False)


@pytest.mark.parametrize(("tail", "left"), [(b"\0" * 5_000, 0), (b"no frame at all", 0), (b"junk\x28\xb5", 2), (MAGIC[:3], 3)])
def test_what_stands_behind_the_last_frame(log_file: Path, tail: bytes, left: int) -> None:
    read = Outcome(log_file, frame("one") + tail)
    assert read.words == ["one"]
    assert read.end == log_file.stat().st_size - left
    assert read.growing == bool(left)


def test_nul_bytes_in_place_of_a_frames_end_are_damage(log_file: Path) -> None:
    last = frame(*(f"words {number} {number * 7919}" for number in range(200)))
    read = Outcome(log_file, frame("one") + last[:400] + b"\0" * 200_000 + frame("three"))
    assert (read.words, read.kinds) == (["one", "three"], ["bad_frame"])


def test_a_broken_beginning_does_not_hide_the_rest(log_file: Path) -> None:
    broken = bytearray(frame("one"))
    broken[0] ^= 1
    read = Outcome(log_file, bytes(broken) + frame("two"))
    assert (read.words, read.kinds) == (["two"], ["bad_frame"])


def test_frames_that_need_a_dictionary_are_named_with_it(log_file: Path) -> None:
    samples = [f"sample text number {number} of the dictionary\n".encode() for number in range(1_500)]
    trained = zstandard.train_dictionary(1024, samples)
    needy = made.frame(b"sample text number 3\n", dict_data=trained)
    read = Outcome(log_file, frame("one") + needy + needy + frame("four"))
    assert read.words == ["one", "four"]
    reason = f"needs dictionary {trained.dict_id()}, which is not here"
    assert [(p.kind, p.reason) for p in read.problems] == [("needs_dictionary", reason)] * 2
    assert read.end == log_file.stat().st_size


def test_a_huge_window_is_named_with_its_size_and_a_fair_one_is_read(log_file: Path) -> None:
    def wide(log: int) -> bytes:
        parameters = zstandard.ZstdCompressionParameters(window_log=log, write_content_size=False)
        stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
        return stream.compress(b"wide\n") + stream.flush()

    read = Outcome(log_file, frame("one") + wide(27) + wide(28) + frame("four"))
    assert read.words == ["one", "wide", "four"]
    assert [(p.kind, p.reason) for p in read.problems] == [("window_too_large", "needs 256 MiB window")]
    assert Outcome(log_file, wide(21), limits=Limits(window_bytes=1 << 20)).kinds == ["window_too_large"]


def bomb(blocks: int) -> bytes:
    """A frame of blocks that say 'one byte, 128 Ki times'."""
    block = ((128 << 10) << 3 | 2).to_bytes(3, "little") + b"z"
    return MAGIC + b"\x00\x58" + block * blocks + b"\x01\x00\x00"


def test_bombs_and_false_sizes_allocate_nothing(log_file: Path) -> None:
    tebibyte = MAGIC + b"\xe0" + (1 << 40).to_bytes(8, "little") + b"\x01\x00\x00"
    content = frame("one") + tebibyte + bomb(2_000) + frame("four")
    Outcome(log_file, frame("one"))
    tracemalloc.start()
    try:
        read = Outcome(log_file, content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert read.words == ["one", "four"]
    assert read.kinds == ["window_too_large", "over_budget"]
    assert read.problems[0].reason == "needs 1,048,576 MiB window"
    assert peak < 4 << 20


def test_a_bomb_of_compressed_blocks_is_stopped_by_what_it_gives(log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "FREE", 1 << 20)
    content = made.frame(b"abcdefgh" * (1 << 20))
    read = Outcome(log_file, frame("one") + content + frame("three"))
    assert (read.words, read.kinds) == (["one", "three"], ["over_budget"])
    given_up = Outcome(log_file, frame("one") + content * frames.BOMBS + frame("never"))
    assert given_up.words == ["one"]
    assert given_up.kinds == ["over_budget"] * (frames.BOMBS + 1)
    assert given_up.end == log_file.stat().st_size


def test_a_tangle_of_broken_frames_is_given_up(log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "STEPS", 100)
    read = Outcome(log_file, frame("one") + MAGIC * 5_000)
    assert read.words == ["one"]
    assert read.problems[-1].kind in ("bad_frame", "over_budget")
    assert len(read.problems) <= 200
    assert read.skipped < 5_000
    assert read.end == log_file.stat().st_size


def test_a_line_over_the_cap_is_left_out_alone(log_file: Path) -> None:
    limits = Limits(line_bytes=1 << 20)
    read = Outcome(log_file, made.frame(b"before\n" + b"z" * (3 << 20) + b"\nafter\n") + frame("next"), limits=limits)
    assert (read.words, read.kinds) == (["before", "after", "next"], ["oversize_line"])


def test_a_frame_without_its_last_newline_keeps_its_last_line(log_file: Path) -> None:
    assert Outcome(log_file, made.frame(b"one\ntwo") + frame("three")).words == ["one", "two", "three"]


def test_a_changed_beginning_or_a_shorter_file_is_not_continued(log_file: Path) -> None:
    first = Outcome(log_file, frame("one") + frame("two"))
    assert Outcome(log_file, frame("uno") + frame("two") + frame("three"), first.checkpoint).words == ["uno", "two", "three"]
    assert Outcome(log_file, frame("one"), first.checkpoint).resumed is False
    same = Outcome(log_file, frame("one") + frame("two"), first.checkpoint)
    assert (same.resumed, same.words, same.bytes_read) == (True, [], 0)


def test_an_empty_file_is_not_ready_and_a_stop_is_heard(log_file: Path) -> None:
    with pytest.raises(NotReady):
        Outcome(log_file, b"")
    log_file.write_bytes(frame("one"))
    with LogLines(log_file, "dsh", None, Limits(), lambda: True) as log, pytest.raises(Stopped):
        list(log)


@given(
    st.binary(max_size=400)
    | st.lists(st.sampled_from([MAGIC, SKIPPABLE, frame("x"), b"\0\0\0", b"{}\n", b"\x00\x58"])).map(b"".join)
)
@example(b"P*M")
@example(b"{")
@example(MAGIC + b"\x00\x00\xff\xff\xff")
def test_any_bytes_are_gone_through_once(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    log_file = tmp_path_factory.mktemp("any") / "session.jsonl.zstd"
    try:
        read = Outcome(log_file, data)
    except NotReady:
        assert data == b""
        return
    assert 0 <= read.end <= len(data)
    assert read.growing or read.end == len(data)
    again = Outcome(log_file, data, read.checkpoint)
    assert again.words == [] or not again.resumed
