"""The back end in use: made from the settings, asked for vectors of questions and of passages, and what is wrong with it.

Owns the model in memory and gives it back; the faults and how long they keep us from asking; keys and downloads. Knows no
library. Nobody who asks a question waits longer than he says: what comes too late is kept for when it is asked again.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tray_app import trial
from tray_app.desktop import keys
from tray_app.embed import catalogue
from tray_app.embed.asked import Embedded, Question
from tray_app.embed.base import LATE, OFF, Embedder, EmbedFault, MeaningState, QueryVector, Space, TextFault
from tray_app.embed.batches import embed_batches
from tray_app.embed.choice import host_of, make_embedder
from tray_app.embed.download import Downloads
from tray_app.embed.heap import give_back
from tray_app.embed.troubles import PASSAGES, QUESTIONS, Troubles, state_of, unexpected
from tray_app.embed.vectors import flaw, unit
from tray_app.errors import KnownError, UsageError
from tray_app.records import Embedding, MeaningTest, MeaningView
from tray_app.settings import Settings
from tray_app.text.languages import language_of
from tray_app.trial import kept_key, service_host
from tray_app.worker import Job, Worker

log = logging.getLogger(__name__)

KEPT_QUESTIONS = 256
QUESTION_CHARS = 2_000
WAITING_QUESTIONS = 4
IDLE_S = 300.0
"""So long after it was last used, the memory of a model and of vectors is given back."""
HOUSEKEEPING_S = 15.0
CHOICES = ("meaning.backend", "meaning.model", "meaning.url", "meaning.dims")
KEEPING_S = 60.0
"""A locked keyring asks the person, who takes a while to answer."""
SERVICES = ("ollama", "openai")
LOCAL = ("builtin", "fastembed")
"""Back ends whose model is in this process."""

Make = Callable[..., Embedder | None]


class _Held(msgspec.Struct):
    """The back end as it is used: one object where the model is in this process, two where a service is asked."""

    questions: Embedder
    passages: Embedder
    space: Space | None = None


class Meaning:
    """Safe from several threads. `cache` is our cache folder."""

    def __init__(self, settings: Settings, cache: Path, *, make: Make | None = None) -> None:
        self._settings, self._cache, self._make = settings, cache, make or make_embedder
        self.downloads = Downloads(cache)
        self._lock = threading.RLock()
        self._making = threading.Lock()
        self._chosen: dict[str, Any] = {}
        self._there = ""
        """The model that came last: what it lacked before, it may have now."""
        self._held: _Held | None = None
        self.generation = 0
        """Another number whenever the back end is another: settings or key were changed."""
        self._vectors: OrderedDict[str, QueryVector] = OrderedDict()
        self._pending: dict[str, Job[QueryVector | MeaningState]] = {}
        self._troubles = Troubles()
        self._questions = Worker("questions", most=WAITING_QUESTIONS)
        self._passages = Worker("passages", most=1_000, low=True)
        self._used = time.monotonic()
        self._busy = 0
        self._housekeeper: threading.Thread | None = None
        self.on_idle: Callable[[float], bool] = lambda seconds: False
        """Called now and then with `IDLE_S`: gives back what else was not used for so long, and says whether any is held."""

    # --- the back end --------------------------------------------------------------------------------------------------------
    def values(self) -> dict[str, Any]:
        """The settings that make it."""
        return {key: self._settings[key] for key in CHOICES}

    @property
    def is_on(self) -> bool:
        return bool(self._settings["meaning.backend"] != "off")

    def renew(self) -> int:
        """Look at the settings; gives the generation."""
        with self._lock:
            values, known = self.values(), self.downloads.now() if self._settings["meaning.backend"] == "fastembed" else None
            there = known.model if known and known.state == "done" else ""
            if (values, there) != (self._chosen, self._there):
                self._chosen, self._there = values, there
                self._reset()
            return self.generation

    def _reset(self) -> None:
        """The back end is another: forget all that was known of the former."""
        self.generation += 1
        self._vectors.clear()
        self._pending.clear()
        self._troubles = Troubles()
        if self._held is not None:
            self._close(self._held)
            self._held = None

    def _close(self, held: _Held) -> None:
        """In the threads that use them."""
        self._passages.submit(Job(held.passages.close))
        if held.questions is not held.passages:
            self._questions.submit(Job(held.questions.close))

    def _have(self, generation: int) -> _Held:
        """The back end of this generation. In a worker: a keyring or a disk may be slow. Raises EmbedFault."""
        with self._making:
            with self._lock:
                if generation != self.generation:
                    raise EmbedFault("embedding_off", "Settings changed", "The back end is another by now.")
                if self._held is not None:
                    return self._held
                values = dict(self._chosen)
            first = self._make(values, cache=self._cache, key=kept_key)
            if first is None:
                raise EmbedFault("embedding_off", "Meaning is off", "No back end is chosen.", final=True)
            second = first if values["meaning.backend"] in LOCAL else self._make(values, cache=self._cache, key=kept_key)
            made = _Held(first, second or first)
            with self._lock:
                if generation == self.generation:
                    self._held = made
            return made

    def space(self) -> Space | None:
        """The space in use, as far as it is known without asking."""
        with self._lock:
            self.renew()
            return self._held.space if self._held else None

    @property
    def host(self) -> str:
        """Where texts are sent, '' while they stay on this machine; as things are set, where nothing was sent yet."""
        held = self._held
        return held.passages.host if held else host_of(self.values())

    # --- questions -----------------------------------------------------------------------------------------------------------
    def begin(self, text: str) -> Question:
        """Have a question embedded, at once and in the background; nobody is asked while a fault has its rest."""
        question = " ".join(text.split())[:QUESTION_CHARS]
        with self._lock:
            generation = self.renew()
            if not self.is_on or not question:
                return Question(None, OFF)
            if question in self._vectors:
                self._vectors.move_to_end(question)
                return Question(None, self._vectors[question])
            pending = self._pending.get(question)
            if pending is not None:
                return Question(pending)
            fault = self._troubles.resting(QUESTIONS)
            if fault is not None:
                return Question(None, state_of(fault))
            job: Job[QueryVector | MeaningState] = Job(
                lambda: self._embed(generation, question), lambda: self._let_go(question)
            )
            self._pending[question] = job
        self._questions.submit(job)
        self._keep_house()
        return Question(job)

    def _let_go(self, question: str) -> MeaningState:
        """It is not asked any more; the next time it is asked anew."""
        with self._lock:
            self._pending.pop(question, None)
        return LATE

    def _embed(self, generation: int, question: str) -> QueryVector | MeaningState:
        try:
            with self._in_use():
                held = self._have(generation)
                vector = held.questions.query(question)
                space = self._space(held.questions, held)
            if flaw(vector, space.dims):
                raise TextFault("embedding_bad_answer", "No vector", "The question came back without a usable vector.")
            made = QueryVector(space.key, unit(vector), language_of(question))
        except TextFault as fault:
            return state_of(fault)
        except EmbedFault as fault:
            self._note(generation, QUESTIONS, fault)
            return state_of(fault)
        except Exception as fault:
            log.exception("a question could not be embedded")
            found = unexpected(fault)
            self._note(generation, QUESTIONS, found)
            return state_of(found)
        finally:
            with self._lock:
                self._pending.pop(question, None)
        with self._lock:
            if generation == self.generation:
                self._troubles.passed(QUESTIONS)
                self._vectors[question] = made
                while len(self._vectors) > KEPT_QUESTIONS:
                    self._vectors.popitem(last=False)
        return made

    def warm(self, then: Callable[[str], object]) -> None:
        """Load the model, if it is one of this machine: somebody is about to ask. `then` gets the key of the space."""
        with self._lock:
            generation = self.renew()
            if self._settings["meaning.backend"] not in LOCAL or self._troubles.resting(QUESTIONS) is not None:
                return

        def load() -> None:
            made = self._embed(generation, trial.TRIED)
            if isinstance(made, QueryVector):
                then(made.space)

        self._questions.submit(Job(load))
        self._keep_house()

    def settle(self, seconds: float) -> None:
        """Nothing more is asked of a back end from here on, until somebody asks again; what is under way is waited for so long."""
        self.downloads.close()
        until = time.monotonic() + seconds
        for worker in (self._questions, self._passages):
            worker.settle(max(until - time.monotonic(), 0.0))

    # --- passages ------------------------------------------------------------------------------------------------------------
    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> Embedded:
        """Have passages embedded in the background, each by itself where one is refused."""
        generation = self.renew()
        embedded = Embedded()

        def work() -> None:
            started = time.monotonic()
            try:
                with self._in_use():
                    held = self._have(generation)
                    embedded.space = self._space(held.passages, held)
                    if as_questions:
                        for place, text in enumerate(texts):
                            if embedded.leaving:
                                break
                            embedded.outcomes[place] = held.passages.query(text)
                    else:
                        for outcome in embed_batches(held.passages, texts, lambda: embedded.leaving):
                            embedded.outcomes.update(outcome)
                with self._lock:
                    if generation == self.generation:
                        self._troubles.passed(PASSAGES)
            except EmbedFault as fault:
                embedded.fault = fault
                self._note(generation, PASSAGES, fault)
            except Exception as fault:
                log.exception("passages could not be embedded")
                embedded.fault = unexpected(fault)
                self._note(generation, PASSAGES, embedded.fault)
            finally:
                embedded.seconds = time.monotonic() - started
                embedded.end()

        self._passages.submit(Job(work, embedded.give_up))
        self._keep_house()
        return embedded

    def _space(self, embedder: Embedder, held: _Held) -> Space:
        if held.space is None:
            held.space = embedder.space()
        return held.space

    # --- faults --------------------------------------------------------------------------------------------------------------
    def _note(self, generation: int, what: str, fault: EmbedFault) -> None:
        with self._lock:
            if generation != self.generation:
                return
            rest = self._troubles.note(what, fault)
        log.info("meaning, %s: %s, %s", what, fault.code, "stopped" if rest == math.inf else f"again in {rest:.0f} s")

    def fault(self) -> EmbedFault | None:
        """What is wrong now: what stops passages, else questions."""
        with self._lock:
            self.renew()
            return self._troubles.resting(PASSAGES) or self._troubles.resting(QUESTIONS)

    def rest(self) -> float:
        """Seconds until passages may be sent again; 0: now, inf: not before the person changes something."""
        with self._lock:
            self.renew()
            return self._troubles.rest(PASSAGES)

    # --- giving back ---------------------------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def _in_use(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1
                self._used = time.monotonic()

    def _keep_house(self) -> None:
        with self._lock:
            self._used = time.monotonic()
            if self._housekeeper is None:
                self._housekeeper = threading.Thread(target=self._housekeeping, name="housekeeping", daemon=True)
                self._housekeeper.start()

    def _housekeeping(self) -> None:
        """Ends when nothing is held any more, or by a fault of whoever is asked; the next use starts another."""
        try:
            while True:
                time.sleep(HOUSEKEEPING_S)
                held = self.on_idle(IDLE_S)
                if self.release_idle(IDLE_S) and not held:
                    give_back()
                    with self._lock:
                        if not self._busy and time.monotonic() - self._used >= IDLE_S:
                            self._housekeeper = None
                            return
        except Exception:
            log.exception("memory could not be given back")
            with self._lock:
                self._housekeeper = None

    def release_idle(self, seconds: float) -> bool:
        """Give the model's memory back if it was not used for so long; whether it is given back. It loads again by itself."""
        with self._lock:
            if self._busy or self._pending or time.monotonic() - self._used < seconds:
                return False
            if self._held is not None:
                self._close(self._held)
            return True

    # --- trying, keys, downloads -----------------------------------------------------------------------------------------------
    def test(self, values: Mapping[str, Any], key: str | None) -> MeaningTest:
        """Try one sentence with these settings, by their names without the group (others as they are), and this key (None: the
        kept one)."""
        tried = {**self.values(), **{f"meaning.{name}": value for name, value in values.items()}}
        return trial.try_out(lambda key_of: self._make(tried, cache=self._cache, key=key_of), key)

    def view(self, embedding: Embedding) -> MeaningView:
        """What the settings page shows; `embedding` is what a library has of it."""
        fault = (
            keys.keyring_fault()
            if self._settings["meaning.backend"] in SERVICES or self._settings["topics.maker"] in SERVICES
            else ""
        )
        meaning, wrong = self._key("meaning", self._settings["meaning.backend"])
        topics, wrong_too = self._key("topics", self._settings["topics.maker"])
        return MeaningView(
            embedding=embedding, models=catalogue.views(self._cache), download=self.downloads.now(),
            key_kept=bool(meaning), key_from=meaning.origin, topics_key_kept=bool(topics), topics_key_from=topics.origin,
            keyring_fault=fault or wrong or wrong_too,
        )  # fmt: skip

    def _key(self, purpose: str, maker: str) -> tuple[keys.Key, str]:
        """The key that is kept for a purpose, and why it cannot be known."""
        if maker in SERVICES:
            try:
                return keys.key_for(purpose, service_host(self._settings[f"{purpose}.url"])), ""
            except KnownError as error:
                return keys.Key("", ""), error.message
        return keys.Key("", ""), ""

    def set_key(self, purpose: str, key: str | None) -> None:
        """Keep (None: forget) the key of the service that is set for `purpose`. Raises UsageError, KnownError."""
        if purpose not in keys.VARIABLES:
            raise UsageError("bad_request", "Not a purpose", "Keys are kept for meaning and for topics.")
        host = service_host(self._settings[f"{purpose}.url"])
        if key is None:
            keys.forget_key(purpose, host)
        else:
            keys.keep_key(purpose, host, key, KEEPING_S)
        if purpose == "meaning":
            self.try_again()

    def try_again(self) -> None:
        """Something was changed that the settings do not show: a key, a model that is there now."""
        with self._lock:
            self._reset()
