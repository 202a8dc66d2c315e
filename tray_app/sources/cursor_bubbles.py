"""What stands in the values of Cursor's editor state: conversations, their messages, and the lists of them.

Owns the typed shapes only (the fields that are used); what they mean is in `cursor_state`.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Tool(msgspec.Struct, rename="camel"):
    name: Any = None
    tool_call_id: Any = None
    raw_args: msgspec.Raw = msgspec.Raw()
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()


class Thought(msgspec.Struct):
    text: Any = None


class Count(msgspec.Struct, rename="camel"):
    input_tokens: Any = None
    output_tokens: Any = None


class Timing(msgspec.Struct, rename="camel"):
    client_start_time: Any = None
    client_rpc_send_time: Any = None


class ModelInfo(msgspec.Struct, rename="camel"):
    model_name: Any = None


class Bubble(msgspec.Struct, rename="camel"):
    """A message. `type` 1 is the person's; the oldest versions say 'user' and 'ai'."""

    type: Any = None
    bubble_id: Any = None
    id: Any = None
    text: Any = None
    raw_text: Any = None
    created_at: Any = None
    is_simulated_msg: Any = None
    timing_info: msgspec.Raw = msgspec.Raw()
    thinking: msgspec.Raw = msgspec.Raw()
    tool_former_data: msgspec.Raw = msgspec.Raw()
    token_count: msgspec.Raw = msgspec.Raw()
    model_info: msgspec.Raw = msgspec.Raw()
    model_type: Any = None


class Heading(msgspec.Struct, rename="camel"):
    bubble_id: Any = None


class Uri(msgspec.Struct):
    fs_path: Any = msgspec.field(default=None, name="fsPath")
    path: Any = None
    external: Any = None


class Workspace(msgspec.Struct):
    uri: Uri | None = None


class Parent(msgspec.Struct, rename="camel"):
    parent_composer_id: Any = None


class Composer(msgspec.Struct, rename="camel"):
    """A conversation, or its entry in the list of heads."""

    composer_id: Any = None
    name: Any = None
    created_at: Any = None
    last_updated_at: Any = None
    is_archived: Any = None
    conversation: msgspec.Raw = msgspec.Raw()
    full_conversation_headers_only: msgspec.Raw = msgspec.Raw()
    model_config: msgspec.Raw = msgspec.Raw()
    workspace_identifier: msgspec.Raw = msgspec.Raw()
    subagent_info: msgspec.Raw = msgspec.Raw()


class Heads(msgspec.Struct, rename="camel"):
    all_composers: list[Composer] = []


class Tab(msgspec.Struct, rename="camel"):
    tab_id: Any = None
    chat_title: Any = None
    last_send_time: Any = None
    bubbles: list[Bubble] = []


class Tabs(msgspec.Struct):
    tabs: list[Tab] = []


class Place(msgspec.Struct):
    """The workspace.json beside a workspace's database."""

    folder: Any = None


class Output(msgspec.Struct):
    """What tools write as their result: JSON in a string, with the text under one of these names."""

    output: Any = None
    contents: Any = None
    content: Any = None
    result: Any = None
    error: Any = None


BUBBLE = msgspec.json.Decoder(Bubble)
BUBBLES = msgspec.json.Decoder(list[Bubble])
HEADINGS = msgspec.json.Decoder(list[Heading])
COMPOSER = msgspec.json.Decoder(Composer)
HEADS = msgspec.json.Decoder(Heads)
TABS = msgspec.json.Decoder(Tabs)
PLACE = msgspec.json.Decoder(Place)
TOOL = msgspec.json.Decoder(Tool)
THOUGHT = msgspec.json.Decoder(Thought)
COUNT = msgspec.json.Decoder(Count)
TIMING = msgspec.json.Decoder(Timing)
MODEL = msgspec.json.Decoder(ModelInfo)
WORKSPACE = msgspec.json.Decoder(Workspace)
PARENT = msgspec.json.Decoder(Parent)


OUTPUT = msgspec.json.Decoder(Output)
