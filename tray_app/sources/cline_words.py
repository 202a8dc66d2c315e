"""What stands in a message of Cline's or Roo Code's: the person's words among much that the program put around them.

Owns the typed shapes (only the fields that are used), the marks by which the person's words are known, and how tools that
are written as tags in the model's text are taken apart. Knows nothing of files or earlier messages.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.sources.json_values import decoded, text_of


class Block(msgspec.Struct):
    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    input: msgspec.Raw = msgspec.Raw()
    tool_use_id: Any = None
    content: msgspec.Raw = msgspec.Raw()


class ModelInfo(msgspec.Struct):
    model_id: Any = msgspec.field(default=None, name="modelId")


class Said(msgspec.Struct):
    """A message of the conversation as it is sent to the model."""

    role: Any = None
    content: msgspec.Raw = msgspec.Raw()
    ts: Any = None
    is_summary: Any = msgspec.field(default=None, name="isSummary")
    model_info: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="modelInfo")


class Shown(msgspec.Struct):
    """An entry of what was shown: it has the times that the conversation lacks."""

    ts: Any = None
    type: Any = None
    say: Any = None
    ask: Any = None
    text: Any = None


class Asked(msgspec.Struct):
    """The JSON text of an `api_req_started` entry."""

    tokens_in: Any = msgspec.field(default=None, name="tokensIn")
    tokens_out: Any = msgspec.field(default=None, name="tokensOut")
    cache_reads: Any = msgspec.field(default=None, name="cacheReads")
    cache_writes: Any = msgspec.field(default=None, name="cacheWrites")


class History(msgspec.Struct):
    """A task's entry in the list of tasks, or its own file."""

    id: Any = None
    ts: Any = None
    task: Any = None
    workspace: Any = None
    cwd: Any = msgspec.field(default=None, name="cwdOnTaskInitialization")
    model_id: Any = msgspec.field(default=None, name="modelId")
    parent: Any = msgspec.field(default=None, name="parentTaskId")


class Metadata(msgspec.Struct):
    """task_metadata.json"""

    model_usage: msgspec.Raw = msgspec.Raw()


class ModelUsage(msgspec.Struct):
    model_id: Any = None


class Arguments(msgspec.Struct):
    """Of the tools by which the model speaks to the person."""

    result: Any = None
    response: Any = None
    question: Any = None


CONVERSATION = msgspec.json.Decoder(list[Said])
SHOWN = msgspec.json.Decoder(list[Shown])
ASKED = msgspec.json.Decoder(Asked)
HISTORY = msgspec.json.Decoder(History)
HISTORIES = msgspec.json.Decoder(list[History])
METADATA = msgspec.json.Decoder(Metadata)
MODEL_INFO = msgspec.json.Decoder(ModelInfo)
MODEL_USAGES = msgspec.json.Decoder(list[ModelUsage])
_BLOCKS = msgspec.json.Decoder(list[Block | str])
_TEXT = msgspec.json.Decoder(str)
_ARGUMENTS = msgspec.json.Decoder(Arguments)

SPEAKING = {"attempt_completion": "result", "plan_mode_respond": "response", "ask_followup_question": "question"}
"""Tools whose argument is what the model says to the person."""
TOOLS = (
    *("execute_command", "read_file", "write_to_file", "replace_in_file", "search_files", "list_files", "new_task"),
    *("list_code_definition_names", "browser_action", "use_mcp_tool", "access_mcp_resource", "ask_followup_question"),
    *("attempt_completion", "plan_mode_respond", "apply_diff", "insert_content", "search_and_replace", "switch_mode"),
    *("fetch_instructions", "update_todo_list", "codebase_search", "load_mcp_documentation", "condense", "new_rule"),
    *("web_fetch", "web_search", "report_bug", "run_slash_command", "generate_image", "act_mode_respond", "focus_chain"),
)

