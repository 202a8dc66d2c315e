"""One trial: a set written as agents' files into a folder of its own, indexed by a real engine there, asked and scored.

Owns the isolation: inside, our own folders and the home in which sessions are looked for lie in that folder, so that the
person's library and sources are out of reach. Of their settings only those of meaning and of search go along.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from tray_app.engine import Engine
from tray_app.errors import KnownError
from tray_app.evaluation import scoring
from tray_app.evaluation.floor import Floor
from tray_app.evaluation.native import Names, write_home
from tray_app.evaluation.question_set import VISIBLE, Question, QuestionSet, moment
from tray_app.evaluation.scoring import Figures, Judged, Latency, Leak, Recogniser
from tray_app.paths import Paths
from tray_app.records import Answer, Embedding, Progress, SearchRequest
from tray_app.records.base import Record
from tray_app.settings import Settings

CARRIED = ("meaning.", "search.")
"""Beginnings of the settings that go along."""
PATIENCE_S, RETRY_S = 60.0, 1.0
"""So long a back end that rests (limited, not reachable) is waited for, and how often it is asked."""
WARMING = 30
"""So often a first question is asked, each waiting a little, while the model is not there yet."""


class Scores(Record, frozen=True, kw_only=True):
    """What came of asking all questions one way."""

    groups: dict[str, Figures]
    latency: Latency
    questions: tuple[Judged, ...]


class Result(Record, frozen=True, kw_only=True):
    """A whole trial."""

    sessions: int
    messages: int
    rounds: int
    questions: int
    mode: str
    limit: int
    missing_sessions: int
    """Written, but not in the index: a fault of ours or of the set."""
    index_s: float
    meaning: Embedding
    """As it stood when the questions were asked."""
    embed_s: float
    """Making vectors, 0 while meaning is off."""
    engines: dict[str, int]
    """How many questions were answered by which engine: fts | hybrid | vector."""
    meanings: dict[str, int]
    """How meaning took part in how many answers: off | on | late | empty | the code of a fault."""
    scores: Scores
    leaks: tuple[Leak, ...]
    floor: Scores | None = None


def run(
    given: QuestionSet,
    folder: Path,
    settings: Mapping[str, Any],
    *,
    mode: str = "auto",
    limit: int = 20,
    with_floor: bool = False,
    cache: Path | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Result:
    """Write, index, ask and score. `folder` is empty or missing; what is made there stays. `settings` are values by key: those
    of meaning and of search are taken over. `cache` is where models lie that were fetched before. `report` hears what is done.

    Raises KnownError for a folder that cannot be written, and whatever the engine raises.
    """
    try:
        written = write_home(folder / "home", given.sessions)
    except OSError as fault:
        raise KnownError("eval_unwritable", "No trial", f"{folder} cannot be written ({fault.strerror}).") from fault
    report(f"{len(written)} sessions are written; they are indexed now.")
    with isolated(folder, given), _engine(settings, cache) as engine:
        began = time.perf_counter()
        engine.index(all_sources=True)
        index_s = time.perf_counter() - began
        embed_s = embedded(engine, report)
        known = {(item.agent, item.session) for item in engine.sessions()}
        report(f"{len(given.questions)} questions are asked.")
        recogniser = Recogniser(written)
        judged: list[Judged] = []
        leaks: list[Leak] = []
        engines: Counter[str] = Counter()
        meanings: Counter[str] = Counter()
        _warmed(engine, given.questions[0], mode, limit)
        for question in given.questions:
            answer, milliseconds = _asked(engine, question, mode, limit)
            outcome = recogniser.outcome(answer, milliseconds)
            judged.append(scoring.judge(question, outcome))
            leaks += scoring.leaks(question, outcome, given.traps)
            engines[answer.engine] += 1
            meanings[answer.meaning] += 1
        meaning = engine.status().embedding
    return Result(
        sessions=len(written),
        messages=sum(message.role in VISIBLE for session in given.sessions for message in session.messages),
        rounds=sum(len(session.rounds()) for session in given.sessions),
        questions=len(judged),
        mode=mode,
        limit=limit,
        missing_sessions=len({_key(names) for names in written} - known),
        index_s=round(index_s, 3),
        meaning=meaning,
        embed_s=embed_s,
        engines=dict(engines),
        meanings=dict(meanings),
        scores=_scores(judged),
        leaks=tuple(leaks),
        floor=_floor(given, limit) if with_floor else None,
    )


@contextmanager
def isolated(folder: Path, given: QuestionSet) -> Iterator[None]:
    """Inside, everything of ours and of the agents' lies below `folder`, days are counted in the zone of the set's person,
    and it is the moment of the last question. Changes the environment of the process, and puts it back."""
    latest = max(moment(question.asked_at) for question in given.questions)
    before = dict(os.environ)
    try:
        os.environ.update(
            BACKSCROLL_HOME=str(folder / "backscroll"),
            BACKSCROLL_SOURCES_HOME=str(folder / "home"),
            BACKSCROLL_NOW=latest.isoformat(),
            TZ=zone_rule(moment(given.sessions[0].start)),
        )
        _heed_zone()
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        _heed_zone()


def zone_rule(when: datetime) -> str:
    """The offset of a moment as the system names zones: 'Etc/GMT-8' for +08:00 (their signs are the other way round)."""
    offset = when.utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else 0
    if minutes % 60:
        hours, rest = divmod(abs(minutes), 60)
        east = minutes > 0
        return f"<{'+' if east else '-'}{hours:02}{rest:02}>{'-' if east else '+'}{hours:02}:{rest:02}"
    return f"Etc/GMT{-minutes // 60:+d}" if minutes else "Etc/GMT"


def _heed_zone() -> None:
    if hasattr(time, "tzset"):
        time.tzset()


@contextmanager
def _engine(settings: Mapping[str, Any], cache: Path | None) -> Iterator[Engine]:
    """An engine of the isolated folders, with what of the person's settings goes along."""
    paths = Paths.from_environment().ensure()
    own = Settings(paths.settings_file)
    for key, value in settings.items():
        if key.startswith(CARRIED) and value != own[key]:
            own.set(key, value)
    if cache is not None and cache.is_dir():
        paths = paths._replace(cache=cache)
    engine = Engine(paths, own)
    try:
        yield engine
    finally:
        engine.close()


