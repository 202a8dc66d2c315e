"""Marks and snippets: where the words of a question stand in a text, and the cut of it that is shown.

Owns the way back from tokens to places. All offsets are code points of the text that was given, also where folding it
for the word rules changes its length (ligatures, full-width forms, the dotted capital I).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from tray_app.text.graphemes import cut_after, cut_before, is_inside
from tray_app.text.segment import fold_text, fold_traditional, is_unspaced, iter_words, split_word, word_tokens

Mark = tuple[int, int]

_SPACES = re.compile(r"\s+")
_LEAD = 3
"""The best mark stands in the first third."""


def find_marks(text: str, tokens: Collection[str]) -> list[Mark]:
    """The ranges of `text` whose tokens are among `tokens`, in order, none overlapping.

    The whole word is marked where its whole form or stem is asked for, else the parts that are. Pairs that touch become
    one mark; a single character of an unspaced script is marked wherever it stands.
    """
    wanted = tokens if isinstance(tokens, (set, frozenset)) else frozenset(tokens)
    if not wanted:
        return []
    folded, starts, ends = _fold_with_places(text)
    marks: list[Mark] = []
    for word, at in iter_words(folded):
        if is_unspaced(word[0]):
            ranges = _marks_of_run(word, wanted)
        elif wanted.isdisjoint(word_tokens(word)):  # kept from indexing and from other texts: most words end here
            continue
        else:
            ranges = _marks_of_word(word, wanted)
        for start, end in ranges:
            first, last = starts[at + start], ends[at + end - 1]
            if marks and first < marks[-1][1]:
                marks[-1] = (marks[-1][0], max(last, marks[-1][1]))
            elif last > first:
                marks.append((first, last))
    return marks


def _marks_of_run(run: str, wanted: Collection[str]) -> list[Mark]:
    merged: list[Mark] = []
    for at in range(len(run)):
        end = at + 2 if run[at : at + 2] in wanted and at + 1 < len(run) else at + 1 if run[at] in wanted else 0
        if not end:
            continue
        if merged and at <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((at, end))
    return merged


def _marks_of_word(word: str, wanted: Collection[str]) -> list[Mark]:
    ranges = sorted((start, -end) for token, start, end in split_word(word) if token in wanted)
    kept: list[Mark] = []
    for start, end in ranges:
        if not kept or start >= kept[-1][1]:
            kept.append((start, -end))
    return kept


def _fold_with_places(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """The folded text, and for each of its code points where what it was made from begins and ends."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return fold_traditional(text), range(len(text)), range(1, len(text) + 1)
    known = {character for character in set(text) if character > "\x7f"}
    if not any(map(_composes, known)):
        changed = {character: unicodedata.normalize("NFKC", character) for character in known}
        return _fold_one_by_one(text, {character: made for character, made in changed.items() if made != character})
    folded: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _composes(text[end]):
            end += 1
        part = fold_text(text[at:end])
        if len(part) == end - at:
            starts.extend(range(at, end))
            ends.extend(range(at + 1, end + 1))
        else:
            starts.extend([at] * len(part))
            ends.extend([end] * len(part))
        folded.append(part)
        at = end
    return "".join(folded), starts, ends


def _fold_one_by_one(text: str, odd: Mapping[str, str]) -> tuple[str, Sequence[int], Sequence[int]]:
    """The same where no character joins the one before it, as in nearly all text: only those in `odd` become something else."""
    longer = [re.escape(character) for character, made in odd.items() if len(made) != 1]
    folded = fold_traditional(text.translate({ord(character): made for character, made in odd.items()}))
    if not longer:
        return folded, range(len(text)), range(1, len(text) + 1)
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for match in re.finditer("|".join(longer), text):
        place, size = match.start(), len(odd[match[0]])
        starts.extend(range(at, place))
        ends.extend(range(at + 1, place + 1))
        starts.extend([place] * size)
        ends.extend([place + 1] * size)
        at = place + 1
    starts.extend(range(at, len(text)))
    ends.extend(range(at + 1, len(text) + 1))
    return folded, starts, ends


def _composes(character: str) -> bool:
    return character >= "\u0300" and (
        unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff" or character in "\uff9e\uff9f"
    )


def snippet(text: str, marks: Sequence[Mark], width: int = 240) -> tuple[str, list[Mark]]:
    """At most `width` code points of `text` around its densest marks, on one line, and the marks moved along."""
    start, end = _choose_window(text, marks, width)
    while start < end and text[start].isspace():
        start += 1
    lead = "…" if text[:start].strip() else ""
    inside = [(max(first, start), min(last, end)) for first, last in marks if first < end and last > start]
    shown, size = [lead], len(lead)
    places: dict[int, int] = {}
    at = start
    for edge in (*sorted({edge for mark in inside for edge in mark}), end):
        part = _SPACES.sub(" ", text[at:edge])
        if part.startswith(" ") and shown[-1].endswith(" "):
            part = part[1:]
        if part:
            shown.append(part)
            size += len(part)
        places[edge] = size
        at = edge
    line = "".join(shown).rstrip()
    moved = [(places[first], min(places[last], len(line))) for first, last in inside]
    return line + ("…" if text[end:].strip() else ""), [mark for mark in moved if mark[1] > mark[0]]


def _choose_window(text: str, marks: Sequence[Mark], width: int) -> Mark:
    size = len(text)
    room = max(width - 2, 1)
    if size <= width:
        return 0, size
    if not marks:
        return 0, _end_at(text, 0, room)
    best, best_count, last = 0, -1, 0
    reach = room - room // _LEAD
    for first, mark in enumerate(marks):
        last = max(last, first)
        while last < len(marks) and marks[last][1] <= mark[0] + reach:
            last += 1
        count = sum(end - start for start, end in marks[first:last])
        if count > best_count:
            best, best_count = first, count
    start = max(0, min(marks[best][0] - room // _LEAD, size - room))
    start = min(_start_at(text, start, marks[best][0]), marks[best][0])
    return start, _end_at(text, start, room)


def _start_at(text: str, at: int, limit: int) -> int:
    """The first border of words at or after `at`, before `limit`."""
    if at == 0:
        return 0
    for place in range(at, min(at + 40, limit)):
        if _is_word_border(text, place):
            return place
    return min(cut_after(text, at), limit)


def _end_at(text: str, start: int, room: int) -> int:
    stop = start + room
    if stop >= len(text):
        return len(text)
    for place in range(stop, max(stop - 40, start), -1):
        if _is_word_border(text, place):
            return place
    place = cut_before(text, stop)
    return place if place > start else stop


def _is_word_border(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if is_inside(text, at):
        return False
    return (
        not (before.isalnum() or before == "_")
        or not (after.isalnum() or after == "_")
        or is_unspaced(before)
        or is_unspaced(after)
    )
