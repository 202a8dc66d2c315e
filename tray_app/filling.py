"""Making vectors of what has none yet, library by library, the newest talk first.

Owns what is under way, the order, the short writes between two passes, and the figures that the status shows. What is written
waits for a running pass; nothing is held while a model is at work, so that files can be let go of at any time.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from tray_app.embed.asked import Embedded
from tray_app.embed.base import Space, Vectors
from tray_app.embed.batches import Refusal
from tray_app.indexer import Indexer
from tray_app.indexing import embedding
from tray_app.indexing.embedding import Passage
from tray_app.libraries import Libraries, Library
from tray_app.library import vectors
from tray_app.library.centring import unit
from tray_app.library.reading import Reader
from tray_app.library.vectors import Amounts, Found, SpaceRow, VectorWriter
from tray_app.meaning import LOCAL, Meaning
from tray_app.moments import LOOK_S, Moments
from tray_app.records import Embedding, Progress
from tray_app.settings import Settings
from tray_app.sources.base import Stop, Stopped
from tray_app.territory import REST

log = logging.getLogger(__name__)

FIRST_GROUP, MOST_GROUP = 8, 256
"""Passages under way at once, which are lost if the program is killed: as many as take about `GROUP_S`."""
GROUP_S = 1.5
SHORT_REST_S = 5.0
"""A longer rest after a fault is not waited for here: whoever called comes again."""
LEAVE_S = 0.8
"""So long a call under way is waited for when somebody says stop; later its outcome is used by the next call."""
SPEED_SHARE = 0.3
BETWEEN_S = 15.0
FIXED_GROUP = 16
ASKED_OF_SERVICES = 96
"""So many of the fixed questions are asked of a service, which gets one call for each."""


class _UnderWay(NamedTuple):
    """Passages that are with the model."""

    library: Library
    generation: int
    passages: list[Passage]
    embedded: Embedded


class _Fixed:
    """The vectors of the fixed texts as far as they are made, for one generation of the back end: all libraries need them, and
    who is interrupted goes on with them."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.questions: dict[int, Vectors | Refusal] = {}
        self.statements: dict[int, Vectors | Refusal] = {}


