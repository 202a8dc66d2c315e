"""Width, cutting, wrapping and what must never reach a terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.cli import terminal
from tray_app.cli.terminal import BOLD, RESET, Paint, ProgressBar, cut, line_of, pad, plain, table, width, wrapped
from tray_app.records import Progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def paint(monkeypatch: pytest.MonkeyPatch) -> Paint:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Paint(Screen())


def test_colours_only_on_a_terminal_that_wants_them(paint: Paint, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (paint.bold("x"), paint.bold("")) == (f"{BOLD}x{RESET}", "")
    assert Paint(io.StringIO()).bold("x") == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Paint(Screen()).dim("x") == "x"


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("退款", 4), ("e\u0301", 1), ("👍", 2), ("ａ", 2), ("", 0)])
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
    assert width(pad(text, 9)) == 9


@given(st.text(), st.integers(1, 20))
def test_cut_and_wrapped_fit(text: str, columns: int) -> None:
    assert width(cut(line_of(text), columns)) <= columns
    lines = wrapped(text, (), columns + 1, Paint(io.StringIO()))
    assert all(width(line) <= columns + 1 for line in lines)
    kept = [character for character in text if not character.isspace() and not terminal.CONTROLS.match(character)]
    assert "".join("".join(lines).split()) == "".join(kept)


@given(st.text())
def test_nothing_steers_the_terminal(text: str) -> None:
    assert not {"\x1b", "\r", "\x07", "\x9b", "\u202e"} & set(plain(text + "\x1b[2J\r\x07\x9b\u202e"))


def test_found_words_are_bold_over_line_ends(paint: Paint) -> None:
    assert wrapped("one two three", [(4, 13)], 8, paint) == [f"one {BOLD}two{RESET}", f"{BOLD}three{RESET}"]
    assert wrapped("退款失败重试", [(2, 4)], 4, paint) == ["退款", f"{BOLD}失败{RESET}", "重试"]


def test_table_aligns_wide_text() -> None:
    assert table([["退款", "a"], ["abcde", "b"]], 40) == ["退款   a", "abcde  b"]
    assert table([["a", "x" * 50]], 20) == ["a  " + "x" * 16 + "…"]
    assert table([]) == []


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (Progress(phase="planning"), "Looking for sessions …"),
        (
            Progress(phase="reading", done=1200, total=2400, agent="codex", eta_s=200),
            "████████████░░░░░░░░░░░░  50% · 1,200 of 2,400 files · codex · about 3 min left",
        ),
        (
            Progress(phase="reading", done=1, total=2, bytes_done=9, bytes_total=9, agent="dsh"),
            "████████████████████████ 100% · 1 of 2 files · dsh",
        ),
        (Progress(phase="archiving", done=3, total=12), "██████░░░░░░░░░░░░░░░░░░  25% · 3 of 12 sessions"),
    ],
)
def test_progress_bar(progress: Progress, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ProgressBar.line(progress) == line
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with ProgressBar() as bar:
        bar(progress)
    assert screen.getvalue() == f"\r\x1b[K{line}\r\x1b[K"


def test_no_progress_bar_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    with ProgressBar() as bar:
        bar(Progress(phase="planning"))
    assert file.getvalue() == ""
