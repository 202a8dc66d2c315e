"""The hand-over card: a checkpoint rendered for people, or written by hand. One is active for each project.

Owns the rendering (no times, no ids: the same checkpoint gives the same bytes) and the rows of cards. Where the card is also
written as a file is `export`'s; what stands in a checkpoint is `checkpoints`'.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec

from tray_app import clock
from tray_app.errors import UsageError
from tray_app.handoff.export import CardFile
from tray_app.handoff.markdown import block_of, code_of, item_of, line_of
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import CardRow, CheckpointRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.names import name_key
from tray_app.memory.projects import now_ms
from tray_app.records import CardView
from tray_app.text import languages, own_marks
from tray_app.text.clean import clean
from tray_app.text.redact import redact

CARD_CHARS = 40_000
ENGLISH = {
    "baseline": "Baseline", "goal": "Goal", "done": "Done", "doing": "Doing", "next": "Next", "files": "Files",
    "open_questions": "Open questions", "": "Nothing is written down yet.",
}  # fmt: skip
CHINESE = {
    "baseline": "基线", "goal": "目标", "done": "已完成", "doing": "进行中", "next": "下一步", "files": "文件",
    "open_questions": "待解问题", "": "还没有记录。",
}  # fmt: skip


def render(row: CheckpointRow) -> str:
    """The whole card as markdown, with headings in the language that most of it is written in."""
    return f"# {line_of(row.project)}\n\n{render_fields(row, 2)}\n"


def render_fields(row: CheckpointRow, level: int, without: Collection[str] = ()) -> str:
    """The filled fields, each under a heading of this level; a sentence where none is. No line break at the end."""
    names = CHINESE if _is_chinese(row) else ENGLISH
    mark = "#" * level
    parts: list[str] = []
    for name in ("baseline", "goal", "done", "doing", "next", "files", "open_questions"):
        value = getattr(row, name)
        if not value or name in without:
            continue
        if isinstance(value, str):
            body = block_of(value)
        elif name == "files":
            body = "\n".join(f"- {code_of(path)}" for path in value)
        elif name == "next":
            body = "\n".join(item_of(text, f"{place}. ") for place, text in enumerate(value, 1))
        else:
            body = "\n".join(map(item_of, value))
        parts.append(f"{mark} {names[name]}\n\n{body}")
    return "\n\n".join(parts) or names[""]


def _is_chinese(row: CheckpointRow) -> bool:
    said = (row.baseline, row.goal, row.doing, *row.done, *row.next, *row.open_questions)
    return languages.language_of("\n".join(said)) == languages.CHINESE


class Cards:
    """The cards of one library. `file` says where a project's card is also written, None for nowhere."""

    def __init__(self, store: MemoryStore, file: Callable[[str], CardFile | None]) -> None:
        self.store, self._file = store, file
        self._faults: dict[str, str] = {}
        """Why the last export of a project failed."""

    def view(self, project: str, number: int | None = None) -> CardView:
        """The active card, or an earlier one by its id. The markdown stands between our marks. Raises UsageError
        `no_such_card`."""
        rows = cards_of(self.store.rows(CardRow), project)
        active = active_card(rows)
        row = active if number is None else next((card for card in rows if card.id == number), None)
        if row is None:
            if number is not None:
                raise UsageError(
                    "no_such_card", "No such card", f"Card {number} is none of {project}'s.", "Its history lists their ids."
                )
            return CardView(project=project, history=_earlier(rows, 0))
        exported, fault = self._export_state(project, active)
        return CardView(
            project=project,
            id=row.id,
            state=row.state,
            markdown=own_marks.enclosed(row.markdown, own_marks.CARD),
            created=clock.iso(row.created),
            checkpoint=row.checkpoint or None,
            exported_to=exported,
            export_error=fault,
            history=_earlier(rows, row.id),
        )

    def write(self, project: str, markdown: str) -> CardView:
        """A card by hand: it takes the place of the active one, and the checkpoint stays as it is. Raises UsageError
        `empty_content`, `too_long`; KnownError."""
        text = redact(own_marks.strip_own(clean(own_marks.bare(markdown))))[0].strip()
        if not text:
            raise UsageError("empty_content", "Nothing to write", "The card is empty.", "Give its markdown.")
        if len(text) > CARD_CHARS:
            raise UsageError(
                "too_long", "Too long", f"A card has at most {CARD_CHARS:,} characters, not {len(text):,}.", "Shorten it."
            )
        with self.store.change() as change:
            put_card(change, project, text + "\n", 0, now_ms())
        self.export(project)
        return self.view(project)

    def export(self, project: str) -> None:
        """Write the active card to its file, if it has one. A fault is kept for the view, and raised for nobody."""
        row = active_card(cards_of(self.store.rows(CardRow), project))
        file = self._file(project)
        self._faults.pop(name_key(project), None)
        if row is not None and file is not None and (fault := file.write(own_marks.enclosed(row.markdown, own_marks.CARD))):
            self._faults[name_key(project)] = fault

    def _export_state(self, project: str, active: CardRow | None) -> tuple[str, str]:
        file = self._file(project)
        if file is None or active is None:
            return "", ""
        if file.holds(own_marks.enclosed(active.markdown, own_marks.CARD)):
            return str(file.path), ""
        return "", self._faults.get(name_key(project), "")


def put_card(change: Change, project: str, markdown: str, checkpoint: int, now: int) -> None:
    """Make a card the active one; the same text again changes nothing but the checkpoint it belongs to."""
    for row in cards_of(change.rows(CardRow), project):
        if row.state != "active":
            continue
        if row.markdown == markdown and row.checkpoint == checkpoint:
            return
        change.put(msgspec.structs.replace(row, state="superseded", updated=now))
    number = change.new_id(CardRow)
    change.put(CardRow(id=number, project=project, markdown=markdown, created=now, updated=now, checkpoint=checkpoint))


def cards_of(rows: Mapping[int, CardRow], project: str) -> list[CardRow]:
    """All cards of a project, by id."""
    key = name_key(project)
    return sorted((row for row in rows.values() if name_key(row.project) == key), key=lambda row: row.id)


def active_card(rows: Iterable[CardRow]) -> CardRow | None:
    return max((row for row in rows if row.state == "active"), key=lambda row: row.id, default=None)


def _earlier(rows: Iterable[CardRow], shown: int) -> tuple[int, ...]:
    """Ids of those that can be looked at, newest first."""
    return tuple(sorted((row.id for row in rows if row.state == "superseded" and row.id != shown), reverse=True))
