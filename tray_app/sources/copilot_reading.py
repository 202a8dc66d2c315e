"""From the events of one Copilot CLI session to its facts, messages and token counts.

Owns what each kind of event means. Finds and opens no file.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tray_app.sources import gemini_words as words
from tray_app.sources.base import Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.gemini_words import text_of
from tray_app.sources.lines import Line
from tray_app.sources.qwen_log import LogReading, Memory

FAMILIES = frozenset(
    {
        *("session", "user", "assistant", "tool", "hook", "system", "subagent", "skill", "abort", "permission", "command"),
        *("commands", "external_tool", "elicitation", "user_input", "exit_plan_mode", "sampling", "mcp", "pending_messages"),
        *("auto_mode_switch", "capabilities", "custom_agents", "plan", "todo", "model", "mcp_server", "background_tasks"),
    }
)
"""What stands before the dot of event kinds that belong to the format, even where they hold nothing for us."""


class Event(msgspec.Struct, rename="camel"):
    type: Any = None
    id: Any = None
    timestamp: Any = None
    agent_id: Any = None
    data: msgspec.Raw = msgspec.Raw()


class Place(msgspec.Struct, rename="camel"):
    cwd: Any = None
    git_root: Any = None
    branch: Any = None


class Data(msgspec.Struct, rename="camel"):
    """The fields that are used, of all kinds together. `transformedContent` is what the program made of a prompt, and is
    never read."""

    session_id: Any = None
    copilot_version: Any = None
    start_time: Any = None
    selected_model: Any = None
    new_model: Any = None
    current_model: Any = None
    chosen_model: Any = None
    model: Any = None
    title: Any = None
    context: msgspec.Raw = msgspec.Raw()
    cwd: Any = None
    branch: Any = None
    content: Any = None
    source: Any = None
    parent_agent_task_id: Any = None
    parent_tool_call_id: Any = None
    message_id: Any = None
    tool_requests: msgspec.Raw = msgspec.Raw()
    reasoning_text: Any = None
    output_tokens: Any = None
    tool_call_id: Any = None
    tool_name: Any = None
    mcp_server_name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()
    summary_content: Any = None
    model_metrics: msgspec.Raw = msgspec.Raw()
    token_details: msgspec.Raw = msgspec.Raw()


class Request(msgspec.Struct, rename="camel"):
    tool_call_id: Any = None
    name: Any = None
    arguments: msgspec.Raw = msgspec.Raw()
    mcp_server_name: Any = None


class Result(msgspec.Struct, rename="camel"):
    content: msgspec.Raw = msgspec.Raw()
    detailed_content: msgspec.Raw = msgspec.Raw()
    message: Any = None


class Spent(msgspec.Struct, rename="camel", gc=False):
    input_tokens: int = -1
    output_tokens: int = -1
    cache_read_tokens: int = -1
    cache_write_tokens: int = -1


class Metrics(msgspec.Struct):
    usage: msgspec.Raw = msgspec.Raw()


class Detail(msgspec.Struct, rename="camel", gc=False):
    token_count: int = -1


class Details(msgspec.Struct):
    input: Detail | None = None
    output: Detail | None = None
    cache_read: Detail | None = None
    cache_write: Detail | None = None


_EVENT = msgspec.json.Decoder(Event)
_DATA = msgspec.json.Decoder(Data)
_PLACE = msgspec.json.Decoder(Place)
_REQUEST = msgspec.json.Decoder(Request)
_RESULT = msgspec.json.Decoder(Result)
_MODELS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_METRICS = msgspec.json.Decoder(Metrics)
_SPENT = msgspec.json.Decoder(Spent)
_DETAILS = msgspec.json.Decoder(Details)


class CopilotMemory(Memory):
    """Beyond what every log needs."""

    counted: dict[str, int] = {}
    """Output tokens by model that messages named since the last sum over all."""
    reasoned: str = ""
    """The last thoughts: they may be written in two events."""


class CopilotReading(LogReading[CopilotMemory]):
    """The events of one file, in the order of the file."""

    has_header = True

    def take(self, line: Line) -> None:
        event = self.records.decode(line, _EVENT)
        if event is None:
            return
        kind, time = text_of(event.type), milliseconds(event.timestamp)
        if kind.partition(".")[0] not in FAMILIES:
            self.unknown.met(event.type)
            return
        self.recognised += 1
        self.at(time)
        act = _ACTS.get(kind)
        if act is None:
            return
        data = words.inner(event.data, _DATA)
        if data is None:
            self.records.skip(line, "bad_record", "not a record of a known shape")
            self.recognised -= 1
            return
        act(self, line, event, data, time)

    # --- the session ------------------------------------------------------------------------------------------------------
    def _start(self, line: Line, event: Event, data: Data, time: int) -> None:
        memory = self.memory
        if not memory.headed and not self.seq:
            memory.session = text_of(data.session_id) or memory.session
            self.bounds.add(milliseconds(data.start_time) or time)
        memory.headed = True
        memory.version = text_of(data.copilot_version) or memory.version
        self._changed(line, event, data, time)

    def _changed(self, line: Line, event: Event, data: Data, time: int) -> None:
        """Start, resumption, another model or folder."""
        memory = self.memory
        chosen = text_of(data.new_model) or text_of(data.selected_model) or text_of(data.chosen_model)
        memory.model = chosen or memory.model
        place = words.inner(data.context, _PLACE) if bytes(data.context) else Place(cwd=data.cwd, branch=data.branch)
        if place is not None:
            memory.cwd = memory.cwd or text_of(place.cwd) or text_of(place.git_root)
            memory.branch = text_of(place.branch) or memory.branch

    def _titled(self, line: Line, event: Event, data: Data, time: int) -> None:
        self.entitle(words.RANK_MODEL, text_of(data.title))

    # --- what was said ----------------------------------------------------------------------------------------------------
    def _user(self, line: Line, event: Event, data: Data, time: int) -> None:
        if text_of(data.source) not in ("", "user"):  # a skill, a command or the program itself
            return
        text = text_of(data.content).strip()
        if words.is_bare_command(text):
            return
        side = any(map(text_of, (event.agent_id, data.parent_agent_task_id, data.parent_tool_call_id)))
        self.say(line, text_of(event.id), "note" if side or words.is_command(text) else "user", text, time)

    def _assistant(self, line: Line, event: Event, data: Data, time: int) -> None:
        memory = self.memory
        model = text_of(data.model)
        memory.model = model or memory.model
        name = text_of(event.id) or text_of(data.message_id) or f"{memory.session}:{line.number}"
        self._thought(line, name, text_of(data.reasoning_text), time)
        self.say(line, name, "assistant", text_of(data.content), time)
        for raw in words.items_of(data.tool_requests):
            request = words.inner(raw, _REQUEST)
            if request is not None:
                server = text_of(request.mcp_server_name)
                self._called(line, text_of(request.tool_call_id), text_of(request.name), server, request.arguments, time)
        spent = data.output_tokens
        if isinstance(spent, int) and not isinstance(spent, bool) and spent > 0:
            model = model or memory.model
            self.count(Usage(key=name, time=time or memory.last, model=model, output=spent))
            memory.counted[model] = memory.counted.get(model, 0) + spent

    def _reasoning(self, line: Line, event: Event, data: Data, time: int) -> None:
        self._thought(line, text_of(event.id) or f"{self.memory.session}:{line.number}", text_of(data.content), time)

    def _thought(self, line: Line, name: str, text: str, time: int) -> None:
        if self.limits.reasoning and text.strip() and text != self.memory.reasoned:
            self.memory.reasoned = text
            self.say(line, f"{name}:thinking", "reasoning", text, time)

    def _summary(self, line: Line, event: Event, data: Data, time: int) -> None:
        self.say(line, text_of(event.id), "summary", text_of(data.summary_content), time)

    # --- tools --------------------------------------------------------------------------------------------------------------
    def _called(self, line: Line, call: str, tool: str, server: str, arguments: msgspec.Raw, time: int) -> None:
        """A tool call: asked for in a message, and told again when it starts, in either order."""
        if call and call in self.memory.calls:
            if words.is_own(tool, server):
                self.memory.calls[call] = ""
            return
        self.call(line, call, tool, arguments, time, server)

    def _started(self, line: Line, event: Event, data: Data, time: int) -> None:
        server = text_of(data.mcp_server_name)
        self._called(line, text_of(data.tool_call_id), text_of(data.tool_name), server, data.arguments, time)

    def _completed(self, line: Line, event: Event, data: Data, time: int) -> None:
        texts = []
        for raw in (data.result, data.error):
            result = words.inner(raw, _RESULT) if bytes(raw).startswith(b"{") else None
            if result is None:
                texts.append(words.string(raw))
            else:
                texts.append(words.plain(words.parts_of(result.content)) or text_of(result.message))
        self.result(line, text_of(data.tool_call_id), text_of(data.tool_name), "\n".join(filter(None, texts)), time)

    # --- tokens -------------------------------------------------------------------------------------------------------------
    def _shutdown(self, line: Line, event: Event, data: Data, time: int) -> None:
        """The sums of one run of the program. Messages have named their answers' tokens: those are taken off."""
        memory = self.memory
        memory.model = text_of(data.current_model) or memory.model
        name = text_of(event.id) or f"{memory.session}:{line.number}"
        sums: dict[str, Spent] = {}
        for model, raw in (words.inner(data.model_metrics, _MODELS) or {}).items():
            metrics = words.inner(raw, _METRICS)
            spent = words.inner(metrics.usage, _SPENT) if metrics is not None else None
            if spent is not None:
                sums[model] = spent
        if not sums:
            spent = _detailed(data.token_details)
            if spent is not None:
                sums[memory.model] = spent
        for model, spent in sums.items():
            named = memory.counted.pop(model, 0) + memory.counted.pop("", 0)
            cached = max(spent.cache_read_tokens, 0) + max(spent.cache_write_tokens, 0)
            self.count(
                Usage(
                    key=f"{name}:{model}",
                    time=time or memory.last,
                    model=model,
                    input=max(spent.input_tokens - cached, 0) if spent.input_tokens >= 0 else -1,
                    output=max(spent.output_tokens - named, 0) if spent.output_tokens >= 0 else -1,
                    cache_read=max(spent.cache_read_tokens, -1),
                    cache_write=max(spent.cache_write_tokens, -1),
                )
            )
        memory.counted = {}


def _detailed(raw: msgspec.Raw) -> Spent | None:
    """The sums as they stand in `tokenDetails`, where they are disjoint already: with the cached tokens put back in."""
    details = words.inner(raw, _DETAILS) if bytes(raw).startswith(b"{") else None
    if details is None or details.input is None:
        return None
    given = (details.input, details.output, details.cache_read, details.cache_write)
    fresh, answer, read, written = (-1 if detail is None else detail.token_count for detail in given)
    return Spent(fresh + max(read, 0) + max(written, 0), answer, read, written)


_ACTS = {
    "session.start": CopilotReading._start,
    "session.resume": CopilotReading._changed,
    "session.context_changed": CopilotReading._changed,
    "session.model_change": CopilotReading._changed,
    "session.auto_mode_resolved": CopilotReading._changed,
    "session.title_changed": CopilotReading._titled,
    "session.compaction_complete": CopilotReading._summary,
    "session.shutdown": CopilotReading._shutdown,
    "user.message": CopilotReading._user,
    "assistant.message": CopilotReading._assistant,
    "assistant.reasoning": CopilotReading._reasoning,
    "tool.user_requested": CopilotReading._started,
    "tool.execution_start": CopilotReading._started,
    "tool.execution_complete": CopilotReading._completed,
}
