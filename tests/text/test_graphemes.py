"""Cuts: never inside what a person sees as one character."""

from __future__ import annotations

import pytest

from tray_app.text.graphemes import cut_after, cut_before


@pytest.mark.parametrize(
    "cluster",
    ["é".replace("é", "e\u0301"), "👨‍👩‍👧", "🇺🇸", "👍🏽", "\r\n", "ก็", "❤\ufe0f", "각".replace("각", "\u1100\u1161\u11a8")],
)
def test_clusters_stay_whole(cluster: str) -> None:
    text = f"a{cluster}b"
    for at in range(2, len(cluster) + 1):
        assert cut_before(text, at) == 1
        assert cut_after(text, at) == len(cluster) + 1


def test_flags_are_counted_in_twos() -> None:
    text = "🇺🇸🇨🇳🇩🇪"
    assert [cut_before(text, at) for at in range(7)] == [0, 0, 2, 2, 4, 4, 6]


def test_a_hostile_pile_of_marks_does_not_stop_the_cut() -> None:
    text = "a" + "\u0301" * 500
    assert cut_before(text, 300) == cut_after(text, 300) == 300
