"""`keep` and `forget`: copies of session files before they go, and sessions that are never to come back."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from tray_app.cli.access import backend, here, print_json
from tray_app.cli.reading import local
from tray_app.cli.terminal import asks, confirm, count_of, line_of, say, size_of, table
from tray_app.errors import KnownError, UsageError
from tray_app.paths import shorten
from tray_app.records import ForgottenView, KeptView
from tray_app.service.protocol import clean

DONE, NOTHING, PARTLY = 0, 1, 4


def keep(arguments: argparse.Namespace) -> int:
    if arguments.action == "restore":
        return restore(arguments)
    with backend() as connection:
        view = connection.kept()
        if arguments.action == "now":
            copied = 0
            while True:
                done = connection.keep_now()
                copied += done.copied
                if not done.left or not done.copied:
                    break
            view = msgspec.structs.replace(
                view, sessions=done.sessions, bytes=done.bytes, stored=done.stored, error=done.error, copied=copied, left=done.left,
                failed=done.failed,
            )  # fmt: skip
    if arguments.json:
        print_json(view)
    else:
        if arguments.action == "now":
            say(f"{count_of(view.copied, 'file')} copied.")
        print_kept(view)
    return PARTLY if view.failed or view.left else DONE


def print_kept(view: KeptView) -> None:
    rows = [
        ["Archive", f"{count_of(view.sessions, 'session')}, {size_of(view.bytes)} kept in {size_of(view.stored)}"],
        ["Where", shorten(view.folder)],
        [
            "By itself",
            f"yes, after {count_of(view.after_days, 'idle day')}" if view.on else "no; see: keep.archive in the settings",
        ],
    ]
    if view.gone:
        rows.append(["Only here", f"{count_of(view.gone, 'session')} in the index whose source file is gone"])
    if view.vanishing:
        rows.append(
            ["Vanishing", f"{count_of(view.vanishing, 'session')} within five days, the first on {local(view.vanishing_first)}"]
        )
    if view.failed:
        rows.append(["Not copied", f"{count_of(view.failed, 'file')} could not be read, or changed meanwhile"])
    if view.left:
        rows.append(["Waiting", count_of(view.left, "file")])
    if view.error:
        rows.append(["Last error", line_of(view.error)])
    print("\n".join(table(rows)))


def restore(arguments: argparse.Namespace) -> int:
    target = str(Path(clean(arguments.folder)).expanduser().absolute())
    with backend() as connection:
        try:
            paths = connection.write_out(clean(arguments.session), target, agent=arguments.agent)
        except KnownError as error:
            if error.code == "no_such_copy":
                error.exit_code = NOTHING
            raise
    if arguments.json:
        print_json({"paths": paths})
    else:
        print("\n".join(paths))
    return DONE


def forget(arguments: argparse.Namespace) -> int:
    if sum(map(bool, (arguments.list, arguments.undo, arguments.session))) != 1:
        raise UsageError(
            "usage", "Wrong use", "forget takes a session, --list or --undo SESSION.", "See: backscroll forget --help"
        )
    if arguments.list:
        return listed(arguments)
    if arguments.undo:
        return undone(arguments)
    session = clean(arguments.session)
    with backend() as connection:
        try:
            view = connection.show(session, limit=1, agent=arguments.agent, space=arguments.space, caller=here())
            if not arguments.yes and not agreed(f"Forget {line_of(view.title) or view.session!r} ({view.agent}) for good?"):
                say("Nothing was changed.")
                return NOTHING
            done = connection.forget_session(view.session, agent=view.agent, space=arguments.space, caller=here())
        except KnownError as error:
            if error.code == "no_such_session":
                error.exit_code = NOTHING
            raise
    if arguments.json:
        print_json(done)
    else:
        tell(done)
    return DONE


def agreed(question: str) -> bool:
    """Ask with no as the default. Raises UsageError where there is nobody to ask."""
    if not asks():
        raise UsageError("usage", "Not done", "There is nobody to ask.", "To forget it without a question: --yes")
    return confirm(question, default=False)


def tell(done: ForgottenView) -> None:
    said = ", ".join(
        words
        for number, words in (
            (done.sub_agents, count_of(done.sub_agents, "sub-agent")),
            (done.copies, f"{count_of(done.copies, 'copied message')} in other sessions"),
            (done.archived, f"{count_of(done.archived, 'file')} of our archive"),
        )
        if number
    )
    print(f"Forgotten: {done.session}, {count_of(done.messages, 'message')}" + (f"; with it {said}" if said else ""))
    say("It never comes back into the index. Its session file is untouched: to remove that too, delete it in the agent.")
    say(f"To have it back: backscroll forget --undo {done.session}")


def listed(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        found = connection.forgotten()
    if arguments.json:
        print_json({"forgotten": found})
    elif found:
        rows = [[local(one.time), one.agent, one.session, count_of(one.messages, "message")] for one in found]
        print("\n".join(table(rows, cut_last=False)))
    else:
        say("Nothing was forgotten.")
    return DONE if found else NOTHING


def undone(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        try:
            found = connection.unforget(clean(arguments.undo), agent=arguments.agent)
        except KnownError as error:
            if error.code == "not_forgotten":
                error.exit_code = NOTHING
            raise
    if arguments.json:
        print_json({"forgotten": found})
    else:
        for one in found:
            print(f"{one.session} may come back, if its file is still there.")
        say("It is read by the running tray, or by: backscroll index")
    return DONE
