"""The text of a session memory."""

from __future__ import annotations

import pytest
from told_talk import told

from tray_app.memory.memories import CONTENT_CHARS
from tray_app.memory.session_talk import talk_of
from tray_app.memory.summary import MOST_CHARS, listed_files, relative, summary_of

ENGLISH = told(
    ("user", "hi"),
    ("assistant", "Hello! What can I do?"),
    ("user", "The invoices endpoint returns 500 when the customer has no address. Fix it."),
    ("call", "Bash", "npm test\nRun the tests", "TypeError: Cannot read properties of undefined (reading 'street')\n1 failing"),
    ("call", "Edit", "/srv/shop/src/invoices.ts\nold_string: a\nnew_string: b", "updated", "/srv/shop/src/invoices.ts"),
    ("call", "Bash", "npm test", "14 passing"),
    ("call", "Bash", "npm run deploy", "Error: connect ECONNREFUSED 10.0.0.7:22"),
    ("assistant", "Fixed the crash in src/invoices.ts; the suite passes."),
    ("user", "Decision: we keep the empty string, never null. Which port did we agree on?"),
    ("assistant", "We agreed on port 8443 for staging."),
    ("user", "ok"),
    ("assistant", "Anything else?"),
)
CHINESE = told(
    ("user", "把记账工具的数据库从 SQLite 换成 DuckDB。"),
    ("call", "Write", "/srv/ledger/src/db.py\ncontent: x", "File created", "/srv/ledger/src/db.py"),
    ("assistant", "已完成迁移，新代码在 src/db.py。"),
    ("user", "金额就用 DECIMAL(18,2)，不要用浮点。"),
    ("assistant", "好的，已经改成 DECIMAL(18,2)。"),
)


def test_an_english_session() -> None:
    assert summary_of(talk_of(ENGLISH), "/srv/shop") == (
        "## First request\n"
        "- The invoices endpoint returns 500 when the customer has no address. Fix it.\n\n"
        "## Last request\n"
        "- Decision: we keep the empty string, never null. Which port did we agree on?\n\n"
        "## Decisions\n"
        "- Decision: we keep the empty string, never null.\n"
        "- We agreed on port 8443 for staging.\n\n"
        "## Files changed\n"
        "- src/invoices.ts\n\n"
        "## Commands that failed and were then fixed\n"
        "- `npm test` — TypeError: Cannot read properties of undefined (reading 'street')\n\n"
        "## Errors\n"
        "- Error: connect ECONNREFUSED 10.0.0.7:22\n\n"
        "## Last answer\n"
        "- Anything else?"
    )


def test_a_chinese_session() -> None:
    assert summary_of(talk_of(CHINESE), "/srv/ledger") == (
        "## 最初的请求\n- 把记账工具的数据库从 SQLite 换成 DuckDB。\n\n"
        "## 最后的请求\n- 金额就用 DECIMAL(18,2)，不要用浮点。\n\n"
        "## 决定\n- 金额就用 DECIMAL(18,2)，不要用浮点。\n\n"
        "## 改动的文件\n- src/db.py\n\n"
        "## 最后的回答\n- 好的，已经改成 DECIMAL(18,2)。"
    )


def test_the_agents_own_summary_stands_whole_and_what_came_after_it_follows() -> None:
    own = "1. Primary request: move the job queue.\n2. Pending: the retry policy.\n" + "x" * 4_000
    wrapped = (
        "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier "
        "portion of the conversation.\n\n<system-reminder>\n<tools>Bash</tools>\n</system-reminder>\n"
        f"{own}\n\nIf you need specific details from before compaction (like exact code), read the full transcript at: /home/x.jsonl\n"
        "Continue the conversation from where it left off without asking the user any further questions."
    )
    messages = told(
        ("user", "Move the job queue to PostgreSQL."),
        ("call", "Write", "old.py\ncontent: x", "created", "old.py"),
        ("summary", "An earlier summary."),
        ("summary", wrapped),
        ("user", "Now add the retry policy."),
        ("assistant", "Added the retry policy."),
    )
    assert summary_of(talk_of(messages)) == (
        f"## Summary by the agent\n{own}\n\n## Last request\n- Now add the retry policy.\n\n"
        "## Files changed\n- old.py\n\n## Last answer\n- Added the retry policy."
    )


def test_a_summary_that_is_none_has_a_bound() -> None:
    text = summary_of(talk_of(told(("summary", "word " * 20_000), ("user", "go on with the parser"))))
    assert len(text) <= CONTENT_CHARS
    assert "…\n\n## Last request\n- go on with the parser" in text


def test_what_is_extracted_has_a_bound_and_loses_the_oldest_of_the_longest_list() -> None:
    parts = [("user", "Let's tidy up all modules.")]
    for number in range(30):
        path = f"/p/{'deep/' * 20}module_{number}.py"
        parts += [
            ("call", "Edit", path, "updated", path),
            ("user", f"Decision: we keep module {number} because {'reasons ' * 20}."),
        ]
    text = summary_of(talk_of(told(*parts)), "/p")
    assert len(text) <= MOST_CHARS
    assert "## First request\n- Let's tidy up all modules." in text
    assert "module_29.py" in text
    assert "module 29" in text
    assert "module_10.py" not in text


def test_nothing_was_said() -> None:
    assert summary_of(talk_of([])) == ""
    assert summary_of(talk_of(told(("assistant", "```\nx\n```")))) == "## Last answer\n- ``` x ```"


def test_files_of_subagents_are_named_and_temporary_ones_are_not() -> None:
    text = summary_of(
        talk_of(told(("user", "Refactor it all."))), "/srv/shop", ["/srv/shop/b.py", "/tmp/x/notes.md", "/srv/shop/b.py"]
    )
    assert text == "## First request\n- Refactor it all.\n\n## Files changed\n- b.py"


@pytest.mark.parametrize(
    ("path", "folder", "shown"),
    [
        ("/srv/shop/src/a.py", "/srv/shop", "src/a.py"),
        ("/srv/shop/src/a.py", "/srv/shop/", "src/a.py"),
        ("/srv/shop2/a.py", "/srv/shop", "/srv/shop2/a.py"),
        ("C:\\Work\\Shop\\src\\a.py", "c:\\work\\shop", "src/a.py"),
        ("./src/../a.py", "/srv/shop", "a.py"),
        ("src/a.py", "", "src/a.py"),
    ],
)
def test_paths_are_told_from_the_projects_folder(path: str, folder: str, shown: str) -> None:
    assert relative(path, folder) == shown


def test_listed_files() -> None:
    assert listed_files(["/p/a.py", " ", "a.py", "/tmp/b.py", "/private/tmp/c", "/dev/null", "/p/tmp/d.py"], "/p") == [
        "a.py",
        "tmp/d.py",
    ]
