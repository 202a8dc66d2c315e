"""The commands with their arguments and help, and where each is carried out. Imports nothing heavy: `--help` is instant."""

from __future__ import annotations

import argparse

from tray_app.cli.arguments import MARK, Command, Parser, json_option, minutes, no_arguments, positive, space_option
from tray_app.cli.memory_commands import MEMORY_COMMANDS


def parse(name: str, given: list[str]) -> argparse.Namespace:
    """The arguments of a command. Raises UsageError, or SystemExit(0) after printing help."""
    command = COMMANDS[name]
    parser = Parser(prog=f"backscroll {name}", description=command.help, allow_abbrev=False)
    command.arguments(parser)
    if not command.words:
        return parser.parse_args(given)
    parser.add_argument("words", nargs="*", metavar="QUERY", help='the question; -word leaves out, "..." is a phrase')
    at = given.index("--") if "--" in given else len(given)
    options = [MARK + part if part[:1] == "-" and part[:2] != "--" and part not in ("-", "-h") else part for part in given[:at]]
    parsed = parser.parse_intermixed_args(options)
    for key, value in vars(parsed).items():
        if isinstance(value, str):
            setattr(parsed, key, value.removeprefix(MARK))
    parsed.words = [word.removeprefix(MARK) for word in parsed.words] + given[at + 1 :]
    return parsed


