"""`pages` and `cache`: a project's long documents, and how well prompt caches work."""

from __future__ import annotations

import argparse

from tray_app.cli.access import here, print_json
from tray_app.cli.memory_printing import print_cache, print_pages, print_paragraphs
from tray_app.cli.projects import DONE, NOTHING, memory, optional, project_meant
from tray_app.cli.terminal import say
from tray_app.errors import UsageError
from tray_app.service.protocol import clean


def pages(arguments: argparse.Namespace) -> int:
    if arguments.action == "search":
        return search(arguments)
    space, caller = arguments.space, here()
    with memory() as connection:
        if arguments.action == "index":
            found = connection.index_pages(project_meant(connection, arguments), space=space, caller=caller)
        else:
            found = connection.pages(optional(getattr(arguments, "project", None)), space=space, caller=caller)
    if arguments.json:
        print_json({"pages": found})
    elif found:
        print_pages(found)
    else:
        say("No long documents are known. To read a project's: backscroll pages index PROJECT")
    return DONE if found else NOTHING


def search(arguments: argparse.Namespace) -> int:
    query = clean(" ".join(arguments.words)).strip()
    if not query:
        raise UsageError("usage", "Wrong use", "There is no question.", "Like this: backscroll pages search retry limits")
    with memory() as connection:
        found = connection.search_pages(
            query, optional(arguments.project), arguments.limit, space=arguments.space, caller=here()
        )
    if arguments.json:
        print_json({"paragraphs": found})
    elif found:
        print_paragraphs(found)
    else:
        say("Nothing found in long documents. What is in: backscroll pages list")
    return DONE if found else NOTHING


def cache(arguments: argparse.Namespace) -> int:
    with memory() as connection:
        stats = connection.cache_stats(optional(arguments.project), arguments.limit, space=arguments.space, caller=here())
    known = bool(stats.by_agent or stats.sessions)
    if arguments.json:
        print_json(stats)
    elif known:
        print_cache(stats)
    else:
        say("No token usage is known yet. It is kept when sessions are archived: backscroll archive")
    return DONE if known else NOTHING
