"""What the check-up says when an agent's format has moved on."""

from __future__ import annotations

from tray_app.insight.drift import findings
from tray_app.library.drift import Drift, sentence, summed
from tray_app.records import Problem, SourceView

CODEX = SourceView(id="codex", agent="codex", name="Codex", path="/x/.codex", found=True, enabled=True)


def unread(path: str) -> Problem:
    return Problem(path=path, line=0, offset=0, kind="not_recognised", reason="0 of 7 records recognised", agent="codex")


def test_unknown_kinds_are_named() -> None:
    drift = Drift(agent="codex", root="/x/.codex", records=1_203, kinds={"event_msg/new": 1_200, "ledger": 3}, different=4)
    (found,) = findings([drift], [], [CODEX])
    assert (found.code, found.severity) == ("unknown_kinds", "info")
    assert found.title == "1,203 records of Codex are of kinds that are not known"
    assert found.detail.startswith("event_msg/new (1,200), ledger (3) and 2 further kinds. ")
    assert found.remedy == "Update Backscroll. To report it: backscroll doctor --census codex"
    assert found.params["kinds"] == "event_msg/new (1,200), ledger (3) and 2 further kinds"


def test_much_of_a_file_is_a_warning() -> None:
    (found,) = findings([Drift(agent="codex", root="/elsewhere", files=2, records=9)], [], [CODEX])
    assert (found.severity, found.params["agent"], found.params["files"]) == ("warn", "Codex", "2")
    assert found.detail == "They are left out; what is known in the same files is in."


def test_files_that_nothing_came_out_of() -> None:
    found = findings([], [unread("/x/a.jsonl"), unread("/x/b.jsonl")], [CODEX])
    assert [(one.code, one.severity, one.title, one.detail) for one in found] == [
        ("files_not_recognised", "warn", "2 files of Codex not recognised", "/x/a.jsonl: 0 of 7 records recognised.")
    ]
    assert findings([], [], [CODEX]) == []


def test_sentences_and_sums() -> None:
    assert (sentence("a/b", 1), sentence("x", 12)) == ("kind 'a/b', 1 time", "kind 'x', 12 times")
    assert summed({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 5, "c": 4}
