"""Questions to the made-up library: what is found, what is not, and what the answer says about itself."""

from __future__ import annotations

from itertools import pairwise

import pytest
from world import World

from tray_app.errors import UsageError


@pytest.mark.parametrize(
    ("query", "session"),
    [
        ("connection pool size PostgreSQL", "pool"),
        ("max_connections", "pool"),
        ("重试队列为什么会丢消息", "queue"),
        ("幂等键", "queue"),
        ("幂", "queue"),
        ("E0277", "codex"),
        ("3.11.7", "codex"),
        ("src/parser.rs", "codex"),
        ("tulips north bed", "dsh"),
        ("🚀", "queue"),
        ("cafe naive", "queue"),
        ("C++", "queue"),
    ],
)
def test_words_of_every_kind_lead_to_the_session_that_was_sure(world: World, query: str, session: str) -> None:
    answer = world.ask(query)
    assert world.sessions(query)[0] == session
    assert answer.found
    assert answer.verdict == "confident"
    assert answer.reason_code == "found_words"
    assert answer.fallback_menu is None


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "no_words"),
        ("   ", "no_words"),
        ("?!", "no_words"),
        ("quetzalcoatlus", "nothing_matches"),
        ('-"pool"', "excluded_all"),
        ("pool -PostgreSQL -twelve -timeout -max_connections", "excluded_all"),
        ("agent:nobody pool", "filter_unknown"),
        ("project:nowhere pool", "filter_unknown"),
        ("role:emperor pool", "filter_unknown"),
        ("kind:poem pool", "filter_unknown"),
        ("session:ffffffff pool", "filter_unknown"),
        ("agent:codex project:shop pool", "nothing_matches"),
        ("pool before:2020-01-01", "nothing_in_time"),
        ("after:2030-01-01", "nothing_in_time"),
    ],
)
def test_nothing_found_has_its_reason(world: World, query: str, code: str) -> None:
    answer = world.ask(query)
    assert (answer.found, answer.verdict, answer.reason_code) == (False, "nothing", code)
    assert answer.reason.endswith(".")
    assert answer.sessions == ()
    assert answer.hits == 0


def test_stop_words_are_ignored_unless_there_is_nothing_else(world: World) -> None:
    answer = world.ask("what did we say about the pool")
    assert answer.understood.words == ("pool",)
    assert "what" in answer.understood.ignored
    alone = world.ask("the")
    assert alone.understood.words == ("the",)
    assert alone.found


def test_words_never_said_are_named_and_nothing_is_claimed(world: World) -> None:
    answer = world.ask("pool size for oracle zanzibar")
    assert not answer.found
    assert answer.missing == ("oracle", "zanzibar")
    assert (answer.verdict, answer.reason_code) == ("unsure", "missing_words")
    assert answer.reason == "Some words of the question were never said here."
    assert world.ask("消息 丢弃物").missing == ("丢弃物",)
    assert world.sessions("pool size for oracle zanzibar")[0] == "pool"


def test_a_menu_is_numbered_and_names_where_each_candidate_stands(world: World) -> None:
    answer = world.ask("linter zanzibar shed")
    assert not answer.found
    menu = answer.fallback_menu
    assert menu is not None
    assert menu.question == "linter zanzibar shed"
    assert [entry.index for entry in menu.sessions] == list(range(1, len(menu.sessions) + 1))
    assert [entry.session for entry in menu.sessions] == [session.session for session in answer.sessions][:9]
    for entry, session in zip(menu.sessions, answer.sessions, strict=False):
        assert entry.label.startswith(f"{session.hits[0].date_text} · ")
        assert entry.message_id == session.hits[0].message_id


# --- the tiers -----------------------------------------------------------------------------------------------------------
def test_a_half_typed_word_is_found_by_its_beginning(world: World) -> None:
    answer = world.ask("kubern")
    assert (answer.tier, answer.found, answer.verdict) == ("prefix", False, "unsure")
    assert world.hits("kubern")[0].matched == ("kubernetes",)


def test_a_slip_of_the_pen_is_forgiven(world: World) -> None:
    answer = world.ask("kubrenetes")
    assert (answer.tier, answer.found) == ("close", False)
    assert world.sessions("kubrenetes") == ["snow"]


def test_a_piece_of_a_word_is_found_as_text(world: World) -> None:
    answer = world.ask("ostfre")
    assert (answer.tier, answer.found, answer.verdict) == ("substring", False, "unsure")
    assert world.sessions("ostfre") == ["snow"]


