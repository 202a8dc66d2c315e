"""`projects`, `remember`, `recall` and `memories`: what is known of which project."""

from __future__ import annotations

import argparse
import sys

from tray_app.cli.access import here, print_json
from tray_app.cli.memory_printing import print_memories, print_projects, print_stats
from tray_app.cli.projects import DONE, NOTHING, memory, names_in, optional, project_meant
from tray_app.cli.terminal import cut, line_of, say
from tray_app.errors import UsageError
from tray_app.records import MemoryView, Remembered
from tray_app.service.connection import Connection
from tray_app.service.protocol import clean

KIND = "note"
TITLE = 60
"""Columns of a title that is made from the content."""


def projects(arguments: argparse.Namespace) -> int:
    space, caller = arguments.space, here()
    with memory() as connection:
        if arguments.action == "guess":
            guess = connection.guess_project(clean(" ".join(arguments.text)), space=space, caller=caller)
            print_json(guess) if arguments.json else print(f"{line_of(guess.project)}  ({line_of(guess.reason)})")
            return DONE if guess.sure else NOTHING
        if arguments.action == "alias":
            found = connection.alias_project(clean(arguments.alias), clean(arguments.project), space=space, caller=caller)
        else:
            found = connection.projects(space=space, caller=caller)
    if arguments.json:
        print_json({"projects": found})
    elif found:
        print_projects(found)
    else:
        say("No projects are known. They are the folders of your projects folder (projects.root), and those of your sessions.")
    return DONE if found else NOTHING


def remember(arguments: argparse.Namespace) -> int:
    content = text_given(arguments.content)
    with memory() as connection:
        if arguments.id is not None:
            done = corrected(connection, arguments, content)
        else:
            if content is None:
                raise UsageError("usage", "Wrong use", "There is nothing to remember.", "Like this: --content TEXT")
            title = optional(arguments.title)
            done = connection.remember(
                project_meant(connection, arguments),
                clean(arguments.kind or KIND),
                cut(line_of(content), TITLE) if title is None else title,
                content,
                supersedes=arguments.supersedes,
                space=arguments.space,
                caller=here(),
            )
    print_json(done) if arguments.json else tell(done)
    return DONE


def corrected(connection: Connection, arguments: argparse.Namespace, content: str | None) -> Remembered:
    """Change the title or the content of a memory."""
    if content is None and arguments.title is None:
        raise UsageError("usage", "Wrong use", "There is nothing to change.", "Like this: --id 7 --content TEXT")
    if arguments.project is not None or arguments.kind is not None or arguments.supersedes:
        raise UsageError("usage", "Wrong use", "Only title and content of a memory can be corrected.")
    return connection.update_memory(
        arguments.id, title=optional(arguments.title), content=content, space=arguments.space, caller=here()
    )


def text_given(given: str | None) -> str | None:
    """The text of an option; `-` reads it from standard input."""
    if given == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    return optional(given)


def tell(done: Remembered) -> None:
    one = done.memory
    what = "Remembered" if done.created else "Known already" if done.duplicate else "Changed"
    print(f"{what}: {one.id}  {line_of(one.title)}  ({line_of(one.project)}, {one.kind})")
    if done.superseded:
        say(f"It replaces {', '.join(map(str, done.superseded))}.")
    if done.note:
        say(line_of(done.note))


def recall(arguments: argparse.Namespace) -> int:
    query = clean(" ".join(arguments.words)).strip()
    if not query:
        raise UsageError("usage", "Wrong use", "There is no question.", "Like this: backscroll recall why not Redis")
    with memory() as connection:
        found = connection.recall_memories(
            query, project=optional(arguments.project), limit=arguments.limit, kinds=names_in(arguments.kinds),
            space=arguments.space, caller=here(),
        )  # fmt: skip
    return show(found, as_json=arguments.json, none="Nothing is remembered about this. In what was said: backscroll search")


def memories(arguments: argparse.Namespace) -> int:
    space, caller = arguments.space, here()
    with memory() as connection:
        if arguments.stats:
            figures = connection.memory_stats(space=space, caller=caller)
            print_json(figures) if arguments.json else print_stats(figures)
            return DONE
        if arguments.archive is not None:
            one = connection.set_memory_state(arguments.archive, "archived", space=space, caller=caller)
            print_json(one) if arguments.json else print(f"Put away: {one.id}  {line_of(one.title)}")
            return DONE
        found = connection.memories(
            optional(arguments.project), optional(arguments.kind), optional(arguments.state), arguments.limit or 0,
            space=space, caller=caller,
        )  # fmt: skip
    return show(found, as_json=arguments.json, none="Nothing is remembered yet. Like this: backscroll remember --content TEXT")


def show(found: list[MemoryView], *, as_json: bool, none: str) -> int:
    if as_json:
        print_json({"memories": found})
    elif found:
        print_memories(found)
    else:
        say(none)
    return DONE if found else NOTHING
