"""`show`, `sessions` and `topics`: what was said, as it was said, and what the days were about."""

from __future__ import annotations

import argparse
from datetime import datetime

from tray_app.cli.access import backend, here, print_json
from tray_app.cli.results import INDENT, SPEAKERS
from tray_app.cli.terminal import Paint, count_of, cut, line_of, plain, say, table
from tray_app.errors import KnownError
from tray_app.paths import shorten
from tray_app.records import SessionItem, SessionView, TopicCard
from tray_app.service.families import families
from tray_app.service.protocol import clean

DONE, NOTHING = 0, 1
TITLE = 48
"""Columns of a title in the list."""
MARKS = {"subagent": "sub-agent: "}


def show(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        try:
            view = connection.show(
                clean(arguments.session), around=arguments.around, limit=arguments.limit, space=arguments.space, caller=here()
            )
        except KnownError as error:
            if error.code == "no_such_session":
                error.exit_code = NOTHING
            raise
    if arguments.json:
        print_json(view)
    else:
        print_session(view)
    return DONE


def sessions(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        found = connection.sessions(
            agent=arguments.agent, project=arguments.project, limit=arguments.limit or 0, space=arguments.space, caller=here()
        )
    if arguments.json:
        print_json({"sessions": found})
    elif found:
        rows = []
        for family in families(found):
            rows.append(session_row(family.head))
            rows += [session_row(member, INDENT) for member in family.members]
        print("\n".join(table(rows, cut_last=False)))
    else:
        say("No sessions. What is read: backscroll sources")
    return DONE if found else NOTHING


def topics(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        cards = connection.topics(days=arguments.days, space=arguments.space, caller=here())
    if arguments.json:
        print_json({"days": cards})
    elif cards:
        print("\n\n".join(map(card_text, cards)))
    else:
        say("No topics. They are made when sessions are read (backscroll index), unless topics.maker is off.")
    return DONE if cards else NOTHING


def card_text(card: TopicCard) -> str:
    """A day with its topics under each other."""
    paint = Paint()
    facts = [count_of(card.sessions, "session"), count_of(card.rounds, "round")]
    if card.made_by != "words":
        facts.append(f"named by {line_of(card.made_by)}")
    rows = [[INDENT + line_of(topic.label), line_of(topic.project), topic.session] for topic in card.topics]
    return "\n".join([paint.bold(card.date_text) + paint.dim("  " + " · ".join(facts)), *table(rows, cut_last=False)])


def session_row(item: SessionItem, lead: str = "") -> list[str]:
    """A session in the list; `lead` sets a sub-agent off from the session above it, which it worked for."""
    mark = MARKS.get(item.kind, "")
    gone = " (source file gone)" if item.gone else ""
    title = cut(lead + mark + line_of(item.title), TITLE - len(gone)) + gone
    return [item.end_date_text, item.agent, cut(line_of(item.project), 24), title, item.session]


def print_session(view: SessionView) -> None:
    paint = Paint()
    print(paint.bold(line_of(view.title) or view.session))
    facts = [view.agent, line_of(view.project), line_of(view.model), f"{local(view.start)} to {local(view.end)}"]
    print(paint.dim(" · ".join(fact for fact in facts if fact)))
    if view.cwd:
        print(paint.dim(line_of(shorten(view.cwd)) + ("" if view.cwd_exists else " (no longer there)")))
    if view.gone:
        print(paint.dim("Source file gone: the agent has deleted this session; the index still has it."))
    if view.archived:
        print(
            paint.dim(f"Our copy of the file: {line_of(shorten(view.path))}  (backscroll keep restore {view.session} FOLDER)")
        )
    for message in view.messages:
        said = [SPEAKERS.get(message.role, message.role), line_of(message.tool), local(message.time)]
        print()
        print(paint.bold(" · ".join(part for part in said if part)) + paint.dim(f"  {message.message_id}"))
        print("\n".join(INDENT + line for line in plain(message.text).split("\n")))
    print()
    if len(view.messages) < view.total:
        first = view.first + 1
        print(paint.dim(f"Messages {first:,} to {first + len(view.messages) - 1:,} of {count_of(view.total, 'message')}."))
    if view.resume_command:
        print(paint.dim(line_of(view.resume_command)))


def local(moment: str | None) -> str:
    """An ISO moment as local day and time; '?' where it is not known."""
    if not moment:
        return "?"
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
