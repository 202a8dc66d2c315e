"""Cursor's editor state: the conversations in `state.vscdb`, a table of keys that may hold many gigabytes.

Owns the keys and what their values mean. Values are read by key only; what is listed comes from the index of keys and from
the list of heads, where there is one. The database of one workspace has the folder it belongs to, and the chats of the
oldest versions.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tray_app.sources import cursor_bubbles as shapes
from tray_app.sources import cursor_words as words
from tray_app.sources.base import Limits, NotReady, Reading, Session, Stop, Unit, Usage
from tray_app.sources.claude_times import milliseconds
from tray_app.sources.cursor_store import path_of
from tray_app.sources.json_values import arguments, count_of, decoded, output, plain, text_of
from tray_app.sources.sqlite_files import Database, facts, read_database
from tray_app.sources.talk import BY_MODEL, BY_PROMPT, Talk, one_line

COMPOSER, BUBBLE = "composerData:", "bubbleId:"
HEADS = "composer.composerHeaders"
LOCAL = "composer.composerData"
TABS = "workbench.panel.aichat.view.aichat.chatdata"
TABLE, ITEMS, HEAD_TABLE = "cursorDiskKV", "ItemTable", "composerHeaders"
BUBBLE_BYTES = 1024
"""What a message counts for in a conversation's size, which only has to change when the conversation does."""
VALUE_BYTES = 64 << 20
USER, MODEL = 1, 2


class Listed(msgspec.Struct, frozen=True):
    id: str
    time: int
    size: int
    parent: str = ""
    archived: bool = False


# --- listing -------------------------------------------------------------------------------------------------------------
def composers(database: Database) -> list[Listed]:
    """The conversations in which something was said, with what tells whether one has changed."""
    if not database.has(TABLE, "key", "value"):
        return []
    sizes = {
        str(name): number * BUBBLE_BYTES
        for name, number in database.rows(
            f"select substr(key, 10, instr(substr(key, 10), ':') - 1), count(*) from {TABLE}"
            " where key >= ? and key < ? group by 1",
            BUBBLE,
            BUBBLE[:-1] + ";",
        )
    }
    heads = {text_of(one.composer_id): one for one in _heads(database)}
    listed = []
    keys = database.rows(f"select key from {TABLE} where key >= ? and key < ?", COMPOSER, COMPOSER[:-1] + ";")
    for name in [text_of(row[0]).removeprefix(COMPOSER) for row in keys]:
        head, size = heads.get(name), sizes.get(name, 0)
        if head is None or not size:
            data = _value(database, TABLE, COMPOSER + name)
            whole = decoded(data or b"", shapes.COMPOSER)
            size = size or len(bytes(whole.conversation) if whole is not None else b"") - len(b"[]")
            head = head or whole
        if not name or head is None or size <= 0:
            continue
        time = milliseconds(head.last_updated_at) or milliseconds(head.created_at)
        listed.append(Listed(name, time, size, _parent(head), head.is_archived is True))
    return listed


def _heads(database: Database) -> Iterator[shapes.Composer]:
    if database.has(HEAD_TABLE, "composerId", "lastUpdatedAt", "createdAt"):
        for name, updated, created in database.rows(f"select composerId, lastUpdatedAt, createdAt from {HEAD_TABLE}"):
            yield shapes.Composer(composer_id=name, last_updated_at=updated, created_at=created)
    if database.has(ITEMS, "key", "value"):
        found = decoded(_value(database, ITEMS, HEADS) or b"", shapes.HEADS)
        yield from found.all_composers if found is not None else ()


def tabs(path: Path) -> tuple[Listed, ...]:
    """The chats of the oldest versions in a workspace's database. Raises OSError if it cannot be read."""
    return _known_tabs(path, facts(path))


@functools.lru_cache(maxsize=1024)
def _known_tabs(path: Path, state: object) -> tuple[Listed, ...]:
    def work(database: Database) -> tuple[Listed, ...]:
        return tuple(
            Listed(text_of(tab.tab_id), milliseconds(tab.last_send_time), len(tab.bubbles) * BUBBLE_BYTES)
            for tab in _tabs(database)
            if text_of(tab.tab_id) and tab.bubbles
        )

    try:
        return read_database(path, work)
    except NotReady:
        return ()


