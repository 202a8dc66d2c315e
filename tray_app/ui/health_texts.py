"""What Index health says: findings and problems as sentences, sources as rows of a table, all of it as a report to copy.

Owns words and grouping; no widget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from tray_app.paths import shorten
from tray_app.records import Finding, Problem, SourceView, Status
from tray_app.ui import i18n, leaving_texts, meaning_texts, wording
from tray_app.ui.health_states import HealthStates
from tray_app.ui.settings_advanced import versions

WHOLE_FILE = ("torn_header", "needs_dictionary", "window_too_large", "unreadable", "not_recognised")
"""Kinds of problem that concern a file, not a line in it."""
OF_PROBLEMS = ("files_set_aside", "records_skipped", "unreadable", "over_budget", "files_not_recognised")
"""Findings that count what the list of problems names one by one."""
ALL_IS_WELL = "all_in_order"
"""The finding that is said by the heading alone."""
SHOWN_THOUGH_INFO = ("no_sources",)
GLYPHS = {"info": "info", "ok": "check"}
ONLY_PATHS = ("folder_open", "socket_exposed")
"""Findings of which nothing but the path follows the title."""
ACTIONS = {
    "last_error": "retry", "source_offline": "retry", "index_behind": "retry",
    "no_sources": "sources", "over_budget": "index",
    "meaning_stopped": "meaning", "meaning_missing": "meaning", "topics_stopped": "meaning",
    "keyring_none": "meaning", "keyring_plain": "meaning", "keyring_silent": "meaning", "keyring_refused": "meaning",
    "retention": "keep",
    "drafts_waiting": "drafts",
    "index_differs": "rebuild", "index_uneven": "rebuild", "clock_back": "rebuild",
    "hotkey_refused": "general", "hotkey_none": "general",
    "entry_broken": "agents", "entry_differs": "agents", "entry_unread": "agents",
    "leftover_files": "folder", "set_aside_kept": "folder", "backups_many": "folder", "log_errors": "folder",
    "index_set_aside": "data", "disk_low": "data",
}  # fmt: skip
NO_NEED = ("unknown_record",)
"""Kinds that need nobody: new record types of an agent, which a finding sums up."""


@dataclass(frozen=True)
class Look:
    """One thing that needs a look. `action`: '' | retry | show | keep | drafts | rebuild | folder (that of `place`) | data, or a page of
    the settings."""

    glyph: str
    what: str
    consequence: str
    is_path: bool = False
    action: str = ""
    problems: tuple[Problem, ...] = ()
    place: str = ""
    """A path, or a project."""


@dataclass(frozen=True)
class Row:
    """A source in the table. `cut` counts files of which only a part was read."""

    agent: str
    name: str
    sessions: int
    passages: int
    skipped: str
    cut: int
    glyph: str
    """check | warn | minus (not read)"""
    state: str


class HealthTexts:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("HealthTexts", text, comment, number)

    def heading(self, count: int) -> str:
        return self.tr("%Ln things need a look", "", count) if count else self.tr("Everything is in order")

    def under_heading(self, count: int, checked: datetime) -> str:
        when = self.tr("Checked {when}.").format(when=i18n.since(checked))
        return self.tr("Everything else is in order. {checked}").format(checked=when) if count else when

    def looks(self, findings: Iterable[Finding], problems: Iterable[Problem]) -> list[Look]:
        """What needs a look: errors first, then what was set aside, then warnings; nothing for what is in order."""
        places = list(problems)
        groups: dict[tuple[str, str], list[Problem]] = {}
        for problem in places:
            if problem.kind not in NO_NEED:
                groups.setdefault((problem.agent, problem.kind), []).append(problem)
        shown = _not_listed(findings, places)
        errors = [self._finding(finding, places) for finding in shown if finding.severity == "error"]
        rest = [
            self._finding(finding, places)
            for finding in shown
            if finding.severity == "warn" or finding.code in SHOWN_THOUGH_INFO
        ]
        return [*errors, *(self._group(agent, kind, found) for (agent, kind), found in groups.items()), *rest]

    def notes(self, findings: Iterable[Finding], problems: Iterable[Problem]) -> list[Look]:
        """What is good to know and asks for nothing now."""
        places = list(problems)
        return [
            self._finding(finding, places)
            for finding in _not_listed(findings, places)
            if finding.severity == "info" and finding.code not in SHOWN_THOUGH_INFO
        ]

    def leaving(self, status: Status) -> list[Look]:
        """What leaves the machine, where something does."""
        gone = status.leaves
        return [Look("cloud", leaving_texts.short(gone), leaving_texts.full(gone), action="meaning")] if gone else []

    def good(self, findings: Iterable[Finding]) -> list[Look]:
        """What was looked at and is as it has to be."""
        return [self._finding(one, ()) for one in findings if one.severity == "ok" and one.code != ALL_IS_WELL]

    def _finding(self, finding: Finding, problems: Iterable[Problem]) -> Look:
        """A finding by its code; in its own words where the code is unknown here."""
        given = finding.params
        key = wording.agent_called(given.get("agent", ""))
        agent = wording.agent_name(key)
        path, count = shorten(given.get("path", "")), given.get("count", "")
        number = int(count) if count.isdigit() else 0
        texts = {
            "fts_missing": (
                self.tr("The full-text extension did not load"),
                self.tr("Search works all the same, by our own index."),
            ),
            "index_set_aside": (
                self.tr("A damaged index was set aside"),
                self.tr("It is kept as {path}; the index is built anew from your sessions.").format(path=path),
            ),
            "source_offline": (
                self.tr("{agent} is not there").format(agent=agent),
                self.tr("{path} cannot be found. What was read of it stays.").format(path=path),
            ),
            "files_set_aside": (
                self.tr("%Ln files of {agent} were set aside", "", number).format(agent=agent),
                self.tr("They could not be read; they are tried again when they change."),
            ),
            "files_not_recognised": (
                self.tr("%Ln files of {agent} set aside: not a shape we know", "", number).format(agent=agent),
                self.tr("Nothing came out of them. Update Backscroll; the format may have changed."),
            ),
            "records_skipped": (
                self.tr("%Ln records of {agent} were skipped", "", number).format(agent=agent),
                self.tr("Counted and left out. The rest of those sessions is in."),
            ),
            "over_budget": (
                self.tr("%Ln files of {agent} read in part: they are larger than the budget", "", number).format(agent=agent),
                self.tr("The newest part of each is in."),
            ),
            "index_behind": (
                self.tr("%Ln files have changed since they were read", "", number),
                self.tr("They are read at the next pass. While indexing is paused, they wait."),
            ),
            "retention": (
                self.tr("Claude Code deletes %Ln session files within five days", "", number),
                self.tr(
                    "It removes what was not touched for {days} days. To keep what was said, turn on “Keep deleted sessions” or "
                    "“Copy session files” under Privacy."
                ).format(days=given.get("days", "")),
            ),
            "space_folder_missing": (
                self.tr("A folder of the space {space} is not there").format(space=given.get("space", "")),
                self.tr("{path} cannot be found. If it was moved, give the space its new folder.").format(path=path),
            ),
            "not_recognised": (
                self.tr("The format of {agent} was not recognised").format(agent=agent),
                self.tr("No message came out of its files. Update Backscroll; the format may have changed."),
            ),
            "unknown_kinds": (
                self.tr("%Ln records of {agent} are of kinds that are not known", "", number).format(agent=agent),
                self.tr("{kinds}. The rest of these files is in. Update Backscroll; the format may have changed.").format(
                    kinds=given.get("kinds", "")
                ),
            ),
            "unreadable": (self.tr("%Ln paths cannot be read", "", number), path),
            "setting_fault": (self.tr("A setting could not be used"), given.get("detail", finding.detail)),
            "no_sources": (self.tr("No source is ticked"), self.tr("Nothing is read yet. Tick sources in the settings.")),
            "gone_kept": (
                self.tr("%Ln sessions are only here", "", number),
                self.tr("Their agents have deleted the files. “Keep deleted sessions” under Privacy says whether they stay."),
            ),
            "archive_failed": (self.tr("Session files could not be copied"), shorten(given.get("reason", finding.detail))),
            "tombstones_damaged": (
                self.tr("%Ln lines on forgotten sessions cannot be read", "", number),
                self.tr("The sessions that these named may come back. If one does, forget it again."),
            ),
            "meaning_stopped": (
                self.tr("Meaning has stopped: search goes by words"),
                meaning_texts.fault(given.get("error_code", ""), given.get("reason", finding.detail)),
            ),
            "meaning_missing": (
                self.tr("%Ln passages cannot be found by meaning yet", "", number),
                meaning_texts.fault(given.get("error_code", ""))
                or self.tr("Words find them. They are worked through in the background, where that is on."),
            ),
            "meaning_refused": (
                self.tr("The model refused %Ln passages", "", number),
                self.tr("Each of them alone, for what it holds. Words find them."),
            ),
            **self._of_memory(finding, number),
            "last_error": (self.tr("The last pass failed"), shorten(given.get("reason", finding.detail))),
            "disk_low": (
                self.tr("Little space is left"),
                self.tr("{size} are free where the index lies.").format(size=i18n.byte_size(number * 1_000_000)),
            ),
        }
        known = texts.get(finding.code) or HealthStates().said(finding, number)
        what, consequence = known or (finding.title, " ".join(filter(None, (finding.detail, finding.remedy))))
        glyph = GLYPHS.get(finding.severity, "warn")
        if finding.code == "unknown_kinds":
            listed = tuple(one for one in problems if one.kind in NO_NEED and one.agent == key)
            return Look(glyph, what, consequence, action="show" if listed else "", problems=listed)
        paths = finding.code in ONLY_PATHS
        return Look(
            glyph,
            what,
            consequence,
            paths,
            ACTIONS.get(finding.code, ""),
            place=given.get("path") or given.get("projects", "").split(", ")[0],
        )

    def _of_memory(self, finding: Finding, number: int) -> dict[str, tuple[str, str]]:
        given = finding.params
        reason = shorten(given.get("reason", finding.detail))
        chores = {
            "archive": self.tr("Finished sessions could not be archived"),
            "changelogs": self.tr("Changelogs could not be taken in"),
            "snapshot": self.tr("Memory could not be backed up"),
            "vectors": self.tr("Memories could not be made findable by meaning"),
        }
        return {
            "memory_unwritable": (self.tr("Memory cannot be used"), reason),
            "memory_mended": (
                self.tr("A damaged memory was mended"),
                self.tr("Nothing needs to be done; the damaged file is kept beside it."),
            ),
            "stale_backup": (
                self.tr("Memory was not backed up lately"),
                self.tr("There is no backup yet; the journal alone has it twice.")
                if given.get("day", "never") == "never"
                else self.tr("The newest backup is of {day}.").format(day=given["day"]),
            ),
            "drafts_waiting": (
                self.tr("%Ln drafts wait for review", "", number),
                self.tr("Of: {projects}. The oldest is of {day}.").format(
                    projects=given.get("projects", ""), day=given.get("day", "")
                ),
            ),
            "memory_untended": (chores.get(given.get("what", ""), finding.title), reason),
        }

    def _group(self, agent: str, kind: str, found: list[Problem]) -> Look:
        name, count = wording.agent_name(agent or "other"), len(found)
        titles = {
            "bad_json": self.tr("%Ln lines skipped in {agent}: not valid JSON", "", count),
            "oversize_line": self.tr("%Ln lines skipped in {agent}: too long", "", count),
            "nul_run": self.tr("%Ln gaps of empty bytes in {agent}", "", count),
            "not_utf8": self.tr("%Ln lines in {agent} are not UTF-8", "", count),
            "bad_frame": self.tr("%Ln compressed files of {agent} are damaged", "", count),
            "torn_header": self.tr("%Ln files of {agent} set aside: the beginning is damaged", "", count),
            "needs_dictionary": self.tr("%Ln files of {agent} set aside: they need a dictionary to unpack", "", count),
            "window_too_large": self.tr("%Ln files of {agent} set aside: they would need too much memory", "", count),
            "unreadable": self.tr("%Ln files of {agent} could not be opened", "", count),
            "not_recognised": self.tr("%Ln files of {agent} set aside: not a shape we know", "", count),
            "over_budget": self.tr("%Ln files of {agent} read in part: they are larger than the budget", "", count),
        }
        what = titles.get(kind, self.tr("%Ln places skipped in {agent}", "", count)).format(agent=name)
        action = "retry" if kind in WHOLE_FILE else "show"
        if count == 1:
            return Look("warn", what, shorten(found[0].path), True, action, tuple(found))
        consequence = (
            self.tr("Left out until the file changes or you try again.")
            if kind in WHOLE_FILE
            else self.tr("The newest part of each is in.")
            if kind == "over_budget"
            else self.tr("Counted and left out. The rest of those sessions is in.")
        )
        return Look("warn", what, consequence, False, action, tuple(found))

    def row(self, source: SourceView) -> Row:
        counters = source.counters
        parts = []
        if counters.quarantined_files:
            parts.append(self.tr("%Ln files", "", counters.quarantined_files))
        if counters.skipped_records:
            parts.append(self.tr("%Ln lines", "", counters.skipped_records))
        fine = not parts and source.state not in ("failed", "offline", "partial") and not source.error
        return Row(
            agent=source.agent,
            name=wording.agent_name(source.agent),
            sessions=counters.sessions,
            passages=counters.chunks,
            skipped=self.tr(", ", "between counts").join(parts),
            cut=counters.truncated_files + counters.over_budget_files,
            glyph="minus" if not source.enabled else "check" if fine else "warn",
            state=self._state(source, fine),
        )

    def _state(self, source: SourceView, fine: bool) -> str:
        if not source.enabled:
            return self.tr("Off")
        special = {
            "failed": self.tr("Could not be read"),
            "offline": self.tr("Not reachable now"),
            "reading": self.tr("Reading"),
        }
        if source.state in special:
            return special[source.state]
        newest = i18n.local(source.newest)
        if newest is None:
            return self.tr("No sessions yet")
        days = (i18n.now().date() - newest.date()).days
        when = i18n.since(newest) if days <= 0 else i18n.age(days) if days < 3 else i18n.day(newest.date(), weekday=False)
        return (self.tr("Up to date, newest {when}") if fine else self.tr("Read, newest {when}")).format(when=when)

    def disk(self, status: Status) -> str:
        if status.text_bytes <= 0:
            return self.tr("on disk")
        share = i18n.locale().toString(status.index_bytes / status.text_bytes, "f", 1)
        return self.tr("on disk, {share} of the text").format(share=share)

    def span(self, status: Status) -> str:
        oldest, newest = i18n.local(status.oldest), i18n.local(status.newest)
        if oldest is None or newest is None:
            return "–"
        return i18n.day_range(oldest.date().isoformat(), newest.date().isoformat())

    def span_words(self, days: int) -> str:
        return self.tr("window of %Ln days", "", days) if days else self.tr("all that was found")

    def report(self, status: Status, findings: Iterable[Finding], problems: Iterable[Problem]) -> str:
        """Plain text for an issue, in English whatever the language is: counts, codes and shortened paths, never what was
        said."""
        totals = status.totals
        lines = [
            versions(status),
            f"passages {totals.chunks}, sessions {totals.sessions}, files {totals.files}, skipped {totals.skipped_records}, "
            f"set aside {totals.quarantined_files}, unknown records {totals.unknown_records}",
            f"index {status.index_bytes} bytes, text {status.text_bytes} bytes, memory {status.memory_bytes} bytes",
            f"last pass {status.built_at or 'never'}, watching {status.watching}, word extension {status.fts_extension}",
            "",
        ]
        lines += [
            f"{source.agent}: {source.state}, {'on' if source.enabled else 'off'}, adapter {source.adapter_version}, "
            f"{source.counters.sessions} sessions, {source.counters.chunks} passages, "
            f"{source.counters.skipped_records} skipped, {source.counters.unknown_records} unknown"
            for source in status.sources
            if source.found
        ]
        lines += ["", *(f"[{finding.severity}] {finding.code}: {shorten(finding.title)}" for finding in findings)]
        lines += [
            f"{problem.kind}: {shorten(problem.path)}" + (f":{problem.line}" if problem.line else "") + f" ({problem.reason})"
            for problem in problems
        ]
        return "\n".join(lines).rstrip() + "\n"


def _not_listed(findings: Iterable[Finding], problems: Iterable[Problem]) -> list[Finding]:
    """The findings without those that count what the list of problems names: it would be said twice."""
    named = any(problem.kind not in NO_NEED for problem in problems)
    return [one for one in findings if one.code != ALL_IS_WELL and not (named and one.code in OF_PROBLEMS)]
