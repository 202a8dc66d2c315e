"""`archive`, `changelog`, `cleanup`, `restore`, `prune`, `backup`, `export` and `import`: looking after memory."""

from __future__ import annotations

import argparse
from pathlib import Path

from tray_app.cli.access import here, print_json
from tray_app.cli.memory_printing import (
    memories_of,
    print_archived,
    print_backups,
    print_plan,
    print_projects,
    print_transfer,
)
from tray_app.cli.projects import DONE, NOTHING, PARTLY, memory, optional, project_meant
from tray_app.cli.terminal import ProgressBar, asks, confirm, line_of, say
from tray_app.errors import UsageError
from tray_app.paths import shorten
from tray_app.records import ChangelogReport, ProjectView
from tray_app.service.connection import Connection
from tray_app.service.protocol import clean


def archive(arguments: argparse.Namespace) -> int:
    with memory() as connection, ProgressBar() as bar:
        report = connection.archive_sessions(
            optional(arguments.project), arguments.limit or 0, arguments.backfill, arguments.force,
            space=arguments.space, caller=here(), report=bar,
        )  # fmt: skip
    print_json(report) if arguments.json else print_archived(report)
    return PARTLY if report.skipped else DONE


def changelog(arguments: argparse.Namespace) -> int:
    with memory() as connection:
        project = project_meant(connection, arguments)
        report = connection.changelog(project, arguments.all, space=arguments.space, caller=here())
    if arguments.json:
        print_json(report)
    else:
        tell_changelog(report)
    return PARTLY if report.faults else DONE if report.files else NOTHING


def tell_changelog(report: ChangelogReport) -> None:
    if not report.files:
        say(f"{line_of(report.project)} has no changelog where one is looked for (CHANGELOG.md, docs/, 变更记录.md).")
        return
    facts = [f"{memories_of(report.added)} added", f"{report.known:,} known already"]
    if report.without_conclusion:
        facts.append(f"{report.without_conclusion:,} without a conclusion (--all takes them)")
    if report.left:
        facts.append(f"{report.left:,} left for the next run")
    print(f"{line_of(report.project)}: " + ", ".join(facts))
    for fault in report.faults:
        say(line_of(fault))


def cleanup(arguments: argparse.Namespace) -> int:
    with memory() as connection:
        plan = connection.cleanup(arguments.apply, arguments.purge, space=arguments.space, caller=here())
    print_json(plan) if arguments.json else print_plan(plan)
    return DONE


def restore(arguments: argparse.Namespace) -> int:
    space, caller = arguments.space, here()
    with memory() as connection:
        if arguments.what is None:
            return list_backups(arguments)
        if arguments.what.isascii() and arguments.what.isdecimal():
            return bring_back(connection, arguments)
        path = str(Path(clean(arguments.what)).expanduser().absolute())
        replaced = connection.restore_backup(path, space=space, caller=caller)
    if arguments.json:
        print_json({"restored": path, "replaced": replaced})
    else:
        print(f"Restored from {line_of(shorten(path))}")
        say(f"What was there before is kept: {line_of(shorten(replaced.path))}")
    return DONE


def bring_back(connection: Connection, arguments: argparse.Namespace) -> int:
    """One archived memory, checkpoint or card."""
    number, kind = int(arguments.what), arguments.kind
    if kind == "memory":
        one = connection.set_memory_state(number, "active", space=arguments.space, caller=here())
        print_json(one) if arguments.json else print(f"Back: {one.id}  {line_of(one.title)}")
    else:
        connection.bring_back(kind, number, space=arguments.space, caller=here())
        print_json({"restored": {"kind": kind, "id": number}}) if arguments.json else print(f"Back: {kind} {number}")
    return DONE


def prune(arguments: argparse.Namespace) -> int:
    named = [clean(name) for name in arguments.project]
    with memory() as connection:
        orphans = connection.prune_projects([], space=arguments.space, caller=here())
        if named:
            meant = [one for one in orphans if is_named(one, named)]
            strange = [name for name in named if not any(is_named(one, [name]) for one in orphans)]
            if strange:
                raise UsageError(
                    "not_an_orphan", "Not deleted", f"{strange[0]!r} is no project whose folder is gone.", "See: backscroll prune"
                )  # fmt: skip
            if not arguments.yes and not agreed(meant):
                say("Nothing was deleted.")
                return NOTHING
            orphans = connection.prune_projects([one.name for one in meant], space=arguments.space, caller=here())
    if arguments.json:
        print_json({"projects": orphans, "deleted": bool(named)})
    elif named:
        print("Deleted: " + ", ".join(line_of(one.name) for one in orphans))
        say("To have them back: backscroll restore")
    elif orphans:
        print_projects(orphans)
        say("Their folders are gone; what is known of them is kept. To delete that: backscroll prune PROJECT")
    else:
        say("No project's folder is gone.")
    return DONE if orphans else NOTHING


def is_named(project: ProjectView, names: list[str]) -> bool:
    known = {name.casefold() for name in (project.name, *project.aliases)}
    return any(name.strip().casefold() in known for name in names)


def agreed(meant: list[ProjectView]) -> bool:
    """Ask with no as the default. Raises UsageError where there is nobody to ask."""
    if not asks():
        raise UsageError("usage", "Not done", "There is nobody to ask.", "To delete without a question: --yes")
    count = sum(one.memories for one in meant)
    names = ", ".join(line_of(one.name) for one in meant)
    return confirm(f"Delete {names} with {memories_of(count)}, after a backup?", default=False)


def backup(arguments: argparse.Namespace) -> int:
    if arguments.list:
        return list_backups(arguments)
    with memory() as connection:
        made = connection.backup(space=arguments.space, caller=here())
    print_json(made) if arguments.json else print(line_of(shorten(made.path)))
    return DONE


def list_backups(arguments: argparse.Namespace) -> int:
    with memory() as connection:
        found = connection.backups(space=arguments.space, caller=here())
    if arguments.json:
        print_json({"backups": found})
    elif found:
        print_backups(found)
        say("To have memory as it was then: backscroll restore FILE")
    else:
        say("There are no backups yet. To make one: backscroll backup")
    return DONE if found else NOTHING


def export(arguments: argparse.Namespace) -> int:
    path = str(Path(clean(arguments.file)).expanduser().absolute())
    with memory() as connection:
        report = connection.export_memory(path, arguments.overwrite, space=arguments.space, caller=here())
    print_json(report) if arguments.json else print_transfer(report, "Written to")
    return PARTLY if report.faults else DONE


def import_(arguments: argparse.Namespace) -> int:
    path = str(Path(clean(arguments.file)).expanduser().absolute())
    with memory() as connection:
        report = connection.import_memory(path, space=arguments.space, caller=here())
    print_json(report) if arguments.json else print_transfer(report, "Taken from")
    return PARTLY if report.faults else DONE
