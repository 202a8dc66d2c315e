"""The postings against DuckDB's own match_bm25, after any mixture of adding and removing."""

import random

import pytest

from tray_app.library import postings
from tray_app.library.connection import open_index
from tray_app.library.postings import PostingsWriter, lookup, scores

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
    return dict(scores(cursor, list(found.values()), 10_000))


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
    assert {number for number, _ in scores(cursor, list(lookup(cursor, VOCABULARY).values()), 10_000)} == set(living)


def test_removing_everything_leaves_nothing_to_find(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    writer.add([(1, ["alpha", "beta"], 2), (2, ["alpha"], 1)])
    writer.refresh_stats()
    writer.remove([1, 2, 99])
    writer.refresh_stats()
    assert lookup(cursor, ["alpha", "beta"]) == {}
    assert postings.statistics(cursor)[0] == 0
    assert scores(cursor, [], 10) == []


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


def test_a_filter_reads_only_what_it_admits(opened):
    cursor = opened.cursor()
    writer = PostingsWriter(cursor)
    cursor.execute("insert into chunks values (1, 7, 0, 'round', 5, ''::blob, 1), (2, 8, 0, 'tool', 6, ''::blob, 1)")
    writer.add([(1, ["alpha"], 1), (2, ["alpha"], 1)])
    writer.refresh_stats()
    groups = list(lookup(cursor, ["alpha"]).values())
    assert [number for number, _ in scores(cursor, groups, 10, "c.session_id = ?", [8])] == [2]
    assert [number for number, _ in scores(cursor, groups, 10, "c.kind = ? and c.time >= ?", ["round", 5])] == [1]