class Filling:
    """`inside` keeps the files open for the length of a block, `closings` counts how often they were let go of."""

    def __init__(
        self,
        libraries: Libraries,
        indexer: Indexer,
        meaning: Meaning,
        settings: Settings,
        inside: Callable[[], contextlib.AbstractContextManager[None]],
        closings: Callable[[], int],
    ) -> None:
        self._libraries, self._meaning, self._settings = libraries, meaning, settings
        self._moments, self._closings = Moments(indexer, inside), closings
        self._one = threading.Lock()
        self._under_way: _UnderWay | None = None
        self._settled: object = None
        self._group = FIRST_GROUP
        self._per_minute = 0.0
        self._announced: object = None
        self._fixed: _Fixed | None = None
        self._begun = self._revision = 0
        self.running = False
        self._ran_at = -math.inf
        self.writing = False
        """Vectors are being written; for whoever asks whether a pass runs."""

    # --- filling -------------------------------------------------------------------------------------------------------------
    def run(self, report: Callable[[Progress], None], stop: Stop, *, asked: bool = False) -> bool:
        """Make vectors until all passages have some, and True; or False: it was stopped, or a back end has a rest, and there is
        more to do. `stop` ends it within a second. `asked`: even where the settings leave it."""
        if not self._meaning.is_on or not (asked or self._settings["meaning.background"]):
            return True
        if not self._one.acquire(blocking=False):
            return False
        self._begun = self._closings()
        try:
            return self._run(report, lambda: stop() or self._closings() != self._begun)
        except Stopped:
            return False
        finally:
            if self.running:
                self.running, self._ran_at = False, time.monotonic()
            self._one.release()

    def is_worth(self, least: int) -> bool:
        """Whether so many passages have no vector, in all libraries, or the model is at hand."""
        if self._meaning.space() is not None:
            return True
        count = 0
        for library in self._in_use():
            with self._moments.reading(library, lambda: False) as reader:
                count += self.view(reader).missing
        return count >= least

    def _in_use(self) -> list[Library]:
        order = [REST, *(space.id for space in self._libraries.spaces.layout().in_use)]
        return [library for library in map(self._libraries.of, order) if library.file.exists()]

    def _run(self, report: Callable[[Progress], None], stop: Stop) -> bool:
        generation = self._meaning.renew()
        layout = self._libraries.spaces.layout()
        order = [REST, *(space.id for space in layout.in_use)]
        libraries = [library for library in map(self._libraries.of, order) if library.file.exists()]
        mark = (generation, [(library.file, library.state) for library in libraries])
        if mark == self._settled and self._under_way is None:
            return True
        if not self._rested(stop):
            return self._meaning.rest() == math.inf
        self.running = True
        self._revision = layout.revision
        if self._under_way is not None and self._under_way.library not in libraries:
            self._under_way = None
        if not self._collect(stop) or not self._learned(stop):
            return self._meaning.rest() == math.inf
        for library in libraries:
            if not self._fill(library, generation, report, stop):
                return self._meaning.rest() == math.inf
        self._settled = mark
        return True

    def _fill(self, library: Library, generation: int, report: Callable[[Progress], None], stop: Stop) -> bool:
        """One library; whether nothing is left to do in it. Raises Stopped."""
        row = self._row(library, stop)
        with self._moments.reading(library, stop) as reader:
            left = vectors.missing(reader.cursor, row.id if row else -1)
            ready = row is not None and vectors.facts_of(reader.cursor, row).calibrated
        if not ready:
            if not len(left):
                return True
            if not self._calibrate(library, generation, stop):
                return False
        self._announce(generation, library, len(left))
        done = 0
        while done < len(left):
            with self._moments.reading(library, stop) as reader:
                passages = embedding.read_passages(reader, [int(number) for number in left[done : done + self._group]])
            taken = min(self._group, len(left) - done)
            if passages and not self._made(library, generation, passages, stop):
                return False
            done += taken
            report(Progress(phase="embedding", done=done, total=len(left), eta_s=self._eta(len(left) - done)))
            self._survey(library, stop, complete=False)
        self._survey(library, stop, complete=True)
        self._forget_others(library, stop)
        return True

    def _made(self, library: Library, generation: int, passages: list[Passage], stop: Stop) -> bool:
        """Embed passages and keep their vectors; False where a fault ended it."""
        if not self._rested(stop):
            return False
        if self._meaning.renew() != generation or self._libraries.spaces.layout().revision != self._revision:
            raise Stopped
        embedded = self._meaning.embed([passage.text for passage in passages])
        self._under_way = _UnderWay(library, generation, passages, embedded)
        return self._collect(stop)

    def _collect(self, stop: Stop) -> bool:
        """Wait for what is under way, and keep it. Raises Stopped, and leaves it under way."""
        under_way = self._under_way
        if under_way is None:
            return True
        embedded = under_way.embedded
        self._wait(embedded, stop)
        try:
            if under_way.generation == self._meaning.generation and embedded.space is not None and embedded.outcomes:
                self._keep(under_way.library, embedded.space, under_way.passages, embedded, stop)
        except Stopped:
            raise
        except BaseException:
            self._under_way = None
            raise
        self._under_way = None
        self._measure(len(embedded.outcomes), embedded.seconds)
        return embedded.fault is None

    def _wait(self, embedded: Embedded, stop: Stop) -> None:
        while not embedded.wait(LOOK_S):
            if stop():
                embedded.leave()
                if embedded.wait(LEAVE_S):
                    return
                raise Stopped

    def _keep(self, library: Library, space: Space, passages: Sequence[Passage], embedded: Embedded, stop: Stop) -> None:
        found, refused = [], []
        for place, outcome in embedded.outcomes.items():
            passage = passages[place]
            if isinstance(outcome, Refusal):
                refused.append((passage.id, passage.row, outcome.reason))
            else:
                found.append(Found(passage.id, passage.row, passage.language, unit(outcome)[None]))
        with self._writer(library, stop) as writer:
            writer.add(writer.open_space(space.key, space.dims), found, refused)
        library.matrices.outdated()

    # --- what a space needs beside vectors -------------------------------------------------------------------------------------
    def _learned(self, stop: Stop) -> bool:
        """Whether the space is known by now, which may mean that a service is asked for a word."""
        if self._meaning.space() is None:
            embedded = self._meaning.embed(())
            self._wait(embedded, stop)
        return self._meaning.space() is not None

    def _calibrate(self, library: Library, generation: int, stop: Stop) -> bool:
        """Embed the fixed texts, once for a generation of the back end, and keep them in a library that has none."""
        texts = embedding.calibration_texts()
        space = self._meaning.space()
        shipped = embedding.shipped_calibration(space.key, texts) if space else None
        if space is not None and shipped is not None:
            with self._writer(library, stop) as writer:
                writer.calibrate(writer.open_space(space.key, space.dims), shipped)
            return True
        if self._settings["meaning.backend"] not in LOCAL:
            texts = msgspec.structs.replace(texts, questions=texts.questions[:ASKED_OF_SERVICES])
        if self._fixed is None or self._fixed.generation != generation:
            self._fixed = _Fixed(generation)
        for made, said in ((self._fixed.statements, texts.statements), (self._fixed.questions, texts.questions)):
            while len(made) < len(said):
                if not self._rested(stop):
                    return False
                start = len(made)
                embedded = self._meaning.embed(said[start : start + FIXED_GROUP], as_questions=made is self._fixed.questions)
                self._wait(embedded, stop)
                if self._meaning.renew() != generation:
                    raise Stopped
                if embedded.fault is not None:
                    return False
                if len(embedded.outcomes) < len(said[start : start + FIXED_GROUP]):
                    raise Stopped
                made.update((start + place, outcome) for place, outcome in embedded.outcomes.items())
        kept = [
            {place: one for place, one in made.items() if not isinstance(one, Refusal)}
            for made in (self._fixed.statements, self._fixed.questions)
        ]
        space = self._meaning.space()
        if space is None or not all(kept):
            return False
        with self._writer(library, stop) as writer:
            writer.calibrate(writer.open_space(space.key, space.dims), embedding.calibrated(texts, *kept))
        return True

    def _survey(self, library: Library, stop: Stop, *, complete: bool) -> None:
        row = self._row(library, stop)
        if row is None:
            return
        with self._moments.reading(library, stop) as reader:
            facts = vectors.facts_of(reader.cursor, row)
            count = vectors.amounts(reader.cursor, row.key).vectors
            if not embedding.is_due(facts, count, complete=complete):
                return
            fresh = embedding.survey(reader.cursor, row, stop)
        if fresh is None:
            raise Stopped
        with self._writer(library, stop) as writer:
            writer.describe(row, fresh, fresh.background)
        library.matrices.outdated()

    def _forget_others(self, library: Library, stop: Stop) -> None:
        row = self._row(library, stop)
        if row is not None:
            with self._moments.reading(library, stop) as reader:
                alone = len(vectors.spaces(reader.cursor)) == 1
            if not alone:
                with self._writer(library, stop) as writer:
                    writer.keep_only(row)

    def _row(self, library: Library, stop: Stop) -> SpaceRow | None:
        space = self._meaning.space()
        if space is None:
            return None
        with self._moments.reading(library, stop) as reader:
            return vectors.space_of(reader.cursor, space.key)

    @contextlib.contextmanager
    def _writer(self, library: Library, stop: Stop) -> Iterator[VectorWriter]:
        """No pass runs for the length of the block. What is made is kept even where somebody says stop meanwhile, as long as the
        files are open and no pass runs."""
        with self._moments.writing(library, stop, lambda: self._closings() != self._begun) as opened:
            self.writing = True
            try:
                with VectorWriter(opened) as writer:
                    yield writer
            finally:
                self.writing = False

    def _rested(self, stop: Stop) -> bool:
        """Wait for a short rest of the back end; False for a long one. Raises Stopped."""
        while rest := self._meaning.rest():
            if rest > SHORT_REST_S:
                return False
            if stop():
                raise Stopped
            time.sleep(min(rest, LOOK_S))
        return True

    # --- figures ---------------------------------------------------------------------------------------------------------------
    def _measure(self, count: int, seconds: float) -> None:
        if not count or seconds <= 0:
            return
        speed = count / seconds * 60
        self._per_minute += (speed - self._per_minute) * (SPEED_SHARE if self._per_minute else 1.0)
        wanted = int(self._group * min(max(GROUP_S / seconds, 0.5), 2.0))
        self._group = min(max(wanted, FIRST_GROUP), MOST_GROUP)

    def _eta(self, left: int) -> float | None:
        return left / self._per_minute * 60 if self._per_minute else None

    def _announce(self, generation: int, library: Library, count: int) -> None:
        """What leaves the machine is told once, before it does."""
        host = self._meaning.host
        if host and count and self._announced != (generation, library.file):
            self._announced = (generation, library.file)
            log.info("texts of %d passages are sent to %s, which gives their vectors", count, host)

    def view(self, reader: Reader) -> Embedding:
        """How a library stands. Inside `reading`."""
        backend = self._settings["meaning.backend"]
        if backend == "off":
            return Embedding()
        space, given = self._meaning.space(), self._settings["meaning.model"]
        rows = [row for row in vectors.spaces(reader.cursor) if row.key.startswith(f"{backend}|")]
        key, dims = (space.key, space.dims) if space else (rows[-1].key, rows[-1].dims) if rows else ("", 0)
        amounts = vectors.amounts(reader.cursor, key)
        fault, host = self._meaning.fault(), self._meaning.host
        return Embedding(
            backend=backend, model=given or (key.split("|")[1] if key else ""), dims=dims, vectors=amounts.vectors,
            missing=amounts.missing, refused=amounts.refused, state=self._state(amounts), sends_text_to_cloud=bool(host), host=host,
            error_code=fault.code if fault else "", error=f"{fault.message} {fault.hint}".strip() if fault else "",
            per_minute=round(self._per_minute, 1) if self._is_busy else 0.0,
        )  # fmt: skip

    def _state(self, amounts: Amounts) -> str:
        fault = self._meaning.fault()
        if fault is not None:
            return "stopped" if fault.final else "waiting"
        return "filling" if self._is_busy and amounts.missing else "ready"

    @property
    def _is_busy(self) -> bool:
        """Or was a moment ago: a pass that comes in between is no end."""
        return self.running or time.monotonic() - self._ran_at < BETWEEN_S