_PERSON = re.compile(r"<(task|feedback|user_message|user_feedback|answer)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_FEEDBACK = re.compile(r"feedback[^<]{0,200}<feedback>(.*?)(?:</feedback>|\Z)", re.DOTALL)
_DETAILS = re.compile(
    r"<(environment_details|explicit_instructions|file_content|folder_content|url_content|git_commit|git_working_state"
    r"|terminal_output|workspace_diagnostics)\b[^>]{0,500}>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
_RESULT = re.compile(r"\[(\w+)(?: for '[^\n]*'| to '[^\n]*'| in '[^\n]*')?\] Result:\s*")
_FOLDER = re.compile(r"# Current (?:Working|Workspace) Directory \(([^\n]+?)\) Files")
_TOOL = re.compile(rf"<({'|'.join(TOOLS)})>(.*?)(?:</\1>|\Z)", re.DOTALL)
_ARGUMENT = re.compile(r"<(\w+)>")
_THOUGHT = re.compile(r"<thinking>(.*?)(?:</thinking>|\Z)", re.DOTALL)
_TARGETS = ("path", "file_path")


def blocks_of(raw: msgspec.Raw) -> list[Block]:
    """Content as blocks; a string is one block of text."""
    text = decoded(raw, _TEXT) if bytes(raw).startswith(b'"') else None
    if text is not None:
        return [Block(type="text", text=text)]
    return [Block(type="text", text=one) if isinstance(one, str) else one for one in decoded(raw, _BLOCKS) or []]


def person_words(text: str) -> str:
    """The person's words in a text of the user's: what stands in the marks, and nothing else."""
    found = [match[2].strip() for match in _PERSON.finditer(_DETAILS.sub("", text))]
    return "\n".join(words for words in found if words)


def feedback_in(text: str) -> str:
    """The person's words in the output of a tool: what they said when they refused it or looked at it. Marks that stand
    anywhere else in an output are a file's or a program's."""
    return "\n".join(words.strip() for words in _FEEDBACK.findall(text)).strip()


def folder_in(text: str) -> str:
    """The folder that the details of the surroundings name."""
    found = _FOLDER.search(text)
    return found[1].strip() if found else ""


def result_in(text: str) -> tuple[str, str]:
    """Tool and output of a text that begins as a tool's result; ('', '') for any other. The output may stand in the next."""
    head = _RESULT.match(text)
    return (head[1], text[head.end() :].strip()) if head else ("", "")


def output_words(text: str) -> str:
    """A tool's output without the surroundings that follow it, and without what the person said about it."""
    return _FEEDBACK.sub("feedback", _DETAILS.sub("", text)).strip()


class Piece(msgspec.Struct, frozen=True):
    """A part of the model's text. `kind`: said | thought | call."""

    kind: str
    text: str
    tool: str = ""
    files: tuple[str, ...] = ()


def pieces_of(text: str) -> list[Piece]:
    """The model's text taken apart into what it said, what it thought, and the tools it wrote as tags."""
    pieces: list[Piece] = []
    at = 0
    for match in _TOOL.finditer(text):
        pieces += _spoken(text[at : match.start()])
        at = match.end()
        given = _arguments(match[2])
        tool = match[1]
        if tool in SPEAKING:
            pieces += _spoken(given.pop(SPEAKING[tool], ""))
            continue
        values = [value for name, value in given.items() if name in ("command", "path", "url", "query", "regex")]
        values += [
            f"{name}: {value}" for name, value in given.items() if name not in ("command", "path", "url", "query", "regex")
        ]
        files = tuple(given[name] for name in _TARGETS if given.get(name))
        pieces.append(Piece("call", "\n".join(value for value in values if value) or match[2].strip(), tool, files))
    return pieces + _spoken(text[at:])


def _arguments(text: str) -> dict[str, str]:
    """Arguments of a tool that is written as tags, by name. One that does not end takes the rest; tags inside are content."""
    given: dict[str, str] = {}
    at = 0
    while opened := _ARGUMENT.search(text, at):
        closed = text.find(f"</{opened[1]}>", opened.end())
        given[opened[1]] = text[opened.end() : closed if closed >= 0 else len(text)].strip()
        if closed < 0:
            break
        at = closed + len(opened[1]) + 3
    return given


def _spoken(text: str) -> list[Piece]:
    thoughts = [Piece("thought", thought.strip()) for thought in _THOUGHT.findall(text)]
    return [*thoughts, Piece("said", _THOUGHT.sub("", text).strip())]


def spoken_argument(tool: str, raw: msgspec.Raw) -> str:
    """What the model says to the person by a tool; '' for a tool that does something else."""
    given = decoded(raw, _ARGUMENTS) if tool in SPEAKING else None
    return text_of(getattr(given, SPEAKING[tool])) if given is not None else ""
