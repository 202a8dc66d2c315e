"""Drafts of checkpoints: only what the session says."""

from __future__ import annotations

import msgspec
from told_talk import told

from tray_app.library.session_reading import Told
from tray_app.memory.evidence import Draft, draft_of
from tray_app.memory.plans import Plan, last_plan, list_ahead
from tray_app.memory.session_talk import talk_of
from tray_app.memory.work import steps_of

FIELDS = ("goal", "done", "doing", "next", "files", "open_questions")


def drafted(*parts: tuple[str, ...], folder: str = "/srv/shop", inherited: int = 0) -> Draft:
    return msgspec.structs.replace(draft_of(talk_of(told(*parts, inherited=inherited)), folder), calls=0)


def test_a_whole_english_session() -> None:
    assert drafted(
        ("user", "hello"),
        ("user", "/model opus"),
        ("user", "Add a weekly report to the ledger."),
        ("call", "TodoWrite", 'todos: [{"content":"Query","status":"completed"},{"content":"Page","status":"in_progress"},{"content":"Docs","status":"pending"}]', "Todos have been modified"),
        ("call", "Edit", "/srv/shop/src/report.py", "updated", "/srv/shop/src/report.py"),
        ("call", "Edit", "/srv/shop/src/other.py", "<tool_use_error>no</tool_use_error>", "/srv/shop/src/other.py"),
        ("call", "Bash", "pytest -q", "12 passed"),
        ("assistant", "Added the weekly query in src/report.py. I will write the page next.\nShould weeks begin on Monday?"),
    ) == Draft(
        goal="Add a weekly report to the ledger.",
        done=("Added the weekly query in src/report.py.",),
        doing="Page",
        next=("Docs",),
        files=("src/report.py",),
        open_questions=("Should weeks begin on Monday?",),
        evidence={
            "goal": "first request",
            "done": "answers after Edit, `pytest`",
            "doing": "in progress in TodoWrite",
            "next": "left in TodoWrite",
            "files": "Edit calls",
            "open_questions": "end of the last answer",
        },
    )  # fmt: skip


def test_a_whole_chinese_session() -> None:
    assert drafted(
        ("user", "给记账工具加一个每周汇总报表。"),
        ("call", "write", "src/report.py\ncontent: x", "ok", "src/report.py"),
        ("assistant", "已添加每周汇总报表。\n\n下一步：\n- 写文档\n- 加测试\n\n每周从周一开始吗？"),
    ) == Draft(
        goal="给记账工具加一个每周汇总报表。",
        done=("已添加每周汇总报表。",),
        next=("写文档", "加测试"),
        files=("src/report.py",),
        open_questions=("每周从周一开始吗？",),
        evidence={
            "goal": "最初的请求",
            "done": "回答，依据：write",
            "next": "最后的回答末尾的列表",
            "files": "write 调用",
            "open_questions": "最后的回答末尾",
        },
    )


def test_without_writes_or_tests_nothing_counts_as_done() -> None:
    draft = drafted(("user", "What did we do?"), ("assistant", "Added the parser and fixed the tests, all of it passes."))
    assert draft == Draft(goal="What did we do?", evidence={"goal": "first request"})
    assert not draft.is_worth_review


def test_a_statement_counts_where_it_names_a_file_that_was_written_before() -> None:
    draft = drafted(
        ("user", "Split the parser, please."),
        ("call", "apply_patch", "src/parser.py", "Success", "src/parser.py"),
        ("assistant", "Working on it."),
        ("user", "And now?"),
        ("assistant", "Moved the lexer out of parser.py into its own module. Improved everything else, too."),
    )
    assert draft.done == ("Moved the lexer out of parser.py into its own module.",)
    assert draft.evidence["done"] == "answers after apply_patch"


def test_failed_tests_prove_nothing() -> None:
    draft = drafted(
        ("user", "Fix the flaky test."), ("call", "Bash", "pytest -q", "1 failed"), ("assistant", "Fixed the flaky test now.")
    )
    assert draft.done == ()


def test_a_request_that_nobody_answered() -> None:
    draft = drafted(("user", "Add a report to it."), ("assistant", "Here it is."), ("user", "Now the monthly one as well."))
    assert (draft.doing, draft.evidence["doing"]) == ("Now the monthly one as well.", "last request, not answered")


def test_work_that_broke_off() -> None:
    calls = [("call", "Bash", f"grep -rn word{number} src", "src/a.py:1: x") for number in range(3)]
    talk = talk_of(told(("user", "Find out why it hangs."), ("assistant", "Let me look:"), *calls))
    draft = draft_of(talk)
    assert (draft.doing, draft.evidence["doing"]) == ("Find out why it hangs.", "last request, broken off")
    assert draft.is_worth_review
    assert not draft_of(talk_of(told(("user", "Say hi to me."), ("call", "Bash", "echo hi", "hi")))).is_worth_review


