"""What the agents' tool calls did."""

from __future__ import annotations

import pytest
from told_talk import told

from tray_app.library.session_reading import Told
from tray_app.memory.work import Figures, changed_files, family_of, fault_line, figures_of, is_test, steps_of


@pytest.mark.parametrize(
    ("tool", "words", "paths", "kind", "found"),
    [
        ("Edit", "src/a.py\nold_string: x\nnew_string: y", ("src/a.py",), "write", ("src/a.py",)),
        ("mcp__files__write_file", "src/a.py\ncontent: x", (), "write", ("src/a.py",)),
        ("apply_patch", "*** Begin Patch\n*** Update File: a.rs\n@@\n*** Add File: b.rs\n+x\n*** End Patch", (), "write", ("a.rs", "b.rs")),
        ("shell", "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.rs\n*** End Patch\nEOF", (), "write", ("a.rs",)),
        ("bash", "cat > notes.md <<'EOF'\nhello\nEOF", (), "write", ("notes.md",)),
        ("bash", "cat <<EOF > notes.md\nhello\nEOF", (), "write", ("notes.md",)),
        ("str_replace_editor", "view\n/repo/a.py", (), "read", ("/repo/a.py",)),
        ("str_replace_editor", "str_replace\n/repo/a.py", ("/repo/a.py",), "write", ("/repo/a.py",)),
        ("Read", "/repo/a.py\noffset: 30", ("/repo/a.py",), "read", ("/repo/a.py",)),
        ("exec_command", "sed -n 1,80p src/main.rs", (), "read", ("src/main.rs",)),
        ("exec_command", "cat src/main.rs | grep fn", (), "shell", ()),
        ("Bash", "npm test\nRun the tests", (), "shell", ()),
        ("TodoWrite", 'todos: [{"content":"x","status":"pending"}]', (), "plan", ()),
        ("update_plan", "plan: []", (), "plan", ()),
        ("WebSearch", "duckdb fts", (), "other", ()),
    ],
)  # fmt: skip
def test_a_call_is_known_by_what_it_does(
    tool: str, words: str, paths: tuple[str, ...], kind: str, found: tuple[str, ...]
) -> None:
    [step] = steps_of(told(("call", tool, words, "ok", *paths)))
    assert (step.kind, step.paths, step.answer, step.failed) == (kind, found, "ok", False)


def test_aider_says_what_it_changed_without_a_call() -> None:
    words = "Applied edit to src/a.py\nApplied edit to src/a.py\nDid not apply edit to src/b.py (--dry-run)"
    assert changed_files(steps_of([Told("1", "tool_result", "aider", 0, words, ())])) == ["src/a.py"]


@pytest.mark.parametrize(
    ("tool", "answer", "failed"),
    [
        ("Bash", "Exit code 1\nFAIL src/a.test.ts", True),
        ("exec_command", "Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nerror: not really", False),
        ("exec_command", "Process exited with code 101\nOutput:\nthread 'main' panicked", True),
        ("bash", "src/a.ts(3,1): error TS2304: Cannot find name 'x'.", True),
        ("bash", "===== 2 failed, 10 passed in 0.3s =====", True),
        ("bash", "===== 12 passed in 0.3s =====", False),
        ("bash", "bash: foo: command not found", True),
        ("bash", "Traceback (most recent call last):\n  File \"a.py\"\nValueError: bad", True),
        ("Edit", "<tool_use_error>File has not been read yet.</tool_use_error>", True),
        ("Edit", "The user doesn't want to proceed with this tool use.", True),
        ("read", "Error: file not found: src/db.py", True),
        ("Read", "    1→raise ValueError('Error: x')", False),
        ("Edit", "The file a.py has been updated.", False),
    ],
)  # fmt: skip
def test_failing_is_read_from_the_answer(tool: str, answer: str, failed: bool) -> None:
    [step] = steps_of(told(("call", tool, "a.py", answer)))
    assert step.failed is failed


