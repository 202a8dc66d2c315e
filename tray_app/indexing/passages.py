"""Passages of a session: rounds cut to chunks, and the words each is found by."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from tray_app.library.rows import ChunkRow, MessageRow, SessionRow
from tray_app.library.store import Store
from tray_app.sources.base import Stop, Stopped
from tray_app.text.chunk import Chunk, ChunkMessage, chunk_round, rounds
from tray_app.text.dates import date_tokens, local_day
from tray_app.text.segment import tokens

FILES_PER_CHUNK = 12

Found = tuple[list[str], int]
"""The words a passage is found by, and how many of them were said in it (title, date and files come on top)."""


class Passages:
    """Makes chunk rows and their tokens. Holds the zone in which days are counted."""

    def __init__(self, store: Store, zone: tzinfo, stop: Stop) -> None:
        self.store, self.zone, self.stop = store, zone, stop

    def build(self, session: SessionRow, messages: Sequence[MessageRow]) -> tuple[list[ChunkRow], list[Found]]:
        """All passages of these messages (whole rounds, in order), and sets the session's open round. Raises Stopped."""
        rows: list[ChunkRow] = []
        words: list[Found] = []
        session.open_round = 0
        about = tokens(f"{session.title}\n{session.project}")
        for start, end in rounds([message.role for message in messages]):
            if self.stop():
                raise Stopped
            session.open_round = messages[start].seq
            for group in self._by_day(messages[start:end]):
                for chunk in chunk_round([ChunkMessage(n, message.role, message.text) for n, message in enumerate(group)]):
                    row, found = self._passage(session, group, chunk, about)
                    rows.append(row)
                    words.append(found)
        return rows, words

    def _passage(
        self, session: SessionRow, group: Sequence[MessageRow], chunk: Chunk, about: list[str]
    ) -> tuple[ChunkRow, Found]:
        texts = [group[piece.index].text[piece.start : piece.end] for piece in chunk.pieces]
        time = next((group[piece.index].time for piece in chunk.pieces if group[piece.index].time), session.start)
        found_by = [word for text in texts for word in tokens(text)]
        said = len(found_by)
        found_by += about
        if time:
            found_by += date_tokens(time, self.zone)
        files = dict.fromkeys(path for piece in chunk.pieces for path in group[piece.index].files.split("\n") if path)
        for path in list(files)[:FILES_PER_CHUNK]:
            found_by += tokens(path)
        row = ChunkRow(
            id=self.store.new_id("chunks"), session_id=session.id, round=session.open_round, kind=chunk.kind, time=time,
            pieces=tuple((group[piece.index].id, piece.start, piece.end) for piece in chunk.pieces), size=sum(map(len, texts)),
        )  # fmt: skip
        return row, (found_by, said)

    def _by_day(self, messages: Sequence[MessageRow]) -> list[list[MessageRow]]:
        """A round that runs over midnight is parted there, so that a day's passages hold what was said on that day."""
        groups: list[list[MessageRow]] = []
        today = None
        for message in messages:
            day = local_day(message.time, self.zone) if message.time else today
            if not groups or (day != today and today is not None):
                groups.append([])
            groups[-1].append(message)
            today = day or today
        return groups
