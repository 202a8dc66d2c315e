"""`install`, `uninstall` and `hook`: entries of ours in agents' configs, and what their hooks are answered."""

from __future__ import annotations

import argparse
from typing import Any

from tray_app.agents import hook as hooks
from tray_app.agents.install import CLIENTS, Plan, Setup, State, apply, client_of, plan, snippet, state
from tray_app.cli.access import print_json
from tray_app.cli.terminal import say
from tray_app.errors import UsageError
from tray_app.paths import Paths, shorten

DONE = 0
PARTS = {"mcp": "the MCP server", "hook": "the hook", "instructions": "the instructions"}


def hook(arguments: argparse.Namespace) -> int:
    return hooks.main([arguments.agent, arguments.event, *(["--home", arguments.home] if arguments.home else [])])


def install(arguments: argparse.Namespace) -> int:
    if arguments.print:
        return _print(arguments.agent)
    paths = Paths.from_environment()
    if arguments.agent is None:
        if arguments.dry_run or arguments.no_hook or arguments.instructions:
            raise UsageError("usage", "Wrong use", "No agent was named.", f"There are: {', '.join(CLIENTS)}")
        return _list([state(paths, agent) for agent in CLIENTS], as_json=arguments.json)
    planned = plan(paths, arguments.agent, hooks=not arguments.no_hook, instructions=arguments.instructions)
    return _carry_out(paths, planned, arguments)


def _print(agent: str | None) -> int:
    """Raises UsageError `no_such_agent`."""
    client = client_of(agent) if agent else None
    print(snippet(client))
    if client is None:
        say("This is how most clients take an MCP server; the name of the outer field differs in some.")
    else:
        (part,) = client.mcp(Setup.of_this_program(Paths.from_environment()))
        say(f"For {client.name} this belongs into {shorten(part.file)}, beside what is there.")
    return DONE


def uninstall(arguments: argparse.Namespace) -> int:
    paths = Paths.from_environment()
    return _carry_out(paths, plan(paths, arguments.agent, remove=True), arguments)


def _carry_out(paths: Paths, planned: Plan, arguments: argparse.Namespace) -> int:
    """Do it, or (`--dry-run`) show it. Nothing to change is no error."""
    copies = [] if arguments.dry_run or not planned.changes else apply(paths, planned)
    if arguments.json:
        print_json(_as_json(planned, [str(copy) for copy in copies], dry=arguments.dry_run))
        return DONE
    name = planned.client.name
    for line in planned.left:
        say(f"Left as it is: {line}")
    if not planned.changes:
        say(f"{name}: nothing to change.")
    elif arguments.dry_run:
        print("".join(change.diff() for change in planned.changes), end="")
        say(f"{name}: nothing was changed; this is what would be.")
    else:
        done = "taken out" if planned.remove else "put in"
        for change in planned.changes:
            print(f"{name}: {' and '.join(PARTS[label] for label in change.labels)} {done}: {shorten(change.file)}")
        if copies:
            say(f"How it was before is kept in {shorten(copies[0].parent)}")
        for note in planned.notes:
            say(note)
    return DONE


def _as_json(planned: Plan, copies: list[str], *, dry: bool) -> dict[str, Any]:
    changes = [
        {"file": str(change.file), "parts": change.labels, **({"diff": change.diff()} if dry else {})}
        for change in planned.changes
    ]
    return {
        "agent": planned.client.key, "removed": planned.remove, "dry_run": dry, "changes": changes, "copies": copies,
        "left": planned.left, "note": " ".join(planned.notes),
    }  # fmt: skip


def _list(states: list[State], *, as_json: bool) -> int:
    if as_json:
        print_json(
            {
                "agents": [
                    {
                        "agent": one.client.key, "name": one.client.name, "found": one.folder is not None, "mcp": one.mcp,
                        "hook": one.hook, "instructions": one.instructions, "off": list(one.off), "outdated": one.stale,
                        "problem": one.fault.message if one.fault else "",
                    }
                    for one in states
                ]
            }
        )  # fmt: skip
        return DONE
    width = max(len(one.client.key) for one in states)
    for one in states:
        has = [PARTS[label] + (" (switched off there)" if label in one.off else "") for label in one.there]
        said = ", ".join(has) if has else "nothing of ours" if one.folder else "not found here"
        if one.stale:
            said += f"; written for another place of this program, or an older one: backscroll install {one.client.key}"
        print(f"{one.client.key:<{width}}  {said}" + (f" ({one.fault.message})" if one.fault else ""))
    say("To put it in: backscroll install AGENT. For any other client: backscroll install --print")
    return DONE