def test_signs_are_found_as_text(world: World) -> None:
    assert world.sessions("30 %")[0] == "queue"
    assert world.ask("?").reason_code == "no_words"  # one sign says nothing
    assert world.sessions('"(see "') == ["queue"]
    assert world.ask('"(see "').verdict == "confident"
    assert world.ask("/:").sessions == ()


# --- phrases and exclusions ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("marks", ['""', "“”", "「」", "『』"])
def test_a_phrase_stands_as_it_is_quoted(world: World, marks: str) -> None:
    start, end = marks
    assert world.sessions(f"{start}twelve connections{end}") == ["pool"]
    assert world.sessions(f"{start}connections twelve{end}") == []
    assert world.sessions(f"找{start}幂等键没有写入{end}那次") == ["queue"]


def test_stop_words_count_inside_a_phrase(world: World) -> None:
    assert world.sessions('"is not to blame"') == ["codex"]
    assert world.sessions('"to blame is not"') == []


def test_a_phrase_may_end_inside_a_word(world: World) -> None:
    assert world.sessions('"twelve connec"') == ["pool"]


def test_operators_inside_a_phrase_are_words(world: World) -> None:
    answer = world.ask('"see agent:codex there"')
    assert answer.understood.filters == {}
    assert answer.understood.phrases == ("see agent:codex there",)


def test_what_is_excluded_is_a_whole_word(world: World) -> None:
    assert "pool" in world.sessions("pool -Post")  # no word of its own in there
    assert all("PostgreSQL" not in hit.text for hit in world.hits("pool -PostgreSQL"))
    assert all("幂等" not in hit.text for hit in world.hits("消息 -幂等"))
    assert all("twelve connections" not in hit.text for hit in world.hits('pool -"twelve connections"'))


def test_a_lone_flag_is_looked_for(world: World) -> None:
    assert world.sessions("-rn")[0] == "pool"


# --- filters -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("agent", ["claude", "claude-code", '"Claude Code"', "CLAUDE_CODE", "cc"])
def test_agents_by_the_names_people_use(world: World, agent: str) -> None:
    assert world.sessions(f"agent:{agent} build OR pool")[0] == "pool"
    assert "codex" not in world.sessions(f"agent:{agent} build nightly")


@pytest.mark.parametrize("colon", [":", "："])
def test_full_width_colons_are_operators_too(world: World, colon: str) -> None:
    answer = world.ask(f"agent{colon}codex nightly")
    assert answer.understood.filters == {"agent": "codex"}
    assert [session.agent for session in answer.sessions] == ["codex"]


@pytest.mark.parametrize(
    ("project", "found"),
    [
        ("shop", {"pool"}),
        ("SHOP", {"pool"}),
        ("/home/kim/shop", {"pool", "queue"}),
        ("/home/kim/shop/", {"pool", "queue"}),
        ("~/shop", {"pool"}),
        ("kim/shop", {"pool"}),
        ("shop/worker", {"queue"}),
        ("/home/kim/sho", None),
        ("hop", None),
    ],
)
def test_projects_by_name_by_folder_and_by_how_its_path_ends(world: World, project: str, found: set[str] | None) -> None:
    answer = world.ask(f'project:"{project}"')
    if found is None:
        assert answer.reason_code == "filter_unknown"
    else:
        assert set(world.sessions(f'project:"{project}"')) == found


def test_only_filters_show_the_latest_of_what_they_admit(world: World) -> None:
    answer = world.ask("project:garden")
    assert (answer.found, answer.verdict, answer.reason_code) == (True, "likely", "recent")
    assert world.sessions("project:garden") == ["snow"]
    times = [hit.time for hit in world.hits("agent:claude", limit=50) if hit.time and hit.time < "2026-10-02"]
    assert times == sorted(times, reverse=True)


def test_a_role_restricts_what_is_shown_and_what_is_matched(world: World) -> None:
    for hit in world.hits("role:user pool timeout linter"):
        assert hit.role == "user"
        assert "PgBouncer" not in hit.text
        assert hit.matched
    assert world.sessions("role:user PgBouncer") == []  # only the assistant said it
    assert world.sessions("role:assistant PgBouncer") == ["pool"]
    (hit, *_) = world.hits("role:assistant connections")
    assert hit.text[hit.marks[0][0] : hit.marks[0][1]].casefold().startswith("connection")
    assert "Which connection pool" not in hit.text
    assert {hit.kind for hit in world.hits("role:tool max_connections")} == {"tool"}