def test_answers_find_their_calls_by_id_then_by_tool() -> None:
    messages = [
        Told("c1", "tool_call", "Bash", 0, "npm test", ()),
        Told("c2", "tool_call", "Read", 0, "a.py", ("a.py",)),
        Told("c2", "tool_result", "", 0, "1→x", ()),
        Told("other", "tool_result", "Bash", 0, "12 passed", ()),
        Told("c3", "tool_call", "Bash", 0, "git add .", ()),
    ]
    assert [(step.tool, step.answer) for step in steps_of(messages)] == [("Bash", "12 passed"), ("Read", "1→x"), ("Bash", None)]


@pytest.mark.parametrize(
    ("command", "family"),
    [
        ("cd web && FOO=1 npm run check 2>&1 | tail -5", "npm run check"),
        ("/usr/bin/python3 -m pytest -q tests/a", "pytest"),
        (".venv/bin/pytest -q", "pytest"),
        ("uv run pytest -x", "pytest"),
        ("npx vitest run", "vitest"),
        ("timeout 60 cargo test --all", "cargo test"),
        ("git add . && git commit -m 'x'", "git commit"),
        ("git status", ""),
        ("ls -la\nList files", ""),
        ("cd web\nnpm ci", "npm ci"),
        ("python scripts/seed.py --all", "python scripts/seed.py"),
        ("python -c 'print(1)'", ""),
        ("grep -rn 'a && b' src", ""),
        ("echo 'unclosed", ""),
        ("", ""),
    ],
)
def test_the_family_of_a_command(command: str, family: str) -> None:
    assert family_of(command) == family


def test_which_families_prove_something() -> None:
    assert [name for name in ("npm run check", "pytest", "cargo build", "git commit", "npm ci") if is_test(name)] == [
        "npm run check", "pytest", "cargo build",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("ok\nerror[E0277]: the trait bound\n --> src/a.rs", "error[E0277]: the trait bound"),
        ("Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'x'\n", "KeyError: 'x'"),
        ("┃ a.ts(3,1): error TS2304: no x\nmore", "a.ts(3,1): error TS2304: no x"),
        ("all good", ""),
    ],
)
def test_the_line_that_names_an_error(answer: str, line: str) -> None:
    assert fault_line(answer) == line


def test_figures() -> None:
    steps = steps_of(
        told(
            ("call", "Read", "a.py", "1→x", "a.py"),
            ("call", "Read", "a.py", "1→x", "a.py"),
            ("call", "Read", "b.py\noffset: 10", "10→x", "b.py"),
            ("call", "Read", "b.py\noffset: 90", "90→x", "b.py"),
            ("call", "Edit", "a.py", "<tool_use_error>no</tool_use_error>", "a.py"),
            ("call", "Edit", "a.py", "updated", "a.py"),
            ("call", "Read", "a.py", "1→y", "a.py"),
            ("call", "Read", "a.py\noffset: 3", "3→y", "a.py"),
        )
    )
    assert figures_of(steps) == Figures(first_write_step=5, repeated_reads=2, read_pack=False)
    assert changed_files(steps) == ["a.py"]


@pytest.mark.parametrize(
    ("tool", "words", "read"),
    [
        ("mcp__backscroll__handoff_pack", "project: shop", True),
        ("Bash", "backscroll --json pack shop", True),
        ("handoff_pack", "project: shop", True),
        ("backscroll-handoff_pack", "shop", True),
        ("use_mcp_tool", "server_name: backscroll\ntool_name: handoff_pack", True),
        ("CallMcpTool", "toolName: handoff_pack\nserver: user-backscroll", True),
        ("ReadMcpResourceTool", "server: backscroll\nuri: backscroll://project/shop/pack", True),
        ("read_mcp_resource", '{"uri": "backscroll://project/%E5%BA%97/pack"}', True),
        ("read_mcp_resource", '{"uri": "backscroll://project/shop/card"}', False),
        ("mcp__backscroll__recall", "query: handoff_pack", False),
        ("Write", "notes.md\nbackscroll://project/shop/pack", False),
        ("Bash", "backscroll search pack", False),
        ("Bash", "git pack-refs", False),
    ],
)
def test_whether_the_pack_was_read(tool: str, words: str, read: bool) -> None:
    assert figures_of(steps_of(told(("call", tool, words, "…")))).read_pack is read


def test_a_session_without_calls_has_no_figures() -> None:
    assert figures_of([]) == Figures(-1, 0, read_pack=False)