def embedded(engine: Engine, report: Callable[[str], None]) -> float:
    """Wait until every passage has its vector, where meaning is on. Gives up when nothing moves for `PATIENCE_S`; then some are
    missing. Seconds that it took."""
    if engine.settings["meaning.backend"] == "off":
        return 0.0
    report("Vectors are made.")
    began = moved = time.monotonic()

    def progress(_: Progress) -> None:
        nonlocal moved
        moved = time.monotonic()

    while not engine.embed_once(progress, lambda: False, asked=True) and time.monotonic() - moved < PATIENCE_S:
        time.sleep(RETRY_S)
    return round(time.monotonic() - began, 3)


def _warmed(engine: Engine, question: Question, mode: str, limit: int) -> None:
    """Ask until model and vectors are loaded, as they are when a window has been open for a moment. Not counted."""
    engine.warm()
    for _ in range(WARMING):
        if _asked(engine, question, mode, limit)[0].meaning != "late":
            return


def _asked(engine: Engine, question: Question, mode: str, limit: int) -> tuple[Answer, float]:
    """The answer, and the milliseconds that it took."""
    request = SearchRequest(query=question.query, limit=limit, mode=mode, now=question.asked_at)
    began = time.perf_counter()
    answer = engine.search(request)
    return answer, (time.perf_counter() - began) * 1000


def _floor(given: QuestionSet, limit: int) -> Scores:
    floor = Floor(given.sessions)
    return _scores([scoring.judge(question, floor.ask(question.query, limit)) for question in given.questions])


def _scores(judged: list[Judged]) -> Scores:
    return Scores(groups=scoring.groups(judged), latency=scoring.latency(judged), questions=tuple(judged))


def _key(names: Names) -> tuple[str, str]:
    return names.agent, names.session