def _tabs(database: Database) -> list[shapes.Tab]:
    found = decoded(_value(database, ITEMS, TABS) or b"", shapes.TABS) if database.has(ITEMS, "key", "value") else None
    return found.tabs if found is not None else []


# --- one conversation ----------------------------------------------------------------------------------------------------
def read_composer(unit: Unit, limits: Limits, stop: Stop) -> Reading:
    """One conversation of the editor, always whole."""
    return read_database(unit.path, lambda database: _read_composer(database, unit, limits), stop)


def _read_composer(database: Database, unit: Unit, limits: Limits) -> Reading:
    data = _value(database, TABLE, COMPOSER + unit.session) if database.has(TABLE, "key", "value") else None
    composer = decoded(data or b"", shapes.COMPOSER)
    if composer is None:
        raise NotReady("the conversation is no longer in the database")
    folded = _Fold(unit, limits, parent=_parent(composer))
    folded.size += len(data or b"")
    for name, bubble, size in _bubbles(database, unit.session, composer):
        folded.take(bubble, name, size)
    model = decoded(composer.model_config, shapes.MODEL)
    cwd = _folder(composer) or _folders(unit.path.parent.parent / "workspaceStorage").get(unit.session, "")
    return folded.reading(
        text_of(composer.name),
        cwd,
        text_of(model.model_name) if model is not None else "",
        milliseconds(composer.created_at),
        milliseconds(composer.last_updated_at),
        archived=composer.is_archived is True,
    )


def _bubbles(database: Database, session: str, composer: shapes.Composer) -> Iterator[tuple[str, shapes.Bubble | None, int]]:
    """Id, message and size in the order of the headings; older versions keep messages in the conversation itself."""
    for bubble in decoded(composer.conversation, shapes.BUBBLES) or []:
        yield text_of(bubble.bubble_id), bubble, 0
    for heading in decoded(composer.full_conversation_headers_only, shapes.HEADINGS) or []:
        name = text_of(heading.bubble_id)
        if name:
            data = _value(database, TABLE, f"{BUBBLE}{session}:{name}") or b""
            yield name, decoded(data, shapes.BUBBLE), len(data)


def read_tab(unit: Unit, limits: Limits, stop: Stop) -> Reading:
    """One chat of the oldest versions, from its workspace's database."""

    def work(database: Database) -> Reading:
        tab = next((tab for tab in _tabs(database) if tab.tab_id == unit.session), None)
        if tab is None:
            raise NotReady("the chat is no longer in the database")
        folded = _Fold(unit, limits)
        for bubble in tab.bubbles:
            folded.take(bubble, text_of(bubble.id), 0)
        time = milliseconds(tab.last_send_time)
        return folded.reading(text_of(tab.chat_title), place_of(unit.path.parent), "", 0, time)

    return read_database(unit.path, work, stop)


