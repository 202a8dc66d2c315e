"""The commands of memory and hand-over with their arguments. Imports nothing heavy: `--help` is instant."""

from __future__ import annotations

import argparse

from tray_app.cli.arguments import Command, json_option, positive, space_option

JSON = "print one JSON object"
HERE = "which project (default: that of the current folder)"
TEXTS = ("baseline", "goal", "doing")
LISTS = ("done", "next", "files", "open_questions")
FIELD_HELP = {
    "baseline": "what holds for the whole project",
    "goal": "what is to be reached",
    "done": "what is done; repeat it for several",
    "doing": "what is under way",
    "next": "what comes next; repeat it for several",
    "files": "a file that matters; repeat it for several",
    "open_questions": "what is still to be decided; repeat it for several",
}


def _common(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    space_option(parser)


def _action(actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str) -> argparse.ArgumentParser:
    """One action of a command, which takes the common options behind its name too."""
    action = actions.add_parser(name, help=text, description=text)
    action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=JSON)
    action.add_argument("--space", metavar="S", default=argparse.SUPPRESS, help="in this space")
    return action


def _actions(
    parser: argparse.ArgumentParser, command: str, *, required: bool = False
) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    return parser.add_subparsers(
        dest="action", metavar="ACTION", title="actions", prog=f"backscroll {command}", required=required
    )


