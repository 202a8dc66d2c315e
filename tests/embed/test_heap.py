"""Memory that is given back."""

from __future__ import annotations

import ctypes
import sys

import pytest

from tray_app.embed.heap import _trim, give_back


@pytest.mark.parametrize("library", [{"malloc_trim": None}, {}], ids=["glibc", "another"])
def test_giving_back_is_harmless(monkeypatch: pytest.MonkeyPatch, library: dict[str, None]) -> None:
    if "malloc_trim" not in library:
        monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    _trim.cache_clear()
    give_back()
    give_back()
    assert (_trim() is None) == ("malloc_trim" not in library or not sys.platform.startswith("linux"))
    _trim.cache_clear()
