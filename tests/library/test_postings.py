"""The postings against DuckDB's own match_bm25, after any mixture of adding and removing."""

import random

import numpy as np
import pytest

from tray_app.library import postings
from tray_app.library.connection import open_index
from tray_app.library.postings import PostingsWriter, Scores, best, lookup, statistics, weigh

VOCABULARY = [f"word{n}" for n in range(60)] + ["上传", "传失", "e0277", "3.11.7", "naïve", "it's"]


def stock_scores(cursor, query):
    """What the extension's macro says over the same tables."""
    rows = cursor.execute(
        "select name, s from (select name, fts_main_passages.match_bm25(name, ?, b:=0.6) as s from fts_main_passages.docs) where s is not null",
        [query],
    ).fetchall()
    return {int(name): float(score) for name, score in rows}


def our_scores(cursor, query):
    found = lookup(cursor, list(dict.fromkeys(query.split())))
    return dict(best(weigh(cursor, list(found.values()), statistics(cursor)), 10_000))


@pytest.fixture
def opened(tmp_path):
    index = open_index(tmp_path / "index.duckdb")
    yield index
    index.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_scores_equal_the_stock_macro_after_any_mixture(opened, seed):
    dice = random.Random(seed)
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    living = {}
    next_id = 0
    for step in range(25):
        cursor.execute("begin")
        if living and dice.random() < 0.4:
            leaving = dice.sample(sorted(living), min(len(living), dice.randint(1, 4)))
            writer.remove(leaving)
            for number in leaving:
                del living[number]
        documents = []
        for _ in range(dice.randint(1, 6)):
            words = [dice.choice(VOCABULARY) for _ in range(dice.randint(1, 30))]
            documents.append((next_id, words, dice.randint(1, len(words))))
            next_id += 1
        writer.add(documents)
        living.update((number, words) for number, words, _ in documents)
        writer.refresh_stats()
        cursor.execute("commit")
        if step % 8 == 7:
            assert writer.tidy(force=True)
        for _ in range(4):
            query = " ".join(dice.sample(VOCABULARY, dice.randint(1, 4)))
            stock, ours = stock_scores(cursor, query), our_scores(cursor, query)
            assert stock.keys() == ours.keys()
            assert all(abs(stock[number] - ours[number]) < 1e-12 for number in stock)
    assert our_scores(cursor, " ".join(VOCABULARY)).keys() == set(living)


def test_removing_everything_leaves_nothing_to_find(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    writer.add([(1, ["alpha", "beta"], 2), (2, ["alpha"], 1)])
    writer.refresh_stats()
    writer.remove([1, 2, 99])
    writer.refresh_stats()
    assert lookup(cursor, ["alpha", "beta"]) == {}
    assert postings.statistics(cursor)[0] == 0
    assert len(weigh(cursor, [], (2, 1.5)).ids) == 0


def test_terms_come_back_after_a_rollback(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    cursor.execute("begin")
    writer.add([(1, ["alpha"], 1)])
    cursor.execute("rollback")
    writer.forget()
    writer.add([(2, ["alpha", "beta"], 2)])
    writer.refresh_stats()
    assert our_scores(cursor, "alpha").keys() == {2}


def test_near_words(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    writer.add([(1, ["retry", "retries"], 2), (2, ["kubernetes"], 1), (3, ["数据", "据库"], 2)])
    writer.refresh_stats()
    ids = {word: group.termids[0] for word, group in lookup(cursor, ["retry", "retries", "kubernetes"]).items()}
    begun, tier = postings.near(cursor, "retr", prefix=True, slips=0)
    assert set(begun.termids) == {ids["retry"], ids["retries"]}
    assert tier == "prefix"
    slipped, tier = postings.near(cursor, "kubernets", prefix=True, slips=2)
    assert slipped.termids == (ids["kubernetes"],)
    assert tier == "close"
    assert postings.near(cursor, "zzzzz", prefix=True, slips=1) == (None, "none")
    assert len(postings.containing(cursor, "据").termids) == 2


def test_several_terms_that_count_as_one_word_add_their_occurrences_up(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    writer.add([(1, ["retry", "retries", "other"], 3), (2, ["retry", "retry", "other"], 3), (3, ["other"], 3)])
    writer.refresh_stats()
    near, _ = postings.near(cursor, "retr", prefix=True, slips=0)
    assert near.terms == ("retry", "retries")
    found = dict(best(weigh(cursor, [near], statistics(cursor)), 10))
    assert found.keys() == {1, 2}
    assert found[1] == found[2]


def test_required_terms_are_all_there(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    writer.add([(1, ["alpha", "beta"], 2), (2, ["alpha"], 1), (3, ["beta", "beta"], 2)])
    writer.refresh_stats()
    groups = lookup(cursor, ["alpha", "beta"])
    both = [group.termids[0] for group in groups.values()]
    assert [number for number, _ in best(weigh(cursor, list(groups.values()), statistics(cursor), both), 10)] == [1]


def test_best_puts_the_later_of_equals_first_and_is_cut_at_the_limit():
    found = Scores(np.array([4, 7, 9, 11]), np.array([1.0, 2.0, 1.0, 1.0]))
    assert best(found, 3) == [(7, 2.0), (11, 1.0), (9, 1.0)]
    assert best(found, 10) == [(7, 2.0), (11, 1.0), (9, 1.0), (4, 1.0)]
    assert best(found, 0) == []


@pytest.mark.parametrize("word", ["z" * 5, "\ud7ff" * 3, "\U0010ffff" * 3, "it's", "%_", "数据"])
def test_any_word_may_be_sought_as_a_near_one(opened, word):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    writer.add([(1, [word + "x"], 1)])
    writer.refresh_stats()
    found, tier = postings.near(cursor, word, prefix=True, slips=1)
    assert (found.terms, tier) == ((word + "x",), "prefix")
