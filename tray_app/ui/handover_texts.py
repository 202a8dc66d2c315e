"""The words of the hand-over window, in the language in force.

Owns how kinds, states, fields, layers, figures and reports are said. What the engine says in English sentences is said
anew here where its shape is known, and shown as it came where it is not.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from tray_app.records import (
    ArchiveReport,
    CacheStats,
    ChangelogReport,
    CheckpointView,
    CleanupItem,
    CleanupPlan,
    PackLayer,
    ProjectView,
    ResumeAdvice,
)
from tray_app.ui import i18n, wording

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class HandoverTexts:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("HandoverTexts", text, comment, number)

    # --- names -------------------------------------------------------------------------------------------------------
    def field(self, name: str) -> str:
        return {
            "baseline": self.tr("Baseline"),
            "goal": self.tr("Goal"),
            "done": self.tr("Done"),
            "doing": self.tr("Doing"),
            "next": self.tr("Next"),
            "files": self.tr("Files"),
            "open_questions": self.tr("Open", "questions"),
        }.get(name, name)

    def kind(self, name: str) -> str:
        """Of one memory."""
        return {
            "baseline": self.tr("Baseline"),
            "decision": self.tr("Decision"),
            "fact": self.tr("Fact"),
            "pitfall": self.tr("Pitfall"),
            "todo": self.tr("To do"),
            "note": self.tr("Note"),
            "session": self.tr("Session"),
            "changelog": self.tr("Changelog"),
            "checkpoint": self.tr("Checkpoint"),
            "handoff": self.tr("Hand-over"),
            "card": self.tr("Card"),
            "draft": self.tr("Draft"),
            "project": self.tr("Project"),
        }.get(name, name)

    def kinds(self, name: str) -> str:
        """Of several, where they are filtered by kind."""
        return {
            "": self.tr("All"),
            "baseline": self.tr("Baselines"),
            "decision": self.tr("Decisions"),
            "fact": self.tr("Facts"),
            "pitfall": self.tr("Pitfalls"),
            "todo": self.tr("To do"),
            "note": self.tr("Notes"),
            "session": self.tr("Sessions"),
            "changelog": self.tr("Changelogs"),
            "checkpoint": self.tr("Checkpoints"),
            "handoff": self.tr("Hand-overs"),
        }.get(name, name)

    def memory_state(self, name: str) -> str:
        return {
            "active": self.tr("Active"),
            "superseded": self.tr("Replaced"),
            "draft": self.tr("Drafts"),
            "archived": self.tr("Archived"),
        }.get(name, name)

    def layer(self, name: str) -> str:
        return {
            "baseline": self.tr("Baseline"),
            "facts": self.tr("Facts"),
            "state": self.tr("Current state"),
            "next": self.tr("Next"),
        }.get(name, name)

    def left_out(self, layer: PackLayer, *, has_card: bool) -> str:
        """What of a layer is not in the pack, and why it is empty."""
        if layer.name == "next" and not layer.tokens:
            return (
                self.tr("stands in the card") if has_card else self.tr("nothing") if not layer.dropped else self.tr("left out")
            )
        if not layer.dropped:
            return ""
        return self.tr("%Ln oldest left out", "", layer.dropped) if layer.name == "facts" else self.tr("shortened")

    # --- projects ----------------------------------------------------------------------------------------------------
    def project_state(self, project: ProjectView) -> tuple[str, str]:
        """Glyph ('' for none) and words."""
        if project.state == "orphan":
            return "warn", self.tr("Folder gone, kept")
        if project.has_draft:
            return "edit", self.tr("Draft waiting")
        if project.has_card:
            return "card", self.tr("Card")
        if project.name == "workspace" and project.state == "reserved":
            return "", self.tr("Loose sessions")
        if project.state == "reserved":
            return "", self.tr("Without a project")
        return "", self.tr("No card")

    def figures(self, project: ProjectView) -> str:
        """'12 sessions · 3 compactions'"""
        parts = [wording.sessions(project.sessions)] if project.sessions else []
        if project.compactions:
            parts.append(self.tr("%Ln compactions", "", project.compactions))
        return " · ".join(parts)

    def memories(self, number: int) -> str:
        return self.tr("%Ln memories", "", number)

    def ago(self, moment: str | None) -> str:
        """'12 min ago', 'yesterday', '3 weeks ago'; '' for never."""
        when = i18n.local(moment)
        if when is None:
            return ""
        days = (i18n.now().date() - when.date()).days
        return i18n.since(when) if days <= 0 else i18n.age(days)

    def day(self, moment: str | None, *, clock: bool = False) -> str:
        """'today', '26 Nov'; with `clock` 'today 14:02'. '' for none."""
        when = i18n.local(moment)
        if when is None:
            return ""
        name = i18n.age(0) if when.date() == i18n.now().date() else i18n.day(when.date(), weekday=False)
        return self.tr("{day} {time}").format(day=name, time=i18n.clock(when)) if clock else name

    def spoken(self, project: ProjectView) -> str:
        """The whole row in one sentence; lines of it are the tooltip."""
        figures = self.figures(project).split(" · ")
        parts = [project.name, self.project_state(project)[1], self.memories(project.memories), *figures]
        if project.last_activity:
            parts.append(self.tr("last active {when}").format(when=self.ago(project.last_activity)))
        return self.tr(", ", "between parts").join(part for part in parts if part)

    def last_session(self, project: ProjectView, resume: ResumeAdvice | None) -> str:
        when = self.ago(project.last_activity)
        day = i18n.local_day(resume.date_text) if resume is not None and _DAY.fullmatch(resume.date_text) else None
        active = i18n.local(project.last_activity)
        if day is not None and (active is None or active.date() != day):
            # A project is also active when something is written down of it; the day of the session is what is meant here.
            when = i18n.age((i18n.now().date() - day).days)
        if not when:
            return ""
        if resume is not None and resume.agent:
            agent = wording.agent_name(resume.agent)
            return self.tr("Last session: {agent}, {when}").format(agent=agent, when=when)
        return self.tr("Last session: {when}").format(when=when)

    # --- figures of the caches ---------------------------------------------------------------------------------------
    def cache_line(self, stats: CacheStats) -> str:
        """One line over the last sessions; what is not known is said too."""
        sent = sum(group.tokens_in for group in stats.by_agent if group.hit_rate is not None)
        if not stats.sessions:
            return self.tr("No cache figures yet")
        if not sent:
            return self.tr("No cache figures logged")
        share = sum((group.hit_rate or 0.0) * group.tokens_in for group in stats.by_agent) / sent
        line = self.tr("Cache {percent}%, %Ln sessions", "", len(stats.sessions))
        return line.format(percent=i18n.count(round(share * 100)))

    def cache_details(self, stats: CacheStats) -> str:
        """The lines behind it."""
        lines = [
            self.tr("{agent}: {percent}% of the input came from the cache, %Ln sessions", "", group.sessions).format(
                agent=wording.agent_name(group.name), percent=i18n.count(round(group.hit_rate * 100))
            )
            for group in stats.by_agent
            if group.hit_rate is not None
        ]
        if stats.compactions:
            line = self.tr("%Ln compactions; {tokens} tokens were read anew after them", "", stats.compactions)
            lines.append(line.format(tokens=i18n.count(stats.thrown_away)))
        if stats.first_write_with is not None and stats.first_write_without is not None:
            line = self.tr("Steps to the first change: {with_pack} with the pack, {without} without")
            lines.append(line.format(with_pack=_tenths(stats.first_write_with), without=_tenths(stats.first_write_without)))
        elif stats.note:
            lines.append(self.tr("With and without the pack: not enough sessions yet"))
        return "\n".join(lines)

    # --- checkpoints -------------------------------------------------------------------------------------------------
    def saved(self, point: CheckpointView) -> str:
        """'Saved 26 Nov from a Claude Code session'"""
        day = self.day(point.updated or point.created)
        if point.source_agent:
            agent = wording.agent_name(point.source_agent)
            return self.tr("Saved {day} from a {agent} session").format(day=day, agent=agent)
        return self.tr("Saved {day}").format(day=day)

    def version(self, point: CheckpointView) -> tuple[str, str]:
        """Of a row of the history: when, and from what."""
        when = self.day(point.created, clock=True)
        return when[:1].upper() + when[1:], (
            wording.agent_name(point.source_agent) if point.source_agent else self.tr("Written by hand")
        )

    def resume(self, advice: ResumeAdvice | None) -> str:
        """Whether to go on in the last session, in one sentence."""
        if advice is None or advice.advice == "none" or not advice.agent:
            return ""
        agent = wording.agent_name(advice.agent)
        day = i18n.day(advice.date_text, weekday=False) if _DAY.fullmatch(advice.date_text) else ""
        session = self.tr("the last session ({agent}, {day})") if day else self.tr("the last session ({agent})")
        session = session.format(agent=agent, day=day)
        if advice.advice == "resume":
            return self.tr("Better go on in {session}: it was never compacted.").format(session=session)
        if "its folder is gone" in advice.text:
            return self.tr("Start from the pack: the folder of {session} is gone.").format(session=session)
        if not advice.command:
            return self.tr("Start from the pack: {session} cannot be resumed.").format(session=session)
        if advice.compacted:
            return self.tr("Start from the pack: {session} was compacted.").format(session=session)
        return self.tr("Start from the pack: {session} is some time ago.").format(session=session)

    # --- reports -----------------------------------------------------------------------------------------------------
    def archived(self, report: ArchiveReport) -> str:
        if not report.archived and not report.again:
            if report.before_baseline:
                return self.tr("Nothing new to archive; %Ln earlier sessions only on request.", "", report.before_baseline)
            if report.unfinished:
                return self.tr(
                    "Nothing to archive yet: %Ln sessions were written to in the last minutes.", "", report.unfinished
                )
            return self.tr("Nothing to archive: all finished sessions are.")
        parts = [self.tr("%Ln sessions archived", "", report.archived + report.again)]
        if report.drafts:
            parts.append(self.tr("%Ln drafts to review", "", report.drafts))
        if report.waiting:
            parts.append(self.tr("%Ln wait for the next run", "", report.waiting))
        return self.tr(", ", "between parts").join(parts) + self.tr(".", "end of a sentence")

    def changelog(self, report: ChangelogReport) -> str:
        if not report.files:
            return self.tr("There is no changelog in this project.")
        if not report.added:
            return self.tr("Nothing new in the changelogs.")
        return self.tr("%Ln entries taken from the changelogs.", "", report.added)

    def planned(self, plan: CleanupPlan) -> str:
        """The heading over a clean-up's plan."""
        doing = [item for item in plan.items if item.action != "report"]
        if plan.applied:
            parts = [self.tr("%Ln put away", "", plan.archived)] if plan.archived else []
            if plan.deleted:
                parts.append(self.tr("%Ln deleted", "", plan.deleted))
            return self.tr(", ", "between parts").join(parts) or self.tr("Nothing was changed")
        if not doing:
            return self.tr("Nothing to clean up")
        return self.tr("%Ln entries to clean up", "", len(doing))

    def cleanup_action(self, item: CleanupItem) -> str:
        return {"archive": self.tr("Put away"), "delete": self.tr("Delete"), "report": self.tr("Only told")}.get(
            item.action, item.action
        )

    def cleanup_reason(self, reason: str) -> str:
        """The engine's reason in the language in force."""
        number = re.search(r"\d[\d,]*", reason)
        count = int(number[0].replace(",", "")) if number else 0
        for start, words in (
            ("session summary", self._summary(reason, count)),
            ("superseded, beyond", self.tr("replaced, and not among the last %Ln", "", count)),
            ("draft that nobody", self.tr("nobody confirmed it for %Ln days", "", count)),
            ("never used in", self.tr("not used for %Ln days", "", count)),
            ("archived for", self.tr("put away %Ln days ago", "", count)),
            ("its folder is gone, untouched", self.tr("its folder is gone, untouched for %Ln days", "", count)),
            ("its folder is gone", self.tr("its folder is gone")),
        ):
            if reason.startswith(start):
                return words
        return reason

    def _summary(self, reason: str, days: int) -> str:
        if reason.endswith("checkpoint"):
            return self.tr("summary of a session, %Ln days old; there is a card", "", days)
        return self.tr("summary of a session, %Ln days old", "", days)


def _tenths(value: float) -> str:
    return i18n.locale().toString(value, "f", 1)


texts = HandoverTexts()