def test_a_kind_restricts_passages(world: World) -> None:
    assert {hit.kind for hit in world.hits("kind:tool max_connections")} == {"tool"}
    assert {hit.kind for hit in world.hits("kind:talk max_connections")} == {"round"}


def test_a_session_is_named_by_its_beginning_and_can_be_left_out(world: World) -> None:
    pool = world.ask("PgBouncer").sessions[0].session
    assert world.sessions(f"session:{pool[:8]} timeout") == ["pool"]
    assert world.ask(f"session:{pool[:5]} timeout").reason_code == "filter_unknown"
    assert "pool" in world.sessions("pool")
    assert "pool" not in world.sessions("pool", exclude_session=pool)
    assert world.sessions("linter") == ["lint-3"]
    assert world.sessions("linter", exclude_session=world.ask("linter").sessions[0].session) == ["lint-2"]


def test_filters_given_apart_are_those_typed(world: World) -> None:
    typed, given = world.ask("agent:codex nightly"), world.ask("nightly", agent="codex")
    assert typed.understood == given.understood
    assert typed.sessions == given.sessions
    assert world.ask("", since="2026-09-30", until="2026-10-01").reason_code == "recent"


def test_bad_requests_are_refused(world: World) -> None:
    for more in ({"limit": 0}, {"max_sessions": -1}, {"mode": "guess"}, {"space": "work"}, {"since": "soon"}, {"now": "later"}):
        with pytest.raises(UsageError):
            world.ask("pool", **more)


# --- time ----------------------------------------------------------------------------------------------------------------
def test_time_words_leave_the_question_and_come_back_as_a_chip(world: World) -> None:
    answer = world.ask("昨天 队列")
    time = answer.understood.time
    assert time is not None
    assert (time.words, time.first_day, time.last_day, time.hard) == ("昨天", "2026-09-30", "2026-09-30", False)
    assert (time.start, time.end) == ("2026-09-30T00:00:00.000Z", "2026-10-01T00:00:00.000Z")
    assert answer.understood.query == "队列"
    assert world.sessions("昨天 队列")[0] == "queue"
    assert not world.hits("昨天 队列")[0].outside_time
    assert "date" in world.hits("昨天 队列")[0].reasons


def test_what_lies_outside_a_soft_time_comes_after_and_is_marked(world: World) -> None:
    hits = world.hits("pool yesterday")
    assert not hits[0].outside_time
    assert [hit.outside_time for hit in hits] == sorted(hit.outside_time for hit in hits)
    assert any(hit.outside_time and "pool" in hit.text for hit in hits)


def test_a_time_alone_is_hard_and_shows_what_lies_there(world: World) -> None:
    answer = world.ask("yesterday")
    assert answer.understood.time is not None
    assert answer.understood.time.hard
    assert world.sessions("yesterday") == ["queue"]


def test_the_time_can_be_ignored(world: World) -> None:
    answer = world.ask("pool yesterday", ignore_time=True)
    assert answer.understood.time is None
    assert answer.understood.words == ("pool", "yesterday")


def test_operators_bound_time_hard_from_the_first_day_to_before_the_last(world: World) -> None:
    answer = world.ask("after:2026-09-20 before:2026-09-24 linter")
    time = answer.understood.time
    assert time is not None
    assert (time.first_day, time.last_day, time.hard) == ("2026-09-20", "2026-09-23", True)
    (hit,) = [hit for hit in world.hits("after:2026-09-20 before:2026-09-24 linter") if "linter" in hit.text]
    assert (hit.date_text, hit.duplicate_count) == ("2026-09-22", 1)
    assert "lint-3" not in world.sessions("before:2026-09-24 linter")


def test_a_bound_that_is_no_day_is_a_word(world: World) -> None:
    assert world.ask("before:lunch pool").understood.time is None


# --- order ---------------------------------------------------------------------------------------------------------------
def test_scores_fall_with_the_rank_over_all_sessions(world: World) -> None:
    for query in ("pool linter shed", "the", "yesterday pool", "agent:claude", "linter"):
        for more in ({}, {"fresh_first": True}, {"dedupe": False}):
            hits = world.hits(query, **more)
            assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
            scores = [hit.score for hit in hits]
            assert all(first > second for first, second in pairwise(scores))
            answer = world.ask(query, **more)
            assert [session.score for session in answer.sessions] == sorted(
                (session.score for session in answer.sessions), reverse=True
            )
            assert answer.hits == len(hits)


