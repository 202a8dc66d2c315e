"""Bytes of text files in the encodings that people have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.decoding import decode

CHINESE = "变更记录：回滚了缓存，因为它太慢。第二行也是中文。"
FRENCH = "Déploiement terminé, très bien reçu à Orléans."


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (CHINESE.encode(), CHINESE),
        (b"\xef\xbb\xbf" + CHINESE.encode(), CHINESE),
        (CHINESE.encode("utf-16"), CHINESE),
        (b"\xfe\xff" + CHINESE.encode("utf-16-be"), CHINESE),
        (CHINESE.encode("gb18030"), CHINESE),
        (("English first. " * 20 + CHINESE).encode("gb18030"), "English first. " * 20 + CHINESE),
        (FRENCH.encode("cp1252"), FRENCH),
        (CHINESE.encode()[:-1], CHINESE[:-1] + "\ufffd"),
        (CHINESE.encode()[:30] + b"\xff" + CHINESE.encode()[30:], CHINESE[:10] + "\ufffd" + CHINESE[10:]),
        ("a \ufffd b".encode(), "a \ufffd b"),
        (b"\x89PNG\0\0", None),
    ],
)
def test_encodings(data: bytes, text: str | None) -> None:
    assert decode(data) == text


@given(st.text())
def test_utf8_is_read_as_it_is(text: str) -> None:
    data = text.encode("utf-8", "replace")
    assert decode(data) == (None if b"\0" in data else data.decode().removeprefix("\ufeff"))


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    assert decode(data) is None or isinstance(decode(data), str)
