"""Passages on their way to vectors: what of a passage is embedded, the fixed texts that calibrate a space, and its survey.

Owns no waiting, no lock and no model: `filling` has these.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from tray_app.library import vectors
from tray_app.library.centring import SAMPLE, Calibration, Codes, Facts, Floats, Means, Survey, unit
from tray_app.library.connection import Connection
from tray_app.library.matrix import Ids
from tray_app.library.reading import Reader
from tray_app.library.vectors import SpaceRow
from tray_app.paths import resource
from tray_app.text.languages import language_of

SHIPPED = "calibration/builtin.npz"
TITLE_CHARS = 120
JOINT = "\n\n"
GROWN = 1.5
"""A library that has grown by this much is surveyed again."""
LEAST_SURVEYED = 100
"""Vectors from which on a first survey says something; a complete library is surveyed whatever its size."""


class Passage(msgspec.Struct, gc=False):
    """A passage whose text is to be embedded; `row` tells whether it is still the same when the vector is there."""

    id: int
    row: tuple[object, ...]
    text: str
    language: int


class Texts(msgspec.Struct, frozen=True):
    """The fixed texts: questions as developers ask them, and statements as they stand in sessions; no person's."""

    questions: tuple[str, ...]
    statements: tuple[str, ...]


def passage_text(parts: Sequence[str], title: str) -> str:
    """What stands for a passage: its session's title, and its messages as they are shown. The title is one paragraph with the
    first message, so that it weighs little where a back end takes paragraphs one by one."""
    head = " ".join(title.split())[:TITLE_CHARS]
    return f"{head}\n{JOINT.join(parts)}" if head else JOINT.join(parts)


def read_passages(reader: Reader, ids: Sequence[int]) -> list[Passage]:
    """The passages of these ids that are there, in that order."""
    rows = vectors.passage_rows(reader.cursor, ids)
    pieces = reader.pieces(rows)
    messages = reader.messages({piece[0] for parts in pieces.values() for piece in parts})
    sessions = reader.sessions({message.session_id for message in messages.values()})
    found = []
    for number in ids:
        if number not in rows:
            continue
        said = [
            (messages[piece[0]], messages[piece[0]].text[piece[1] : piece[2]])
            for piece in pieces[number]
            if piece[0] in messages
        ]
        session = sessions.get(said[0][0].session_id) if said else None
        parts = [text for _, text in said]
        text = passage_text(parts, session[0].title if session else "")
        found.append(Passage(number, rows[number], text, language_of(JOINT.join(parts))))
    return found


def calibration_texts() -> Texts:
    """One text a line; lines with # are remarks."""

    def lines(name: str) -> tuple[str, ...]:
        read = resource(f"calibration/{name}.txt").read_text("utf-8").splitlines()
        return tuple(line.strip() for line in read if line.strip() and not line.startswith("#"))

    return Texts(lines("questions"), lines("statements"))


def digest(texts: Texts) -> str:
    """Of the fixed texts: vectors made of others are of no use."""
    joined = "\n".join((*texts.questions, "", *texts.statements))
    return hashlib.blake2b(joined.encode(), digest_size=16).hexdigest()


def shipped_calibration(key: str, texts: Texts) -> Calibration | None:
    """The vectors of the fixed texts that come with the program for this space (`installer/calibration.py` makes them); None for
    other spaces, and where the texts are others by now."""
    with contextlib.suppress(FileNotFoundError), np.load(resource(SHIPPED), allow_pickle=False) as kept:
        if str(kept["key"]) == key and str(kept["digest"]) == digest(texts):
            made = [dict(enumerate(kept[name].astype(np.float32))) for name in ("statements", "questions")]
            return calibrated(texts, *made)
    return None


def calibrated(texts: Texts, made: dict[int, Floats], questions: dict[int, Floats]) -> Calibration:
    """From the vectors of statements and of questions by their place; those that the model refused are left out."""

    def part(kept: dict[int, Floats], said: Sequence[str]) -> tuple[Floats, Codes]:
        places = sorted(kept)
        codes = np.array([language_of(said[place]) for place in places], np.int8)
        return unit(np.stack([kept[place] for place in places])), codes

    asked, asked_in = part(questions, texts.questions)
    stated, stated_in = part(made, texts.statements)
    return Calibration(asked, asked_in, stated, stated_in)


def survey(cursor: Connection, space: SpaceRow, stop: Callable[[], bool]) -> Facts | None:
    """The facts of a space counted anew from all its vectors: exact means, and the background. None where `stop` said so.
    About 2 s for 100,000 vectors, with one reading of them for each."""
    facts = vectors.facts_of(cursor, space)
    ids, sessions = vectors.sessions_of(cursor, space)
    chosen = np.unique(ids[:: max(len(ids) // SAMPLE, 1)])[:SAMPLE]
    session_of = np.zeros(int(ids.max(initial=0)) + 1, np.int32)
    session_of[ids] = sessions
    means = Means.none(space.dims)
    sample: list[tuple[Floats, Codes, Ids]] = []
    for labels, found in vectors.blocks(cursor, space, ids):
        if stop():
            return None
        means = means.joined(found, labels.languages)
        here = np.isin(labels.ids, chosen)
        sample.append((found[here], labels.languages[here], session_of[labels.ids[here]]))
    if not sample:
        return None
    facts = facts.having(means)
    some, languages, own = (np.concatenate(part) for part in zip(*sample, strict=True))
    measured = Survey(facts, some[:SAMPLE], languages[:SAMPLE], own[:SAMPLE])
    for labels, found in vectors.blocks(cursor, space, ids):
        if stop():
            return None
        measured.add(found, labels.languages, session_of[labels.ids])
    return facts.against(measured.background())


def is_due(facts: Facts, count: int, *, complete: bool) -> bool:
    """Whether a survey is wanted of a library with so many vectors."""
    if not count or not facts.calibrated:
        return False
    if facts.background is None:
        return complete or count >= LEAST_SURVEYED
    return count >= facts.background.size * GROWN
