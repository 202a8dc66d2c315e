"""What is said of an agent's installation: its parts, how it stands, what was done.

Owns the words; errors have theirs in `wording`. Knows no widget.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from tray_app.agents.install import Plan, State
from tray_app.paths import shorten
from tray_app.ui import wording


class AgentTexts:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("AgentTexts", text, comment, number)

    def part(self, label: str) -> str:
        return {
            "mcp": self.tr("MCP server"),
            "hook": self.tr("hook"),
            "instructions": self.tr("instructions"),
        }.get(label, label)

    def parts(self, labels: Iterable[str]) -> str:
        """'MCP server, hook'"""
        return self.tr(", ", "between parts").join(self.part(label) for label in labels)

    def standing(self, state: State) -> str:
        """'MCP server, hook (switched off there)', or that nothing is there."""
        said = [
            self.tr("{part} (switched off there)").format(part=self.part(label)) if label in state.off else self.part(label)
            for label in state.there
        ]
        if not said:
            return self.tr("Not installed")
        text = self.tr(", ", "between parts").join(said)
        return self.tr("{parts}: out of date").format(parts=text) if state.stale else text

    def problem(self, state: State) -> str:
        return wording.error_text(state.fault) if state.fault is not None else ""

    def done(self, planned: Plan, copies: Iterable[Path]) -> str:
        """Where it was put in or taken out, where the copies are, and what the person has to know."""
        names = self.tr(", ", "between parts").join(dict.fromkeys(shorten(change.file) for change in planned.changes))
        if not planned.changes:
            said = [self.tr("Nothing was to be changed.")]
        elif planned.remove:
            said = [self.tr("Taken out of {files}.").format(files=names)]
        else:
            said = [self.tr("Put into {files}.").format(files=names)]
        folder = next((copy.parent for copy in copies), None)
        if folder is not None:
            said.append(self.tr("How it was before is kept in {folder}.").format(folder=shorten(folder)))
        said += [self.left_alone(left) for left in planned.left]
        said += self.notes(planned)
        return self._joined(said)

    def left_alone(self, left: str) -> str:
        """Of what bears our name and is not ours; `left` begins with the file."""
        return self.tr("Something of that name in {file} is not Backscroll's and was left.").format(
            file=left.partition(": ")[0]
        )

    def notes(self, planned: Plan) -> list[str]:
        """What a person has to know after an installation; the engine's own words where there are none here."""
        known = {
            "It counts for sessions that are started from now on.": self.tr(
                "It counts for sessions that are started from now on."
            ),
            "Codex runs a new hook only after you trusted it: it asks at its next start, or type /hooks. Older versions know no hooks.": self.tr(
                "Codex runs a new hook only after you trusted it: it asks at its next start, or type /hooks. Older versions know no hooks."
            ),
            "It counts for all profiles. DSH is still changing: see whether the tools are there.": self.tr(
                "It counts for all profiles. DSH is still changing: see whether the tools are there."
            ),
        }
        return [known.get(note, note) for note in planned.notes]

    def _joined(self, sentences: list[str]) -> str:
        text = sentences[0]
        for one in sentences[1:]:
            text = wording.two_sentences(text, one)
        return text


texts = AgentTexts()
