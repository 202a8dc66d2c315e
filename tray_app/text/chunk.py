"""Chunks: the passages a round is cut into, which are what a search finds.

Owns the sizes and the borders; sees cleaned text only, and gives ranges, never copies. The same messages always give the
same chunks; the time is linear in the length.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from tray_app.text.graphemes import cut_before

TALK_SIZE = 1200
"""Longest passage of talk, in code points, the repeated question included."""
TOOL_SIZE = 6000
"""A call and its result, which were capped before."""
OVERLAP = 80
QUESTION_SIZE = 160
_SMALLEST = 300
"""No message is cut to fill a gap smaller than this."""

_FENCE = re.compile(r"^[ \t]{0,8}(```+|~~~+)[^\n]*$", re.MULTILINE)
_SENTENCE = re.compile(r"[.!?](?=[\s\"')\]])[\"')\]]*\s*|[。！？；…][”’」』）]*|\n")
_SPACE = re.compile(r"\s|[，、,;；：:]")
_KINDS = {"reasoning": "reasoning", "summary": "summary", "note": "note"}


class ChunkMessage(msgspec.Struct, frozen=True, gc=False):
    """One message of a round. `index` is the caller's, kept in the pieces."""

    index: int
    role: str
    """user | assistant | tool_call | tool_result | reasoning | summary | note"""
    text: str


class Piece(msgspec.Struct, frozen=True, gc=False):
    """`text[start:end]` of the message with that index, in code points."""

    index: int
    start: int
    end: int


class Chunk(msgspec.Struct, frozen=True, gc=False):
    kind: str
    """round | tool | summary | note | reasoning"""
    pieces: tuple[Piece, ...]


def rounds(roles: Sequence[str]) -> list[tuple[int, int]]:
    """Half-open ranges of messages: a round begins at a message of the person that follows one that is not theirs."""
    starts = [at for at, role in enumerate(roles) if at == 0 or (role == "user" and roles[at - 1] != "user")]
    return list(pairwise([*starts, len(roles)]))


def chunk_round(messages: Sequence[ChunkMessage]) -> list[Chunk]:
    """The chunks of one round, in the order of their first own passage.

    Every character that is not white space is in some chunk. Later passages of the talk (and of a long tool call) begin
    with the first line of the question (of the call).
    """
    talk = [message for message in messages if message.role in ("user", "assistant")]
    question = next((message for message in talk if message.role == "user" and message.text.strip()), None)
    found = _pack("round", talk, TALK_SIZE, _first_line(question) if question else None)
    for group in _pair_tools(messages):
        found += _pack("tool", group, TOOL_SIZE, _first_line(group[0]) if group[0].text.strip() else None)
    for message in messages:
        if message.role in _KINDS:
            found += _pack(_KINDS[message.role], [message], TALK_SIZE, None)
    order = {message.index: at for at, message in enumerate(messages)}
    found.sort(key=lambda item: (order[item[0].index], item[0].start))
    return [chunk for _, chunk in found]


def _pair_tools(messages: Sequence[ChunkMessage]) -> list[list[ChunkMessage]]:
    """Each call with its result: calls made side by side are answered in their order."""
    groups: list[list[ChunkMessage]] = []
    waiting: list[list[ChunkMessage]] = []
    for message in messages:
        if message.role == "tool_result" and waiting:
            waiting.pop(0).append(message)
        elif message.role in ("tool_call", "tool_result"):
            groups.append([message])
            if message.role == "tool_call":
                waiting.append(groups[-1])
        elif message.role in ("user", "assistant"):
            waiting.clear()
    return groups


def _first_line(message: ChunkMessage) -> Piece:
    text = message.text
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    if end - start > QUESTION_SIZE:
        end = cut_before(text, start + QUESTION_SIZE)
    return Piece(message.index, start, end)


def _pack(kind: str, messages: Sequence[ChunkMessage], size: int, head: Piece | None) -> list[tuple[Piece, Chunk]]:
    """Chunks with the first piece of each that is not the repeated head."""
    found: list[tuple[Piece, Chunk]] = []
    pieces: list[Piece] = []
    used = 0

    def flush() -> None:
        nonlocal used
        if pieces:
            repeated = (head,) if head and found else ()
            found.append((pieces[0], Chunk(kind, (*repeated, *pieces))))
            pieces.clear()
        used = head.end - head.start if head and found else 0

    for message in messages:
        text, at, whole = message.text, 0, len(message.text.rstrip())
        fences = _find_fences(text)
        while at < whole:
            room = size - used
            rest = whole - at
            if rest > room and pieces and (room < _SMALLEST or (at == 0 and used > size // 2 and rest < size - QUESTION_SIZE)):
                flush()
                continue
            end = whole if rest <= room else _find_border(text, fences, at, at + room)
            piece = _trim(message.index, text, at, end)
            if piece:
                pieces.append(piece)
                used += piece.end - piece.start
            if end >= whole:
                break
            flush()
            floor = head.end if head and head.index == message.index else 0
            at = min(end, max(_find_overlap(text, at, end), floor))
    flush()
    return found


def _trim(index: int, text: str, start: int, end: int) -> Piece | None:
    part = text[start:end]
    inner = part.strip()
    if not inner:
        return None
    start += len(part) - len(part.lstrip())
    return Piece(index, start, start + len(inner))


def _find_fences(text: str) -> list[int]:
    """Where code blocks begin and end, by turns; one that is never closed ends with the text."""
    if "```" not in text and "~~~" not in text:
        return []
    edges: list[int] = []
    mark = ""
    for match in _FENCE.finditer(text):
        if not mark:
            mark = match[1]
            edges.append(match.start())
        elif match[1].startswith(mark) and match[0].strip() == match[1]:
            mark = ""
            edges.append(min(match.end() + 1, len(text)))
    if mark:
        edges.append(len(text))
    return edges


def _find_border(text: str, fences: list[int], start: int, stop: int) -> int:
    """The best place to cut in (start, stop]: paragraph or code block, then line or sentence, then word, then anywhere."""
    floor = start + (stop - start) // 2
    edge = bisect_right(fences, stop) - 1
    best = fences[edge] if edge >= 0 and fences[edge] > start + (stop - start) // 4 else 0
    inside = edge >= 0 and edge % 2 == 0 and fences[edge] < stop
    if inside and best:
        return best
    if inside:
        line = text.rfind("\n", floor, stop)
        return line + 1 if line > 0 else cut_before(text, stop)
    paragraph = text.rfind("\n\n", max(floor, best), stop - 1)
    if max(paragraph + 2 if paragraph >= 0 else 0, best):
        return max(paragraph + 2 if paragraph >= 0 else 0, best)
    for shape in (_SENTENCE, _SPACE):
        last = 0
        for match in shape.finditer(text, floor, stop):
            last = match.end()
        if last:
            return cut_before(text, last)
    return cut_before(text, stop)


def _find_overlap(text: str, start: int, end: int) -> int:
    """Where the next passage begins: about `OVERLAP` before `end`, at a border of words; always after `start`."""
    at = max(start + 1, end - OVERLAP)
    match = _SENTENCE.search(text, at, end - OVERLAP // 4) or _SPACE.search(text, at, end - OVERLAP // 4)
    if match:
        return cut_before(text, match.end())
    place = cut_before(text, at)
    return place if place > start and not (text[place - 1].isascii() and text[place - 1].isalnum()) else end
