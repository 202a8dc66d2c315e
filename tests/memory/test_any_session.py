"""Whatever a session holds: telling it never fails, is bounded, and every field of its draft has evidence."""

from __future__ import annotations

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.library.session_reading import Told
from tray_app.memory.evidence import draft_of
from tray_app.memory.memories import CONTENT_CHARS
from tray_app.memory.session_talk import talk_of
from tray_app.memory.summary import summary_of
from tray_app.memory.work import figures_of

FIELDS = ("goal", "done", "doing", "next", "files", "open_questions")
WORDS = st.sampled_from(
    [
        "hi", "continue", "/compact", "Fix the login bug.", "帮我修一下登录。", "We decided to use DuckDB.", "就用 DuckDB。", "Fixed it in a.py.",
        "已修复登录问题。", "All tests pass.", "Next steps:\n- write docs\n- ship", "下一步：\n1. 写文档", "Should I go on?", "要继续吗？", "- [ ] open",
        'todos: [{"content":"x","status":"pending"},{"content":"y","status":"in_progress"}]', "a.py", "npm test", "Exit code 1\nError: boom",
        "12 passed", "*** Begin Patch\n*** Update File: b.py\n*** End Patch", "cat a.py", "```\ncode\n```", "\ud83d", "Error: x", "{[", "subject: z",
        "taskId: 1\nstatus: completed", "x" * 5_000, "\n\n", "# Done:\n- this\n- that",
    ]
)  # fmt: skip
TOOLS = st.sampled_from(
    ["Bash", "Edit", "Read", "TodoWrite", "TaskCreate", "TaskUpdate", "apply_patch", "mcp__x__y", "", "aider"]
)
MESSAGE = st.builds(
    Told,
    native=st.sampled_from(["1", "2", "3", ""]),
    role=st.sampled_from(["user", "assistant", "tool_call", "tool_result", "summary", "note", "reasoning", "other"]),
    tool=TOOLS,
    time=st.integers(0, 2_000_000_000_000),
    text=st.one_of(WORDS, st.lists(WORDS, min_size=1, max_size=4).map("\n".join), st.text(max_size=200)),
    files=st.lists(
        st.one_of(st.sampled_from(["a.py", "/srv/b.py", "C:\\x\\c.py", "/tmp/d", ""]), st.text(max_size=20)), max_size=2
    ).map(tuple),
    inherited=st.booleans(),
)


@given(st.lists(MESSAGE, max_size=14), st.sampled_from(["", "/work", "c:\\x"]))
def test_any_session(messages: list[Told], folder: str) -> None:
    talk = talk_of(messages)
    assert len(summary_of(talk, folder)) <= CONTENT_CHARS
    draft = draft_of(talk, folder)
    assert {name for name in FIELDS if getattr(draft, name)} == set(draft.evidence)
    assert all(draft.evidence.values())
    figures = figures_of(talk.steps)
    assert -1 <= figures.first_write_step < max(len(talk.steps), 1)
    assert 0 <= figures.repeated_reads <= len(talk.steps)


@pytest.mark.parametrize(
    "part",
    ["\n", "\t", "`", "| ", "<system-reminder>\n", "Next: \n", "- [ ] x\n", "*** Update File: ", '{"a":', "use instead of "],
)
@pytest.mark.parametrize("role", ["assistant", "summary", "tool_call", "tool_result"])
def test_no_text_takes_long(part: str, role: str) -> None:
    """The time must grow with the text alone: most of these took minutes with one careless pattern."""

    def work(text: str) -> None:
        messages = [
            Told("1", "user", "", 1, "Fix it now.", ()),
            Told("2", "tool_call", "Bash", 1, "npm test", ()),
            Told("2", role, "Bash", 1, text, ()),
        ]
        talk = talk_of(messages)
        summary_of(talk, "/work")
        draft_of(talk, "/work")

    assert grows_with_length_only(work, part, 500 if role.startswith("tool") else 2_500)
