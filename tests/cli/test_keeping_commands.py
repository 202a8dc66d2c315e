"""`keep` and `forget`: what they print and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from data.claude_files import Chat, make_id, write
from engine_double import AT, EngineDouble
from outcomes import Run

from tray_app import logs
from tray_app.cli.main import main
from tray_app.records import KeptView

FORGOTTEN = "Forgotten: 0f3c, 2 messages; with it 1 copied message in other sessions\n"


def test_what_is_kept(run: Run) -> None:
    done = run("keep", "status")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0].split() == ["Archive", "2", "sessions,", "9.0", "KB", "kept", "in", "1.0", "KB"]
    assert json.loads(run("keep", "status", "--json").out)["sessions"] == 2


def test_copying_now_goes_on_until_nothing_waits(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    views = iter([(2, 1, 0), (1, 0, 1)])

    def keep_now() -> KeptView:
        copied, left, failed = next(views)
        return KeptView(on=False, folder="/d/archive", sessions=3, copied=copied, left=left, failed=failed)

    monkeypatch.setattr(engine, "keep_now", keep_now)
    done = run("keep", "now", "--json")
    view = json.loads(done.out)
    assert (done.code, view["copied"], view["left"], view["failed"]) == (4, 3, 0, 1)


def test_what_is_told_of_gone_and_vanishing(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    view = KeptView(on=True, folder="/d/archive", gone=3, vanishing=1, vanishing_first=AT, left=2, failed=1, error="Disk full.")
    monkeypatch.setattr(engine, "kept", lambda: view)
    done = run("keep", "status")
    for words in ("yes, after 3 idle days", "3 sessions in the index", "1 session within five days", "Disk full.", "2 files"):
        assert words in done.out


def test_writing_a_copy_out(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("keep", "restore", "0f3c", "out")
    assert (done.code, done.out) == (0, f"{tmp_path / 'out'}/0f3c.jsonl\n")
    assert run("keep", "restore", "unknown", "out").code == 1


def test_forgetting_says_what_it_did_and_what_not(run: Run) -> None:
    done = run("forget", "0f3c", "--yes")
    assert (done.code, done.out) == (0, FORGOTTEN)
    assert "Its session file is untouched" in done.err
    assert "backscroll forget --undo 0f3c" in done.err
    assert run("forget", "--list").out.split()[-4:] == ["claude_code", "0f3c", "2", "messages"]
    assert json.loads(run("forget", "--list", "--json").out)["forgotten"][0]["session"] == "0f3c"
    assert run("forget", "--undo", "0f3c").code == 0
    assert run("forget", "--undo", "0f3c").code == 1
    assert run("forget", "--list").code == 1


def test_it_asks_first_and_no_is_the_default(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("forget", "0f3c")
    assert (done.code, "--yes" in done.err) == (2, True)
    monkeypatch.setattr("tray_app.cli.keeping.asks", lambda: True)
    for answer, code in ((b"\n", 1), (b"", 1), (b"n\n", 1), (b"y\n", 0)):
        assert run("forget", "0f3c", stdin=answer).code == code
    assert len(engine.gone_for_good) == 1


@pytest.mark.parametrize("given", [(), ("0f3c", "--list"), ("--list", "--undo", "0f3c")])
def test_one_thing_at_a_time(run: Run, given: tuple[str, ...]) -> None:
    assert run("forget", *given).code == 2


def test_a_session_that_is_not_there(run: Run) -> None:
    assert run("forget", "nothing", "--yes").code == 1


def test_marks_in_lists_and_views(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [msgspec.structs.replace(item, gone=True) for item in engine.sessions()]
    monkeypatch.setattr(engine, "sessions", lambda **_: items)
    assert run("sessions").out.count("(source file gone)") == 2
    engine._closing.clear()
    view = msgspec.structs.replace(engine.show("0f3c"), gone=True, archived=True, path="/d/archive/x.zst", cwd_exists=False)
    monkeypatch.setattr(engine, "show", lambda *_, **__: view)
    out = run("show", "0f3c").out
    for words in ("Source file gone", "/d/archive/x.zst", "backscroll keep restore 0f3c FOLDER", "(no longer there)"):
        assert words in out


def test_the_status_says_what_is_gone_and_what_will_be(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    status = engine.status()
    engine._closing.clear()
    told = msgspec.structs.replace(
        status, totals=msgspec.structs.replace(status.totals, gone_sessions=2), vanishing=3, vanishing_first=AT, archive_on=True,
        archived_sessions=4, archive_bytes=5_000, archive_error="Disk full.",
    )  # fmt: skip
    monkeypatch.setattr(engine, "status", lambda *_, **__: told)
    lines = [" ".join(line.split()) for line in run("status").out.splitlines()]
    assert "Only here 2 sessions whose source file is gone" in lines
    assert "Archive 4 sessions, 5.0 KB" in lines
    assert "Not copied Disk full." in lines
    assert any(
        line.startswith("Vanishing Claude Code deletes 3 sessions within five days, the first on 2026-") for line in lines
    )


def test_with_the_real_engine(isolated: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chat = Chat("first")
    path = isolated / ".claude" / "projects" / "-made-up" / f"{make_id('first')}.jsonl"
    write(path, [chat.user("The heron stands in the pond."), chat.answer("Noted.")])
    try:
        assert main(["config", "set", "keep.archive_after_days", "0"]) == 0
        assert main(["index", "--all-sources", "--no-vectors"]) == 0
        assert main(["keep", "now"]) == 0
        assert main(["keep", "restore", make_id("first"), str(tmp_path / "out")]) == 0
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()
        assert main(["forget", make_id("first"), "--yes"]) == 0
        assert main(["index", "--no-vectors"]) in (0, 4)
        assert main(["search", "heron"]) == 1
        assert main(["keep", "restore", make_id("first"), str(tmp_path / "again")]) == 1
        assert main(["forget", "--undo", make_id("first")]) == 0
        assert main(["index", "--no-vectors"]) == 0
        assert main(["search", "heron"]) == 0
    finally:
        capsys.readouterr()
        logs.shutdown()
