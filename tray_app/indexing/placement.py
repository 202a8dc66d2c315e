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
    """Decides for the files of one batch. After all `place` calls the lists below are what is to be written."""

    def __init__(self, store: Store, sessions: dict[int, SessionRow], owners: dict[int, tuple[int, int]]) -> None:
        self.store, self.sessions, self.owners = store, sessions, owners
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
        self._sequences: dict[int, list[tuple[str, str, int]]] = {}

    def place(self, prepared: Prepared, session: SessionRow) -> None:
        """Give out the messages of one file. Files of a batch come oldest session first."""
        own = self.own.setdefault(session.id, [])
        aligned = {} if prepared.reading.resumed else self._aligned(prepared, session)
        sequence = self._sequences.setdefault(session.id, [])
        for position, message in enumerate(prepared.messages):
            known = self.owners.get(message.identity) or aligned.get(position)
            if known:
                self.repeated[session.id] += 1
                if known[1] == session.id:
                    continue
                if not is_original(session, self._session(known[1])):
                    if self._copy(session.id, known[0], message.seq):
                        sequence.append((message.role, message.text, known[0]))
                    continue
            row = _row(self.store.new_id("messages"), session.id, message)
            if known:
                self._take_over(known, row)
            own.append(row)
            self._fresh[row.id] = row
            self.owners[message.identity] = (row.id, session.id)
            sequence.append((message.role, message.text, row.id))

    def _copy(self, session: int, message: int, seq: int) -> bool:
        if (session, message) in self._copied:
            return False
        self._copied.add((session, message))
        self.copies.append(CopyRow(session_id=session, message_id=message, seq=seq))
        return True

    def _take_over(self, known: tuple[int, int], row: MessageRow) -> None:
        """This session owned the message all along: the other's becomes a copy."""
        old, other = known
        seq = row.seq
        taken = self._fresh.pop(old, None)
        if taken is not None:
            self.own[other].remove(taken)
            seq = taken.seq
            for copy in self.copies:
                if copy.message_id == old:
                    copy.message_id = row.id
        else:
            self.replaced[old] = row.id
            self.losers.add(other)
        self._copy(other, row.id, seq)

    def _session(self, number: int) -> SessionRow:
        if number not in self.sessions:
            self.sessions.update(self.store.sessions_by_id([number]))
        return self.sessions[number]

    def _aligned(self, prepared: Prepared, session: SessionRow) -> dict[int, tuple[int, int]]:
        """Positions at the beginning of this session that are another's beginning with new ids: position -> owner."""
        ancestor = self._ancestor(prepared.messages, session)
        if ancestor is None:
            return {}
        sequence = self._sequences.get(ancestor)
        if sequence is None:
            stored = self.store.sequence(ancestor)
            sequence = [(row.role, row.text, row.id) for row in stored]
            owner = {row.id: row.session_id for row in stored}
        else:
            owner = {message: self._fresh[message].session_id for *_, message in sequence if message in self._fresh}
        pairs: dict[int, tuple[int, int]] = {}
        for position, (mine, theirs) in enumerate(zip(prepared.messages, sequence, strict=False)):
            if (mine.role, mine.text) != theirs[:2]:
                break
            pairs[position] = (theirs[2], owner.get(theirs[2], ancestor))
        return pairs

    def _ancestor(self, messages: Sequence[CleanMessage], session: SessionRow) -> int | None:
        """The session this one may be a copy of: the one it names, else the one it shares most messages with."""
        if session.parent:
            for other in self.sessions.values():
                if other.agent == session.agent and other.native == session.parent and other.id != session.id:
                    return other.id
            found = self.store.sessions(session.agent, [session.parent])
            if session.parent in found:
                return found[session.parent].id
        shared = Counter(
            known[1] for message in messages if (known := self.owners.get(message.identity)) and known[1] != session.id
        )
        return shared.most_common(1)[0][0] if shared else None


def _row(number: int, session: int, message: CleanMessage) -> MessageRow:
    return MessageRow(
        id=number, session_id=session, seq=message.seq, native=message.native, role=message.role, text=message.text,
        identity=message.identity, time=message.time, tool=message.tool, offset=message.offset, files=message.files,
    )  # fmt: skip
