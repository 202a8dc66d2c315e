"""Amounts in words: exact, vague and none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.numerals import CHINESE, ENGLISH, Amount, read_chinese, read_english, whole_chinese

_DIGITS = "零一二三四五六七八九"
_WORDS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
          "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_chinese(number: int) -> str:
    """To 999, as it is said: 十二, 二十, 一百零三, 一百一十."""
    if number < 10:
        return _DIGITS[number]
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    text = f"{_DIGITS[hundreds]}百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else _DIGITS[tens]) + "十"
    elif ones:
        text += "零"
    return text + (_DIGITS[ones] if ones else "")


def in_english(number: int) -> str:
    """To 99, with a hyphen."""
    if number < 20:
        return _WORDS[number]
    return _TENS[number // 10] + (f"-{_WORDS[number % 10]}" if number % 10 else "")


@given(st.integers(0, 999))
def test_every_whole_number_in_chinese(number: int) -> None:
    assert whole_chinese(in_chinese(number)) == number
    assert whole_chinese(str(number)) == number


@given(st.integers(1, 999))
def test_the_shapes_take_the_whole_number(number: int) -> None:
    assert re.fullmatch(CHINESE, in_chinese(number))
    assert read_chinese(in_chinese(number)) == Amount(number, number)
    if number < 100:
        assert re.fullmatch(ENGLISH, in_english(number))
        assert read_english(in_english(number)) == Amount(number, number)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("两", 2, 2), ("廿", 20, 20), ("廿三", 23, 23), ("卅一", 31, 31), ("半", 0.5, 0.5), ("几", 2, 6), ("好几", 2, 6), ("十几", 11, 19),
     ("二十几", 21, 29), ("几十", 20, 90), ("两三", 2, 3), ("三五", 3, 5), ("七八", 7, 8)],
)  # fmt: skip
def test_chinese_amounts(text: str, least: float, most: float) -> None:
    assert re.fullmatch(CHINESE, text)
    assert read_chinese(text) == (least, most)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("a", 1, 1), ("an", 1, 1), ("half an", 0.5, 0.5), ("a few", 2, 6), ("a couple of", 2, 4), ("couple", 2, 4), ("several", 3, 7),
     ("a dozen", 12, 12), ("one or two", 1, 2), ("twenty one", 21, 21), ("007", 7, 7)],
)  # fmt: skip
def test_english_amounts(text: str, least: float, most: float) -> None:
    assert re.fullmatch(ENGLISH, text)
    assert read_english(text) == (least, most)


@pytest.mark.parametrize("text", ["", "甲", "百百", "x3", "三三三", "9八"])
def test_what_is_no_chinese_number(text: str) -> None:
    assert whole_chinese(text) is None


@pytest.mark.parametrize("text", ["", "many", "three of", "one two three"])
def test_what_is_no_english_amount(text: str) -> None:
    assert read_english(text) is None


def test_two_digits_that_do_not_rise_are_none() -> None:
    assert read_chinese("八七") is None
