"""What a change of config files looks like, line by line: kept, put in, taken out.

Pure: changes in, lines out. Owns how much of a long line and of a long change is shown; no Qt, and no words of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FILE, GAP, SAME, ADDED, REMOVED = "file", "gap", "same", "added", "removed"
SIGNS = {ADDED: "+ ", REMOVED: "- ", SAME: "  "}
LONGEST = 160
"""Characters of a line; of a longer one its ends go, and what it shares with the one that takes its place."""
AROUND = 40
MOST_LINES = 600


@dataclass(frozen=True, slots=True)
class DiffLine:
    """`kind`: file | gap | same | added | removed. `text` without a sign; of a file its path, of a gap ''."""

    kind: str
    text: str

    @property
    def shown(self) -> str:
        """With the sign that tells it apart without colour."""
        return SIGNS.get(self.kind, "") + ("⋯" if self.kind == GAP else self.text)


def lines_of(diff: str) -> list[DiffLine]:
    """The lines of one file's unified diff, without its head. Equal lines at the ends of a change stay as its context."""
    lines: list[DiffLine] = []
    for raw in diff.split("\n")[2:]:
        sign, text = raw[:1], raw[1:].rstrip("\r")
        if raw.startswith("@@"):
            if lines:
                lines.append(DiffLine(GAP, ""))
        elif sign in "+- " and sign:
            lines.append(DiffLine({"+": ADDED, "-": REMOVED}.get(sign, SAME), text))
    return _cut(_shortened(lines))


def _shortened(lines: Sequence[DiffLine]) -> list[DiffLine]:
    """Long lines cut; of a run taken out and the run in its place, the first pair around where they differ."""
    made = list(lines)
    at = 0
    while at < len(made):
        gone = _run(made, at, REMOVED)
        came = _run(made, at + gone, ADDED)
        for number in range(min(gone, came)):
            one, other = made[at + number], made[at + gone + number]
            if max(len(one.text), len(other.text)) > LONGEST:
                texts = _where_they_differ(one.text, other.text)
                made[at + number], made[at + gone + number] = DiffLine(REMOVED, texts[0]), DiffLine(ADDED, texts[1])
        at += max(gone + came, 1)
    return [DiffLine(line.kind, _ends_cut(line.text)) for line in made]


def _run(lines: Sequence[DiffLine], at: int, kind: str) -> int:
    count = 0
    while at + count < len(lines) and lines[at + count].kind == kind:
        count += 1
    return count


def _alike(one: str, other: str) -> int:
    """How many characters at their beginnings are the same."""
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other)))


def _where_they_differ(one: str, other: str) -> tuple[str, str]:
    head = _alike(one, other)
    tail = _alike(one[head:][::-1], other[head:][::-1])
    start = max(head - AROUND, 0)

    def part(text: str) -> str:
        end = min(len(text) - tail + AROUND, len(text))
        return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")

    return part(one), part(other)


def _ends_cut(text: str) -> str:
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]} … {text[-LONGEST:]}"


def _cut(lines: list[DiffLine]) -> list[DiffLine]:
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES // 2], DiffLine(GAP, ""), *lines[-MOST_LINES // 2 :]]
