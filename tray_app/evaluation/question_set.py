"""A set to measure with: sessions in a shape of no agent, questions with the messages that answer them, and what must not
come back.

Owns the reading and checking of the three files. A line that cannot be used is a UsageError that names the file and the line.
"""

from __future__ import annotations

import itertools
import re
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from tray_app.clock import YEARS
from tray_app.errors import KnownError, UsageError
from tray_app.paths import resource

AGENTS = ("claude_code", "codex", "dsh")
VISIBLE = ("user", "assistant", "tool_call", "tool_result")
HIDDEN = ("injected", "reasoning")
SPACE = uuid.UUID("b8f4a1d2-6f0a-4f43-8c8e-5d1c0a7be921")

_SENTENCE = re.compile(r"[\n。!?！？;；]|\.\s")
_TAG = re.compile(r"<[^<>]{1,80}>")
PHRASE = 12
"""Columns that a sentence must at least take to serve as a phrase which never comes back (a Chinese character takes two)."""

Row = TypeVar("Row", bound=msgspec.Struct)


class Message(msgspec.Struct, frozen=True):
    """`role`: user | assistant | tool_call | tool_result, or what is in the files but is nobody's talk: injected | reasoning."""

    id: str
    time: str
    role: str
    text: str
    tool: str | None = None

    @property
    def moment(self) -> datetime:
        return moment(self.time)


class Session(msgspec.Struct, frozen=True):
    """`start` carries the zone of the person, in which its days are counted; `agent` may be left out."""

    session: str
    cwd: str
    title: str
    start: str
    messages: tuple[Message, ...]
    agent: str = ""
    project: str = ""

    @property
    def native(self) -> str:
        """The UUID under which it is written."""
        try:
            return str(uuid.UUID(self.session))
        except ValueError:
            return str(uuid.uuid5(SPACE, self.session))

    def rounds(self) -> list[list[Message]]:
        """What was said and done, from one question of the person's to the next."""
        found: list[list[Message]] = []
        for message in self.messages:
            if message.role in VISIBLE:
                if message.role == "user" or not found:
                    found.append([])
                found[-1].append(message)
        return found


class Gold(msgspec.Struct, frozen=True):
    """Where an answer stands: any of the messages is right."""

    session: str
    messages: tuple[str, ...]


class Question(msgspec.Struct, frozen=True):
    """`gold` is empty where nothing in the sessions answers it."""

    id: str
    query: str
    asked_at: str
    category: str = "all"
    lang: str = "?"
    gold: tuple[Gold, ...] = ()
    note: str = ""


class Phrases(msgspec.Struct, frozen=True):
    injected: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()


class Traps(msgspec.Struct, frozen=True):
    """Words that must not stand in any answer: those of nobody's talk, and secrets."""

    never_return: Phrases = Phrases()
    secrets: tuple[str, ...] = ()

    def phrases(self) -> dict[str, str]:
        """Each phrase, white space folded, with its kind: injected | reasoning | secret."""
        kinds = (("injected", self.never_return.injected), ("reasoning", self.never_return.reasoning), ("secret", self.secrets))
        return {squeezed(phrase): kind for kind, phrases in kinds for phrase in phrases if phrase.strip()}


class QuestionSet(msgspec.Struct, frozen=True):
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    traps: Traps


def shipped(first: int | None = None) -> QuestionSet:
    """The small set that comes with the program: one invented developer, Chinese and English."""
    folder = resource("evaluation")
    return load(folder / "sessions.jsonl", folder / "queries.jsonl", folder / "traps.json", first)


