"""Filling on real files: order, stops, faults, other settings, passes and closing in the middle, spaces, and kills."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import meaning_world
import numpy as np
import pytest
from hash_embedder import DIMS, HashEmbedder
from meaning_world import KEY, MeaningWorld

from tray_app import filling as module
from tray_app.embed.base import EmbedFault, QueryVector
from tray_app.indexing.embedding import calibration_texts
from tray_app.records import Progress

ROUNDS = 30
TEXTS = calibration_texts()
FIXED = len(TEXTS.statements)


@pytest.fixture
def world(isolated: Path) -> Iterator[MeaningWorld]:
    made = MeaningWorld(isolated)
    made.write("first", *(f"The heron number {number} stands in the pond." for number in range(ROUNDS)))
    made.index()
    yield made
    made.close()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def said(world: MeaningWorld) -> list[str]:
    """What was embedded of passages, in order."""
    fixed = set(TEXTS.statements)
    return [text for text in world.made[0].documented if text not in fixed]


# --- the ordinary way ----------------------------------------------------------------------------------------------------------
def test_everything_gets_a_vector_once(world: MeaningWorld) -> None:
    assert world.status().missing == ROUNDS
    seen: list[Progress] = []
    assert world.engine.embed_once(seen.append, lambda: False)
    assert world.amounts() == (ROUNDS, 0, 0)
    status = world.status()
    assert (status.backend, status.model, status.dims, status.state) == ("builtin", "hash", DIMS, "ready")
    assert (status.vectors, status.missing, status.refused, status.host) == (ROUNDS, 0, 0, "")
    assert (seen[-1].phase, seen[-1].done, seen[-1].total) == ("embedding", ROUNDS, ROUNDS)
    assert len(said(world)) == ROUNDS
    assert world.fill()
    assert len(said(world)) == ROUNDS
    assert len(world.made) == 1
    world.assert_sound()


def test_the_newest_comes_first_with_its_title(world: MeaningWorld) -> None:
    world.fill()
    texts = said(world)
    assert len(texts) == ROUNDS
    assert all("The heron number 0 stands" in text.split("\n")[0] for text in texts)  # the title: the first question
    # within the first group short ones come first, so the groups are compared
    newest = {text.split("Noted for first: The heron number ")[1].split()[0] for text in texts[: module.FIRST_GROUP]}
    assert newest == {str(ROUNDS - 1 - number) for number in range(module.FIRST_GROUP)}


def test_only_what_is_new_is_embedded_after_a_pass(world: MeaningWorld) -> None:
    world.fill()
    world.write("second", "The otter swims below the weir.")
    world.index()
    assert world.status().missing == 1
    assert world.fill()
    assert len(said(world)) == ROUNDS + 1
    world.assert_sound()


def test_what_is_meant_is_found(world: MeaningWorld) -> None:
    world.write("second", "The otter swims below the weir.")
    world.index()
    world.fill()
    asked = world.engine.sense.begin("otter below the weir").wait(5.0)
    assert isinstance(asked, QueryVector)
    with world.engine._reading(world.engine.libraries.of()) as reader:
        matrix = reader.matrix(asked.space, 5.0)
        assert matrix is not None
        assert len(matrix) == ROUNDS + 1
        ids, values = matrix.best_by_chunk(matrix.scan(matrix.facts.question(asked.vector, asked.language)))
        best = int(ids[np.argmax(values)])
        assert reader.standing(matrix, [best]) == {best}
        assert "otter" in next(iter(reader.messages(piece[0] for piece in reader.pieces([best])[best]).values())).text
        background = matrix.facts.background
        assert background is not None
        assert background.size == ROUNDS + 1
        assert -1 <= background.top50 <= background.top99 <= 1


def test_off_and_not_in_the_background(world: MeaningWorld) -> None:
    world.settings.set("meaning.background", False)
    assert world.fill()
    assert world.amounts() == (0, 0, ROUNDS)
    assert world.engine.embed_once(lambda progress: None, lambda: False, asked=True)
    assert world.amounts() == (ROUNDS, 0, 0)
    world.settings.set("meaning.backend", "off")
    assert world.fill()
    assert world.status().state == "off"


# --- stops ---------------------------------------------------------------------------------------------------------------------
def test_a_stop_ends_it_within_a_second_and_loses_nothing(world: MeaningWorld) -> None:
    gate = threading.Event()
    world.fill(lambda: len(world.made) > 0 and len(said(world)) > 0)
    done = world.amounts().vectors
    assert 0 < done < ROUNDS
    world.made[0].hold = gate
    begun = time.monotonic()
    assert not world.fill(lambda: time.monotonic() - begun > 0.3)
    assert time.monotonic() - begun < 2
    before = len(said(world))
    gate.set()
    until(lambda: len(said(world)) > before)
    world.made[0].hold = None
    assert world.fill()
    assert world.amounts() == (ROUNDS, 0, 0)
    assert len(said(world)) == ROUNDS  # what was under way was used, none was embedded twice
    world.assert_sound()


def test_the_fixed_texts_are_gone_on_with(world: MeaningWorld) -> None:
    assert not world.fill(lambda: bool(world.made) and len(world.made[0].documented) > FIXED // 2)
    assert world.fill()
    assert len(world.made[0].documented) <= FIXED + ROUNDS + module.FIXED_GROUP
    assert len(world.made[0].asked) == len(TEXTS.questions)


def test_closing_waits_for_no_model_and_opens_nothing_again(world: MeaningWorld) -> None:
    world.fill(lambda: bool(world.made))
    gate = threading.Event()
    world.made[0].hold = gate
    outcome: list[bool] = []
    thread = threading.Thread(target=lambda: outcome.append(world.fill()))
    thread.start()
    until(lambda: world.engine.filling.running)
    time.sleep(0.2)
    begun = time.monotonic()
    world.engine.close()
    assert time.monotonic() - begun < 1
    gate.set()
    thread.join(5)
    assert outcome == [False]
    assert not world.engine.libraries.of().is_open
    world.made[0].hold = None
    assert world.fill()
    assert world.amounts() == (ROUNDS, 0, 0)


def test_clearing_in_the_middle_leaves_nothing(world: MeaningWorld) -> None:
    world.fill(lambda: bool(world.made))
    world.made[0].slow_s = 0.05
    thread = threading.Thread(target=world.fill)
    thread.start()
    until(lambda: world.engine.filling.running)
    world.engine.clear_index()
    thread.join(10)
    assert not thread.is_alive()
    assert world.rows("select count(*) from vectors") == [(0,)]


def test_a_pass_in_the_middle_is_not_in_the_way(world: MeaningWorld) -> None:
    world.before = lambda embedder: setattr(embedder, "slow_s", 0.02)
    thread = threading.Thread(target=world.fill)
    thread.start()
    for number in range(4):
        world.write("first", *(f"The heron number {turn} is another now {number}." for turn in range(ROUNDS)))
        world.index()
    thread.join(30)
    assert not thread.is_alive()
    assert world.fill()
    world.assert_sound()
    assert world.amounts() == (ROUNDS, 0, 0)


def test_writing_vectors_is_no_pass(world: MeaningWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bool, bool]] = []
    plain = module.VectorWriter.add

    def looked(self: object, *given: object) -> int:
        seen.append((world.engine.indexer.writing.locked(), world.engine.indexing))
        return plain(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(module.VectorWriter, "add", looked)
    world.fill()
    assert set(seen) == {(True, False)}


# --- faults --------------------------------------------------------------------------------------------------------------------
def test_a_refused_text_costs_that_text_alone(world: MeaningWorld) -> None:
    world.write("second", "zzzz", "The otter swims.")
    world.index()
    world.before = lambda embedder: setattr(embedder, "refuses", "z")
    assert world.fill()
    status = world.status()
    assert (status.vectors, status.refused, status.missing, status.state) == (ROUNDS, 2, 0, "ready")
    assert {row[0] for row in world.rows("select reason from refused")} == {"refused"}
    before = len(said(world))
    world.write("third", "A plain one.")
    world.index()
    assert world.fill()
    assert len(said(world)) == before + 1


def test_a_short_rest_is_waited_for(world: MeaningWorld) -> None:
    world.fill(lambda: bool(world.made) and bool(said(world)))
    world.made[0].fault = EmbedFault("embedding_limited", "Limit", "Fewer.", retry_after=0.5)
    assert not world.fill()
    assert world.status().state == "waiting"
    assert world.status().error_code == "embedding_limited"
    world.made[0].fault = None
    assert world.fill()
    assert world.amounts().missing == 0


def test_a_long_rest_is_left_to_the_caller(world: MeaningWorld) -> None:
    world.before = lambda embedder: setattr(embedder, "fault", EmbedFault("embedding_busy", "Busy", "Later.", retry_after=300))
    begun = time.monotonic()
    assert not world.fill()
    assert not world.fill()
    assert time.monotonic() - begun < 2
    assert world.amounts().vectors == 0


def test_what_the_person_must_mend_stops_it(world: MeaningWorld) -> None:
    fault = EmbedFault("embedding_no_key", "No key", "A key is wanted.", "Give one.", final=True)
    world.before = lambda embedder: setattr(embedder, "fault", fault)
    assert world.fill()
    status = world.status()
    assert (status.state, status.error_code, status.error) == ("stopped", "embedding_no_key", "A key is wanted. Give one.")
    world.before = lambda embedder: None
    world.engine.sense.try_again()
    assert world.fill()
    assert world.status().state == "ready"


# --- other settings, spaces, the cloud ---------------------------------------------------------------------------------------------
def test_another_model_fills_anew_and_then_the_former_vectors_go(world: MeaningWorld) -> None:
    world.fill()
    world.settings.set("meaning.model", "other")
    assert world.status().vectors == ROUNDS  # those of the former, until the model is known
    world.fill(lambda: len(world.made) > 1 and len(world.made[1].documented) > FIXED)
    assert world.amounts() == (ROUNDS, 0, 0)
    assert world.fill()
    assert world.amounts(KEY.replace("hash", "other")) == (ROUNDS, 0, 0)
    assert [row[0] for row in world.rows("select key from vector_spaces")] == [KEY.replace("hash", "other")]
    world.assert_sound()


def test_settings_that_change_in_the_middle(world: MeaningWorld) -> None:
    def stop() -> bool:
        if world.made and len(said(world)) > 0:
            world.settings.set("meaning.model", "other")
        return False

    world.fill(stop)
    assert world.fill()
    assert world.amounts(KEY.replace("hash", "other")) == (ROUNDS, 0, 0)
    world.assert_sound()


def test_every_library_in_use_is_filled(world: MeaningWorld) -> None:
    world.write("client", "The zeppelin lands.", cwd="/home/kim/client")
    world.index()
    world.engine.add_space("Client", ["/home/kim/client"])
    world.index()
    assert world.fill()
    assert world.amounts(space="Client") == (1, 0, 0)
    assert world.amounts() == (ROUNDS, 0, 0)
    assert len(world.made[0].asked) == len(TEXTS.questions)  # the fixed texts once for both


def test_a_space_that_is_put_away_in_the_middle_stays_closed(world: MeaningWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GROUP", module.FIRST_GROUP)
    world.write("client", *(f"The zeppelin {number} lands." for number in range(ROUNDS)), cwd="/home/kim/client")
    world.index()
    world.engine.add_space("Client", ["/home/kim/client"])
    world.index()
    gate = threading.Event()
    world.fill(lambda: world.amounts().missing == 0 and world.amounts(space="Client").vectors > 0)
    assert world.amounts(space="Client").missing > 0
    library = world.engine._asked("Client")
    world.made[0].hold = gate
    begun = time.monotonic()
    assert not world.fill(lambda: time.monotonic() - begun > 0.2)
    world.engine.remove_space("Client")
    gate.set()
    assert world.fill()
    assert not library.is_open


def test_what_leaves_the_machine_is_told_and_never_its_text(world: MeaningWorld, caplog: pytest.LogCaptureFixture) -> None:
    world.before = lambda embedder: setattr(embedder, "host", "api.example.com")
    world.settings.set("meaning.backend", "openai")
    with caplog.at_level(logging.INFO):
        assert world.fill()
        assert world.fill()
    told = [record.getMessage() for record in caplog.records if "api.example.com" in record.getMessage()]
    assert told == [f"texts of {ROUNDS} passages are sent to api.example.com, which gives their vectors"]
    assert "heron" not in caplog.text
    status = world.status()
    assert (status.sends_text_to_cloud, status.host) == (True, "api.example.com")
    assert len(world.made[1].asked) <= module.ASKED_OF_SERVICES


def test_a_second_one_at_the_same_time_has_nothing_to_do(world: MeaningWorld) -> None:
    gate = threading.Event()
    world.before = lambda embedder: setattr(embedder, "hold", gate)
    thread = threading.Thread(target=world.fill)
    thread.start()
    until(lambda: world.engine.filling.running)
    assert not world.fill()
    gate.set()
    thread.join(10)
    assert world.amounts() == (ROUNDS, 0, 0)


# --- index in the command line's way, and kills --------------------------------------------------------------------------------------
def test_a_pass_with_vectors_fills_unless_the_tray_does(world: MeaningWorld) -> None:
    world.engine.kind = "tray"
    world.engine.index(vectors=True)
    assert world.amounts().vectors == 0
    world.engine.kind = "cli"
    world.engine.index(vectors=True)
    assert world.amounts().vectors == ROUNDS


def test_nobody_waits_for_a_model_for_a_handful_of_passages(world: MeaningWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.understanding.WORTH", ROUNDS + 1)
    world.engine.kind = "cli"
    world.engine.index(vectors=True)
    assert world.amounts().vectors == 0
    monkeypatch.setattr("tray_app.understanding.WORTH", ROUNDS)
    world.engine.index(vectors=True)
    assert world.amounts().vectors == ROUNDS


def test_a_kill_in_the_middle_loses_at_most_what_was_under_way(world: MeaningWorld, isolated: Path) -> None:
    world.close()
    dice = random.Random(7)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    for _ in range(4):
        child = subprocess.Popen(
            [sys.executable, meaning_world.__file__, str(isolated)], stdout=subprocess.PIPE, env=environment
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        time.sleep(0.2 + dice.random())
        child.kill()
        child.wait()
        child.stdout.close()
        again = MeaningWorld(isolated)
        try:
            assert again.engine.libraries.of().open().set_aside is None
            again.assert_sound()
        finally:
            again.close()
    last = MeaningWorld(isolated)
    try:
        last.index()
        assert last.fill()
        assert last.amounts().missing == 0
        last.assert_sound()
    finally:
        last.close()


def test_embedders_for_tests_are_deterministic() -> None:
    assert np.array_equal(HashEmbedder().query("retry"), HashEmbedder().query("retry"))
