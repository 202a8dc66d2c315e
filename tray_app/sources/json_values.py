"""JSON values of any shape: decoding them into what is expected, and putting a tool's arguments and output into words.

Owns nothing of any agent's format. Only named fields are looked at; what is of another shape than expected is taken for
absent, because one odd field must not cost the words beside it.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from tray_app.sources.jsonl import mended

T = TypeVar("T")

_FIRST = (
    *("command", "cmd", "filePath", "file_path", "notebook_path", "target_file", "relative_workspace_path", "path", "pattern"),
    *("query", "search_term", "url", "description", "prompt", "question"),
)
_TARGETS = ("filePath", "file_path", "notebook_path", "target_file", "relative_workspace_path", "path")
_ANY_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ANY_STRING = msgspec.json.Decoder(str)


class Piece(msgspec.Struct):
    """A piece of content: text, or something shown by a placeholder."""

    type: Any = None
    text: Any = None
    value: Any = None
    mime_type: Any = msgspec.field(default=None, name="mimeType")


_PIECES = msgspec.json.Decoder(list[Piece | str])
_PIECE = msgspec.json.Decoder(Piece)


def decoded(data: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T | None:
    """The value, or None where there is none of that shape. Never raises for what is in the data."""
    raw = bytes(data)
    if not raw:
        return None
    try:
        return decoder.decode(raw)
    except (ValueError, RecursionError):
        pass
    try:
        return decoder.decode(mended(raw))
    except (ValueError, RecursionError):
        return None


def text_of(value: object) -> str:
    """A field that should be text; '' for anything else."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int:
    """A field that should be a count; -1 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else -1


def arguments(raw: msgspec.Raw | bytes) -> tuple[str, tuple[str, ...]]:
    """A tool's arguments in words, and the files they name: what the call is about first, then the rest, each by its name.

    Arguments that were written as text with JSON in it are taken apart too.
    """
    data = bytes(raw)
    if data.startswith(b'"'):
        written = decoded(data, _ANY_STRING) or ""
        inner = written.encode("utf-8", "replace")
        if not inner.lstrip().startswith(b"{"):
            return written, ()
        data = inner
    given = decoded(data, _ANY_OBJECT)
    if given is None:
        return "", ()
    values = {name: plain(value) for name, value in given.items()}
    lines = [values[name] for name in _FIRST if values.get(name)]
    lines += [f"{name}: {value}" for name, value in values.items() if name not in _FIRST and value]
    return "\n".join(lines), tuple(dict.fromkeys(values[name] for name in _TARGETS if values.get(name)))


def plain(raw: msgspec.Raw | bytes) -> str:
    """A string as it is, anything else as it is written; '' for null."""
    data = bytes(raw)
    if data == b"null":
        return ""
    if data.startswith(b'"'):
        return decoded(data, _ANY_STRING) or ""
    return mended(data).decode("utf-8", "replace")


def output(raw: msgspec.Raw | bytes) -> str:
    """A tool's output as text: a string, a list of pieces, or an object that holds its text; images as placeholders."""
    data = bytes(raw)
    if data.startswith(b"["):
        pieces = decoded(data, _PIECES)
        if pieces is not None:
            found = [piece if isinstance(piece, str) else _words(piece) for piece in pieces]
            if any(found) or not pieces:
                return "\n".join(text for text in found if text)
    if data.startswith(b"{"):
        piece = decoded(data, _PIECE)
        if piece is not None and (words := _words(piece)):
            return words
    return plain(data)


def _words(piece: Piece) -> str:
    if isinstance(piece.text, str):
        return piece.text
    if isinstance(piece.value, str):
        return piece.value
    return f"[{piece.type}]" if piece.type in ("image", "audio", "file", "media") else ""


def disjoint(fresh: int, output: int, read: int, write: int, total: int, reasoning: int = -1) -> tuple[int, int, int, int]:
    """Token counts (input, output, cache read, cache write) made disjoint; -1 where unknown.

    Programs differ in whether input includes what came from the cache, and output the reasoning: the total, where it is
    given, says which sum is meant. Without one, a cache part that fits into the input is taken to be part of it.
    """
    cached = max(read, 0) + max(write, 0)
    thought = max(reasoning, 0)
    if fresh < 0:
        return fresh, output, read, write
    said = fresh + max(output, 0)
    if total == said + cached + thought and thought:
        return fresh, max(output, 0) + thought, read, write
    if total == said + cached and cached:
        return fresh, output, read, write
    if cached and cached <= fresh and (total == said or total < 0):
        return fresh - cached, output, read, write
    return fresh, output, read, write
