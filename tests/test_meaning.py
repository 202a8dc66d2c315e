"""The owner of the back end: questions within their time, faults and rests, changed settings, giving memory back, trying."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hash_embedder import DIMS, HashEmbedder, hashed

from tray_app import meaning as module
from tray_app import trial
from tray_app.embed.base import LATE, EmbedFault, MeaningState, QueryVector, TextFault
from tray_app.errors import KnownError
from tray_app.meaning import Meaning
from tray_app.records import Download, Embedding
from tray_app.settings import Settings
from tray_app.trial import TRIED

Allow = Callable[[str], None]
BUSY = EmbedFault("embedding_busy", "Busy", "It is busy.", "Later.")
NO_KEY = EmbedFault("embedding_no_key", "No key", "A key is wanted.", "Give one.", final=True)


class Bench:
    """A `Meaning` whose back ends are made here."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings(folder / "settings.toml")
        self.made: list[HashEmbedder] = []
        self.next: Callable[[], HashEmbedder] = HashEmbedder
        self.meaning = Meaning(self.settings, folder / "cache", make=self.make)

    def make(self, values: dict[str, Any], *, cache: Path, key: Callable[[str], str | None]) -> HashEmbedder | None:
        if values["meaning.backend"] == "off":
            return None
        embedder = self.next()
        embedder.backend, embedder.model = values["meaning.backend"], values["meaning.model"] or "hash"
        self.made.append(embedder)
        return embedder

    def asked(self, text: str, seconds: float = 5.0) -> QueryVector | MeaningState:
        return self.meaning.begin(text).wait(seconds)

    def vector(self, text: str) -> QueryVector:
        found = self.asked(text)
        assert isinstance(found, QueryVector), found
        return found

    def code(self, text: str) -> str:
        found = self.asked(text)
        assert isinstance(found, MeaningState), found
        return found.code


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


# --- questions -------------------------------------------------------------------------------------------------------------
def test_a_question_gets_a_vector_of_its_space(bench: Bench) -> None:
    found = bench.vector("where is the  retry\nlimit")
    assert found.space == f"builtin|hash|{DIMS}||unit"
    assert found.language == 0
    assert np.allclose(found.vector, hashed("where is the retry limit"), atol=1e-6)
    assert bench.vector("重试次数在哪里配置").language == 1
    assert bench.meaning.space() is not None


def test_the_same_question_is_asked_once(bench: Bench) -> None:
    first = bench.vector("retry")
    assert bench.vector(" retry ") is first
    assert bench.made[0].asked == ["retry"]


def test_nothing_is_loaded_while_it_is_off_or_nothing_is_asked(bench: Bench) -> None:
    assert bench.code("  ") == "off"
    bench.settings.set("meaning.backend", "off")
    assert bench.code("retry") == "off"
    bench.meaning.warm(print)
    assert bench.made == []


def test_what_comes_too_late_is_there_for_the_next_key(bench: Bench) -> None:
    gate = threading.Event()
    bench.next = lambda: _holding(gate)
    begun = time.monotonic()
    found = bench.asked("retry", 0.1)
    assert time.monotonic() - begun < 1
    assert isinstance(found, MeaningState)
    assert found.code == "late"
    assert found.note
    gate.set()
    until(lambda: isinstance(bench.asked("retry", 0), QueryVector))
    assert bench.made[0].asked == ["retry"]


def test_while_one_is_late_only_the_newest_questions_wait(bench: Bench) -> None:
    gate = threading.Event()
    bench.next = lambda: _holding(gate)
    bench.asked("question 0", 0)
    until(lambda: bool(bench.made))  # it is under way
    for number in range(1, 12):
        bench.asked(f"question {number}", 0)
    gate.set()
    assert bench.vector("question 11").space
    until(lambda: len(bench.made[0].asked) >= 4)
    assert bench.made[0].asked[1] == "question 11"
    assert len(bench.made[0].asked) <= 6


