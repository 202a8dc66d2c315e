"""How a key is written, and what each system calls it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.ui.hotkey import macos, portal, windows, x11
from tray_app.ui.hotkey.base import FUNCTION_KEYS, MODIFIERS, NAMED_KEYS, PUNCTUATION, Sequence, SequenceFault, parse

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
KEYS = (*LETTERS, *PUNCTUATION, *NAMED_KEYS, *FUNCTION_KEYS)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ctrl+Alt+Space", "Ctrl+Alt+Space"),
        (" alt + CONTROL+space ", "Ctrl+Alt+Space"),
        ("Win+s", "Meta+S"),
        ("cmd+shift+p", "Shift+Meta+P"),
        ("Option+Escape", "Alt+Esc"),
        ("F12", "F12"),
        ("Shift+F1", "Shift+F1"),
        ("Ctrl++", "Ctrl++"),
        ("Ctrl+plus", "Ctrl++"),
        ("Alt+PageUp", "Alt+PgUp"),
        ("Ctrl+-", "Ctrl+-"),
    ],
)
def test_parse(text: str, kept: str) -> None:
    assert str(parse(text)) == kept
    assert parse(kept) == parse(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("Ctrl+Alt", "unknown_key"),
        ("Ctrl+Foo", "unknown_key"),
        ("Ctrl+é", "unknown_key"),
        ("Ctrl+A+B", "two_keys"),
        ("A", "needs_modifier"),
        ("Space", "needs_modifier"),
        ("Shift+A", "only_shift"),
        ("Ctrl+Space", "input_switch"),
    ],
)
def test_parse_refuses(text: str, code: str) -> None:
    with pytest.raises(SequenceFault) as caught:
        parse(text)
    assert caught.value.code == code


@given(st.text(max_size=40))
def test_any_text_is_a_key_or_a_fault(text: str) -> None:
    try:
        found = parse(text)
    except SequenceFault:
        return
    assert parse(str(found)) == found


@given(st.sets(st.sampled_from(MODIFIERS), min_size=1), st.sampled_from(KEYS))
def test_every_key_round_trips(modifiers: set[str], key: str) -> None:
    sequence = Sequence(frozenset(modifiers), key)
    try:
        assert parse(str(sequence)) == sequence
    except SequenceFault as fault:
        assert fault.code in ("only_shift", "input_switch")


@pytest.mark.parametrize("key", KEYS)
def test_every_key_has_a_name_on_each_system(key: str) -> None:
    assert x11.keysym(key) > 0
    assert windows.virtual_key(key) > 0
    assert portal.trigger(Sequence(frozenset({"Ctrl"}), key)).startswith("CTRL+")


def test_names_on_each_system() -> None:
    sequence = parse("Ctrl+Alt+Meta+Space")
    assert portal.trigger(sequence) == "CTRL+ALT+LOGO+space"
    assert portal.trigger(parse("Ctrl+P")) == "CTRL+p"
    assert portal.trigger(parse("Alt+F4")) == "ALT+F4"
    assert (x11.keysym("Space"), x11.keysym("P"), x11.keysym("F1"), x11.keysym("/")) == (0x20, 0x70, 0xFFBE, 0x2F)
    assert (windows.virtual_key("Space"), windows.virtual_key("P"), windows.virtual_key("F1")) == (0x20, 0x50, 0x70)
    assert macos.KEY_CODES["Space"] == 0x31