def test_an_answer_that_breaks_off_in_the_middle() -> None:
    assert drafted(("user", "写一个周报"), ("assistant", "先按周聚合流水，")).doing == "写一个周报"


def test_greetings_assents_and_commands_are_no_goal() -> None:
    assert drafted(("user", "hi"), ("user", "/clear"), ("user", "ok"), ("assistant", "Ready.")) == Draft()


def test_a_fork_takes_its_goal_from_before_and_its_work_from_itself() -> None:
    draft = drafted(
        ("user", "Move the queue to PostgreSQL."),
        ("call", "Edit", "old.py", "updated", "old.py"),
        ("assistant", "Moved it over to PostgreSQL."),
        ("user", "continue"),
        ("call", "Edit", "new.py", "updated", "new.py"),
        ("assistant", "Changed the retry policy in new.py."),
        inherited=4,
    )
    assert draft.goal == "Move the queue to PostgreSQL."
    assert draft.evidence["goal"] == "first request of the session it was forked from"
    assert (draft.done, draft.files) == (("Changed the retry policy in new.py.",), ("new.py",))


def test_files_of_subagents_count() -> None:
    helper = steps_of(told(("call", "Write", "/srv/shop/b.py", "created", "/srv/shop/b.py")))
    draft = draft_of(talk_of(told(("user", "Write the module b."), ("assistant", "A helper did."))), "/srv/shop", helper)
    assert (draft.files, draft.evidence["files"]) == (("b.py",), "sub-agent calls")


def test_answered_questions_are_not_open() -> None:
    assert (
        drafted(
            ("user", "Deploy it."), ("assistant", "To which port?"), ("user", "8443"), ("assistant", "It runs.")
        ).open_questions
        == ()
    )


def test_the_plan_of_every_agent() -> None:
    def plan(tool: str, *texts: str, answer: str = "ok") -> Plan | None:
        return last_plan(steps_of(told(*(("call", tool, text, answer) for text in texts))))

    assert plan(
        "update_plan",
        'explanation: why\nplan: [{"step":"a","status":"completed"},{"step":"b","status":"in_progress"},{"step":"c","status":"pending"}]',
    ) == Plan(("b",), ("c",), "update_plan", 0)
    assert plan("SetTodoList", 'todos: [{"title": "甲", "status": "done"}, {"title": "乙", "status": "pending"}]') == Plan(
        (), ("乙",), "SetTodoList", 0
    )
    assert plan("todo_write", '{"todos":[{"content":"a \\"b\\" {c}","status":"pending"}]}') == Plan(
        (), ('a "b" {c}',), "todo_write", 0
    )
    assert plan(
        "TodoWrite",
        'todos: [{"content":"first","status":"completed"},{"conte … nt":"x"},{"content":"last","status":"pending"}]',
    ) == Plan((), ("last",), "TodoWrite", 0)
    assert plan("update_todo_list", "- [x] done\n- [-] now\n- [ ] later") == Plan(("now",), ("later",), "update_todo_list", 0)
    assert plan(
        "TodoWrite", 'todos: [{"content":"a","status":"pending"}]', 'todos: [{"content":"a","status":"completed"}]'
    ) == Plan((), (), "TodoWrite", 2)
    assert plan("TodoRead", "") is None
    assert plan("Bash", "echo") is None  # fmt: skip


def test_tasks_that_are_made_and_changed_one_by_one() -> None:
    steps = steps_of(
        told(
            ("call", "TaskCreate", "Make the page\nsubject: Page", "Task #1 created successfully: Page"),
            ("call", "TaskCreate", "Write it down\nsubject: Docs", "Task #2 created successfully: Docs"),
            ("call", "TaskUpdate", "taskId: 1\nstatus: completed", "Updated task #1 status"),
            ("call", "TaskUpdate", "taskId: 2\nstatus: in_progress", "Updated task #2 status"),
        )
    )
    assert last_plan(steps) == Plan(("Docs",), (), "TaskUpdate", 6)


def test_lists_ahead() -> None:
    assert list_ahead("All fine.\n\n**Next steps:**\n1. Write **docs**\n2. Ship it\n\nThat is all.") == [
        "Write docs",
        "Ship it",
    ]
    assert list_ahead("It works. \nNext: add the retry policy.") == ["add the retry policy."]
    assert list_ahead("## 接下来\n- 写测试") == ["写测试"]
    assert list_ahead("The next thing\n- is odd") == []
    assert list_ahead("") == []
    assert drafted(("user", "Do the release."), ("assistant", "So far:\n- [x] tag\n- [ ] notes")).next == ("notes",)


def test_evidence_for_every_field_and_for_no_other() -> None:
    messages = [Told("1", "user", "", 0, "Build it all.", ()), Told("2", "tool_call", "Write", 0, "a.py", ("a.py",))]
    draft = draft_of(talk_of(messages))
    assert {name for name in FIELDS if getattr(draft, name)} == set(draft.evidence) == {"goal", "files", "doing"}