def test_a_long_question_is_cut(bench: Bench) -> None:
    bench.vector("word " * 5_000)
    assert len(bench.made[0].asked[0]) == module.QUESTION_CHARS


def test_warm_loads_before_anybody_asks(bench: Bench) -> None:
    spaces: list[str] = []
    bench.meaning.warm(spaces.append)
    until(lambda: spaces == [f"builtin|hash|{DIMS}||unit"])
    assert bench.made[0].asked == [TRIED]


def test_no_service_is_asked_before_anybody_asks(bench: Bench) -> None:
    bench.settings.set("meaning.backend", "ollama")
    bench.meaning.warm(print)
    time.sleep(0.05)
    assert bench.made == []


# --- faults ----------------------------------------------------------------------------------------------------------------
def test_after_a_fault_nobody_is_asked_until_its_rest_is_over(bench: Bench) -> None:
    bench.vector("before")
    embedder = bench.made[0]
    embedder.fault = EmbedFault("embedding_limited", "Limit", "Fewer, please.", retry_after=0.5)
    assert bench.code("one") == "embedding_limited"
    embedder.fault = None
    begun = time.monotonic()
    assert bench.code("two") == "embedding_limited"
    assert time.monotonic() - begun < 0.3
    assert bench.meaning.fault() is not None
    assert bench.vector("before").space  # what is known is known
    until(lambda: isinstance(bench.asked("two", 0.2), QueryVector))
    assert bench.meaning.fault() is None


def test_a_final_fault_stays_until_the_person_changes_something(bench: Bench) -> None:
    bench.next = lambda: _faulty(NO_KEY)
    assert bench.code("one") == "embedding_no_key"
    found = bench.asked("one")
    assert found == MeaningState("embedding_no_key", "A key is wanted. Give one.")
    assert bench.meaning.rest() == float("inf")
    bench.next = HashEmbedder
    bench.meaning.try_again()
    assert bench.vector("one").space


def test_a_refused_question_keeps_no_other_away(bench: Bench) -> None:
    bench.next = lambda: _faulty(TextFault("embedding_text", "Refused", "Unwelcome."))
    assert bench.code("one") == "embedding_text"
    bench.made[0].fault = None
    assert bench.vector("two").space


def test_an_error_of_ours_is_logged_and_rests(bench: Bench, allow_log: Allow) -> None:
    allow_log("could not be embedded")
    bench.next = lambda: _faulty(RuntimeError("odd"))
    assert bench.code("one") == "embedding_bad_answer"
    assert bench.code("two") == "embedding_bad_answer"


def test_a_vector_of_nothing_is_no_vector(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HashEmbedder, "query", lambda self, text: np.zeros(DIMS, np.float32))
    assert bench.code("one") == "embedding_bad_answer"
    assert bench.meaning.fault() is None


# --- the back end changes ----------------------------------------------------------------------------------------------------
def test_other_settings_are_another_back_end(bench: Bench) -> None:
    bench.vector("retry")
    first = bench.meaning.renew()
    bench.settings.set("meaning.model", "other")
    assert bench.vector("retry").space == f"builtin|other|{DIMS}||unit"
    assert bench.meaning.renew() == first + 1
    until(lambda: bench.made[0].closed == 1)
    bench.settings.set("meaning.share", 0.3)
    assert bench.meaning.renew() == first + 1


def test_a_service_has_a_connection_for_questions_and_one_for_passages(bench: Bench) -> None:
    bench.settings.set("meaning.backend", "ollama")
    bench.vector("retry")
    assert len(bench.made) == 2
    assert len({tuple(one.asked) for one in bench.made}) == 2


def test_what_a_former_back_end_says_late_is_not_used(bench: Bench) -> None:
    gate = threading.Event()
    bench.next = lambda: _holding(gate)
    assert bench.asked("retry", 0) == LATE
    bench.settings.set("meaning.model", "other")
    bench.next = HashEmbedder
    late = bench.meaning.begin("retry")
    gate.set()
    found = late.wait(5)
    assert isinstance(found, QueryVector)
    assert "other" in found.space
    assert "other" in bench.vector("retry").space


