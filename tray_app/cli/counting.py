"""`doctor --census`: the kinds and keys in an agent's files, counted, to be sent along with a report."""

from __future__ import annotations

from collections.abc import Sequence

from tray_app import __version__
from tray_app.cli.access import loaded, print_json
from tray_app.cli.terminal import Paint, count_of, say, size_of, table
from tray_app.folders import Folders
from tray_app.paths import Paths, SourcesHome
from tray_app.sources.census import Census, census, files_of
from tray_app.sources.registry import adapter

DONE, NOTHING = 0, 1


def report(agent: str, *, as_json: bool) -> int:
    """Count and print. Needs no index and no running owner. Raises UsageError for an agent that is none."""
    one = adapter(agent)
    home = SourcesHome.from_environment()
    roots = [source.root for source in Folders(home, loaded(Paths.from_environment())).all() if source.agent == agent]
    counted = census(files_of(one, roots, home), agent, adapter_version=one.version)
    if as_json:
        print_json({"census": counted, "version": __version__})
    else:
        print_census(counted, one.name)
    return DONE if counted.files else NOTHING


def print_census(counted: Census, name: str) -> None:
    if not counted.files:
        say(f"No files of {name} were found. Where it is looked for: backscroll sources")
        return
    paint = Paint()
    print(paint.bold(f"{name}, reading {counted.adapter_version}, Backscroll {__version__}"))
    facts = [count_of(counted.files, "file"), size_of(counted.bytes), count_of(counted.records, "record")]
    left = [
        (counted.files_left, "older file", "not looked at"),
        (counted.unreadable_files, "file", "not readable"),
        (counted.unreadable_records, "record", "not readable"),
    ]
    facts += [f"{count_of(number, what)} {how}" for number, what, how in left if number]
    print(", ".join(facts))
    for title, counts in (("Forms", counted.formats), ("Kinds", counted.types), ("Keys", counted.keys)):
        print_counts(title, sorted(counts.items(), key=lambda pair: pair[0]))
    say("Names and counts only, nothing that was said: safe to send.")


def print_counts(title: str, counts: Sequence[tuple[str, int]]) -> None:
    if counts:
        print()
        print(Paint().bold(title))
        print("\n".join(table([[f"{number:>9,}", name] for name, number in counts], cut_last=False)))