class _Fold:
    """Takes the messages of one conversation in order; `reading` then gives the result."""

    def __init__(self, unit: Unit, limits: Limits, parent: str = "") -> None:
        self.unit, self.parent = unit, parent or unit.parent
        self.talk = Talk(unit.session, limits, subagent=bool(self.parent))
        self.model = ""
        self.size = self.records = self.recognised = self.unknown = self.skipped = 0

    def take(self, bubble: shapes.Bubble | None, name: str, size: int) -> None:
        self.records += 1
        self.size += size
        if bubble is None:
            self.skipped += 1
            return
        timing = decoded(bubble.timing_info, shapes.TIMING) or shapes.Timing()
        time = (
            milliseconds(bubble.created_at)
            or milliseconds(timing.client_rpc_send_time)
            or milliseconds(timing.client_start_time)
            or self.talk.memory.end
        )
        self.recognised += 1
        text = text_of(bubble.text) or text_of(bubble.raw_text)
        if bubble.type in (USER, "user"):
            if bubble.is_simulated_msg is not True:
                self.talk.say("user", words.person_words(text), time, name=name)
        elif bubble.type in (MODEL, "ai"):
            self._model(bubble, text, name, time)
        else:
            self.recognised -= 1
            self.unknown += 1

    def _model(self, bubble: shapes.Bubble, text: str, name: str, time: int) -> None:
        info = decoded(bubble.model_info, shapes.MODEL)
        self.model = (text_of(info.model_name) if info is not None else text_of(bubble.model_type)) or self.model
        thought = decoded(bubble.thinking, shapes.THOUGHT)
        if thought is not None:
            self.talk.think(text_of(thought.text), time, name=f"{name}:thinking")
        self.talk.say("assistant", words.model_words(text), time, name=name)
        tool = decoded(bubble.tool_former_data, shapes.TOOL)
        if tool is not None and text_of(tool.name):
            given, files = arguments(tool.raw_args)
            if not given:
                given, files = arguments(tool.params)
            call = text_of(tool.tool_call_id) or f"{name}:tool"
            raw = tool.raw_args if bytes(tool.raw_args) else tool.params
            self.talk.call(text_of(tool.name), given, files, time, call=call, given=raw)
            self.talk.result(_result(tool.result), time, call=call, tool=text_of(tool.name))
        count = decoded(bubble.token_count, shapes.COUNT)
        if count is not None and name:
            self.talk.count(Usage(name, time, self.model, count_of(count.input_tokens), count_of(count.output_tokens)))

    def reading(self, title: str, cwd: str, model: str, start: int, end: int, *, archived: bool = False) -> Reading:
        talk, named = self.talk.memory, one_line(title)
        messages = [
            message if message.time else msgspec.structs.replace(message, time=start or end or self.unit.mtime_ns // 1_000_000)
            for message in self.talk.collector.messages()
        ]
        return Reading(
            session=Session(
                id=self.unit.session,
                cwd=cwd,
                title=named or talk.title,
                title_rank=BY_MODEL if named else BY_PROMPT,
                start=talk.start or start or end,
                end=talk.end or end or start,
                model=self.model or model,
                kind="subagent" if self.parent else "main",
                parent=self.parent,
                archived=archived,
            ),
            messages=messages,
            usage=list(self.talk.usage.values()),
            checkpoint=None,
            bytes_read=self.size,
            records=self.records,
            recognised=self.recognised,
            skipped=self.skipped,
            unknown=self.unknown,
            truncated=self.talk.collector.truncated,
        )


def _result(raw: msgspec.Raw) -> str:
    text = plain(raw)
    found = decoded(text.encode("utf-8", "replace"), shapes.OUTPUT) if text.startswith("{") else None
    if found is not None:
        for value in (found.output, found.contents, found.content, found.result, found.error):
            if isinstance(value, str) and value.strip():
                return value
    return text if bytes(raw).startswith(b'"') else output(raw)


def _value(database: Database, table: str, key: str) -> bytes | None:
    """A value by its key; None if there is none, or it is too large."""
    sql = f"select case when length(value) <= ? then cast(value as blob) end from {table} where key = ?"
    row = next(database.rows(sql, VALUE_BYTES, key), None)
    return row[0] if row is not None else None


# --- where a conversation took place -------------------------------------------------------------------------------------
def _parent(composer: shapes.Composer) -> str:
    parent = decoded(composer.subagent_info, shapes.PARENT)
    return text_of(parent.parent_composer_id) if parent is not None else ""


def _folder(composer: shapes.Composer) -> str:
    workspace = decoded(composer.workspace_identifier, shapes.WORKSPACE)
    uri = workspace.uri if workspace is not None else None
    return (text_of(uri.fs_path) or path_of(text_of(uri.external)) or text_of(uri.path)) if uri is not None else ""


def place_of(folder: Path) -> str:
    """The folder that a workspace's storage belongs to, '' if it does not say."""
    try:
        place = decoded((folder / "workspace.json").read_bytes()[:65536], shapes.PLACE)
    except OSError:  # a side file: the conversation is read without it
        return ""
    return path_of(text_of(place.folder)) if place is not None else ""


def _folders(storage: Path) -> dict[str, str]:
    """Folders by conversation, as the workspaces' own databases list them."""
    found: dict[str, str] = {}
    for path in sorted(storage.glob("*/state.vscdb")):
        try:
            for name in _local(path, facts(path)):
                found[name] = place_of(path.parent)
        except OSError:  # one workspace: its conversations are read without their folder
            continue
    return found


@functools.lru_cache(maxsize=1024)
def _local(path: Path, state: object) -> tuple[str, ...]:
    def work(database: Database) -> tuple[str, ...]:
        heads = decoded(_value(database, ITEMS, LOCAL) or b"", shapes.HEADS) if database.has(ITEMS, "key", "value") else None
        return tuple(text_of(one.composer_id) for one in heads.all_composers) if heads is not None else ()

    try:
        return read_database(path, work)
    except NotReady:
        return ()
