"""`doctor`: what the check-up found, grouped by how much it matters; and what can be seen without the files where nobody can open them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from tray_app.cli.access import backend, print_json
from tray_app.cli.terminal import Paint, count_of, line_of, say, screen_columns, wrapped
from tray_app.errors import KnownError, UsageError
from tray_app.paths import Paths, SourcesHome
from tray_app.records import Finding

DONE = 0
GROUPS = (("Needs a look", ("error", "warn")), ("Good to know", ("info",)), ("In order", ("ok",)))
SIGNS = {"error": "✗", "warn": "!", "info": "·", "ok": "✓"}
PLAIN = {"error": "x", "warn": "!", "info": "-", "ok": "+"}
"""Where the terminal's encoding has not the others."""
COLOURS = {"error": "31", "warn": "33", "info": "36", "ok": "32"}
INDENT = 4


def doctor(arguments: argparse.Namespace) -> int:
    """0, whatever was found; 3 where nobody can open the files: then what can be seen without them is told."""
    if arguments.census is not None:
        from tray_app.cli.counting import report

        return report(arguments.census, as_json=arguments.json)
    code = DONE
    try:
        with backend() as connection:
            findings = connection.doctor()
    except UsageError:
        raise
    except KnownError as fault:
        findings, code = without_files(fault), fault.exit_code
    if arguments.json:
        print_json({"findings": findings})
    else:
        print_findings(findings)
    return code


def without_files(fault: KnownError) -> list[Finding]:
    """The fault that keeps the files shut, and what lies outside of them."""
    from tray_app import clock
    from tray_app.insight import entries, keyring, leftovers, log_errors, versions
    from tray_app.insight.findings import ORDER
    from tray_app.insight.looking import Looks
    from tray_app.text.dates import local_zone

    paths, now = Paths.from_environment(), clock.now(local_zone())
    first = Finding(code=fault.code, severity="error", title=fault.title, detail=fault.message, remedy=fault.hint)
    looks: Looks[list[Finding]] = Looks()
    given, missed = looks.run(
        {
            "keyring": lambda: keyring.findings(()),
            "agents": lambda: entries.findings(paths, SourcesHome.from_environment()),
            "leftovers": lambda: leftovers.findings(paths, now.timestamp()),
            "log": lambda: log_errors.findings(paths.logs, now),
            "versions": versions.findings,
        }
    )
    found = [first, *missed, *(one for some in given.values() for one in some)]
    return sorted(found, key=lambda one: ORDER[one.severity])


def print_findings(findings: Sequence[Finding]) -> None:
    paint, signs = Paint(), SIGNS if _prints(SIGNS.values()) else PLAIN
    begun = False
    for title, severities in GROUPS:
        shown = [finding for finding in findings if finding.severity in severities]
        if not shown:
            continue
        if begun:
            print()
        begun = True
        print(paint.bold(title))
        for finding in shown:
            print_finding(finding, signs[finding.severity], paint)
    grave = sum(finding.severity in GROUPS[0][1] for finding in findings)
    say(f"{count_of(grave, 'thing')} need{'s' if grave == 1 else ''} a look." if grave else "Nothing needs a look.")


def print_finding(finding: Finding, sign: str, paint: Paint) -> None:
    room = screen_columns() - INDENT
    print(f"  {paint.coloured(sign, COLOURS[finding.severity])} {line_of(finding.title)}")
    for line in wrapped(line_of(finding.detail), [], room, paint):
        print(" " * INDENT + paint.dim(line))
    for number, line in enumerate(wrapped(line_of(finding.remedy), [], room - 3, paint)):
        print(" " * INDENT + ("   " if number else "-> ") + line)


def _prints(signs: Iterable[str]) -> bool:
    try:
        "".join(signs).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
