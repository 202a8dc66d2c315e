"""The server as an agent meets it: a process of its own, spoken to by the SDK's own client over its pipes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from stdio_world import CLAUDE_ID, CODEX_ID, PROJECT, SPELLED, Asked, Clients, World, words_of

import tray_app

pytestmark = pytest.mark.timeout(600)  # a guard against hanging alone: programs are slow to start on a busy machine

READING = {
    "session_recall", "session_search", "session_recall_status", "session_index_stats", "recall", "memory_recent", "memory_stats",
    "handoff_pack", "handoff_get", "checkpoint_get", "pages_search", "cache_stats", "doctor",
}  # fmt: skip
CHANGING = {
    "session_recall_reindex", "session_recall_config", "remember", "memory_update", "handoff_put", "checkpoint_put",
    "checkpoint_promote", "archive_sessions", "pages_index", "cleanup",
}  # fmt: skip
DESTROYING = {"memory_update", "checkpoint_promote", "cleanup"}


@pytest.fixture(scope="module")
def asked(module_world: World, module_clients: Clients) -> Asked:
    return module_clients.start(module_world)


def test_the_handshake_names_the_server(asked: Asked) -> None:
    client = asked.client
    assert client.protocol_version == "2025-11-25"
    assert client.server_info is not None
    assert (client.server_info.name, client.server_info.title) == ("backscroll", "Backscroll")
    assert client.server_info.version == tray_app.__version__
    assert client.instructions is not None
    assert "session_recall with the person's own words" in client.instructions
    parts = client.server_capabilities.model_dump(exclude_none=True)
    assert set(parts) == {"tools", "resources", "prompts", "completions"}


def test_every_tool_says_what_it_is(asked: Asked) -> None:
    tools = {tool.name: tool for tool in asked.do("list_tools").tools}
    assert set(tools) == READING | CHANGING
    for tool in tools.values():
        assert tool.title
        assert tool.description is not None
        assert len(tool.description) > 40
        assert tool.input_schema["type"] == "object"
        required = set(tool.input_schema.get("required", ()))
        assert required <= set(tool.input_schema["properties"])
        for name, field in tool.input_schema["properties"].items():
            assert field["description"], (tool.name, name)
            assert name not in required or "default" not in field
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"
        assert tool.output_schema["properties"]
        assert "$ref" not in str(tool.input_schema) + str(tool.output_schema)
        assert tool.annotations is not None
        assert tool.annotations.title == tool.title
        assert tool.annotations.read_only_hint is (tool.name in READING)
        assert tool.annotations.destructive_hint is (tool.name in DESTROYING)
        assert tool.annotations.idempotent_hint is not None
        assert tool.annotations.open_world_hint is False


STORY: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("session_recall", {"query": "round the ledger"}, "> The ledger rounds once now, on the invoice.", {"found": True}),
    ("session_recall", {"query": "潮汐表从哪来"}, "> 潮汐表来自港务局的接口。", {"found": True}),
    ("session_recall", {"query": "zebra crossing"}, "Not found (nothing)", {"found": False, "sessions": []}),
    ("session_recall", {"session": CODEX_ID}, "> How many moorings are free?", {"total": 2, "agent": "codex"}),
    ("session_search", {"query": "moorings", "agent": "codex"}, "Engine: fts.", {"engine": "fts", "hits": 1}),
    ("session_recall_status", {}, "2 sessions, 6 messages", {"sessions": 2, "chunks": 3, "embedding": "off"}),
    ("session_recall_reindex", {"force": True}, "Everything was read anew: 2 sessions", {"state": "done", "rebuilt": True}),
    ("session_recall_config", {"patch": {"search.limit": 31}}, "Changed: search.limit = 31", {"changed": {"search.limit": 31}}),
    ("session_index_stats", {}, "codex: 1 session, 1 document", {"documents": 3, "quarantined": 0}),
    ("recall", {"query": "rounding"}, "> The ledger rounds once, on the invoice", {}),
    ("remember", {"kind": "pitfall", "content": "The tide table lacks Sundays."}, "pitfall of harbour", {"id": 3, "created": True}),
    ("remember", {"kind": "pitfall", "content": "The tide table lacks Sundays."}, "Known already", {"id": 3, "duplicate": True}),
    ("memory_update", {"id": 3, "title": "Tides"}, "memory 3, pitfall of harbour", {"title": "Tides", "created": False}),
    ("memory_recent", {"project": SPELLED}, "> 码头网站的标志是蓝色的锚。", {}),
    ("memory_stats", {}, "decision 1, fact 1, pitfall 1", {"missing_vectors": 0, "backend": "off"}),
    ("handoff_pack", {}, "- **Pitfall: Tides:** The tide table lacks Sundays.", {"project": PROJECT, "budget": 2_000}),
    ("handoff_get", {}, "Open the harbour in June", {"id": 1, "state": "active"}),
    ("handoff_put", {"content": "# By hand"}, "of harbour", {"id": 2, "history": [1]}),
    ("checkpoint_put", {"openQuestions": ["Who paints?"]}, "Written: open_questions.", {"project": PROJECT}),
    ("checkpoint_get", {}, "A draft waits", {"project": PROJECT}),
    ("checkpoint_promote", {}, "> Counting the moorings", {"draft": None}),
    ("archive_sessions", {}, "2 are from before archiving began", {"archived": 0, "before_baseline": 2}),
    ("pages_index", {}, "docs/moorings.md · “Moorings” · 3 paragraphs", {"total": 1}),
    ("pages_search", {"query": "outer pier"}, "> A boat longer than twelve metres", {}),
    ("cache_stats", {}, "0 compactions", {"with_pack": 0}),
    ("doctor", {}, "Everything is in order", {}),
    ("cleanup", {}, "tid", {"applied": False, "items": []}),
]  # fmt: skip


def test_every_tool_answers_in_words_and_in_data(asked: Asked) -> None:
    """One day's work. The client checks the data of each answer against the tool's schema."""
    for tool, arguments, words, data in STORY:
        said, told = asked.told(tool, **arguments)
        assert words in said, (tool, said)
        assert {name: told[name] for name in data} == data, tool
    assert {tool for tool, *_ in STORY} == READING | CHANGING


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("session_recall", {}, "No question: Give a query, or a session to read. Like this: query='why not Redis'"),
    ("session_recall", {"query": "x", "days": 0}, "Wrong arguments: days is a whole number from 1 to 36,500, not 0."),
    ("session_recall", {"session": "no such session"}, "No such session: "),
    ("session_search", {}, "Wrong arguments: query is missing: "),
    ("session_search", {"query": "x" * 2_001}, "Wrong arguments: query has at most 2,000 characters, not 2,001. Shorten it."),
    ("session_recall_status", {"space": "Nowhere"}, "No such space: "),
    ("session_recall_reindex", {"force": "perhaps"}, "Wrong arguments: force is true or false, not 'perhaps'."),
    ("session_recall_config", {"patch": {"privacy.on": False}}, "No such setting: "),
    ("session_recall_config", {"patch": [1]}, "Wrong arguments: patch is an object, not a list."),
    ("session_index_stats", {"spaces": "x"}, "Wrong arguments: There is no argument 'spaces'. Did you mean space?"),
    ("recall", {"query": "x", "kinds": ["wisdom"]}, "Wrong arguments: kinds is one of "),
    ("recall", {"query": "x", "limit": 0}, "Wrong arguments: limit is a whole number from 1 to 50, not 0."),
    ("remember", {"content": ["a"]}, "Wrong arguments: content is a text, not a list."),
    ("remember", {"content": "x", "project": "no\x00such"}, ""),
    ("memory_update", {"id": 4_711, "title": "x"}, "No such memory: "),
    ("memory_update", {"id": "one"}, "Wrong arguments: id is a whole number of at least 1, not 'one'."),
    ("memory_recent", {"limit": {}}, "Wrong arguments: limit is a whole number from 1 to 100, not an object."),
    ("memory_stats", {"space": 5}, "No such space: "),
    ("handoff_pack", {"budgetTokens": 1}, "Wrong arguments: budget_tokens is a whole number from 200 to 50,000, not 1."),
    ("handoff_get", {"project": "x" * 201}, "Wrong arguments: project has at most 200 characters, not 201."),
    ("handoff_put", {}, "Wrong arguments: content is missing: "),
    ("checkpoint_put", {}, "Nothing to write: No field was given."),
    ("checkpoint_put", {"next": ["x"] * 201}, "Wrong arguments: next has at most 100 items, not 201."),
    ("checkpoint_get", {"project": "nowhere at all"}, "No such project: "),
    ("checkpoint_promote", {"project": SPELLED}, "No draft: "),
    ("archive_sessions", {"limit": -1}, "Wrong arguments: limit is a whole number from 0 to 1,000, not -1."),
    ("pages_index", {"project": "../../etc"}, "Not a project's name: "),
    ("pages_search", {"query": "   "}, "No question: Give a query."),
    ("cache_stats", {"limit": None, "projekt": "x"}, "Wrong arguments: There is no argument 'projekt'. Did you mean project?"),
    ("doctor", {"fix": True}, "Wrong arguments: There is no argument 'fix'. It takes none."),
    ("cleanup", {"thresholds": {"wings": 2}}, "Not a threshold: 'wings' is none."),
]  # fmt: skip


def test_what_cannot_be_meant_is_refused_in_a_sentence(asked: Asked) -> None:
    for tool, arguments, sentence in WRONG:
        said = asked.refused(tool, **arguments)
        assert said.startswith(sentence), (tool, said)
        assert "\n" not in said
        assert "Traceback" not in said
    assert {tool for tool, *_ in WRONG} == READING | CHANGING


def test_tools_by_other_names(asked: Asked, allow_log: Callable[[str], None]) -> None:
    allow_log("WARNING client: Tool .* not listed by server")
    assert asked.told("sessionRecall", query="moorings", maxSessions=1)[1]["found"] is True
    assert asked.told("memory-stats")[1]["schema"] == 1
    with pytest.raises(MCPError, match=r"There is no tool 'session_recal'\. Did you mean session_recall\?") as refused:
        asked.call("session_recal")
    assert refused.value.error.code == types.INVALID_PARAMS


def test_the_calling_session_is_left_out(asked: Asked) -> None:
    """Which it is, the agent says in its requests."""
    arguments = {"query": "潮汐表从哪里来"}

    def sessions(**more: Any) -> list[str]:
        found = asked.do("call_tool", "session_recall", {**arguments, **more}, meta={"example.org/session_id": CLAUDE_ID})
        return [one["session"] for one in found.structured_content["sessions"]]

    assert CLAUDE_ID not in sessions()
    assert sessions(includeActive=True) == [CLAUDE_ID]


def test_resources_are_the_packs_and_cards(asked: Asked) -> None:
    listed = {str(one.uri): one for one in asked.do("list_resources").resources}
    spelled = "backscroll://project/%E7%A0%81%E5%A4%B4%20%E7%BD%91%E7%AB%99/pack"
    assert set(listed) == {"backscroll://project/harbour/pack", "backscroll://project/harbour/card", spelled}
    assert listed[spelled].title == "Context pack: 码头 网站"
    templates = [one.uri_template for one in asked.do("list_resource_templates").resource_templates]
    assert templates == ["backscroll://project/{name}/pack", "backscroll://project/{name}/card"]
    assert content(asked, spelled).startswith("<!-- backscroll:pack -->\n# 码头 网站\n")
    assert "码头网站的标志是蓝色的锚。" in content(asked, spelled)
    assert content(asked, spelled.replace("/pack", "/card")) == "This project has no card yet.\n"
    assert content(asked, "backscroll://project/HARBOUR/pack") == content(asked, "backscroll://project/harbour/pack")
    assert content(asked, "backscroll://project/harbour/card").startswith("<!-- backscroll:card -->\n# ")


def content(asked: Asked, uri: str) -> str:
    (part,) = asked.do("read_resource", uri).contents
    assert (part.mime_type, str(part.uri)) == ("text/markdown", uri)
    text: str = part.text
    return text


@pytest.mark.parametrize(
    ("uri", "sentence"),
    [
        ("backscroll://project/nowhere/pack", "No such project: "),
        ("backscroll://project/harbour/secrets", "No such resource: 'backscroll://project/harbour/secrets' is none."),
        ("backscroll://project/../../etc/pack", "No such resource: "),
        ("backscroll://project//pack", "No such resource: "),
        ("file:///etc/passwd", "No such resource: "),
        ("backscroll://project/" + "x" * 3_000 + "/pack", "No such resource: "),
    ],
)
def test_what_is_no_resource(asked: Asked, uri: str, sentence: str) -> None:
    with pytest.raises(MCPError) as refused:
        asked.do("read_resource", uri)
    assert refused.value.error.code == types.INVALID_PARAMS
    assert refused.value.error.message.startswith(sentence)


def test_names_are_completed(asked: Asked) -> None:
    template = types.ResourceTemplateReference(type="ref/resource", uri="backscroll://project/{name}/pack")
    prompt = types.PromptReference(type="ref/prompt", name="start_with_the_pack")

    def completed(ref: object, name: str, value: str) -> list[str]:
        values: list[str] = asked.do("complete", ref, {"name": name, "value": value}).completion.values
        return values

    assert completed(template, "name", "HAR") == [PROJECT]
    assert completed(prompt, "project", "码") == [SPELLED]
    assert completed(prompt, "project", "x") == []
    assert completed(prompt, "colour", "") == []


def test_prompts_begin_and_end_a_session(asked: Asked) -> None:
    prompts = {one.name: one for one in asked.do("list_prompts").prompts}
    assert set(prompts) == {"start_with_the_pack", "close_the_session"}
    assert all([(one.name, one.required) for one in prompt.arguments] == [("project", False)] for prompt in prompts.values())
    assert "<!-- backscroll:pack -->\n# harbour\n" in prompted(asked, "start_with_the_pack")
    assert "蓝色的锚" in prompted(asked, "start_with_the_pack", project=SPELLED)
    assert "the project of this folder" in prompted(asked, "close_the_session")
    assert f"project={SPELLED!r}" in prompted(asked, "close_the_session", project=SPELLED)
    for name, arguments, sentence in (
        ("dance", {}, "There is no prompt 'dance'. There are: start_with_the_pack, close_the_session."),
        ("start_with_the_pack", {"project": "nowhere"}, "No such project: "),
    ):
        with pytest.raises(MCPError) as refused:
            asked.do("get_prompt", name, arguments)
        assert refused.value.error.code == types.INVALID_PARAMS
        assert refused.value.error.message.startswith(sentence)


def prompted(asked: Asked, name: str, **arguments: str) -> str:
    (message,) = asked.do("get_prompt", name, arguments).messages
    assert message.role == "user"
    text: str = message.content.text
    return text


def test_a_client_of_the_newest_protocol_is_served_alike(module_world: World, module_clients: Clients) -> None:
    newest = module_clients.start(module_world, mode="auto")
    assert newest.client.protocol_version == "2026-07-28"
    assert {tool.name for tool in newest.do("list_tools").tools} == READING | CHANGING
    assert newest.told("session_recall", query="moorings")[1]["found"] is True
    assert words_of(newest.call("recall")).startswith("Wrong arguments: query is missing")
    assert "# harbour" in content(newest, "backscroll://project/harbour/pack")
