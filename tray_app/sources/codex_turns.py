"""One turn of a Codex session: pairing the two copies in which Codex writes what is said.

A message may stand as a response item, as an event, or (most versions) as both, the event before or after the item. Items
are what is kept; an event vouches for the person's words, and stands in where the item is missing. Owns the decision per
turn, and what of an open turn the next reading must know. Reads no files.
"""

from __future__ import annotations

import hashlib

import msgspec

from tray_app.sources.base import Message

HELD = 4_000
"""Messages held back at most while an answer's second copy is awaited."""
UNPAIRED = 64
"""Answers of a turn remembered for a copy that may still come."""


class Revised(Exception):
    """What was appended shows that an earlier reading decided wrongly: the file must be read whole."""


def text_key(text: str) -> bytes:
    """Short hash of a text without regard to white space."""
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=8).digest()


class Copy(msgspec.Struct):
    """One copy of something said in the turn. `place` is its place in what is held, -1 once that was given out."""

    key: bytes
    event: bool = False
    vouched: bool = False
    stray: bool = False
    place: int = -1
    given: bool = False


class OpenTurn(msgspec.Struct):
    """What of a turn crosses from one reading to the next."""

    prompts: list[Copy] = []
    answers: list[Copy] = []
    """Copies of answers that have no counterpart yet."""
    answered: bool = False
    after_tool: bool = False
    items_seen: bool = False
    """A response item with a message was seen in this file: then an event at its end may wait for its item."""
    marked: bool = False
    """The file marks the person's words (events, or kinds of content)."""


class Turn:
    """Takes what a file says in its order; gives out messages once it is decided which copies count."""

    def __init__(self, state: OpenTurn) -> None:
        self.state = state
        self._held: list[Message | None] = []
        self._ready: list[Message] = []

    def prompt(self, message: Message, *, event: bool, vouched: bool, doubtful: bool = False) -> None:
        """A copy of what the person said, or of what is stored as if they had. `doubtful`: it has the shape of injected
        text. Such a one, or one amid a turn's tool calls, counts only if vouched for, where the file vouches at all."""
        state = self.state
        stray = (state.after_tool or doubtful) and not event and not vouched
        if state.answered:
            self.close()
        state.marked = state.marked or event or vouched
        state.items_seen = state.items_seen or not event
        state.prompts.append(Copy(text_key(message.text), event, vouched, stray, len(self._held)))
        self._held.append(message)

    def answer(self, message: Message, *, event: bool) -> None:
        """A copy of what the model said."""
        self.other(None, tool=False)
        state = self.state
        state.items_seen = state.items_seen or not event
        key = text_key(message.text)
        for waiting in state.answers:
            if waiting.event != event and waiting.key == key:
                break
        else:
            state.answers.append(Copy(key, event, place=len(self._held), given=not event))
            if len(state.answers) > UNPAIRED and not state.answers[0].event:
                del state.answers[0]
            self._held.append(message)
            self._give_settled()
            return
        state.answers.remove(waiting)
        if event:
            return
        if waiting.given:
            raise Revised
        if waiting.place >= 0:
            self._held[waiting.place] = None
        self._held.append(message)
        self._give_settled()

    def other(self, message: Message | None, *, tool: bool) -> None:
        """Anything else on the model's side: it ends what the person said."""
        state = self.state
        if not state.answered:
            state.answered = True
            self._decide_prompts(final=True)
        state.after_tool = tool
        if message is not None:
            self._held.append(message)
            self._give_settled()

    def close(self) -> None:
        """The turn is over."""
        self._decide_prompts(final=True)
        self._decide_answers(final=True)
        self._give()
        self.state.answered = self.state.after_tool = False

    def pause(self) -> None:
        """The file ends here for now: give out what can be, and remember what was decided."""
        self._decide_prompts(final=False)
        self._decide_answers(final=False)
        self._give()
        for copy in (*self.state.prompts, *self.state.answers):
            copy.place = -1

    def take(self) -> list[Message]:
        """Messages that are decided, in the file's order."""
        ready, self._ready = self._ready, []
        return ready

    def _decide_prompts(self, *, final: bool) -> None:
        state = self.state
        items = [copy for copy in state.prompts if not copy.event]
        events = [copy for copy in state.prompts if copy.event]
        alone = list(events)
        proven = []
        for item in items:
            partner = next((event for event in alone if event.key == item.key), None)
            if partner is not None:
                alone.remove(partner)
            if partner is not None or item.vouched:
                proven.append(item)
        kept = proven or [item for item in items if not (item.stray and state.marked)]
        missing = len(events) - len(kept)
        if missing > 0 and (final or not state.items_seen):
            kept = kept + alone[-missing:]
        self._settle(state.prompts, kept)
        if final:
            state.prompts = []

    def _decide_answers(self, *, final: bool) -> None:
        state = self.state
        items = [copy for copy in state.answers if not copy.event]
        events = [copy for copy in state.answers if copy.event]
        missing = len(events) - len(items)
        rescued = events[-missing:] if missing > 0 and (final or not state.items_seen) else []
        self._settle(events, rescued)
        if final:
            state.answers = []

    def _settle(self, copies: list[Copy], kept: list[Copy]) -> None:
        for copy in copies:
            keep = any(copy is other for other in kept)
            if copy.place < 0:
                if keep != copy.given:
                    raise Revised
                continue
            copy.given = keep
            if not keep:
                self._held[copy.place] = None

    def _give_settled(self) -> None:
        """Give out early where nothing is open, so that a long turn is not held in memory."""
        if len(self._held) > HELD:
            self._decide_answers(final=True)
        elif any(copy.event for copy in self.state.answers):
            return
        self._give()
        for copy in self.state.answers:
            copy.place = -1

    def _give(self) -> None:
        self._ready += [message for message in self._held if message is not None]
        self._held = []