def test_what_a_wrong_clock_dated_ahead_is_never_preferred(world: World) -> None:
    assert world.sessions("futureword") == ["behind", "ahead"]
    assert world.sessions("futureword", fresh_first=True) == ["behind", "ahead"]
    assert world.sessions("project:clock") == ["behind", "ahead"]
    ahead = world.hits("futureword")[1]
    assert (ahead.age_days, ahead.is_recent) == (-400, False)
    assert ahead.date_human.startswith("in ")


def test_the_freshest_first_among_what_answers(world: World) -> None:
    assert world.sessions("linter", dedupe=False, fresh_first=True)[0] == "lint-3"
    times = [hit.time or "" for hit in world.hits("linter", dedupe=False, fresh_first=True)]
    assert times == sorted(times, reverse=True)


def test_the_same_words_in_several_sessions_are_one_hit_with_its_places(world: World) -> None:
    hit, *others = world.hits("linter repository branch")
    assert all("linter" not in other.text for other in others)
    assert hit.duplicate_count == 2
    assert len(hit.duplicate_sessions) == len(hit.duplicate_times) == 2
    assert hit.duplicate_times == ("2026-09-22T08:00:00.000Z", "2026-09-20T08:00:00.000Z")
    assert hit.date_text == "2026-09-24"
    assert [hit.duplicate_count for hit in world.hits("linter", dedupe=False)] == [0, 0, 0]


def test_what_was_folded_comes_back_where_there_is_room(world: World) -> None:
    hits = world.hits("linter", fill_after_dedupe=True)
    assert [(hit.date_text, hit.restored_by_fill) for hit in hits] == [
        ("2026-09-24", False),
        ("2026-09-22", True),
        ("2026-09-20", True),
    ]
    assert [hit.restored_by_fill for hit in world.hits("linter", fill_after_dedupe=True, limit=2)] == [False, True]
    assert [hit.restored_by_fill for hit in world.hits("linter")] == [False]


def test_limits_hold(world: World) -> None:
    assert len(world.hits("the pool linter shed", limit=2)) == 2
    assert world.hits("linter", limit=1)[0].duplicate_count == 2
    answer = world.ask("the pool linter shed nightly", max_sessions=2)
    assert len(answer.sessions) == 2
    assert len(world.ask("the", limit=10**9).sessions) <= 10


# --- hits ----------------------------------------------------------------------------------------------------------------
def test_a_hit_says_where_and_when_it_was_said(world: World) -> None:
    session = world.ask("PgBouncer ceiling").sessions[0]
    hit = session.hits[0]
    assert (session.agent, session.workspace, session.project) == ("claude_code", "/home/kim/shop", "shop")
    assert (session.start, session.start_date_text) == ("2026-09-14T08:00:00.000Z", "2026-09-14")
    assert (hit.time, hit.date_text, hit.age_days) == ("2026-09-14T08:01:00.000Z", "2026-09-14", 17)
    assert (hit.date_human, hit.is_recent, hit.role) == ("2 weeks ago", False, "assistant")
    assert hit.message_id in hit.message_ids
    assert hit.path.endswith(f"{session.session}.jsonl")
    assert world.hits("幂等键")[0].is_recent
    assert world.hits("幂等键")[0].date_human == "yesterday"
    line = (world.home / hit.path).read_bytes()[hit.offset :].split(b"\n")[0]
    assert b"PgBouncer" in line
    assert session.session in session.resume_command


def test_marks_and_snippets_show_the_best_message(world: World) -> None:
    hit = world.hits("PgBouncer ceiling")[0]
    assert [hit.text[start:end] for start, end in hit.marks] == ["PgBouncer", "ceiling"]
    assert [hit.snippet[start:end] for start, end in hit.snippet_marks] == ["PgBouncer", "ceiling"]
    assert hit.matched == ("PgBouncer", "ceiling")
    assert hit.reasons == ("words",)
    assert len(hit.snippet) <= 242
    assert "\n" not in hit.snippet


def test_every_word_of_a_snippet_is_marked(world: World) -> None:
    hit = world.ask("connection pool size PostgreSQL").sessions[0].hits[0]
    marked = {hit.snippet[start:end].casefold() for start, end in hit.snippet_marks}
    assert {"pool", "size"} <= marked
    assert hit.snippet.casefold().count("pool") == sum(
        hit.snippet[start:end].casefold().startswith("pool") for start, end in hit.snippet_marks
    )
