"""Small stores of Cursor's shapes, made up for tests: agent transcripts, a chat of the command line, the editor's state."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from data.opencode_files import Row, millis

SESSION = "0199c0de-1111-4abc-8def-000000000001"
OTHER = "0199c0de-2222-4abc-8def-000000000002"
CHILD = "0199c0de-3333-4abc-8def-000000000003"
CWD = "/home/u/orchard"
SLUG = "home-u-orchard"
CONTEXT = (
    "<user_info>\nOS: infoword\n</user_info>\n<open_and_recently_viewed_files>\nfileword\n</open_and_recently_viewed_files>\n"
)


# --- transcripts ---------------------------------------------------------------------------------------------------------
def line(role: str, *blocks: Row | str) -> Row:
    made = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return {"role": role, "message": {"content": made}}


def query(words: str) -> str:
    return f"{CONTEXT}<user_query>\n{words}\n</user_query>"


def use(name: str, **given: Any) -> Row:
    return {"type": "tool_use", "name": name, "input": given}


def talk() -> list[Row]:
    return [
        line("user", query("Where do the plums go? 李子？")),
        line("assistant", {"type": "thinking", "thinking": "thoughtword"}, "I look.", use("Shell", command="cat beds.txt")),
        line("user", {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "south bed: plums"}]}),
        line("assistant", "[REDACTED]", use("mcp_backscroll_search", query="plums")),
        line("user", "<system_reminder>reminderword</system_reminder>"),
        {"type": "turn_ended", "status": "success"},
        line("assistant", "In the south bed.\n[REDACTED]"),
        line("user", "And the pears?"),
        line("assistant", {"type": "custom_block", "text": "customword"}),
        {"type": "novelty"},
    ]


TALK = [
    ("user", "Where do the plums go? 李子？"),
    ("assistant", "I look."),
    ("tool_call", "cat beds.txt"),
    ("tool_result", "south bed: plums"),
    ("assistant", "In the south bed."),
    ("user", "And the pears?"),
]

TEXT = """user:
<user_info>infoword</user_info>
<user_query>
Where do the plums go?
assistant:
that line was quoted
</user_query>

assistant:
[Thinking] thoughtword
more thought

I look.
[Tool call] Shell
  command: cat beds.txt

[Tool result] Shell
south bed: plums

A:
In the south bed.

user:
And the [Tool call] pears?
"""


def transcript(root: Path, rows: list[Row] | str, *names: str) -> Path:
    """Below the project's folder of transcripts; the names are folders and the file."""
    path = root / "projects" / SLUG / "agent-transcripts" / Path(*names or (SESSION, f"{SESSION}.jsonl"))
    path.parent.mkdir(parents=True, exist_ok=True)
    text = rows if isinstance(rows, str) else "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


# --- the command line's chats --------------------------------------------------------------------------------------------
def varint(value: int) -> bytes:
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def messages() -> list[Row]:
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "Shell", "args": {"command": "cat beds.txt"}}
    result = {"type": "tool-result", "toolCallId": "c1", "toolName": "Shell", "result": "south bed: plums"}
    return [
        {"role": "system", "content": "systemword"},
        {"role": "user", "content": "<user_info>infoword</user_info>"},
        {"role": "user", "content": [{"type": "text", "text": query("Where do the plums go?")}]},
        {"role": "assistant", "id": "1", "content": [{"type": "reasoning", "text": "thoughtword"}, call]},
        {"role": "tool", "id": "c1", "content": [result]},
        {"role": "assistant", "content": "In the south bed."},
        {"role": "user", "content": query("continue")},
        {"role": "user", "content": query("continue")},
    ]


STORE_TALK = [
    ("user", "Where do the plums go?"),
    ("tool_call", "cat beds.txt"),
    ("tool_result", "south bed: plums"),
    ("assistant", "In the south bed."),
    ("user", "continue"),
    ("user", "continue"),
]


