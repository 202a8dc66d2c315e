"""Passages of a session: rounds cut to chunks, and the words each is found by."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from tray_app.library.rows import ChunkRow, MessageRow, SessionRow
from tray_app.library.store import Store
from tray_app.text.chunk import ChunkMessage, chunk_round, rounds
from tray_app.text.dates import date_tokens
from tray_app.text.segment import tokens

FILES_PER_CHUNK = 12


class Passages:
    """Makes chunk rows and their tokens. Holds the zone in which days are counted."""

    def __init__(self, store: Store, zone: tzinfo) -> None:
        self.store, self.zone = store, zone

    def build(self, session: SessionRow, messages: Sequence[MessageRow]) -> tuple[list[ChunkRow], list[list[str]]]:
        """All passages of these messages (whole rounds, in order), and sets the session's open round."""
        rows: list[ChunkRow] = []
        words: list[list[str]] = []
        about = tokens(f"{session.title}\n{session.project}")
        for start, end in rounds([message.role for message in messages]):
            group = messages[start:end]
            session.open_round = group[0].seq
            for chunk in chunk_round([ChunkMessage(n, message.role, message.text) for n, message in enumerate(group)]):
                pieces = tuple((group[piece.index].id, piece.start, piece.end) for piece in chunk.pieces)
                texts = [group[piece.index].text[piece.start : piece.end] for piece in chunk.pieces]
                time = next((group[piece.index].time for piece in chunk.pieces if group[piece.index].time), session.start)
                found_by = [word for text in texts for word in tokens(text)]
                found_by += about
                if time:
                    found_by += date_tokens(time, self.zone)
                files = [path for piece in chunk.pieces for path in group[piece.index].files.split("\n") if path]
                for path in files[:FILES_PER_CHUNK]:
                    found_by += tokens(path)
                rows.append(
                    ChunkRow(
                        id=self.store.new_id("chunks"),
                        session_id=session.id,
                        round=group[0].seq,
                        kind=chunk.kind,
                        time=time,
                        pieces=pieces,
                        size=sum(map(len, texts)),
                    )
                )
                words.append(found_by)
        return rows, words
