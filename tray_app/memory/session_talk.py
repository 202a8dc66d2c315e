"""One session as archiving looks at it: who said what in which round, which language it is in, what its calls did.

Owns this view of the messages, made once for the summary and for the draft. Messages that were said in an earlier session (a
fork's beginning) tell what it was about, but are not counted as this session's doing. Pure, no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from tray_app.library.session_reading import Told
from tray_app.memory import sentences
from tray_app.memory.work import Step, steps_of
from tray_app.text.languages import CHINESE, language_of

SAMPLE_CHARS = 4_000


class Round(msgspec.Struct, frozen=True, gc=False):
    """What the person asked (None before the first question), the places of the messages up to the next one, and the last words of
    the agent in it that no call followed ('' where it ended in a call)."""

    request: Told | None
    first: int
    last: int
    answer: str


class Talk(msgspec.Struct, frozen=True, gc=False):
    """`told` are this session's own messages; `before` what it inherited; `steps` the calls of `told`."""

    told: Sequence[Told]
    before: Sequence[Told]
    steps: Sequence[Step]
    rounds: Sequence[Round]
    chinese: bool

    @property
    def requests(self) -> list[int]:
        """Places of what the person asked for, greetings and assents left out."""
        return [one.first for one in self.rounds if one.request is not None and sentences.is_request(one.request.text)]

    @property
    def summaries(self) -> list[int]:
        """Places of the agent's own summaries of what it had compacted."""
        return [place for place, one in enumerate(self.told) if one.role == "summary"]

    @property
    def last_answer(self) -> str:
        """The agent's last words after the last call, if nobody has spoken since."""
        return self.rounds[-1].answer if self.rounds else ""


def talk_of(messages: Sequence[Told]) -> Talk:
    own = [one for one in messages if not one.inherited]
    before = [one for one in messages if one.inherited]
    return Talk(own, before, steps_of(own), _rounds(own), _is_chinese(own))


def _rounds(own: Sequence[Told]) -> list[Round]:
    starts = [place for place, one in enumerate(own) if one.role == "user"]
    edges = sorted({0, *starts, len(own)}) if own else []
    found = []
    for first, end in pairwise(edges):
        request = own[first] if own[first].role == "user" else None
        found.append(Round(request, first, end - 1, _answer(own, first, end)))
    return found


def _answer(own: Sequence[Told], first: int, end: int) -> str:
    parts: list[str] = []
    for place in range(end - 1, first - 1, -1):
        role = own[place].role
        if role == "assistant":
            parts.append(own[place].text)
        elif role in ("tool_call", "tool_result"):
            break
    return "\n\n".join(reversed(parts))


def _is_chinese(own: Sequence[Told]) -> bool:
    """By the person's words; by the agent's where there are none."""
    for role in ("user", "assistant", "summary"):
        words = [
            one.text[:SAMPLE_CHARS] for one in own if one.role == role and (role != "user" or sentences.is_request(one.text))
        ]
        if words:
            chinese = sum(len(text) for text in words if language_of(sentences.said_by_person(text, SAMPLE_CHARS)) == CHINESE)
            return chinese * 2 >= sum(map(len, words))
    return False
