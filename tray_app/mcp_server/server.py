"""The server on the SDK: the tools, resources and prompts as the protocol has them.

Owns the translation and nothing else. Calls are carried out on threads; a call that is cancelled is answered at once, and what
it began (a pass, an archive) goes on to its end where stopping it would lose work.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

import tray_app
from tray_app.agents.callers import FOLDER
from tray_app.errors import AppError, UsageError
from tray_app.mcp_server import documents
from tray_app.mcp_server.calling import Starter, calling_session, reads_both
from tray_app.mcp_server.catalogue import TOOLS, Outcome, bug, carry_out, failure, near_names, tool_named
from tray_app.mcp_server.link import Link, Workers, log, soon
from tray_app.mcp_server.tool import Tool
from tray_app.paths import Paths
from tray_app.records import Progress
from tray_app.service.protocol import clean

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
MARKDOWN = "text/markdown"
WARM_S = 0.3
"""After the tools were listed, which is the last step of a start: what is heavy is loaded then."""


def make_server(link: Link) -> Server[Any]:
    """A server over whoever answers `link`."""
    handlers = _Handlers(link)
    return Server(
        "backscroll",
        version=tray_app.__version__,
        title="Backscroll",
        description="Search, and hand over, what you and your coding agents said on this machine.",
        instructions=documents.INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )


class _Handlers:
    def __init__(self, link: Link) -> None:
        self._link, self._workers = link, Workers()
        self._starter = Starter(Paths.from_environment().data / FOLDER)
        self._warmed = False

    # --- tools -------------------------------------------------------------------------------------------------------
    async def list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if not self._warmed:
            self._warmed = True
            asyncio.get_running_loop().call_later(WARM_S, self._workers.begin, self._link.warm)
        once = reads_both(_name_of(context))
        return types.ListToolsResult(tools=[described(tool, once=once) for tool in TOOLS.values()])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tool_named(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS, f"There is no tool {str(clean(params.name))[:100]!r}. {near_names(params.name)}"
            )
        client = _name_of(context)
        meta = context.params.get("_meta") if context.params else None
        session = calling_session(meta, os.environ, client, self._starter.session(client))
        steps: asyncio.Queue[Progress] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def report(progress: Progress) -> None:
            soon(loop, lambda: steps.put_nowait(progress))

        telling = asyncio.create_task(_tell(context, steps))
        try:
            outcome = await self._threaded(
                lambda: carry_out(tool, params.arguments, self._link, session=session, report=report)
            )
        finally:
            telling.cancel()
        return answered(outcome, once=reads_both(client))

    # --- resources ---------------------------------------------------------------------------------------------------
    async def list_resources(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        found = await self._asked(lambda: documents.projects(self._link))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=documents.address(one.name, part),
                    name=f"{one.name}/{part}",
                    title=f"{documents.TEMPLATES[part][0]}: {one.name}",
                    description=documents.TEMPLATES[part][1],
                    mime_type=MARKDOWN,
                )
                for one in found
                for part in documents.PARTS
                if part == "pack" or one.has_card
            ]
        )

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=f"{documents.SCHEME}{{name}}/{part}",
                    name=part,
                    title=title,
                    description=text,
                    mime_type=MARKDOWN,
                )
                for part, (title, text) in documents.TEMPLATES.items()
            ]
        )

    async def read_resource(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = await self._asked(lambda: documents.content(self._link, uri))
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)])

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        names: list[str] = []
        if params.argument.name in ("name", "project"):
            begun = str(clean(params.argument.value))[: documents.MOST_CHARS]
            names = await self._asked(lambda: documents.completed(self._link, begun))
        return types.CompleteResult(completion=types.Completion(values=names, total=len(names), has_more=False))

    # --- prompts -----------------------------------------------------------------------------------------------------
    async def list_prompts(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        project = types.PromptArgument(
            name="project", title="Project", description="By default that of the folder this runs in.", required=False
        )
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(name=one.name, title=one.title, description=one.help, arguments=[project])
                for one in documents.PROMPTS
            ]
        )

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        found = next((one for one in documents.PROMPTS if one.name == params.name), None)
        if found is None:
            names = ", ".join(one.name for one in documents.PROMPTS)
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {str(clean(params.name))[:100]!r}. There are: {names}.")
        project = str(clean((params.arguments or {}).get("project", ""))).strip()[:200]
        text = await self._asked(lambda: documents.prompt_text(self._link, found.name, project))
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=found.help, messages=[message])

    # --- threads -----------------------------------------------------------------------------------------------------
    async def _asked(self, ask: Callable[[], T]) -> T:
        """The result of something that is no tool: an error becomes one of the protocol, in words."""

        def run() -> T | MCPError:
            try:
                return ask()
            except AppError as error:
                code = types.INVALID_PARAMS if isinstance(error, UsageError) else types.INTERNAL_ERROR
                return MCPError(code, failure(error).texts[0])
            except Exception as fault:
                log.exception("a resource or prompt failed")
                return MCPError(types.INTERNAL_ERROR, failure(bug(fault)).texts[0])

        result = await self._threaded(run)
        if isinstance(result, MCPError):
            raise result
        return result

    async def _threaded(self, run: Callable[[], T]) -> T:
        """`run` on a thread; cancelled, its result is dropped. It raises nothing."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def job() -> None:
            result = run()
            soon(loop, lambda: None if future.done() else future.set_result(result))

        self._workers.begin(job)
        return await future


async def _tell(context: Context, steps: asyncio.Queue[Progress]) -> None:
    """Send progress on, to who asked for it. It only ever rises, as the protocol wants it."""
    best = 0.0
    while True:
        step = await steps.get()
        done = float(step.done)
        if done > best:
            best = done
            await context.session.report_progress(done, float(step.total) if step.total else None, step.phase)


def _name_of(context: Context) -> str:
    """What the client calls itself, '' where it does not say."""
    client = context.session.client_params
    return client.client_info.name if client is not None else ""


def described(tool: Tool, *, once: bool = False) -> types.Tool:
    """`once`: for an agent that would read the texts and the data, of which it gets the texts, and is promised no data."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.help,
        input_schema=tool.input_schema,
        output_schema=None if once else tool.output_schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )


def answered(outcome: Outcome, *, once: bool = False) -> types.CallToolResult:
    """`once`: without the data."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text) for text in outcome.texts],
        structured_content=None if once else outcome.data,
        is_error=outcome.failed,
    )
