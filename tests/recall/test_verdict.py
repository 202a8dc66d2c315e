"""When an answer is called one."""

from __future__ import annotations

import pytest

from tray_app.library.postings import TermGroup
from tray_app.recall.verdict import judge, share


def test_the_share_weighs_rare_words_more_and_unknown_ones_most() -> None:
    groups = [TermGroup("rare", (1,), 2), TermGroup("common", (2,), 900)]
    words = ["rare", "common"]
    assert share(words, groups, 1000, {"rare", "common"}) == pytest.approx(1.0)
    assert share(words, groups, 1000, {"rare"}) > 0.9
    assert share(words, groups, 1000, {"common"}) < 0.1
    assert share([*words, "never"], groups, 1000, {"rare", "common"}) < 0.6
    assert share([], groups, 1000, {"rare"}) == 0.0


@pytest.mark.parametrize(
    ("words", "best", "tier", "missing", "verdict", "code"),
    [
        (["a", "b", "c"], 1.0, "words", [], "confident", "found_words"),
        (["a", "b", "c"], 0.8, "words", [], "likely", "found_words"),
        (["a", "b", "c"], 0.5, "words", [], "unsure", "weak_words"),
        (["a", "b", "c"], 0.5, "words", ["c"], "unsure", "missing_words"),
        (["a", "b"], 0.99, "words", [], "unsure", "weak_words"),
        (["a"], 1.0, "prefix", [], "unsure", "weak_words"),
        (["a"], 1.0, "substring", [], "unsure", "weak_words"),
    ],
)
def test_verdicts(words: list[str], best: float, tier: str, missing: list[str], verdict: str, code: str) -> None:
    found = judge(words, best, tier, missing, 0.75, phrases=False)
    assert (found.word, found.code) == (verdict, code)
    assert found.found == (verdict in ("confident", "likely"))


def test_a_phrase_of_signs_that_stands_there_is_found() -> None:
    assert judge([], 0.0, "substring", [], 0.75, phrases=True).word == "confident"
