"""Cleaning: each kind of junk, what must stay, and that a second pass changes nothing."""

from __future__ import annotations

import base64
import random

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.clean import clean, fold_spaces


def make_base64(size: int, seed: int = 1) -> str:
    return base64.b64encode(random.Random(seed).randbytes(size)).decode()


def wrap(text: str, width: int, line_break: str = "\n") -> str:
    return line_break.join(text[at : at + width] for at in range(0, len(text), width))


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("plain words\n\tstay", "plain words\n\tstay"),
        ("\x1b[31merror\x1b[0m: \x1b[1;38;5;200mbad\x1b[m", "error: bad"),
        ("\x1b]0;title\x07text \x1b]8;;https://a.b\x1b\\link\x1b]8;;\x1b\\", "text link"),
        ("a\x1b(Bb\x1b=c\x9b2Kd", "abcd"),
        ("lost \x1b[", "lost "),
        ("a\x00b\x07c\x08d\x0be\x0cf\x7fg", "abcdefg"),
        ("one\r\ntwo\rthree\u2028four\u0085five", "one\ntwo\nthree\nfour\nfive"),
        ("half \ud83d end, whole \ud83d\ude80", "half \ufffd end, whole 🚀"),
        ("\ufeffstart\u200b mid\u2060dle\u00ad", "start middle"),
        ("path \u202eevil\u202c \u2066x\u2069", "path evil x"),
        ("family 👨‍👩‍👧 stays, a\u200db does not", "family 👨‍👩‍👧 stays, ab does not"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\n\n\n\nb", "a\n\n\n\nb"),
        ("a\n\n\n\n\n\n\nb", "a\n\n\n\nb"),
        ("a\n \n\t\n\n  \n\n\nb", "a\n\n\n\nb"),
        ("中文，没有变化。", "中文，没有变化。"),
        ("", ""),
    ],
)
def test_cleans(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


def test_data_url_becomes_its_type_and_size() -> None:
    text = f"![shot](data:image/png;base64,{make_base64(3_000_000)}) after"
    assert clean(text) == "![shot]([data image/png 3 MB]) after"


def test_small_and_textual_data_urls() -> None:
    assert (
        clean(f"x data:image/gif;base64,{make_base64(120)} y and more words here")
        == "x [data image/gif 120 B] y and more words here"
    )
    svg = "data:image/svg+xml;utf8," + "%3Csvg%20" * 40
    assert clean(f"<img src='{svg}'>") == "<img src='[data image/svg+xml 360 B]'>"


def test_bare_base64_becomes_a_placeholder_of_which_nothing_is_left() -> None:
    blob = make_base64(12_000)
    assert clean(f'{{"data":"{blob}","type":"image"}}') == '{"data":"[base64 12 kB]","type":"image"}'
    assert clean(f"before {blob} after") == "before [base64 12 kB] after"


@pytest.mark.parametrize(("width", "line_break"), [(76, "\n"), (64, "\n"), (76, "\r\n"), (76, "\\n")])
def test_base64_in_lines(width: int, line_break: str) -> None:
    blob = make_base64(5_000)
    cleaned = clean(f"see:\n{wrap(blob, width, line_break)}\nthe end")
    assert cleaned == "see:\n[base64 5 kB]\nthe end"


def test_a_longer_last_line_of_base64_is_one_of_its_own() -> None:
    text = wrap(make_base64(57 * 3), 76) + "\n" + make_base64(600)
    cleaned = clean(text)
    assert cleaned.endswith("\n[base64 600 B]")
    assert clean(cleaned) == cleaned


def test_a_word_after_base64_in_lines_stays() -> None:
    blob = wrap(make_base64(57 * 40), 76)
    assert clean(f"{blob}\nThanks").splitlines()[-1] == "Thanks"


@pytest.mark.parametrize(
    "kept",
    [
        "9f1c2e7ab4d05c3e8f7a6b5c4d3e2f1a0b9c8d7e",
        "sha512-" + "0123456789abcdef" * 8,
        "deadbeef" * 100,
        "eyJhbGciOiJIUzI1NiJ9." + make_base64(300).replace("/", "_").replace("+", "-").rstrip("=") + ".c2ln",
        "src/" + "/".join(f"some_directory_{n}" for n in range(40)) + "/file.py",
        "aaaa" * 200,
        "-" * 400,
        "0" * 400,
        "https://example.org/" + "a-very-long-slug-with-words-" * 12,
    ],
)
def test_long_words_that_are_not_base64_stay(kept: str) -> None:
    assert clean(f"see {kept} here") == f"see {kept} here"


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_cleaning_twice_changes_nothing(raw: str) -> None:
    cleaned = clean(raw)
    assert clean(cleaned) == cleaned
    cleaned.encode("utf-8")
    assert not any(character < " " and character not in "\n\t" for character in cleaned)


@given(
    st.lists(
        st.sampled_from(
            [
                "\x1b",
                "[",
                "]",
                "0m",
                "\n",
                "\r",
                " ",
                "\t",
                "\\n",
                "A1b2" * 16,
                "A1b2C3d4" * 40,
                "=",
                ";base64,",
                "data:image/png",
                "\u200d",
                "👨",
                "\ud83d",
                "\ude00",
                "\u200b",
                "x",
                ".",
                "-",
            ]
        ),
        max_size=25,
    )
)
def test_cleaning_junk_twice_changes_nothing(parts: list[str]) -> None:
    cleaned = clean("".join(parts))
    assert clean(cleaned) == cleaned


def test_tiny_data_urls_and_code_that_writes_them_stay() -> None:
    code = 'url = f"data:image/jpeg;base64,{picture}"'
    assert clean(f"{code} {'a' * 70}") == f"{code} {'a' * 70}"
    assert (
        clean("icon data:image/gif;base64,R0lGODlhAQABAAAAACw= here") == "icon data:image/gif;base64,R0lGODlhAQABAAAAACw= here"
    )


@pytest.mark.parametrize("before", [32_000, 65_400, 65_536, 65_600])
@pytest.mark.parametrize("line", ["words of a line that is read\n", "x\n", "中文的一行。\n"])
def test_long_texts_are_cut_where_no_rule_looks(before: int, line: str) -> None:
    """What spans many lines is one thing wherever the pieces end."""
    blob = wrap(make_base64(57 * 400), 76)
    filler = line * (before // len(line))
    text = f"{filler}{blob}\n{filler}a{chr(10) * 90_000}b\n \n\t\n{filler}\x1b[1mend\x1b[0m"
    cleaned = clean(text)
    assert cleaned == f"{filler}[base64 23 kB]\n{filler}a\n\n\n\nb\n \n\t\n{filler}end"
    assert clean(cleaned) == cleaned


def test_a_line_longer_than_a_piece_stays_whole() -> None:
    text = '{"a":"' + "word " * 40_000 + make_base64(90_000) + '"}'
    assert clean(text) == '{"a":"' + "word " * 40_000 + '[base64 90 kB]"}'


def test_spaces_fold() -> None:
    assert fold_spaces(" a \n\n b\tc ") == "a b c"


@pytest.mark.parametrize(
    "unit",
    [
        "\x1b]",
        "\x1b[",
        "A1b2C3",
        "\n ",
        "\n",
        " \t",
        "data:image/png;",
        "data:a/b,",
        "A1b2" * 16 + "\n",
        "\u200d",
        "/",
        "a" * 255 + " ",
    ],
)
def test_time_grows_with_the_length_only(unit: str) -> None:
    assert grows_with_length_only(clean, unit)
