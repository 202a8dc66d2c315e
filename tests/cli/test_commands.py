"""What each command prints and how it ends, with the engine double behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_double import AT, RESUME, TEXT, EngineDouble, WindowDouble, connect_double
from outcomes import Run

from tray_app.cli import commands
from tray_app.paths import Paths
from tray_app.records import Answer, SearchRequest, SessionItem

SEARCHED = f"""\
退款 webhook
claude_code · shop · 2026-11-29
  1. 2026-11-29 (yesterday) assistant
     {TEXT}
     also in 1 other place
     {RESUME}

"""


def test_search(run: Run) -> None:
    done = run("search", "webhook")
    assert (done.code, done.out, done.err) == (0, SEARCHED, "")


def test_search_as_json(run: Run) -> None:
    done = run("search", "--json", "webhook", "retry")
    answer = json.loads(done.out)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    assert (answer["found"], answer["verdict"], answer["snapshot"]) == (True, "confident", AT)
    hit = answer["sessions"][0]["hits"][0]
    assert (hit["message_id"], hit["message_ids"], hit["rank"], hit["text"]) == ("m2", ["m1", "m2"], 1, TEXT)


def test_search_options_reach_the_engine(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_NOW", "2026-11-30T08:00:00+08:00")
    options = (
        "--limit 5 --mode words --agent codex --project shop --role user --kind round --session 0f --since 3d --until today"
    )
    run(
        "search", "webhook", *options.split(), "--space", "s", "--exclude-session", "9", "--fresh-first", "--no-dedupe", "again"
    )
    asked = engine.queries[-1]
    assert (asked.query, asked.limit, asked.mode, asked.agent, asked.project) == ("webhook again", 5, "words", "codex", "shop")
    assert (asked.role, asked.kind, asked.session, asked.since, asked.until) == ("user", "round", "0f", "3d", "today")
    assert (asked.space, asked.exclude_session, asked.fresh_first, asked.dedupe) == ("s", "9", True, False)
    assert asked.now == "2026-11-30T08:00:00+08:00"


@pytest.mark.parametrize(
    ("given", "query"),
    [
        (["webhook", "-retry"], "webhook -retry"),
        (["-retry", "--limit", "3", "webhook"], "-retry webhook"),
        (["--limit", "3", "--", "--json", "-x", "--", "y"], "--json -x -- y"),
        (["-5"], "-5"),
        (["-foo bar"], "-foo bar"),
        (["a\udcffb"], "a\ufffdb"),
        (['"exact words"', "agent:codex"], '"exact words" agent:codex'),
        (["-"], "-"),
    ],
)
def test_any_words_are_a_question(run: Run, engine: EngineDouble, given: list[str], query: str) -> None:
    assert run("search", *given).code in (0, 1)
    assert engine.queries[-1].query == query


def test_value_may_begin_with_a_dash(run: Run, engine: EngineDouble) -> None:
    run("search", "--since", "-3d", "webhook")
    assert (engine.queries[-1].since, engine.queries[-1].query) == ("-3d", "webhook")
    assert run("search", "--mode", "-x", "webhook").err.startswith("backscroll: Wrong use: argument --mode: invalid choice: '")


def test_a_subagent_that_is_found_says_so(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = EngineDouble.search

    def helper(engine: EngineDouble, request: SearchRequest) -> Answer:
        answer = plain(engine, request)
        first = msgspec.structs.replace(answer.sessions[0], kind="subagent", parent="77aa", parent_title="Fix the\nflaky test")
        return msgspec.structs.replace(answer, sessions=(first,))

    monkeypatch.setattr(EngineDouble, "search", helper)
    assert '\nclaude_code · shop · sub-agent of "Fix the flaky test" · 2026-11-29\n' in run("search", "webhook").out


def test_search_that_finds_nothing(run: Run) -> None:
    done = run("search", "zebra")
    assert (done.code, done.out, done.err) == (1, "", "Nothing found. Nothing matches.\n")
    assert run("search", "--json", "zebra").code == 1


def test_search_explained(run: Run) -> None:
    done = run("search", "--explain", "webhook")
    assert "     score 0.930 by - · matched webhook\n     message m2\n" in done.out
    assert done.err == f"words: webhook   ignored: -\nanswered by fts (words) in 0 ms; index as of {AT}\n"


def test_first_search_reads_what_is_ticked(run: Run, engine: EngineDouble) -> None:
    engine.indexed = False
    done = run("search", "webhook")
    assert (done.code, done.out) == (0, SEARCHED)
    assert done.err == "Reading your sessions for the first time …\n"
    assert engine.calls == ["search", "sources", "index", "search"]


@pytest.mark.parametrize("command", [["search", "webhook"], ["index"]])
def test_nothing_is_read_before_it_is_ticked(run: Run, engine: EngineDouble, command: list[str]) -> None:
    engine.indexed, engine.ticked = False, set()
    done = run(*command)
    assert done.code == (1 if command[0] == "search" else 3)
    assert done.err.startswith(
        "Nothing is read before you say so. Found: Claude Code (12 sessions), Codex (12 sessions). "
        "To read all of it: backscroll index --all-sources\n"
    )
    assert done.out == ""
    assert "index" not in engine.calls


@pytest.mark.parametrize(("reply", "code", "ticked"), [(b"\n", 0, True), (b"n\n", 1, False), (b"", 1, False)])
def test_first_search_asks_what_to_read(
    run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch, reply: bytes, code: int, ticked: bool
) -> None:
    engine.indexed, engine.ticked = False, set()
    monkeypatch.setattr("tray_app.cli.indexing.asks", lambda: True)
    done = run("search", "webhook", stdin=reply)
    assert done.code == code
    assert done.err.startswith(
        "  Claude Code: 12 sessions, 3.4 MB, /home/a/.claude_code\n  Codex: 12 sessions, 3.4 MB, /home/a/.codex\n"
        "Read these now? Everything stays on this machine. [Y/n] "
    )
    assert engine.ticked == ({"claude_code", "codex"} if ticked else set())
    assert done.out == (SEARCHED if ticked else "")


def test_index_as_json_with_nothing_ticked(run: Run, engine: EngineDouble) -> None:
    engine.ticked = set()
    done = run("index", "--json")
    assert json.loads(done.out)["elapsed_s"] == 0.5
    assert done.err.startswith("Nothing is read before you say so.")


def test_serve(run: Run, engine: EngineDouble, allow_log: Callable[[str], None]) -> None:
    allow_log("ERROR tray_app.cli.searching: a question failed")
    lines = [
        b'{"query":"webhook","now":"2026-11-30T08:00:00Z","limit":3,"mode":"words","extra":1,"agent":null}',
        b"",
        b"not json",
        b"[1]",
        b'{"limit":3}',
        b'{"query":5}',
        b'{"query":"x","limit":0}',
        b'{"query":"x","limit":"many"}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"query":"bug"}',
        b'{"query":"a\\ud800\\u0000 webhook"}',
    ]
    done = run("search", "--serve", stdin=b"\n".join(lines))
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err, len(answers)) == (0, "", 11)
    codes = [answer.get("error", {}).get("code", "") for answer in answers]
    assert codes == ["", *["bad_line"] * 8, "bug", ""]
    assert answers[1]["error"] == {
        "code": "bad_line",
        "title": "Not understood",
        "message": "The line is not JSON.",
        "hint": "",
    }
    assert (engine.queries[0].limit, engine.queries[0].now) == (3, "2026-11-30T08:00:00Z")
    assert engine.queries[-1].query == "a\ufffd\0 webhook"


def test_show(run: Run) -> None:
    done = run("show", "0f")
    assert done.code == 0
    assert done.out == (
        f"退款 webhook\nclaude_code · shop · {day()} to {day()}\n/home/a/shop\n"
        f"\nyou · {day()}  m1\n     Why does it retry?\n     [31mred\n"
        f"\nassistant · {day()}  m2\n     {TEXT}\n\n{RESUME}\n"
    )
    shown = json.loads(run("show", "--json", "0f3c", "--limit", "10").out)
    assert [message["message_id"] for message in shown["messages"]] == ["m1", "m2"]
    assert {"session", "agent", "title", "cwd", "project", "start", "end", "resume_command"} <= set(shown)


def day() -> str:
    from tray_app.cli.reading import local

    return local(AT)


def test_show_of_an_unknown_session(run: Run) -> None:
    done = run("show", "zz")
    assert (done.code, done.out) == (1, "")
    assert done.err == "backscroll: No such session: No session 'zz' is known. See: backscroll sessions\n"


def test_sessions(run: Run) -> None:
    assert run("sessions").out == (
        "2026-11-29  claude_code  shop  退款 webhook        0f3c\n2026-11-29  claude_code  back  Fix the flaky test  77aa\n"
    )
    listed = json.loads(run("sessions", "--json", "--project", "shop").out)
    assert [item["session"] for item in listed["sessions"]] == ["0f3c"]
    assert run("sessions", "--agent", "kimi").code == 1
    assert json.loads(run("sessions", "--json", "--agent", "kimi").out) == {"sessions": []}


def test_subagents_are_listed_under_their_sessions(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = EngineDouble.sessions

    def with_helpers(engine: EngineDouble, *given: Any, **more: Any) -> list[SessionItem]:
        first, second = plain(engine, *given, **more)
        helper, lost = (
            msgspec.structs.replace(second, kind="subagent", session=name, title=f"Read {name}") for name in ("a1", "a2")
        )
        return [msgspec.structs.replace(helper, parent="77aa"), first, second, msgspec.structs.replace(lost, parent="gone")]

    monkeypatch.setattr(EngineDouble, "sessions", with_helpers)
    assert run("sessions").out == (
        "2026-11-29  claude_code  shop  退款 webhook             0f3c\n"
        "2026-11-29  claude_code  back  Fix the flaky test       77aa\n"
        "2026-11-29  claude_code  back       sub-agent: Read a1  a1\n"
        "2026-11-29  claude_code  back  sub-agent: Read a2       a2\n"
    )
    listed = json.loads(run("sessions", "--json").out)["sessions"]
    assert [item["session"] for item in listed] == ["a1", "0f3c", "77aa", "a2"]


def test_index(run: Run, engine: EngineDouble) -> None:
    done = run("index")
    assert (done.code, done.err) == (0, "")
    assert done.out == "2 sessions, 4 messages, 3 passages. Read 900 B in 0.5 s.\n"
    report = json.loads(run("index", "--json", "--all-sources", "--full").out)
    assert set(report) >= {"totals", "sources", "problems", "elapsed_s"}
    assert engine.ticked == {"claude_code", "codex"}


def test_index_that_skipped_something(run: Run, engine: EngineDouble) -> None:
    engine.skipped = 1
    done = run("index")
    assert done.code == 4
    assert done.out.endswith("1 record could not be read.\n  /home/a/x.jsonl:3: cut off\n")
    assert json.loads(run("index", "--json").out)["problems"][0]["kind"] == "bad_json"


def test_records_of_new_kinds_are_counted_and_no_fault() -> None:
    from tray_app.cli.indexing import faults, is_partial
    from tray_app.records import Counters, IndexReport, Problem

    new = Problem(path="/a/x.jsonl", line=0, offset=0, kind="unknown_record", reason="kind 'ledger', 2 times")
    report = IndexReport(totals=Counters(unknown_records=2), sources=(), problems=(new,), elapsed_s=0.1)
    assert (faults(report), is_partial(report)) == ([], False)
    broken = msgspec.structs.replace(new, kind="bad_json")
    assert is_partial(msgspec.structs.replace(report, problems=(new, broken)))


def test_sources(run: Run, engine: EngineDouble) -> None:
    assert run("sources").out == (
        "[x]  claude_code  Claude Code  12 sessions  3.4 MB  idle       /home/a/.claude_code\n"
        "[ ]  codex        Codex        12 sessions  3.4 MB  not read   /home/a/.codex\n"
        "[ ]  dsh          DSH          0 sessions   0 B     not found  /home/a/.dsh\n"
    )
    assert json.loads(run("sources", "--json").out)["sources"][1]["why_off"] == "not_ticked"
    assert run("sources", "enable", "codex").code == 0
    assert engine.ticked == {"claude_code", "codex"}
    assert json.loads(run("sources", "disable", "codex", "--json").out)["sources"][1]["enabled"] is False
    assert json.loads(run("sources", "--json", "enable", "codex").out)["sources"][1]["enabled"] is True
    assert run("sources", "add", "codex", "~/more").code == 0
    assert run("sources", "remove", "codex:/x").code == 0
    assert run("sources", "tick").code == 2


def test_status(run: Run) -> None:
    done = run("status")
    assert done.out.splitlines()[0] == "Index       2 sessions, 4 messages, 3 passages"
    status = json.loads(run("status", "--json").out)
    assert status["totals"]["messages"] == 4
    assert status["owner"]["kind"] == "cli"
    fields = "built_at index_bytes memory_bytes embedding spaces version schema pipeline_version owner totals"
    assert set(fields.split()) <= set(status)
    embedding = "backend model dims vectors missing state sends_text_to_cloud"
    assert set(embedding.split()) <= set(status["embedding"])


def test_doctor(run: Run) -> None:
    said = run("doctor")
    assert said.out == (
        "Needs a look\n  ! Skipped records\n    12 lines.\n    -> backscroll status\n\nIn order\n  ✓ Search extension\n    Loaded.\n"
    )
    assert (said.err, said.code) == ("1 thing needs a look.\n", 0)
    findings = json.loads(run("doctor", "--json").out)["findings"]
    assert [finding["code"] for finding in findings] == ["fts", "skipped"]
    assert {"code", "severity", "title", "detail", "remedy"} <= set(findings[0])


def test_config(run: Run, engine: EngineDouble) -> None:
    assert ["index.days", "0"] in [line.split() for line in run("config").out.splitlines()]
    assert run("config", "set", "index.days", "30").err == "index.days = 30\n"
    assert run("config", "get", "index.days").out == "30\n"
    assert json.loads(run("config", "--json").out)["index.days"] == 30
    assert json.loads(run("config", "get", "index.days", "--json").out) == {"key": "index.days", "value": 30}
    assert run("config", "unset", "index.days").code == 0
    assert run("config", "get", "index.days").out == "0\n"
    assert run("config", "get", "index.dayz").err == (
        "backscroll: No such setting: There is no setting 'index.dayz'. Did you mean index.days?\n"
    )
    assert run("config", "set", "index.days", "-1").code == 2
    assert run("config", "set", "index.days").code == 2
    assert engine.calls == []  # the index was not even opened


def test_config_reaches_the_owner(run: Run) -> None:
    with connect_double("cli") as owner:
        run("config", "set", "index.days", "30")
        assert owner.config()["index.days"] == 30
        run("config", "unset", "index.days")
        assert owner.config()["index.days"] == 0
    assert "days" not in Paths.from_environment().settings_file.read_text()


def test_pause_and_resume(run: Run, engine: EngineDouble) -> None:
    assert run("pause", "--minutes", "5").out == "Indexing: paused.\n"
    assert json.loads(run("resume", "--json").out)["paused"] is False
    assert run("pause", "--minutes", "0").code == 2


def test_controls_with_and_without_a_tray(run: Run, engine: EngineDouble) -> None:
    for command in ("toggle", "show-window", "quit"):
        done = run(command)
        assert done.code == 3
        assert done.err == "backscroll: Not running: Backscroll's tray is not running. Start it with: backscroll\n"
    file = Paths.from_environment().data / "window.txt"
    with connect_double("tray", window=WindowDouble(file)):
        assert [run(command).code for command in ("toggle", "show-window", "", "--background", "quit")] == [0] * 5
        assert run("rebuild").out.startswith("The index is being rebuilt in the background.")
    assert file.read_text() == "toggle\nshow\nshow\nquit\n"
    assert engine.calls == []


def test_rebuild_without_a_tray(run: Run, engine: EngineDouble) -> None:
    assert run("rebuild").out.startswith("2 sessions")
    assert engine.calls == ["index"]


def test_start_without_a_screen_and_a_person(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    done = run()
    assert (done.code, done.out) == (3, "")
    assert "There is no screen here" in done.err
    assert "backscroll search QUESTION" in done.err
    assert engine.calls == []


def test_start_without_a_screen_asks_in_the_terminal(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tray_app.cli.prompt.asks", lambda: True)
    done = run(stdin=b"webhook\nzebra\n\n")
    assert done.code == 0
    assert done.out == "2 sessions, 4 messages, 3 passages. Read 900 B in 0.5 s.\n" + SEARCHED
    assert done.err.endswith("search> search> Nothing found. Nothing matches.\nsearch> ")


@pytest.mark.parametrize("name", sorted(commands.COMMANDS))
def test_every_command_has_help(run: Run, engine: EngineDouble, name: str) -> None:
    done = run(name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"usage: backscroll {name}")
    assert commands.COMMANDS[name].help in " ".join(done.out.split())
    assert f"\n  {name} " in run("--help").out
    assert engine.calls == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["serach"], "There is no command 'serach'. Did you mean search?"),
        (["flaky"], "There is no command 'flaky'. To search: backscroll search flaky"),
        (["--frobnicate"], "There is no command '--frobnicate'. See: backscroll --help"),
        (["search"], "There is no question."),
        (["search", "x", "--limit", "0"], "invalid whole number above 0 value: '0'. See: backscroll search --help"),
        (["search", "x", "--limt", "3"], "unrecognized arguments: --limt 3. See: backscroll search --help"),
        (["show"], "the following arguments are required: SESSION. See: backscroll show --help"),
        (["--background", "x"], "'x' is not known here."),
        (["demo", "--json"], "There is no question."),
    ],
)
def test_wrong_use(run: Run, given: list[str], said: str) -> None:
    done = run(*given)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_bug_is_one_line_and_a_log(run: Run, allow_log: Callable[[str], None]) -> None:
    allow_log("the command failed")
    done = run("search", "bug")
    assert (done.code, done.out) == (3, "")
    log = Paths.from_environment().logs / "cli.log"
    assert done.err.startswith("backscroll: something went wrong inside (ValueError). Details are in ~")
    assert "ValueError: a bug" in log.read_text()
    assert str(Path.home()) not in log.read_text()


def test_interrupted(run: Run, engine: EngineDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: EngineDouble) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(EngineDouble, "doctor", interrupt)
    assert run("doctor").code == 130


def test_faults_of_the_settings_are_told(run: Run) -> None:
    Paths.from_environment().settings_file.write_text("[index]\ndays = 'many'\n")
    assert run("sources", "--json").err == "backscroll: settings: index.days takes a int, not 'many'.\n"
