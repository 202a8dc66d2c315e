"""`sources`, `status` and `config`: how things stand, and changing it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tray_app.cli.access import backend, loaded, owner, print_json
from tray_app.cli.reading import local
from tray_app.cli.terminal import count_of, line_of, say, size_of, table
from tray_app.errors import UsageError
from tray_app.insight.leaving import sentences
from tray_app.paths import Paths, shorten
from tray_app.records import SourceView, Status
from tray_app.settings import checked

DONE = 0
WHY_OFF = {"not_found": "not found", "not_ticked": "not read", "excluded": "excluded", "unreadable": "cannot be read"}


def sources(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        if arguments.action == "add":
            views = connection.add_folder(arguments.agent, str(Path(arguments.path).expanduser().absolute()))
        elif arguments.action == "remove":
            views = connection.remove_folder(arguments.id)
        elif arguments.action is not None:
            views = connection.set_source(arguments.id, arguments.action == "enable")
        else:
            views = connection.sources()
    if arguments.json:
        print_json({"sources": views})
        return DONE
    print("\n".join(table([source_row(view) for view in views])))
    if arguments.action in ("enable", "add"):
        say("It is read by the running tray, or by: backscroll index")
    elif not any(view.enabled for view in views):
        say("Nothing is read yet. Tick one: backscroll sources enable ID; or all: backscroll index --all-sources")
    return DONE


def source_row(view: SourceView) -> list[str]:
    state = view.error or WHY_OFF.get(view.why_off, view.why_off) or view.state
    return [
        "[x]" if view.enabled else "[ ]",
        view.id,
        view.name,
        count_of(view.sessions, "session"),
        size_of(view.bytes),
        line_of(state),
        shorten(view.path),
    ]


def status(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        found = connection.status(arguments.space)
    if arguments.json:
        print_json(found)
    else:
        print_status(found)
    return DONE


def print_status(found: Status) -> None:
    totals, meaning = found.totals, found.embedding
    rows = [
        ["Index", f"{totals.sessions:,} sessions, {totals.messages:,} messages, {totals.chunks:,} passages"],
        ["Size", f"{size_of(found.index_bytes)} on disk"],
        ["Up to date", local(found.built_at) if found.built_at else "never read; see: backscroll sources"],
        ["Reaches", f"{local(found.oldest)} to {local(found.newest)}"],
        ["Now", activity(found)],
    ]
    left_out = [
        (totals.skipped_records, "records skipped"),
        (totals.unknown_records, "records of unknown kind"),
        (totals.quarantined_files, "files set aside"),
        (totals.truncated_files, "files cut"),
        (totals.over_budget_files, "files beyond the limits"),
        (totals.redacted, "secrets hidden"),
    ]
    said = ", ".join(f"{what}: {number:,}" for number, what in left_out if number)
    if said:
        rows.append(["Left out", said])
    if totals.gone_sessions:
        rows.append(["Only here", f"{count_of(totals.gone_sessions, 'session')} whose source file is gone"])
    if found.vanishing:
        first = local(found.vanishing_first)
        rows.append(
            ["Vanishing", f"Claude Code deletes {count_of(found.vanishing, 'session')} within five days, the first on {first}"]
        )
    if found.archive_on or found.archived_sessions:
        rows.append(["Archive", f"{count_of(found.archived_sessions, 'session')}, {size_of(found.archive_bytes)}"])
    if found.archive_error:
        rows.append(["Not copied", line_of(found.archive_error)])
    if found.memory_bytes:
        rows.append(["Memory", f"{size_of(found.memory_bytes)} on disk"])
    if len(found.spaces) > 1:
        rows.append(["Spaces", ", ".join(name if name != found.space else f"{name} (these figures)" for name in found.spaces)])
    rows.append(["Meaning", "off" if meaning.backend == "off" else f"{meaning.backend} {meaning.model}: {meaning.state}"])
    rows += [["Leaves", line] for line in sentences(found.leaves)]
    rows.append(["Owner", f"process {found.owner.pid} ({found.owner.kind}), version {found.version}"])
    if found.last_error:
        rows.append(["Last error", line_of(found.last_error)])
    print("\n".join(table(rows)))
    ticked = [source for source in found.sources if source.enabled]
    if ticked:
        print()
        print("\n".join(table([source_row(source)[1:] for source in ticked])))


def activity(found: Status) -> str:
    if found.indexing:
        progress = found.progress
        return f"reading, {progress.done:,} of {progress.total:,} files" if progress and progress.total else "reading"
    if found.paused:
        return f"paused until {local(found.paused_until)}" if found.paused_until else "paused"
    return "watching for new messages" if found.watching else "idle"


def config(arguments: argparse.Namespace) -> int:
    action, key, value = arguments.action, arguments.key, arguments.value
    wanted = {"list": 0, "get": 1, "set": 2, "unset": 1}[action]
    if sum(part is not None for part in (key, value)) != wanted:
        raise UsageError(
            "usage", "Wrong use", f"config {action} takes {count_of(wanted, 'argument')}.", "See: backscroll config --help"
        )
    settings = loaded(Paths.from_environment())
    if action == "list":
        print_values(settings.as_dict(), arguments.json)
        return DONE
    if action in ("set", "unset"):
        kept = checked(key, value) if action == "set" else default_of(key)
        with owner() as running:
            if running is not None:  # it has the settings in memory, and must do what a change asks for
                running.ask("set_config", {"key": key, "value": kept if action == "set" else None})
            elif action == "set":
                settings.set(key, kept)
            else:
                settings.unset(key)
    else:
        default_of(key)
        kept = settings[key]
    if arguments.json:
        print_json({"key": key, "value": kept})
    elif action == "get":
        print(shown(kept))
    else:
        say(f"{key} = {shown(kept)}")
    return DONE


def default_of(key: str) -> Any:
    """Raises UsageError for a setting that does not exist."""
    from tray_app.settings import BY_KEY

    if key not in BY_KEY:
        checked(key, None)
    return BY_KEY[key].default


def print_values(values: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print("\n".join(table([[key, shown(value)] for key, value in values.items()])))


def shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