def chat(root: Path, rows: list[Row], session: str = SESSION, *, name: str = "Plums", listed: bool = True) -> Path:
    """A chat's database; without a list of its messages where the root is not `listed`."""
    path = root / "chats" / "0123456789abcdef" / session / "store.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = off")
    connection.execute("create table blobs (id text primary key, data blob)")
    connection.execute("create table meta (key text primary key, value text)")
    names = []
    for row in rows:
        data = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")
        names.append(hashlib.sha256(data).digest())
        connection.execute("insert or ignore into blobs values (?, ?)", (names[-1].hex(), data))
    head = b"".join(field(1, name) for name in names) + varint(5 << 3) + varint(300) + field(9, f"file://{CWD}".encode())
    head = head if listed else b"\x0b\xff" + head
    top = hashlib.sha256(head).hexdigest()
    connection.execute("insert into blobs values (?, ?)", (top, head))
    meta = {"agentId": session, "latestRootBlobId": top, "name": name, "createdAt": millis(0), "lastUsedModel": "sonnet-9"}
    connection.execute("insert into meta values ('0', ?)", (json.dumps(meta).encode().hex(),))
    connection.commit()
    connection.close()
    return path


# --- the editor's state --------------------------------------------------------------------------------------------------
class State:
    """A table of keys, as the editor keeps it."""

    def __init__(self, path: Path, journal: str = "delete") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute(f"pragma journal_mode = {journal}")
        self.connection.execute("pragma synchronous = off")
        for table in ("ItemTable", "cursorDiskKV"):
            self.connection.execute(f"create table {table} (key text unique on conflict replace, value blob)")

    def __enter__(self) -> State:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def put(self, key: str, value: Any, table: str = "cursorDiskKV") -> None:
        made = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.connection.execute(f"insert into {table} values (?, ?)", (key, made))

    def composer(self, session: str, bubbles: list[Row], second: int = 9, **more: Any) -> None:
        headings = [{"bubbleId": bubble["bubbleId"], "type": bubble["type"]} for bubble in bubbles]
        facts = {"composerId": session, "name": "Plums", "createdAt": millis(0), "lastUpdatedAt": millis(second)}
        place = {"workspaceIdentifier": {"id": "w", "uri": {"fsPath": CWD, "path": CWD, "scheme": "file"}}}
        self.put(f"composerData:{session}", {**facts, "fullConversationHeadersOnly": headings, **place, **more})
        for bubble in bubbles:
            self.put(f"bubbleId:{session}:{bubble['bubbleId']}", bubble)


def bubble(name: str, kind: int, words: str, second: int, **more: Any) -> Row:
    return {"_v": 3, "bubbleId": name, "type": kind, "text": words, "createdAt": f"2026-05-04T08:00:{second:02d}.000Z", **more}


def bubbles() -> list[Row]:
    tool = {
        "name": "run_terminal_cmd",
        "toolCallId": "c1",
        "rawArgs": '{"command": "cat beds.txt"}',
        "result": '{"output": "south bed: plums", "rejected": false}',
        "status": "completed",
    }
    recall = {"name": "mcp_backscroll_search", "toolCallId": "c2", "rawArgs": "{}", "result": "recalledword"}
    count = {"inputTokens": 120, "outputTokens": 30}
    return [
        bubble("b1", 1, "Where do the plums go? 李子？", 1, context={"fileSelections": ["contextword"]}),
        bubble("b2", 2, "", 2, thinking={"text": "thoughtword"}),
        bubble("b3", 2, "I look.", 3, toolFormerData=tool, modelInfo={"modelName": "sonnet-9"}, tokenCount=count),
        bubble("b4", 2, "", 4, toolFormerData=recall),
        bubble("b5", 2, "In the south bed.", 5, tokenCount={"inputTokens": 0, "outputTokens": 0}),
        bubble("b6", 1, "simulatedword", 6, isSimulatedMsg=True),
        bubble("b7", 1, "And the pears?", 7),
    ]