def _status(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--space", metavar="S", help="of this space")


def _search(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--serve", action="store_true", help="answer questions given as JSON lines on standard input")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="passages at most (20)")
    parser.add_argument("--mode", choices=("auto", "words", "meaning"), default="auto", help="how to search (auto)")
    parser.add_argument("--agent", metavar="A", help="only this agent: claude_code, codex, dsh, ...")
    parser.add_argument("--project", metavar="P", help="only this project")
    parser.add_argument("--role", metavar="R", help="only what was said by: user, assistant, ...")
    parser.add_argument("--kind", metavar="K", help="only this kind: round, tool, summary, note, reasoning")
    parser.add_argument("--session", metavar="S", help="only in this session")
    parser.add_argument("--since", metavar="D", help="from this day on (2026-11-29, yesterday, 3d)")
    parser.add_argument("--until", metavar="D", help="up to this day")
    space_option(parser)
    parser.add_argument("--exclude-session", metavar="S", help="leave this session out")
    parser.add_argument("--fresh-first", action="store_true", help="newest first")
    parser.add_argument("--no-dedupe", action="store_true", help="show repeated passages each")
    parser.add_argument("--fill", action="store_true", help="fill up with repeated passages when there are fewer than --limit")
    parser.add_argument("--explain", action="store_true", help="say how the question was understood and answered")


def _index(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--all-sources", action="store_true", help="first tick all sources that are found")
    parser.add_argument("--full", action="store_true", help="read every file anew")
    parser.add_argument("--no-vectors", action="store_true", help="leave finding by meaning for later")


def _show(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("session", metavar="SESSION", help="its id, or the beginning of it")
    parser.add_argument("--around", metavar="MESSAGE", help="the message to show in the middle")
    parser.add_argument("--limit", type=positive, default=200, metavar="N", help="messages at most (200)")
    space_option(parser)


def _sessions(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--agent", metavar="A", help="only of this agent")
    parser.add_argument("--project", metavar="P", help="only of this project")
    parser.add_argument("--limit", type=positive, metavar="N", help="sessions at most (all)")
    space_option(parser)


def _topics(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--days", type=positive, default=14, metavar="N", help="of so many days with talk, the newest (14)")
    space_option(parser)


def _sources(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", prog="backscroll sources")
    for name, text in (("enable", "read this source"), ("disable", "stop reading it"), ("remove", "forget an added folder")):
        action = actions.add_parser(name, help=text, description=text)
        action.add_argument("id", metavar="ID", help="as `backscroll sources` shows it")
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")
    action = actions.add_parser("add", help="add a folder", description="add a folder")
    action.add_argument("agent", metavar="AGENT", help="whose sessions are in it")
    action.add_argument("path", metavar="PATH", help="the folder")
    action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Exit code: 0 whatever was found (see the severities), 3 where nobody can open the files."
    json_option(parser)
    parser.add_argument(
        "--census", metavar="AGENT", help="count the kinds and keys in this agent's files, to send with a report"
    )


def _spaces(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", prog="backscroll spaces")
    for name, text, operands in (
        ("add", "make a space of folders", ("name", "folders")),
        ("assign", "give a space further folders", ("name", "folders")),
        ("unassign", "take a folder out of its space", ("folder",)),
        ("rename", "call a space otherwise", ("name", "new")),
        ("remove", "put a space away; its index is kept", ("name",)),
        ("restore", "take a removed space into use again", ("name",)),
    ):
        action = actions.add_parser(name, help=text, description=text)
        for operand in operands:
            many = "+" if operand == "folders" else None
            action.add_argument(operand, metavar=operand.upper().rstrip("S"), nargs=many, help=_OPERANDS[operand])
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")


_OPERANDS = {
    "name": "what it is called",
    "folders": "a folder: sessions in it and below it belong to the space",
    "folder": "as `backscroll spaces` shows it",
    "new": "what it is to be called",
}


def _keep(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", prog="backscroll keep", required=True)
    for name, text in (("status", "say what is kept"), ("now", "copy what is due, now")):
        json_option(actions.add_parser(name, help=text, description=text))
    text = "write the copy of a session's files into a folder"
    action = actions.add_parser("restore", help=text, description=text)
    action.add_argument("session", metavar="SESSION", help="its id, or the beginning of it")
    action.add_argument("folder", metavar="TARGET_FOLDER", help="where to; no agent's folder")
    action.add_argument("--agent", metavar="A", help="whose session it is, if several have that id")
    json_option(action)


def _forget(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("session", metavar="SESSION", nargs="?", help="its id, or the beginning of it")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--list", action="store_true", help="list what was forgotten")
    parser.add_argument("--undo", metavar="SESSION", help="let it come back")
    parser.add_argument("--agent", metavar="A", help="whose session it is, if several have that id")
    space_option(parser)


def _config(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("action", choices=("list", "get", "set", "unset"), nargs="?", default="list", help="what to do (list)")
    parser.add_argument("key", nargs="?", metavar="KEY", help="such as index.days")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="lists are given with commas")


def _pause(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--minutes", type=minutes, metavar="N", help="go on after so many minutes (else: when told)")


def _demo(parser: argparse.ArgumentParser) -> None:
    json_option(parser)


def _install(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("agent", metavar="AGENT", nargs="?", help="claude_code, codex, dsh, ... (default: list them)")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    parser.add_argument("--no-hook", action="store_true", help="the MCP server alone")
    parser.add_argument("--instructions", action="store_true", help="also tell the agent when to use which tool")
    parser.add_argument(
        "--print", action="store_true", help="print the entry, to be added by hand; without AGENT: for any other client"
    )


def _uninstall(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("agent", metavar="AGENT", help="as `backscroll install` lists them")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")


def _hook(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agent", metavar="AGENT", help="claude_code, codex, dsh, gemini_cli, kimi or qwen")
    parser.add_argument("event", metavar="EVENT", help="SessionStart, UserPromptSubmit, ...; its input on standard input")
    parser.add_argument("--home", metavar="DIR", help="in place of BACKSCROLL_HOME")


def _eval(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.add_argument("--sessions", metavar="S.jsonl", help="sessions to write and index (default: the set that comes along)")
    parser.add_argument("--queries", metavar="Q.jsonl", help="questions with the messages that answer them")
    parser.add_argument("--traps", metavar="T.json", help="phrases that must not come back (default: cut from the sessions)")
    parser.add_argument("--mode", choices=("auto", "words", "meaning"), default="auto", help="how to search (auto)")
    parser.add_argument(
        "--backend", choices=("off", "builtin", "fastembed", "ollama", "openai"), help="for meaning (default: as set)"
    )
    parser.add_argument("--model", metavar="M", help="of that back end (default: as set)")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="passages at most (20)")
    parser.add_argument("--first", type=positive, metavar="N", help="only the first N questions")
    parser.add_argument("--floor", action="store_true", help="score plain BM25 beside it")
    parser.add_argument("--home", metavar="DIR", help="an empty folder to work in, which is kept (default: a throw-away one)")


COMMANDS: dict[str, Command] = {
    "search": Command("Search everything you and your agents said.", _search, "searching:search", words=True),
    "show": Command("Show a session's messages.", _show, "reading:show"),
    "sessions": Command("List the known sessions, newest first.", _sessions, "reading:sessions"),
    "topics": Command("Say what each of the last days was about.", _topics, "reading:topics"),
    "index": Command("Read what is new in the ticked sources, and wait for it.", _index, "indexing:index"),
    "rebuild": Command("Throw the index away and read everything anew.", json_option, "indexing:rebuild"),
    "sources": Command("List the sources, tick and untick them, add folders.", _sources, "reports:sources"),
    "spaces": Command("List the isolated libraries, and say which folders belong to them.", _spaces, "spaces:spaces"),
    "keep": Command("Copy session files before their agents delete them, and write copies out.", _keep, "keeping:keep"),
    "forget": Command("Take a session out of the index for good; its file stays.", _forget, "keeping:forget"),
    **MEMORY_COMMANDS,
    "status": Command("Say what is in the index and how it stands.", _status, "reports:status"),
    "doctor": Command("Check everything, and say what to do about it.", _doctor, "check_up:doctor"),
    "install": Command("Put the MCP server and the hook into an agent's config.", _install, "agents:install"),
    "uninstall": Command("Take them out again.", _uninstall, "agents:uninstall"),
    "hook": Command("Answer an agent's hook; installed hooks call it.", _hook, "agents:hook"),
    "config": Command("List, read and change settings.", _config, "reports:config"),
    "toggle": Command("Show or hide the window of the running tray.", no_arguments, "controls:toggle"),
    "show-window": Command("Show the window of the running tray.", no_arguments, "controls:show_window"),
    "pause": Command("Stop indexing for a while.", _pause, "controls:pause"),
    "resume": Command("Go on with indexing.", json_option, "controls:resume"),
    "quit": Command("End the running tray.", no_arguments, "controls:end"),
    "mcp": Command("Serve agents: the MCP server on standard input and output.", no_arguments, "serving:mcp"),
    "demo": Command("Try it on made-up sessions, which are thrown away.", _demo, "demonstration:demo", words=True),
    "eval": Command("Measure how well the search finds, on a set of known questions.", _eval, "evaluating:evaluate"),
}


def overview() -> str:
    """What `backscroll --help` prints."""
    width = max(map(len, COMMANDS))
    rows = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "\n".join(
        [
            "usage: backscroll [--background] | backscroll COMMAND ... | backscroll --version",
            "",
            "Search everything you and your coding agents ever said on this machine.",
            "Without a command: start the tray, or show the window of the running one.",
            "",
            *rows,
            "",
            "Each command has its own --help. Exit codes: 0 done, 1 nothing found, 2 wrong use,",
            "3 not available now, 4 partly done.",
        ]
    )