def _projects(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    actions = _actions(parser, "projects")
    action = _action(actions, "alias", "have another name mean a project")
    action.add_argument("alias", metavar="ALIAS", help="the other name")
    action.add_argument("project", metavar="PROJECT", help="what it means")
    action = _action(actions, "guess", "say which project a text or a path means")
    action.add_argument("text", metavar="TEXT", nargs="+", help="a sentence, or a path")


def _remember(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--project", metavar="P", help=HERE)
    parser.add_argument("--kind", metavar="K", help="decision, fact, pitfall, todo, note (the default), baseline")
    parser.add_argument("--title", metavar="T", help="a few words (default: the beginning of the content)")
    parser.add_argument("--content", metavar="C", help="what is to be remembered; - reads it from standard input")
    parser.add_argument("--supersedes", metavar="ID", type=positive, action="append", help="a memory that this one replaces")
    parser.add_argument("--id", metavar="ID", type=positive, help="correct this memory instead of writing another")


def _recall(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--project", metavar="P", help="only of this project (default: all)")
    parser.add_argument("--kinds", metavar="A,B", help="only of these kinds")
    parser.add_argument("--limit", type=positive, default=8, metavar="N", help="memories at most (8)")


def _memories(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--project", metavar="P", help="only of this project")
    parser.add_argument("--kind", metavar="K", help="only of this kind")
    parser.add_argument("--state", metavar="S", help="active, superseded, draft or archived (default: all but archived)")
    parser.add_argument("--limit", type=positive, metavar="N", help="memories at most (all)")
    parser.add_argument("--stats", action="store_true", help="count them instead")
    parser.add_argument("--archive", metavar="ID", type=positive, help="put one away; to have it back: backscroll restore ID")


def _checkpoint(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    actions = _actions(parser, "checkpoint", required=True)
    action = _action(actions, "put", "write the state; fields that are not given stay as they are")
    action.add_argument("--project", metavar="P", help=HERE)
    for name in (*TEXTS, *LISTS):
        many = {"action": "append"} if name in LISTS else {}
        action.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="TEXT", help=FIELD_HELP[name], **many)  # type: ignore[arg-type]
    action.add_argument(
        "--clear", metavar="FIELD", action="append", choices=(*TEXTS, *LISTS), help="empty this field; repeat it for several"
    )
    action.add_argument("--draft", action="store_true", help="write a draft, which waits for review")
    action = _action(actions, "get", "print the state, and the draft if there is one")
    action.add_argument("--project", metavar="P", help=HERE)
    action = _action(actions, "promote", "merge the draft into the state")
    action.add_argument("--project", metavar="P", help=HERE)
    action.add_argument("--fields", metavar="A,B", help="only these fields of it")
    action = _action(actions, "discard", "drop the draft")
    action.add_argument("--project", metavar="P", help=HERE)


def _card(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("project", metavar="PROJECT", nargs="?", help=HERE)
    parser.add_argument("--id", metavar="ID", type=positive, help="an earlier card")
    parser.add_argument("--put", metavar="FILE", help="write the card by hand, from this file; - reads standard input")


def _pack(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("project", metavar="PROJECT", nargs="?", help=HERE)
    parser.add_argument("--budget-tokens", type=positive, metavar="N", help="tokens at most (memory.pack_tokens)")
    parser.add_argument("--with-meta", action="store_true", help="with ids, dates and counts, which change from call to call")


def _archive(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--project", metavar="P", help="only of this project")
    parser.add_argument("--limit", type=positive, metavar="N", help="sessions at most (all)")
    parser.add_argument("--backfill", action="store_true", help="also those from before Backscroll began to archive")
    parser.add_argument("--force", action="store_true", help="also those that are archived already")


def _cleanup(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--apply", action="store_true", help="do it, after a backup")
    parser.add_argument("--purge", action="store_true", help="also delete what was archived long ago")


def _restore(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("what", metavar="ID_OR_BACKUP", nargs="?", help="an archived memory, or the file of a backup")
    parser.add_argument("--kind", choices=("memory", "checkpoint", "card"), default="memory", help="what ID is of (memory)")


def _prune(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("project", metavar="PROJECT", nargs="*", help="delete what is known of it, after a backup")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _changelog(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("project", metavar="PROJECT", nargs="?", help=HERE)
    parser.add_argument("--all", action="store_true", help="all entries, not only those that carry a conclusion")


def _pages(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    actions = _actions(parser, "pages")
    action = _action(actions, "index", "read a project's long documents")
    action.add_argument("project", metavar="PROJECT", nargs="?", help=HERE)
    action = _action(actions, "search", "search their paragraphs")
    action.add_argument("words", metavar="QUERY", nargs="+", help="what to look for")
    action.add_argument("--project", metavar="P", help="only of this project")
    action.add_argument("--limit", type=positive, default=8, metavar="N", help="paragraphs at most (8)")
    action = _action(actions, "list", "print the catalogue")
    action.add_argument("--project", metavar="P", help="only of this project")


def _cache(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--project", metavar="P", help="only of this project")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="sessions listed at most (20)")


def _backup(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--list", action="store_true", help="list the backups there are instead")


def _export(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace the file if it is there")


def _file(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("file", metavar="FILE", help="a file of JSON lines")


MEMORY_COMMANDS: dict[str, Command] = {
    "projects": Command("List the projects, and give them other names.", _projects, "remembering:projects"),
    "remember": Command("Write down one thing about a project for good.", _remember, "remembering:remember"),
    "recall": Command("Find what was remembered.", _recall, "remembering:recall", words=True),
    "memories": Command("List what was remembered, newest first.", _memories, "remembering:memories"),
    "checkpoint": Command("Write, read and review the state of a project.", _checkpoint, "handing_over:checkpoint"),
    "card": Command("Print a project's hand-over card.", _card, "handing_over:card"),
    "pack": Command("Print what a new session should read first.", _pack, "handing_over:pack"),
    "drafts": Command("List the drafts that wait for review.", _common, "handing_over:drafts"),
    "archive": Command("Summarise finished sessions, and draft checkpoints.", _archive, "tending:archive"),
    "changelog": Command("Take in a project's changelogs.", _changelog, "tending:changelog"),
    "pages": Command("Read and search a project's long documents.", _pages, "documents:pages"),
    "cache": Command("Say how well prompt caches and hand-over work.", _cache, "documents:cache"),
    "cleanup": Command("Plan, or carry out, the clean-up of memory.", _cleanup, "tending:cleanup"),
    "restore": Command("Bring back an archived memory, or all from a backup.", _restore, "tending:restore"),
    "prune": Command("List projects whose folder is gone, or delete them.", _prune, "tending:prune"),
    "backup": Command("Back up what was remembered.", _backup, "tending:backup"),
    "export": Command("Write what was remembered into a file.", _export, "tending:export"),
    "import": Command("Take in what an export wrote.", _file, "tending:import_"),
}
