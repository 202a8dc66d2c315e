"""Bytes of a text file as text, whichever way an editor wrote it.

Owns the guess: a byte order mark, else UTF-8, else the Chinese encoding of Windows where the bytes look like it, else the western
one. Never raises.
"""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

_LOOKED_AT = 65_536
_OWN_REPLACEMENT = "\ufffd".encode()


def decode(data: bytes) -> str | None:
    """The text; None for bytes that are no text."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        return None
    data = data.removeprefix(BOM_UTF8)
    text = data.decode("utf-8", "replace")
    lost = text.count("\ufffd") - data.count(_OWN_REPLACEMENT)
    if lost * 10 <= len(text) - len(text.encode("ascii", "ignore")) - lost:
        return text  # UTF-8, at most with a few bytes out of place
    if _stands_in_pairs(data[:_LOOKED_AT]):
        return data.decode("gb18030", "replace")
    return data.decode("cp1252", "replace")


def _stands_in_pairs(data: bytes) -> bool:
    """Whether bytes beyond ASCII mostly stand in pairs, as Chinese does; accents stand alone."""
    high = data.translate(bytes(1 if byte >= 0x80 else 32 for byte in range(256)))
    total = high.count(1)
    return total > 0 and sum(len(run) for run in high.split(b" ") if len(run) > 1) * 2 >= total