def load(sessions: Path, questions: Path, traps: Path | None = None, first: int | None = None) -> QuestionSet:
    """Read and check a set; `first` takes only so many questions. Without `traps` the phrases are cut from what is injected
    and thought in the sessions. Raises UsageError, and KnownError for a file that cannot be read."""
    told: dict[str, Session] = {}
    for number, session in _rows(sessions, Session):
        twice = "this session stands twice" if session.session in told else ""
        if fault := twice or _session_fault(session):
            raise _fault(sessions, number, fault)
        told[session.session] = session
    known = {session.session: {message.id for message in session.messages} for session in told.values()}
    asked: list[Question] = []
    for number, question in _rows(questions, Question):
        if fault := _question_fault(question, known):
            raise _fault(questions, number, fault)
        asked.append(question)
    for file, rows in ((sessions, len(told)), (questions, len(asked))):
        if not rows:
            raise UsageError("eval_set", "Not a set", f"{file} holds nothing.")
    return QuestionSet(tuple(told.values()), tuple(asked[:first]), _traps(traps) if traps else cut_traps(list(told.values())))


def cut_traps(sessions: Sequence[Session]) -> Traps:
    """The sentences of what is injected or thought that nobody says, and that are no name of a session or a folder."""
    said = [squeezed(message.text) for session in sessions for message in session.messages if message.role in VISIBLE]
    said += [text for session in sessions for text in (session.cwd, session.title, session.project)]
    found: dict[str, dict[str, None]] = {role: {} for role in HIDDEN}
    for session in sessions:
        for message in session.messages:
            for sentence in _SENTENCE.split(_TAG.sub("\n", message.text)) if message.role in HIDDEN else ():
                phrase = squeezed(sentence)
                columns = len(phrase) + sum(ord(character) > 0x2E80 for character in phrase)
                if columns >= PHRASE and not any(phrase in text for text in said):
                    found[message.role][phrase] = None
    return Traps(Phrases(tuple(found["injected"]), tuple(found["reasoning"])))


def squeezed(text: str) -> str:
    """With single spaces, so that a phrase is found across line ends."""
    return " ".join(text.split())


def moment(text: str) -> datetime:
    """ISO 8601 with a zone. Raises ValueError."""
    found = datetime.fromisoformat(text)
    if found.year not in YEARS:
        raise ValueError(f"{text!r} is outside the years {YEARS[0]} to {YEARS[-1]}")
    if found.tzinfo is None:
        raise ValueError(f"{text!r} names no zone")
    return found


def _session_fault(session: Session) -> str:
    if session.agent not in ("", *AGENTS):
        return f"the agent is one of {', '.join(AGENTS)}, not {session.agent!r}"
    if not session.messages:
        return "there are no messages"
    if len({message.id for message in session.messages}) != len(session.messages):
        return "two messages have the same id"
    try:
        moment(session.start)
        moments = [message.moment for message in session.messages]
    except ValueError as fault:
        return f"not a time: {fault}"
    if any(later <= earlier for earlier, later in itertools.pairwise(moments)):
        return "the times of the messages must go up"
    roles = [message.role for message in session.messages if message.role not in (*VISIBLE, *HIDDEN)]
    return f"there is no role {roles[0]!r}" if roles else ""


def _question_fault(question: Question, known: dict[str, set[str]]) -> str:
    if not question.query.strip():
        return "the query is empty"
    try:
        moment(question.asked_at)
    except ValueError as fault:
        return f"not a time: {fault}"
    for gold in question.gold:
        if gold.session not in known:
            return f"there is no session {gold.session!r}"
        missing = [name for name in gold.messages if name not in known[gold.session]]
        if missing or not gold.messages:
            return f"the session {gold.session!r} has no message {missing[0]!r}" if missing else "a gold without messages"
    return ""


def _traps(file: Path) -> Traps:
    try:
        return msgspec.json.decode(_content(file), type=Traps)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise UsageError("eval_line", "Not a set", f"{file}: {fault}.") from fault


def _rows(file: Path, kind: type[Row]) -> Iterator[tuple[int, Row]]:
    """The lines with their numbers; blank ones are passed over."""
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(_content(file).split(b"\n"), 1):
        if line.strip():
            try:
                yield number, decoder.decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
                raise _fault(file, number, str(fault)) from fault


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as fault:
        raise KnownError("eval_unreadable", "No set", f"{file} cannot be read ({fault.strerror}).") from fault


def _fault(file: Path, number: int, what: str) -> UsageError:
    return UsageError("eval_line", "Not a set", f"{file}, line {number}: {what}.", "The format is described in the README.")
