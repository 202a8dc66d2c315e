"""Any text an entry is put into: it is found there, nothing else is another, and it comes out again to the byte."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from test_jsonc import blanks, documents, value_of

from tray_app.agents.install.json_parts import Hooks, McpServer, is_hook_command
from tray_app.agents.install.jsonc import Reading, added
from tray_app.agents.install.parts import Part, Refused, Undo
from tray_app.agents.install.program import shell_line
from tray_app.agents.install.text_parts import DshPatch, Instructions
from tray_app.agents.install.toml_parts import HookTable, McpTable

FILE = Path("config")
COMMAND = ["/opt/backscroll", "mcp"]
SERVER = McpServer(FILE, "mcpServers", {"command": COMMAND[0], "args": COMMAND[1:]})
HOOKS = Hooks(FILE, "codex", {event: f"/opt/backscroll hook codex {event}" for event in ("SessionStart", "Stop")})
TABLE = McpTable(FILE, COMMAND, {})
HOOK_TABLE = HookTable(FILE, "kimi", {"Stop": "/opt/backscroll hook kimi Stop"})
PATCH = DshPatch(FILE, COMMAND, {}, Path("/data/hooks.json"))
BLOCK = Instructions(FILE, "# Text\n\nMore.\n")


def there_and_back(part: Part, text: str) -> str:
    """The text with the entry."""
    undo: Undo = {}
    with_ours = part.put(text, undo)
    assert with_ours != text and part.has(with_ours)
    assert part.put(with_ours, dict(undo)) == with_ours
    assert part.take(with_ours, undo) == text
    return with_ours


@given(blanks, documents(), blanks, st.sampled_from(["", "mcpServers", "hooks"]), st.sampled_from([SERVER, HOOKS]))
def test_any_json(before: str, document: str, after: str, holder: str, part: Part) -> None:
    if holder:
        document = f'{{"a": [1], "{holder}" : {document} }}'
    old = value_of(before + document + after)
    new = value_of(there_and_back(part, before + document + after))
    assert {key: value for key, value in new.items() if key not in ("mcpServers", "hooks")} == {
        key: value for key, value in old.items() if key not in ("mcpServers", "hooks")
    }
    for key in ("mcpServers", "hooks"):
        assert all(new[key][name] == value for name, value in old.get(key, {}).items())


@given(blanks, documents(), st.sampled_from(["mcpServers", "other"]), st.booleans())
def test_what_was_put_in_beside_ours_since_stays(before: str, document: str, holder: str, first: bool) -> None:
    """Another program adds its own server, or a member of the file, and ours goes then."""
    text = f'{before}{{"mcpServers": {document}, "other": {{}} }}'
    undo: Undo = {}
    with_ours = SERVER.put(text, undo)
    reading = Reading(with_ours)
    node = reading.at((holder,))
    assert node is not None
    with_both = added(reading, node, "theirs", {"command": "x"})
    if first:  # they write the whole file anew, as programs do
        with_both = json.dumps(value_of(with_both), indent=4)
    after = value_of(SERVER.take(with_both, undo))
    old = value_of(text)
    assert after == {**old, holder: {**old[holder], "theirs": {"command": "x"}}}


FRAGMENTS = (
    "# a comment\n",
    "\n",
    "\n\n",
    "[a]\nx = 1 # one\n",
    "[mcp_servers.other]\ncommand = 'x'\nargs = [\n  ']', # [mcp_servers.backscroll]\n]\n",
    '[b]\ntext = """\n[mcp_servers.backscroll]\n"""\n',
    "[[hooks]]\nevent = 'Stop'\ncommand = 'mine'\n\n# of the hook\n",
    "[c]\nd = { e = [1, 2], f = '#' }\n",
    "[d.'backscroll']\nx = '''\n[[hooks]]'''\n",
)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=6), st.booleans(), st.integers(0, 2), st.sampled_from([TABLE, HOOK_TABLE]))
def test_any_toml(parts: list[str], windows: bool, cut: int, part: Part) -> None:
    text = "".join(parts)
    text = text[: len(text) - cut] if text.endswith("\n" * cut) else text
    text = text.replace("\n", "\r\n") if windows else text
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)
    assert there_and_back(part, text).startswith(text)


YAML = ("# a comment\n", "\n", "- id: a\n  x: !!js a ?? 'b'\n", "- insert:\n    - id: c\n", "- text: |\n    # none\n    - x\n")


@given(st.lists(st.sampled_from(YAML), max_size=6), st.booleans(), st.booleans())
def test_any_patch(parts: list[str], windows: bool, cut: bool) -> None:
    text = "".join(parts).removesuffix("\n" if cut else "")
    text = text.replace("\n", "\r\n") if windows else text
    assert there_and_back(PATCH, text).startswith(text)


@given(st.text(alphabet="# a\n\r\t<!->`中", max_size=60))
def test_any_markdown(text: str) -> None:
    assert there_and_back(BLOCK, text).startswith(text)


@pytest.mark.parametrize("part", [SERVER, HOOKS, TABLE, HOOK_TABLE, PATCH, BLOCK])
@given(text=st.text(max_size=60))
def test_any_text_is_changed_and_changed_back_or_refused(part: Part, text: str) -> None:
    try:
        there_and_back(part, text)
    except Refused as fault:
        assert str(fault)


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (shell_line(["/opt/back scroll/backscroll", "hook", "kimi", "UserPromptSubmit"], windows=False), True),
        (shell_line(["/opt/it's/backscroll", "hook", "kimi", "UserPromptSubmit"], windows=False), True),
        (shell_line(["C:\\Program Files\\Backscroll\\backscroll.exe", "hook", "kimi", "x"], windows=True), True),
        (shell_line(["/usr/bin/python3", "-m", "tray_app.cli.main", "hook", "kimi", "x", "--home", "/d"], windows=False), True),
        ("LANG=C backscroll hook kimi UserPromptSubmit", True),
        ("backscroll hook kimi_next UserPromptSubmit", False),
        ("~/code/backscroll/notify.sh hook kimi", False),
        ("my-backscroll hook kimi", False),
        ("notify hook kimi >> backscroll.log", False),
    ],
)
def test_whose_hook_a_command_is(command: str, ours: bool) -> None:
    assert is_hook_command(command, "kimi") is ours
