"""`index` and `rebuild`, and the first use: nothing is read before the person ticked it."""

from __future__ import annotations

import argparse

from tray_app.cli.access import backend, print_json
from tray_app.cli.terminal import ProgressBar, asks, confirm, count_of, say, size_of
from tray_app.paths import shorten
from tray_app.records import Embedding, IndexReport, Problem, SourceView
from tray_app.records.meaning import WORTH
from tray_app.service.connection import Connection

DONE, NOT_NOW, PARTLY = 0, 3, 4
TICK = "backscroll index --all-sources"


def index(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        every = arguments.all_sources
        if not every and not any(source.enabled for source in connection.sources()):
            every = offer(connection, ask=not arguments.json)
            if not every and not arguments.json:
                return NOT_NOW
        report = run_pass(connection, all_sources=every, full=arguments.full, vectors=not arguments.no_vectors)
        if arguments.json:
            print_json(report)
        else:
            tell(report)
        if not arguments.no_vectors:
            tell_vectors(connection.status().embedding)
        if not report.sources and not every:
            return NOT_NOW
        return PARTLY if is_partial(report) else DONE


def rebuild(arguments: argparse.Namespace) -> int:
    with backend() as connection:
        if connection.owner.kind == "tray":
            connection.rebuild()
            if arguments.json:
                print_json({"rebuilding": True})
            else:
                print("The index is being rebuilt in the background. Search works meanwhile on what is in.")
            return DONE
        report = run_pass(connection, full=True)
        if arguments.json:
            print_json(report)
        else:
            tell(report)
        return PARTLY if is_partial(report) else DONE


def run_pass(connection: Connection, *, all_sources: bool = False, full: bool = False, vectors: bool = False) -> IndexReport:
    """A whole pass, and vectors after it, with a progress bar on a terminal."""
    with ProgressBar() as bar:
        return connection.index(all_sources=all_sources, full=full, vectors=vectors, report=bar)


def offer(connection: Connection, *, ask: bool) -> bool:
    """Nothing was ever ticked: say what could be read, and ask when there is somebody to ask. True: read all of it."""
    found = [source for source in connection.sources() if source.found]
    if not found:
        say("No sessions of any agent were found on this machine. Add a folder: backscroll sources add AGENT PATH")
        return False
    names = ", ".join(f"{source.name} ({count_of(source.sessions, 'session')})" for source in found)
    if not (ask and asks()):
        say(f"Nothing is read before you say so. Found: {names}. To read all of it: {TICK}")
        return False
    for source in found:
        say(f"  {describe(source)}")
    return confirm("Read these now? Everything stays on this machine.")


def describe(source: SourceView) -> str:
    return f"{source.name}: {count_of(source.sessions, 'session')}, {size_of(source.bytes)}, {shorten(source.path)}"


def is_partial(report: IndexReport) -> bool:
    totals = report.totals
    lost = totals.skipped_records + totals.quarantined_files + totals.truncated_files + totals.over_budget_files
    return bool(lost or faults(report) or report.stopped)


def faults(report: IndexReport) -> list[Problem]:
    """What could not be read. Records of kinds that are new to us are no fault: the rest of their files is in."""
    return [problem for problem in report.problems if problem.kind != "unknown_record"]


def tell_vectors(embedding: Embedding) -> None:
    """What is not found by meaning yet, and why."""
    if embedding.state in ("stopped", "waiting"):
        say(f"Not everything is found by meaning ({embedding.error_code}): {embedding.error}")
    elif embedding.missing >= WORTH:
        say(f"{count_of(embedding.missing, 'passage')} cannot be found by meaning yet. Go on: backscroll index")


def tell(report: IndexReport) -> None:
    totals = report.totals
    print(
        f"{count_of(totals.sessions, 'session')}, {count_of(totals.messages, 'message')}, "
        f"{count_of(totals.chunks, 'passage')}. Read {size_of(totals.bytes_read)} in {report.elapsed_s:.1f} s."
    )
    left_out = [
        (totals.skipped_records, "record could not be read", "records could not be read"),
        (totals.unknown_records, "record is of an unknown kind", "records are of unknown kinds"),
        (totals.quarantined_files, "file was set aside", "files were set aside"),
        (totals.truncated_files, "file was cut to its newest part", "files were cut to their newest part"),
        (totals.over_budget_files, "file did not fit the limits", "files did not fit the limits"),
        (totals.redacted, "secret was hidden", "secrets were hidden"),
    ]
    for number, one, many in left_out:
        if number:
            print(f"{number:,} {one if number == 1 else many}.")
    for source in report.sources:
        if source.error:
            print(f"{source.agent} ({shorten(source.path)}): {source.error}")
    if report.stopped:
        print("The pass was stopped before its end.")
    listed = faults(report)
    for problem in listed[:5]:
        place = f":{problem.line}" if problem.line else ""
        print(f"  {shorten(problem.path)}{place}: {problem.reason}")
    if len(listed) > 5:
        print(f"  and {len(listed) - 5:,} more: backscroll index --json")
