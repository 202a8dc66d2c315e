"""Questions in one language about what was said in the other, or in other words: no model, only the glossary."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from data import claude_files
from world import World, add_chat, make_engine

from tray_app.library.postings import TermGroup, idf
from tray_app.recall.crossing import (
    ALIKE,
    COMMON,
    FOREIGN,
    FOREIGN_UNSAID,
    MOST_FORMS,
    Bridge,
    Bridges,
    cross,
    wanted,
)
from tray_app.recall.words import Terms, find_terms, holding
from tray_app.text.glossary import Form, Term, expand
from tray_app.text.segment import content_tokens

CHATS = {
    "english": [
        ("user", "The nightly backup ran out of memory on the build server, why?"),
        ("assistant", "It keeps the whole archive in the cache; there is also a race condition between two workers."),
    ],
    "chinese": [
        ("user", "夜间备份在构建服务器上内存溢出了"),
        ("assistant", "整个归档都放在缓存里，分块写就好了。"),
    ],
    "half": [
        ("user", "缓存目录放在哪里"),
        ("assistant", "放在家目录下面，每个用户一份。"),
    ],
    "garden": [
        ("user", "Which tomatoes grow well in the shade of the fence?"),
        ("assistant", "Cherry tomatoes do; water them in the evening."),
    ],
    "restore": [
        ("user", "Please repair the invoice printer in the office."),
        ("assistant", "It lacked a driver."),
    ],
}
DOCUMENTS = 1000


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("crossing")
    for place, (label, said) in enumerate(CHATS.items()):
        add_chat(home, label, "/home/kim/shop", datetime(2026, 9, 1 + place, 8, tzinfo=UTC), said)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        patch.setenv("BACKSCROLL_SOURCES_HOME", str(home))
        patch.setenv("BACKSCROLL_HOME", str(home / "backscroll"))
        engine = make_engine(home)
        engine.index(all_sources=True)
    yield World(engine, Path(home))
    engine.close()


def labels(library: World, query: str) -> list[str]:
    names = {claude_files.make_id(label): label for label in CHATS}
    return [names[session.session] for session in library.ask(query).sessions]


def terms_of(library: World, query: str) -> Terms:
    with library.engine._reading(library.engine.libraries.of()) as reader:
        return find_terms(reader, content_tokens(query)[0], (), query)


# --- a real library --------------------------------------------------------------------------------------------------------
def test_a_chinese_question_finds_what_was_said_in_english(library: World) -> None:
    assert labels(library, "竞态条件") == ["english"]
    assert terms_of(library, "竞态条件").tier == "translated"
    assert labels(library, "打印机的发票问题")[0] == "restore"


def test_an_english_question_finds_what_was_said_in_chinese(library: World) -> None:
    assert labels(library, "home directory of each user")[0] == "half"


def test_traditional_characters_cross_too(library: World) -> None:
    assert labels(library, "競態條件") == ["english"]


def test_what_says_all_words_stands_above_what_says_them_in_the_other_language(library: World) -> None:
    found = labels(library, "构建服务器夜间备份内存溢出")
    assert found[0] == "chinese"
    assert "english" in found[1:]
    found = labels(library, "nightly backup out of memory on the build server")
    assert found[0] == "english"
    assert "chinese" in found[1:]


def test_what_was_found_is_marked(library: World) -> None:
    (hit,) = library.hits("竞态条件")
    assert {hit.text[start:end] for start, end in hit.marks} == {"race", "condition"}


def test_words_by_translation_alone_are_not_found_for_sure(library: World) -> None:
    assert not library.ask("竞态条件").found


def test_another_word_of_the_same_language_is_found(library: World) -> None:
    assert labels(library, "fixing the bill") == ["restore"]
    assert terms_of(library, "fixing the bill").translated == ()
    assert [(bridge.source, bridge.form) for bridge in terms_of(library, "fixing the bill").bridges.found] == [
        ("fixing", "repair"),
        ("bill", "invoice"),
    ]


def test_a_question_in_words_that_no_term_is_keeps_its_groups(library: World) -> None:
    terms = terms_of(library, "cherry tomatoes")
    assert (terms.groups, terms.others, terms.bridges.found) == (terms.asked, 0, ())


def test_the_words_asked_for_and_the_others_are_told_apart(library: World) -> None:
    terms = terms_of(library, "缓存 tomatoes")
    assert [group.word for group in terms.asked] == ["缓存", "tomato"]
    assert terms.translated == (("缓存", "cache"),)
    assert [group.word for group in terms.groups[len(terms.asked) :]] == ["cach"]
    assert terms.shown() == {"缓存", "tomato", "cach"}
    assert terms.asked[0].weight == 1.0
    assert 0 < terms.groups[-1].weight <= FOREIGN


def test_without_its_text_a_question_is_not_translated(library: World) -> None:
    with library.engine._reading(library.engine.libraries.of()) as reader:
        terms = find_terms(reader, ["缓存"])
    assert (terms.translated, terms.others) == ((), 0)


def test_what_stands_in_a_passage_in_other_words(library: World) -> None:
    terms = terms_of(library, "夜间备份竞态条件")
    held = holding(terms.shown(), CHATS["english"][0][1] + CHATS["english"][1][1])
    assert {(bridge.source, bridge.form) for bridge in terms.bridges.standing(held) if bridge.foreign} >= {
        ("备份", "backup"),
        ("竞态条件", "race condition"),
    }
    assert {"备份", "竞态", "态条", "条件", "份竞"} <= terms.bridges.words(held)  # 份竞 lies between two terms that stand there
    assert "份竞" not in terms.bridges.words({"backup"})
    assert terms.bridges.words(set()) == frozenset()


# --- weights ---------------------------------------------------------------------------------------------------------------
def group(word: str, termid: int, df: int) -> TermGroup:
    return TermGroup(word, (termid,), df)


def term(source: str, foreign: tuple[Form, ...] = (), alike: tuple[Form, ...] = (), at: int = 0) -> Term:
    return Term(source, (at, at + len(source)), (source,), foreign, alike)


def form(text: str, size: int = 0) -> Form:
    words = tuple(text.split())
    return Form(text, words, size or len(words))


def test_all_tokens_are_looked_up_at_once() -> None:
    assert wanted([term("部署", (form("deploy"), form("roll out")), (form("上线"),)), term("deploy")]) == [
        "部署",
        "deploy",
        "roll",
        "out",
        "上线",
    ]


def test_forms_of_one_token_are_one_group() -> None:
    found = {"部署": group("部署", 1, 10), "deploy": group("deploy", 2, 30), "rollout": group("rollout", 3, 20)}
    bridges, (one,) = cross([term("部署", (form("deploy"), form("rollout"), form("ship")))], found, DOCUMENTS, {1})
    assert (one.word, one.termids, one.df, one.weight, one.terms) == ("rollout", (3, 2), 50, FOREIGN, ("rollout", "deploy"))
    assert [bridge.form for bridge in bridges.found] == ["rollout", "deploy"]


def test_the_tokens_of_a_longer_form_share_its_weight_and_all_must_be_there() -> None:
    found = {"竞态": group("竞态", 1, 5), "race": group("race", 2, 40), "condition": group("condition", 3, 90)}
    bridges, groups = cross(
        [term("竞态", (form("race condition"), form("data race"), form("of race", 2)))], found, DOCUMENTS, {1}
    )
    assert [(one.word, one.weight) for one in groups] == [("race", FOREIGN / 2), ("condition", FOREIGN / 2)]
    assert [bridge.form for bridge in bridges.found] == ["race condition"]


def test_a_form_counts_no_more_than_its_share_of_the_term() -> None:
    found = {"部署": group("部署", 1, 500), "deploy": group("deploy", 2, 1)}
    _, (one,) = cross([term("部署", (form("deploy"),))], found, DOCUMENTS, {1})
    assert one.weight * idf(DOCUMENTS, 1) == pytest.approx(FOREIGN * idf(DOCUMENTS, 500))


def test_a_term_nobody_said_leaves_more_to_its_forms() -> None:
    _, (one,) = cross([term("部署", (form("deploy"),))], {"deploy": group("deploy", 2, 1)}, DOCUMENTS, ())
    assert one.weight == FOREIGN_UNSAID


def test_the_other_language_comes_before_other_words_and_no_term_counts_twice() -> None:
    found = {"部署": group("部署", 1, 9), "deploy": group("deploy", 2, 9), "上线": group("上线", 3, 9)}
    asked = [term("部署", (form("deploy"),), (form("上线"),)), term("发布", (form("deploy"),), (form("部署"),))]
    bridges, groups = cross(asked, found, DOCUMENTS, {1})
    assert [(one.word, one.weight) for one in groups] == [("deploy", FOREIGN), ("上线", ALIKE)]
    assert [(bridge.source, bridge.form) for bridge in bridges.found] == [
        ("部署", "deploy"),
        ("发布", "deploy"),
        ("部署", "上线"),
        ("发布", "部署"),
    ]


def test_only_the_rarest_forms_are_looked_for_and_no_very_common_one() -> None:
    forms = tuple(form(f"w{number}") for number in range(30))
    found = {f"w{number}": group(f"w{number}", number, 100 - number) for number in range(30)}
    bridges, (one,) = cross([term("x", forms)], found, DOCUMENTS, ())
    assert [bridge.form for bridge in bridges.found] == [f"w{number}" for number in range(29, 29 - MOST_FORMS, -1)]
    assert len(one.termids) == MOST_FORMS
    common = {"w0": group("w0", 0, COMMON + 1)}
    assert cross([term("x", forms)], common, 10 * COMMON, ())[1] == []
    assert len(cross([term("x", forms)], common, 100 * COMMON, ())[1]) == 1


def test_terms_that_touch_are_joined_by_a_pair() -> None:
    asked = (term("部署", (form("deploy"),)), term("失败", (form("fail"),), at=2), term("ci", (form("集成"),), at=4))
    found = {"deploy": group("deploy", 1, 1), "fail": group("fail", 2, 1), "集成": group("集成", 3, 1)}
    bridges, _ = cross(asked, found, DOCUMENTS, ())
    assert bridges.joints == (("署失", "部署", "失败"),)
    assert bridges.words({"deploy", "fail"}) == {"部署", "失败", "署失"}


def test_words_with_hyphens_stand_for_all_their_tokens() -> None:
    (rolled,) = expand("rolled-back")
    found = {"回滚": group("回滚", 1, 1)}
    bridges, _ = cross([rolled], found, DOCUMENTS, ())
    assert bridges.found == (Bridge("rolled-back", ("roll", "back", "rolled-back"), "回滚", ("回滚",), True),)


def test_nothing_is_bridged_without_forms() -> None:
    assert cross([], {}, DOCUMENTS, ()) == (Bridges(), [])