def test_a_model_that_has_come_is_tried_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.settings.set("meaning.backend", "fastembed")
    bench.next = lambda: _faulty(EmbedFault("embedding_no_model", "No model", "It is not here.", final=True))
    assert bench.code("one") == "embedding_no_model"
    bench.next = HashEmbedder
    assert bench.code("one") == "embedding_no_model"
    monkeypatch.setattr(bench.meaning.downloads, "now", lambda: Download(model="x", state="done"))
    assert bench.vector("one").space


# --- passages ----------------------------------------------------------------------------------------------------------------
def test_passages_are_embedded_each_by_itself_where_one_is_refused(bench: Bench) -> None:
    bench.next = lambda: _refusing("x")
    embedded = bench.meaning.embed(["good one", "xx", "good two"])
    assert embedded.wait(5)
    assert embedded.fault is None
    assert embedded.space is not None
    kinds = {place: type(one).__name__ for place, one in embedded.outcomes.items()}
    assert kinds == {0: "ndarray", 1: "Refusal", 2: "ndarray"}


def test_a_fault_ends_passages_and_keeps_what_came_before(bench: Bench) -> None:
    bench.vector("load")
    embedder = bench.made[0]
    plain = embedder.documents

    def second_fails(texts: list[str]) -> np.ndarray:
        made = plain(texts)
        embedder.fault = BUSY
        return made

    embedder.documents = second_fails  # type: ignore[method-assign]
    embedded = bench.meaning.embed([f"text {number}" for number in range(20)])
    assert embedded.wait(5)
    assert embedded.fault is BUSY
    assert len(embedded.outcomes) == 8
    assert 0 < bench.meaning.rest() <= 2
    embedder.fault = None
    assert bench.vector("questions go on").space


def test_who_leaves_ends_it_after_the_call_under_way(bench: Bench) -> None:
    gate = threading.Event()
    bench.vector("load")
    bench.made[0].hold = gate
    embedded = bench.meaning.embed([f"text {number}" for number in range(64)])
    assert not embedded.wait(0.05)
    embedded.leave()
    gate.set()
    assert embedded.wait(5)
    assert len(embedded.outcomes) <= 8


def test_fixed_questions_are_embedded_as_questions(bench: Bench) -> None:
    embedded = bench.meaning.embed(["one", "two"], as_questions=True)
    assert embedded.wait(5)
    assert bench.made[0].asked == ["one", "two"]
    assert sorted(embedded.outcomes) == [0, 1]


def test_what_is_given_up_is_asked_anew_and_ends_for_who_waits(bench: Bench) -> None:
    gate = threading.Event()
    bench.next = lambda: _holding(gate)
    first = bench.meaning.begin("question 0")
    until(lambda: bool(bench.made))
    others = [bench.meaning.begin(f"question {number}") for number in range(1, 7)]
    assert others[0].wait(5) == LATE  # four wait, and this one was the oldest of them
    running = bench.meaning.embed(["one"])
    until(lambda: bench.meaning._busy == 2)
    waiting = bench.meaning.embed(["two"])
    bench.meaning.settle(0)
    assert all(one.wait(5) == LATE for one in others)
    assert waiting.wait(5)
    assert waiting.fault is not None
    assert not waiting.outcomes
    assert not bench.meaning._pending.keys() - {"question 0"}
    gate.set()
    assert isinstance(first.wait(5), QueryVector)
    assert running.wait(5)
    assert bench.vector("question 1").space
    assert bench.meaning.rest() == 0


# --- giving back -------------------------------------------------------------------------------------------------------------
def test_an_idle_model_is_given_back_and_loads_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HOUSEKEEPING_S", 0.01)
    monkeypatch.setattr(module, "IDLE_S", 0.05)
    told: list[float] = []
    bench.meaning.on_idle = lambda seconds: bool(told.append(seconds))
    bench.vector("retry")
    until(lambda: bench.made[0].closed >= 1)
    assert told[0] == 0.05
    until(lambda: bench.meaning._housekeeper is None)
    assert bench.vector("another").space
    assert len(bench.made) == 1
    until(lambda: bench.meaning._housekeeper is None)


