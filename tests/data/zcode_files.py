"""Small session stores of ZCode's shape, made up for tests: request logs with whole histories or added pieces, and the
database, whose messages are marked with who made them. The talk is invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from data.opencode_files import Row, Store, answered, asked, tables, text

SESSION = "sess_0199c0de-1111-7abc-8def-000000000001"
SUBAGENT = "sess_subagent_agent_0199c0de-2222-7abc-8def-000000000002"
CWD = "/home/u/orchard"
SYSTEM = f"You are an agent. sysprompty {'rule ' * 200}\nPrimary working directory: {CWD}\n"
EXTRA = ", task_type text"
USAGE_TABLE = """
create table model_usage (id text primary key, session_id text not null, model_id text not null, status text not null,
    started_at integer not null, input_tokens integer, output_tokens integer, cache_read_input_tokens integer,
    cache_creation_input_tokens integer, computed_total_tokens integer);
"""


def stamp(second: float) -> str:
    return f"2026-05-04T08:{int(second) // 60:02d}:{second % 60:06.3f}Z"


# --- the request log -----------------------------------------------------------------------------------------------------
def said(role: str, words: str) -> Row:
    return {"role": role, "content": words if role == "system" else [{"type": "text", "text": words}]}


def called(words: str, name: str, call: str, given: Row) -> Row:
    """A message of the model with a tool call, as newer versions write it."""
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": words}],
        "toolCalls": [{"id": call, "name": name, "input": given}],
    }


def returned(call: str, name: str, output: str) -> Row:
    return {"role": "tool", "toolCallId": call, "toolName": name, "isError": False, "content": output}


def request(number: int, messages: list[Row], answer: str, **more: Any) -> Row:
    """A request with everything that was sent, and its response. `sent` replaces fields of the request."""
    sent = {"messages": messages, "toolNames": ["Bash", "Read"], **more.pop("sent", {})}
    usage = {"inputTokens": 400, "outputTokens": 12, "cacheReadTokens": 100, "cacheWriteTokens": 0, "totalTokens": 412}
    response = {"text": answer, "reasoningText": "thoughtword", "toolCalls": more.pop("calls", []), "usage": usage}
    row = {
        "type": "model_io",
        "sessionId": SESSION,
        "requestId": f"req_{number}",
        "attempt": 1,
        "turnId": f"turn_{number}",
        "startedAt": stamp(number),
        "completedAt": stamp(number + 0.5),
        "model": {"modelId": "glm-5", "providerId": "zai"},
        "request": sent,
        "response": response,
        "error": None,
    }
    return {**row, **more}


def history(turns: int) -> list[Row]:
    """Requests that each bring the whole history; every second prompt is the same word."""
    rows: list[Row] = []
    told: list[Row] = []
    for number in range(1, turns + 1):
        told.append(said("user", f"prompt {number}" if number % 2 else "continue"))
        rows.append(request(number, [said("system", SYSTEM), *told], f"answer {number}"))
        told.append(said("assistant", f"answer {number}"))
    return rows


def added(turns: int) -> list[Row]:
    """The same talk in requests that each bring only what was added since the last."""
    rows: list[Row] = []
    place = 0
    for number in range(1, turns + 1):
        piece = [said("assistant", f"answer {number - 1}")] if number > 1 else [said("system", SYSTEM)]
        piece.append(said("user", f"prompt {number}" if number % 2 else "continue"))
        kind = "delta" if number > 1 else "full"
        rows.append(request(number, piece, f"answer {number}", sent={"messageOffset": place, "messagesKind": kind}))
        place += len(piece)
    return rows


def expected(turns: int) -> list[tuple[str, str]]:
    talk: list[tuple[str, str]] = []
    for number in range(1, turns + 1):
        talk += [("user", f"prompt {number}" if number % 2 else "continue"), ("assistant", f"answer {number}")]
    return talk


def lines(rows: list[Row]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for row in rows)


def rollout(home: Path, rows: list[Row], session: str = SESSION) -> Path:
    path = home / ".zcode" / "cli" / "rollout" / f"model-io-{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(rows))
    return path


def metadata(home: Path, session: str = SUBAGENT, **more: Any) -> Path:
    path = home / ".zcode" / "cli" / "agents" / SESSION / session.removeprefix("sess_subagent_") / "metadata.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {"childSessionId": session, "parentSessionId": SESSION, "description": "Count the beds", "cwd": CWD, **more}
    path.write_text(json.dumps(facts))
    return path


# --- the database --------------------------------------------------------------------------------------------------------
def marks(kind: str, origin: str, shown: str = "visible", told: str = "visible") -> Row:
    return {"semantics": {"kind": kind, "origin": origin, "uiVisibility": shown, "transcriptVisibility": told}}


PERSON = marks("user_prompt", "real_user")
AGENT = marks("assistant_response", "agent_runtime")


def database(home: Path, sequence: bool = True) -> Store:
    schema = tables(sequence=sequence, updated=False, extra=EXTRA) + USAGE_TABLE
    return Store(home / ".zcode" / "cli" / "db" / "db.sqlite", schema)


def conversation(store: Store) -> None:
    """A prompt and its answer, with all that the program says in the person's name. Times run against the numbers."""
    store.session(SESSION, task_type="interactive", title="Plums", version="0.16.9")
    rows: list[tuple[Row, list[Row]]] = [
        ({**asked(9), **PERSON}, [text("Where do the plums go?\n<system-reminder>reminderword</system-reminder>")]),
        ({**asked(8), **marks("todo_reminder", "agent_runtime", "hidden", "hidden")}, [text("todoword")]),
        ({**asked(8), **marks("background_notification", "system")}, [text("backgroundword")]),
        ({**asked(8), **marks("user_prompt", "real_user", "hidden")}, [text("hiddenword")]),
        ({**asked(8), **PERSON, "synthetic": True}, [text("syntheticword")]),
        ({**asked(8), **PERSON, "visibility": "model-only"}, [text("modelonlyword")]),
        (
            {**answered(7), **AGENT},
            [
                {"type": "thinking", "thinking": "thoughtword"},
                text("I look."),
                {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "cat beds.txt"}},
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "plums"}]},
            ],
        ),
        ({**answered(6), **AGENT}, [text("In the south bed.")]),
        ({**answered(6), **marks("assistant_response", "agent_runtime", "debug")}, [text("debugword")]),
        ({**asked(5), **marks("slash_command", "real_user")}, [text("/water plums")]),
        ({**asked(5), **marks("compact_summary", "agent_runtime", "hidden")}, [text("Summary: plums.")]),
        ({**asked(4)}, [text("<task-notification>taskword</task-notification>"), text("And the pears?")]),
    ]
    for number, (data, parts) in enumerate(rows, 1):
        store.message(f"msg_{number:02d}", 30 - number, data, *parts, session=SESSION, sequence=number)
