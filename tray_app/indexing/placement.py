"""Which session owns a message, when several hold it.

A message is known by its identity hash. Met in a second session it becomes a copy there (a fork, a resume, a replay by a
sub-agent); which session is the original is decided by `is_original`, whatever the order of reading. Where a resume has
given everything new ids, the ordered beginnings of the two sessions are compared by role and text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tray_app.indexing.prepare import CleanMessage, Prepared
from tray_app.library.rows import CopyRow, MessageRow, SessionRow
from tray_app.library.store import Store

FAR = 1 << 62
FROM_STORED = -1
Owned = tuple[int, int]
"""A stored message: (message id, session id)."""
Said = tuple[str, str, Owned]
"""Role, text and owner of a message where it stands."""


def is_original(session: SessionRow, other: SessionRow) -> bool:
    """Whether `session` is the original of messages that `other` holds too: it is not the declared child, it is no
    sub-agent beside a main session, it began earlier, it ended earlier; last the id, so that it never depends on order."""
    if other.native == session.parent:
        return False
    if session.native == other.parent:
        return True
    if session.kind != other.kind:
        return session.kind == "main"
    return age(session) < age(other)


def age(session: SessionRow) -> tuple[int, int, str]:
    """Sorts sessions from the oldest on; unknown times last."""
    return (session.start or FAR, session.end or FAR, session.native)


class Placement:
    """Decides for the files of one batch. After all `place` calls the lists below are what is to be written.

    `sessions` are the rows of the batch, by id, `emptied` those of them that are read whole, `held` the messages of these
    that are still there because others copy them; `related` are stored sessions that are parents or children of any;
    `owners` says who has what by identity.
    """

    def __init__(
        self,
        store: Store,
        sessions: dict[int, SessionRow],
        emptied: set[int],
        held: set[int],
        related: Sequence[SessionRow],
        owners: dict[int, Owned],
    ) -> None:
        self.store, self.owners = store, owners
        self.sessions = {row.id: row for row in related} | sessions
        self.own: dict[int, list[MessageRow]] = {}
        """New messages by session, in order."""
        self.copies: list[CopyRow] = []
        self.replaced: dict[int, int] = {}
        """Messages stored earlier under another session that turned out to be copies: old id -> new id."""
        self.losers: set[int] = set()
        """Sessions that lost stored messages so: their passages must be made again."""
        self.repeated: Counter[int] = Counter()
        self._copied: set[tuple[int, int]] = set()
        self._fresh: dict[int, MessageRow] = {}
        self._moved: dict[int, Owned] = {}
        """Messages whose place a new one took: old id -> the new one."""
        self._sequences: dict[int, list[Said]] = {}
        """What this batch put into sessions, in order."""
        self._copies_of: dict[int, list[CopyRow]] = {}
        self._emptied, self._held = emptied, held
        self._waiting = set(emptied)
        self._kin: dict[tuple[str, str], list[int]] = {}
        for row in self.sessions.values():
            self._kin.setdefault((row.agent, row.native), []).append(row.id)
            if row.parent:
                self._kin.setdefault((row.agent, f"child of {row.parent}"), []).append(row.id)

    def owner(self, identity: int | None) -> Owned | None:
        """The message with this identity as it stands now: (message id, session id)."""
        return self._now(self.owners.get(identity)) if identity is not None else None

    def place(self, prepared: Prepared, session: SessionRow) -> None:
        """Give out the messages of one file. Parents come before their children, else the oldest first."""
        own = self.own.setdefault(session.id, [])
        aligned = {} if prepared.reading.resumed else self._aligned(prepared.messages, session)
        self._waiting.discard(session.id)
        sequence = self._sequences.setdefault(session.id, [])
        for position, message in enumerate(prepared.messages):
            known = self.owner(message.identity) or self._now(aligned.get(position))
            if known:
                self.repeated[session.id] += 1
                if known[1] == session.id:
                    continue
                if not is_original(session, self._session(known[1])):
                    if self._copy(session.id, known[0], message.seq):
                        sequence.append((message.role, message.text, known))
                    continue
            row = _row(self.store.new_id("messages"), session.id, message)
            if known:
                self._take_over(known, row)
            own.append(row)
            self._fresh[row.id] = row
            self.owners[message.identity] = (row.id, session.id)
            sequence.append((message.role, message.text, (row.id, session.id)))

    def settle(self) -> None:
        """Give the copies that were made of stored messages the place these had. After the last `place`."""
        if not self.replaced:
            return
        places = self.store.places(self.replaced)
        taken = {self.replaced[old]: seq for old, seq in places.items()}
        for copy in self.copies:
            if copy.seq == FROM_STORED:
                copy.seq = taken[copy.message_id]

    def _now(self, known: Owned | None) -> Owned | None:
        while known and known[0] in self._moved:
            known = self._moved[known[0]]
        return known

    def _copy(self, session: int, message: int, seq: int) -> bool:
        if (session, message) in self._copied:
            return False
        self._copied.add((session, message))
        copy = CopyRow(session_id=session, message_id=message, seq=seq)
        self.copies.append(copy)
        self._copies_of.setdefault(message, []).append(copy)
        return True

    def _take_over(self, known: Owned, row: MessageRow) -> None:
        """This session owned the message all along: the other's becomes a copy."""
        old, other = known
        self._moved[old] = (row.id, row.session_id)
        for copy in self._copies_of.pop(old, []):
            copy.message_id = row.id
            self._copies_of.setdefault(row.id, []).append(copy)
        taken = self._fresh.pop(old, None)
        if taken is None:
            self.replaced[old] = row.id
            self.losers.add(other)
            self._copy(other, row.id, FROM_STORED)
            return
        self.own[other].remove(taken)
        self._copy(other, row.id, taken.seq)

    def _session(self, number: int) -> SessionRow:
        if number not in self.sessions:
            self.sessions.update(self.store.sessions_by_id([number]))
        return self.sessions[number]

    def _aligned(self, messages: Sequence[CleanMessage], session: SessionRow) -> dict[int, Owned]:
        """Positions at the beginning of this session that are another's beginning with new ids: position -> owner."""
        pairs: dict[int, Owned] = {}
        for other in self._relatives(messages, session):
            for position, (mine, theirs) in enumerate(zip(messages, self._sequence(other, len(messages)), strict=False)):
                if (mine.role, mine.text) != theirs[:2]:
                    break
                if theirs[2][0] not in self._held:
                    pairs.setdefault(position, theirs[2])
        return pairs

    def _relatives(self, messages: Sequence[CleanMessage], session: SessionRow) -> list[int]:
        """Sessions this one may have its beginning in common with: its parent, its children, and the one it shares most
        messages with."""
        kin = self._kin.get((session.agent, session.parent), []) if session.parent else []
        kin = kin + self._kin.get((session.agent, f"child of {session.native}"), [])
        shared = Counter(known[1] for message in messages if (known := self.owner(message.identity)) and known[1] != session.id)
        return [
            number
            for number in dict.fromkeys(kin + [one for one, _ in shared.most_common(1)])
            if number != session.id and number not in self._waiting
        ]

    def _sequence(self, session: int, most: int) -> list[Said]:
        """The first messages of a session, with who has them now."""
        said: list[Said] = []
        if session not in self._emptied:
            said = [(row.role, row.text, (row.id, row.session_id)) for row in self.store.sequence(session, most)]
        said += self._sequences.get(session, [])
        return [(role, text, self._now(owned) or owned) for role, text, owned in said]


def _row(number: int, session: int, message: CleanMessage) -> MessageRow:
    return MessageRow(
        id=number, session_id=session, seq=message.seq, native=message.native, role=message.role, text=message.text,
        identity=message.identity, time=message.time, tool=message.tool, offset=message.offset, files=message.files,
    )  # fmt: skip
