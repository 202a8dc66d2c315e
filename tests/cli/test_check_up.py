"""`doctor` on a terminal and off it: grouped, readable, and still of use where nobody can open the files."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence

import msgspec
import pytest
from engine_double import EngineDouble
from outcomes import Run

from tray_app.cli.check_up import print_findings
from tray_app.errors import KnownError
from tray_app.records import Departure, Finding, Status


def of(code: str, severity: str, detail: str = "So it is.", remedy: str = "") -> Finding:
    return Finding(code=code, severity=severity, title=f"About {code}", detail=detail, remedy=remedy)


ALL = [
    of("a", "error", remedy="Do this."), of("b", "warn", "\x1b[31mred\x1b[0m\nand more", "Do that."), of("c", "info"), of("d", "ok", ""),
]  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], findings: Sequence[Finding]) -> tuple[str, str]:
    print_findings(findings)
    out, err = capsys.readouterr()
    return out, err


def test_groups_by_how_much_it_matters(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert printed(capsys, ALL) == (
        "Needs a look\n  ✗ About a\n    So it is.\n    -> Do this.\n  ! About b\n    [31mred[0m and more\n    -> Do that.\n\n"
        "Good to know\n  · About c\n    So it is.\n\nIn order\n  ✓ About d\n",
        "2 things need a look.\n",
    )
    assert printed(capsys, ALL[2:])[1] == "Nothing needs a look.\n"


def test_long_lines_are_broken_below_each_other(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    out, _ = printed(capsys, [of("a", "warn", "one two three four five six", "seven eight nine ten eleven")])
    assert out == (
        "Needs a look\n  ! About a\n    one two three four five\n    six\n    -> seven eight nine ten\n       eleven\n"
    )


def test_signs_that_the_terminal_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    print_findings(ALL)
    stream.flush()
    assert stream.buffer.getvalue().decode("ascii").count("\n  x About a") == 1  # type: ignore[attr-defined]


def test_colours_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    print_findings(ALL[:1])
    assert "\x1b[31m✗\x1b[0m About a" in screen.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal()
    monkeypatch.setattr(sys, "stdout", plain)
    print_findings(ALL[:1])
    assert "\x1b" not in plain.getvalue()


def test_where_nobody_can_open_the_files(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: EngineDouble) -> None:
        raise KnownError(
            "index_newer", "The index is newer than this program", "It was made by a newer Backscroll.", "Update it."
        )

    monkeypatch.setattr(EngineDouble, "open_or_raise", refuse)
    said = run("doctor", "--json")
    findings = json.loads(said.out)["findings"]
    assert said.code == 3
    assert (findings[0]["code"], findings[0]["severity"], findings[0]["remedy"]) == ("index_newer", "error", "Update it.")
    assert "versions" in [finding["code"] for finding in findings]
    assert "✗ The index is newer than this program" in run("doctor").out


def test_the_help_tells_the_exit_codes(run: Run) -> None:
    assert "Exit code: 0 whatever was found" in " ".join(run("doctor", "--help").out.split())


def test_the_status_says_what_leaves_the_machine(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Leaves      Nothing leaves this machine.\n" in run("status").out
    plain = EngineDouble.status
    leaves = (Departure(what="meaning", host="api.siliconflow.cn"), Departure(what="topics", host="box:11434"))

    def sending(self: EngineDouble, space: str | None = None, caller: str | None = None) -> Status:
        return msgspec.structs.replace(plain(self, space), leaves=leaves)

    monkeypatch.setattr(EngineDouble, "status", sending)
    monkeypatch.setenv("COLUMNS", "100")
    lines = [line.split(None, 1)[1] for line in run("status").out.splitlines() if line.startswith("Leaves")]
    assert lines == [
        "Passages, memories and questions are sent to api.siliconflow.cn (meaning).",
        "Titles and beginnings of what you said are sent to box:11434 (topics).",
    ]
    told = json.loads(run("status", "--json").out)["leaves"]
    assert told == [{"what": "meaning", "host": "api.siliconflow.cn"}, {"what": "topics", "host": "box:11434"}]
