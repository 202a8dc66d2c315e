"""Small tasks of Cline's and Roo Code's shape, made up for tests: what was sent to the model, and what was shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from data.opencode_files import Row, millis

TASK = str(millis(0))
CWD = "/home/u/orchard"
DETAILS = f"<environment_details>\n# Current Time\ndetailsword\n\n# Current Working Directory ({CWD}) Files\nbeds.txt\n</environment_details>"


def text(words: str) -> Row:
    return {"type": "text", "text": words}


def tagged() -> list[Row]:
    """A task in which tools are tags in the model's text."""
    return [
        {"role": "user", "content": [text("<task>\nWhere do the plums go? 李子？\n</task>\n\n<file_content path=\"b\">\n<task>fileword</task>\n</file_content>"), text(DETAILS)]},
        {
            "role": "assistant",
            "content": [text("<thinking>thoughtword</thinking>\nI look.\n<read_file>\n<path>beds.txt</path>\n</read_file>")],
        },
        {"role": "user", "content": [text("[read_file for 'beds.txt'] Result:"), text("south bed: plums <feedback>fileword</feedback>"), text(DETAILS)]},
        {
            "role": "assistant",
            "content": "<use_mcp_tool>\n<server_name>backscroll</server_name>\n<tool_name>search</tool_name>\n</use_mcp_tool>",
        },
        {"role": "user", "content": [text("[use_mcp_tool for 'backscroll'] Result:"), text("recalledword"), text(DETAILS)]},
        {"role": "assistant", "content": [text("<execute_command>\n<command>rm beds.txt</command>\n<requires_approval>true</requires_approval>\n</execute_command>")]},
        {
            "role": "user",
            "content": [
                text("[execute_command for 'rm beds.txt'] Result:"),
                text("The user denied this operation and provided the following feedback:\n<feedback>\nDo not remove it\n</feedback>"),
                text(DETAILS),
            ],
        },
        {"role": "assistant", "content": [text("<ask_followup_question>\n<question>Shall I draw it?</question>\n</ask_followup_question>")]},
        {"role": "user", "content": [text("[ask_followup_question for 'Shall I draw it?'] Result:\n<answer>\nYes, draw it\n</answer>"), text(DETAILS)]},
        {"role": "assistant", "content": [text("<attempt_completion>\n<result>\nIn the south bed.\n</result>\n</attempt_completion>")]},
        {"role": "user", "content": [text("[ERROR] You did not use a tool in your previous response! errorword")]},
        {"role": "user", "content": [text("[TASK RESUMPTION] resumeword\n\nNew instructions for task continuation:\n<user_message>\nAnd the pears?\n</user_message>")]},
    ]  # fmt: skip


TALK = [
    ("user", "Where do the plums go? 李子？"),
    ("assistant", "I look."),
    ("tool_call", "beds.txt"),
    ("tool_result", "south bed: plums <feedback>fileword</feedback>"),
    ("tool_call", "rm beds.txt\nrequires_approval: true"),
    ("tool_result", "The user denied this operation and provided the following feedback"),
    ("user", "Do not remove it"),
    ("assistant", "Shall I draw it?"),
    ("user", "Yes, draw it"),
    ("assistant", "In the south bed."),
    ("user", "And the pears?"),
]


def native() -> list[Row]:
    """A task with tool calls of the model's own kind, as newer versions write it, with times."""
    read = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "beds.txt"}}
    done = {"type": "tool_use", "id": "t2", "name": "attempt_completion", "input": {"result": "In the south bed."}}
    return [
        {"role": "user", "ts": millis(1), "content": [text("<task>\nPlums?\n</task>"), text(DETAILS)]},
        {"role": "assistant", "ts": millis(2), "content": [{"type": "thinking", "thinking": "thoughtword"}, text("I look."), read]},
        {"role": "user", "ts": millis(3), "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [text("south: plums")]}]},
        {"role": "assistant", "ts": millis(4), "content": [done], "modelInfo": {"modelId": "sonnet-9"}},
        {
            "role": "user",
            "ts": millis(5),
            "content": [{"type": "tool_result", "tool_use_id": "t2", "content": "The user has provided feedback on the results.\n<feedback>\nThank you\n</feedback>"}],
        },
        {"role": "assistant", "ts": millis(6), "isSummary": True, "content": "Summary: plums."},
        {"role": "user", "content": [{"type": "image", "source": {}}, {"type": "hologram"}]},
        {"role": "system", "content": "systemword"},
        {"role": "oracle", "content": "oracleword"},
    ]  # fmt: skip


def shown() -> list[Row]:
    def asked(second: int) -> Row:
        counts = {"tokensIn": 120, "tokensOut": 30, "cacheReads": 40, "cacheWrites": 0, "cost": 0.01, "request": "requestword"}
        return {"ts": millis(second), "type": "say", "say": "api_req_started", "text": json.dumps(counts)}

    return [
        {"ts": millis(1), "type": "say", "say": "task", "text": "Where do the plums go? 李子？"},
        asked(2),
        {"ts": millis(3), "type": "ask", "ask": "tool", "text": "{}"},
        asked(4),
        asked(6),
        {"ts": millis(7), "type": "say", "say": "user_feedback", "text": "Do not remove it"},
        asked(8),
        {"ts": millis(9), "type": "say", "say": "user_feedback", "text": "Yes, draw it"},
        asked(10),
    ]


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def task(root: Path, rows: Any, name: str = TASK) -> Path:
    return put(root / "tasks" / name / "api_conversation_history.json", rows)
