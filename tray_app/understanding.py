"""What front ends ask of the engine about meaning: filling in vectors, the back end, its key, its models; and naming topics.

Owns no state: the part of `Engine` that passes these on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tray_app.filling import Filling
from tray_app.indexer import Indexer
from tray_app.libraries import Libraries
from tray_app.meaning import Meaning
from tray_app.naming import Naming
from tray_app.recall.search import Values
from tray_app.records import Download, IndexReport, MeaningTest, MeaningView, Progress, Status
from tray_app.records.meaning import WORTH
from tray_app.settings import Settings

Say = Callable[[Progress], None]


class Understanding:
    """A part of `Engine`, which makes these."""

    sense: Meaning
    filling: Filling
    naming: Naming
    settings: Settings
    kind: str
    libraries: Libraries
    indexer: Indexer

    def status(self, space: str | None = None, caller: str | None = None) -> Status:
        raise NotImplementedError

    def embed_once(self, report: Say, stop: Callable[[], bool], *, asked: bool = False) -> bool:
        """Make vectors of what has none yet. True: nothing is left to do before something changes; False: it was stopped, or the
        back end has a rest, and there is more. `stop` is asked often and ends it within a second, losing nothing. `asked`: even
        where the settings leave it."""
        return self.filling.run(report, stop, asked=asked)

    def _filled(self, done: IndexReport, say: Say) -> IndexReport:
        """After a pass that somebody waits for: the tray fills by itself, others do it now, where it is worth it."""
        if self.kind != "tray" and not done.stopped and self.filling.is_worth(WORTH):
            self.embed_once(say, lambda: False, asked=True)
        return done

    def name_topics(self, stop: Callable[[], bool]) -> int:
        """See `Naming.run`."""
        return self.naming.run(stop)

    def _values(self) -> Values:
        return Values(*(float(self.settings[key]) for key in ("search.found_share", "search.found_evidence", "meaning.share")))

    def warm(self) -> None:
        """Somebody is about to ask: have the model and the vectors loaded, in the background."""
        self.sense.warm(self.libraries.of().matrices.of)
        space = self.sense.space()
        if space is not None:
            self.libraries.of().matrices.of(space.key)

    def _release_idle(self, seconds: float) -> bool:
        return self.indexer.writing.locked() or self.libraries.release_idle(seconds)

    def meaning(self) -> MeaningView:
        return self.sense.view(self.status().embedding)

    def test_meaning(self, values: dict[str, Any], key: str | None = None) -> MeaningTest:
        return self.sense.test(values, key)

    def set_key(self, purpose: str, key: str | None) -> MeaningView:
        self.sense.set_key(purpose, key)
        self.indexer.wake.set()
        return self.meaning()

    def download_model(self, model: str) -> Download:
        return self.sense.downloads.start(model, self.settings["meaning.mirror"])

    def cancel_download(self) -> Download:
        return self.sense.downloads.cancel()