def test_a_model_at_work_is_not_taken_away(bench: Bench) -> None:
    gate = threading.Event()
    bench.next = lambda: _holding(gate)
    asked = bench.meaning.begin("retry")
    assert not bench.meaning.release_idle(0)
    gate.set()
    assert isinstance(asked.wait(5), QueryVector)


# --- trying, keys ------------------------------------------------------------------------------------------------------------
def test_a_trial_tells_the_length_or_the_fault(bench: Bench) -> None:
    good = bench.meaning.test({"model": "other"}, None)
    assert (good.ok, good.dims, good.code) == (True, DIMS, "")
    assert bench.made[-1].model == "other"
    assert bench.made[-1].closed == 1
    bench.next = lambda: _faulty(NO_KEY)
    bad = bench.meaning.test({}, "a-key")
    assert (bad.ok, bad.code, bad.message, bad.hint) == (False, "embedding_no_key", "A key is wanted.", "Give one.")
    assert bench.meaning.test({"backend": "off"}, None).code == "embedding_off"
    assert bench.meaning.fault() is None


def test_a_key_that_is_set_is_tried_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[tuple[object, ...]] = []
    monkeypatch.setattr(module.keys, "keep_key", lambda *given: kept.append(given))
    monkeypatch.setattr(module.keys, "forget_key", lambda *given: kept.append(given))
    bench.settings.set("meaning.url", "https://api.example.com/v1")
    before = bench.meaning.renew()
    bench.meaning.set_key("meaning", "word")
    bench.meaning.set_key("meaning", None)
    assert kept == [("meaning", "api.example.com", "word", module.KEEPING_S), ("meaning", "api.example.com")]
    assert bench.meaning.renew() == before + 2
    with pytest.raises(module.UsageError):
        bench.meaning.set_key("elsewhere", "word")


def test_the_view_looks_for_a_key_only_where_a_service_is_set(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.keys, "keyring_fault", lambda: "no keyring")
    view = bench.meaning.view(Embedding())
    assert (view.key_kept, view.key_from, view.keyring_fault) == (False, "", "")
    assert any(model.languages == "zh" for model in view.models)
    bench.settings.set("meaning.backend", "openai")
    bench.settings.set("meaning.url", "https://api.example.com/v1")
    monkeypatch.setenv("BACKSCROLL_MEANING_KEY", "word")
    view = bench.meaning.view(Embedding())
    assert (view.key_kept, view.key_from, view.keyring_fault) == (True, "environment", "no keyring")
    assert (view.topics_key_kept, view.topics_key_from) == (False, "")
    bench.settings.set("meaning.backend", "builtin")
    bench.settings.set("topics.maker", "openai")
    monkeypatch.setenv("BACKSCROLL_TOPICS_KEY", "word")
    view = bench.meaning.view(Embedding())
    assert (view.key_kept, view.topics_key_kept, view.topics_key_from) == (False, True, "environment")


def test_a_service_on_this_machine_does_without_a_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: object) -> trial.keys.Key:
        raise KnownError("keyring_unusable", "No keyring", "There is none.", "Start one.")

    monkeypatch.setattr(trial.keys, "key_for", locked)
    assert trial.kept_key("http://127.0.0.1:11434") is None
    with pytest.raises(EmbedFault) as fault:
        trial.kept_key("https://api.example.com/v1")
    assert fault.value.code == "embedding_no_key"


def _holding(gate: threading.Event) -> HashEmbedder:
    made = HashEmbedder()
    made.hold = gate
    return made


def _faulty(fault: Exception) -> HashEmbedder:
    made = HashEmbedder()
    made.fault = fault
    return made


def _refusing(word: str) -> HashEmbedder:
    made = HashEmbedder()
    made.refuses = word
    return made
