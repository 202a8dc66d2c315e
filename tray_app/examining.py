"""The check-up in the running program: the part of `Engine` that front ends ask, and that others tell what only they know.

Owns the order: the libraries are read first and in this thread, what may hang is looked at beside it, each within its time.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Sequence
from typing import Any

from tray_app import clock
from tray_app.folders import Folders
from tray_app.indexer import Indexer
from tray_app.insight import agreement, doctor, entries, keyring, leftovers, log_errors, proof, versions
from tray_app.insight.looking import Looks
from tray_app.insight.proof import Proof, Ways
from tray_app.keeping import Keeping
from tray_app.libraries import Libraries, Library
from tray_app.library import proving
from tray_app.library.proving import Held, Sizes
from tray_app.library.reading import Reader
from tray_app.meaning import Meaning
from tray_app.paths import Paths
from tray_app.records import Finding, Problem, SpaceView, Status
from tray_app.remembering.findings import backups, findings
from tray_app.remembering.minds import Mind
from tray_app.remembering.rounds import Rounds
from tray_app.settings import Settings
from tray_app.sources.registry import adapter
from tray_app.territory import REST
from tray_app.text.dates import local_zone
from tray_app.upkeep import Upkeep

PROBLEMS = 1_000
Look = Callable[[], Sequence[Finding]]


class Examining:
    """A part of `Engine`, which has these."""

    paths: Paths
    settings: Settings
    kind: str
    keeping: Keeping
    folders: Folders
    libraries: Libraries
    indexer: Indexer
    sense: Meaning
    rounds: Rounds
    upkeep: Upkeep

    def _begin_examining(self) -> None:
        self._looks: Looks[Any] = Looks()
        self._witnesses: dict[str, Look] = {}

    def status(self, space: str | None = None) -> Status:
        raise NotImplementedError

    def problems(self, limit: int = 500, space: str | None = None) -> list[Problem]:
        raise NotImplementedError

    def spaces(self) -> list[SpaceView]:
        raise NotImplementedError

    def _using(self) -> contextlib.AbstractContextManager[None]:
        raise NotImplementedError

    def _reading(self, library: Library) -> contextlib.AbstractContextManager[Reader]:
        raise NotImplementedError

    def _minds(self, *, removed: bool = False) -> list[Mind]:
        raise NotImplementedError

    def also_look(self, name: str, look: Look) -> None:
        """Have the check-up ask something that the engine cannot know: how the socket stands, whether the tray is there. Called in
        a thread of its own, which is not waited for longer than `insight.looking` says."""
        self._witnesses[name] = look

    def doctor(self) -> list[Finding]:
        """Everything that is wrong or worth knowing, worst first. What could not be looked at is among it. The files can be let go of
        while something is waited for."""
        now = clock.now(local_zone())
        with self._using():
            status, library = self.status(), self.libraries.of()
            opened = library.open()
            aside = opened.set_aside.name if opened.set_aside else ""
            with self._reading(library) as reader:
                marks, drifts = reader.files_read(), reader.drifts()
            sample, sizes = self._sampled()
            minds, space = self._minds(), self.sense.space() if self.sense.is_on else None
            told = findings(minds, self.rounds.faults, space.key if space is not None else "")
            snapshots = [mind.store.backups() for mind in minds]
            told += self.keeping.findings(status)
            problems, spaces = self.problems(PROBLEMS), self.spaces()
        names = {view.agent: view.name for view in status.sources}
        rules, limits = self.indexer.rules(), self.indexer.limits()
        ways = Ways(adapter, self.folders.home, rules, limits, self.indexer.tombstones.forgotten())
        given, missed = self._looks.run(
            {
                "backups": lambda: backups(snapshots),
                "keyring": lambda: keyring.findings(keyring.needing(status.leaves, self.settings)),
                "agents": lambda: entries.findings(self.paths, self.folders.home),
                "leftovers": lambda: leftovers.findings(self.paths, now.timestamp()),
                "log": lambda: log_errors.findings(self.paths.logs, now),
                **self._witnesses,
                "proof": lambda: proof.prove(sample, ways),
                "files": lambda: agreement.examine(marks, int(now.timestamp() * 1000)),
            }
        )
        proved: Proof = given.pop("proof", Proof())
        disk: agreement.Agreement = given.pop("files", agreement.Agreement())
        more = [
            *(one for found in given.values() for one in found), *missed, *told, *versions.findings(opened.fts_reason),
            *proof.findings(proved, sizes, names), *doctor.of_topics(self.upkeep.topics.fault), *doctor.of_clock(status, now),
            *(() if self.kind == "tray" else [doctor.no_tray()]),
        ]  # fmt: skip
        return doctor.examine(
            status, problems, self.paths.data, opened.fts_reason, list(self.settings.faults), aside, disk, spaces, drifts, more
        )

    def _sampled(self) -> tuple[list[Held], list[Sizes]]:
        """What the libraries have of a few files each; of none that is to be read anew by other rules."""
        chance = random.Random()  # noqa: S311 - which files are read once more is no secret
        sample: list[Held] = []
        sizes: list[Sizes] = []
        for space in (REST, *(one.id for one in self.libraries.spaces.layout().in_use)):
            library = self.libraries.of(space)
            if library.file.exists():
                with self._reading(library) as reader:
                    sizes.append(proving.sizes(reader.cursor))
                    if self.indexer.rules_hold(reader.meta("rules")):
                        sample += proof.picked(reader.cursor, chance)
        return sample, sizes
