"""What days were about: exact cards of small days, when they are made anew, and what a chat model may change."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
sys.path.insert(0, str(Path(__file__).parents[1] / "indexing"))

import claude_files as claude
from library_world import World

from tray_app.insight import topics as insight
from tray_app.insight.chat import Message
from tray_app.insight.topics import Topics, day_talk, midnights
from tray_app.library import topics as kept
from tray_app.library.reading import Reader
from tray_app.library.store import Store
from tray_app.records import TopicCard
from tray_app.settings import Settings
from tray_app.text.dates import day_start, local_day
from tray_app.web import ServiceFault

NOW = datetime(2026, 3, 6, 20, tzinfo=UTC)
"""A Friday; the files' first day is Monday, 2 March."""
DAY = 24 * 60
Said = tuple[str, float]


class Library:
    """A library of Claude Code sessions, with its cards."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder / "home", folder / "index" / "index.duckdb")
        self.settings = Settings()
        self.topics = Topics(self.settings)
        self.now = NOW

    def say(self, label: str, *said: Said, title: str = "", folder: str = "shop", side: Sequence[Said] = ()) -> None:
        """Write (or write anew) a session in which the person said these things, each at a minute; `side`: a sub-agent's."""
        chat = claude.Chat(label, cwd=f"/home/kim/{folder}")
        rows: list[claude.Row | bytes] = []
        for place, (words, minute) in enumerate(said):
            rows += [chat.user(words, minute), chat.answer("Done as you asked.", minute + 0.1)]
            rows.append(chat.call(f"call-{place}", "Bash", {"command": "cargo test --workspace"}, minute + 0.2))
        if title:
            rows.append({"type": "ai-title", "aiTitle": title, "sessionId": chat.id})
        path = self.world.home / ".claude/projects/x" / f"{chat.id}.jsonl"
        claude.write(path, rows)
        if side:
            agent = claude.Chat(f"{label}-side", cwd=f"/home/kim/{folder}", agentId="a1b2c3", isSidechain=True)
            agent.facts["sessionId"] = chat.id
            lines: list[claude.Row | bytes] = []
            for words, minute in side:
                lines += [agent.line(words, minute), agent.answer("Found it.", minute + 0.1)]
            claude.write(path.with_suffix("") / "subagents" / "agent-a1b2c3.jsonl", lines)

    def index(self) -> None:
        self.world.index()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Reader]:
        reader = Reader(self.world.opened)
        yield reader
        reader.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Store]:
        store = Store(self.world.opened)
        yield store
        store.close()

    def refresh(self, seconds: float = 60.0) -> int:
        with self.writing() as store:
            return self.topics.refresh(store, UTC, self.now, lambda: False, seconds)

    def cards(self, days: int = 14) -> list[TopicCard]:
        with self.reading() as reader:
            return self.topics.newest(reader, UTC, self.now, days)

    def labels(self, days: int = 14) -> dict[str, list[str]]:
        return {card.day: [topic.label for topic in card.topics] for card in self.cards(days)}

    def made_by(self) -> dict[str, str]:
        with self.reading() as reader:
            return {card.card.day: card.maker for card in kept.cards(reader.cursor).values()}

    def name(self, *answers: str | ServiceFault) -> tuple[int, list[str]]:
        """Let a chat model answer; gives how many days were named, and what it was told of each."""
        told: list[str] = []
        left = list(answers)

        def ask(messages: Sequence[Message], **facts: object) -> str:
            assert facts == {"model": "qwen3:4b", "url": "", "key": "", "kind": "ollama"}
            told.append(messages[-1].content)
            answer = left.pop(0)
            if isinstance(answer, ServiceFault):
                raise answer
            return answer

        done = self.topics.name(self.reading, self.writing, UTC, self.now, lambda: False, ask)
        return done, told


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.world.close()


# --- cards -----------------------------------------------------------------------------------------------------------------
def test_days_in_both_languages(library: Library) -> None:
    library.say("pool", ("Raise the connection pool size of the ledger service", 0), ("ok thanks", 4), ("yes, go on", 6))
    library.say("tide", ("帮我看一下夏令时切换后潮汐时间差一小时的报表", 60), ("继续", 65), folder="潮汐")
    library.say("hello", ("hi", 120), ("ok thanks", 122))
    library.say("kiln", ("随便聊聊", DAY), title="E0499 in the aggregator", folder="sift")
    library.index()
    assert [(card.day, card.sessions, card.rounds, card.made_by) for card in library.cards()] == [
        ("2026-03-03", 1, 1, "words"),
        ("2026-03-02", 3, 7, "words"),
    ]
    assert library.labels() == {
        "2026-03-03": ["E0499 in the aggregator"],
        "2026-03-02": ["Raise the connection pool size", "夏令时切换后潮汐时间差一小时的报表"],
    }
    first, second = library.cards()[1].topics
    assert (first.rounds, first.project, first.agent, first.session) == (3, "shop", "claude_code", claude.make_id("pool"))
    assert first.message_id == claude.make_id("pool/1")
    assert (second.rounds, second.project, second.agents, second.sessions) == (2, "潮汐", ("claude_code",), 1)


def test_a_long_session_is_several_topics_in_their_order(library: Library) -> None:
    library.say(
        "login",
        ("有个人天天恶意下单退单，我想拉黑立刻生效", 0),
        ("好", 3),
        ("老用户手里的jwt会不会全部失效，要重新登录", 5),
        ("可以", 8),
        ("健康检查里加上在线人数的统计", 10),
        ("好的，谢谢", 12),
        title="登录态改造",
    )
    library.index()
    assert library.labels() == {"2026-03-02": ["登录态改造", "老用户手里的jwt会不会全部失效", "健康检查里加上在线人数的统计"]}
    assert [topic.rounds for topic in library.cards()[0].topics] == [2, 2, 2]


def test_a_session_that_goes_on_is_called_by_what_the_day_was_about(library: Library) -> None:
    said = [
        ("Move the job queue off Redis", 0),
        ("ok", 2),
        ("Rotate the signing certificate of the kiosk", DAY),
        ("thanks", DAY + 2),
    ]
    library.say("queue", *said, title="Job queue")
    library.say("late", ("Where do the tide tables come from?", 2 * DAY), ("ok thanks", 3 * DAY), title="Tide tables")
    library.index()
    assert library.labels() == {
        "2026-03-05": ["Tide tables"],  # nothing was said that says more
        "2026-03-04": ["Tide tables"],
        "2026-03-03": ["Rotate the signing certificate"],
        "2026-03-02": ["Job queue"],
    }


def test_a_title_that_was_cut_out_of_the_question_is_cut_better(library: Library) -> None:
    library.say("cut", ("Design the incremental indexer for the tray", 0), title="Design the incremental indexer f")
    library.index()
    assert library.labels() == {"2026-03-02": ["Design the incremental indexer"]}


def test_sessions_about_the_same_are_one_topic(library: Library) -> None:
    library.say("one", ("Webhook retries charge customers twice", 0), ("yes", 2), ("no", 4))
    library.say("two", ("The webhook retries still charge customers twice, see the ledger", 60))
    library.say("three", ("Paint the boathouse door green", 90), folder="boats")
    library.index()
    (card,) = library.cards()
    assert [(topic.label, topic.rounds, topic.sessions) for topic in card.topics] == [
        ("Webhook retries charge customers twice", 4, 2),
        ("Paint the boathouse door green", 1, 1),
    ]


def test_at_most_five_topics_the_longest_first(library: Library) -> None:
    things = [
        "tide almanac",
        "kiln shelves",
        "boathouse door",
        "ledger import",
        "kiosk login",
        "opening hours",
        "parcel labels",
    ]
    for number, thing in enumerate(things):
        rounds = [
            (f"Repair the {thing} before noon", number * 60.0),
            *[("ok", number * 60.0 + more) for more in range(1, number + 1)],
        ]
        library.say(thing, *rounds, folder=f"p{number}")
    library.index()
    (card,) = library.cards()
    assert [topic.rounds for topic in card.topics] == [7, 6, 5, 4, 3]
    assert card.topics[0].label == "Repair the parcel labels before noon"
    assert (card.sessions, card.rounds) == (7, 28)


def test_what_stands_before_every_question_is_no_topic(library: Library) -> None:
    always = "Always answer in short sentences and keep the changelog current. "
    for number, question in enumerate(
        ("Why is the tide almanac late", "Why is the kiln cold", "Why does the parcel label smear")
    ):
        library.say(question, (always + question, number * DAY), folder=f"p{number}")
    library.index()
    assert list(library.labels().values()) == [
        ["Why does the parcel label smear"],
        ["Why is the kiln cold"],
        ["Why is the tide almanac late"],
    ]


def test_sub_agents_count_to_their_parent_and_tools_to_nobody(library: Library) -> None:
    library.say(
        "parent", ("Find the slow query of the report", 0), side=[("You are a searcher. Search the zeppelin hangar", 3)]
    )
    library.index()
    (card,) = library.cards()
    assert (card.sessions, card.rounds) == (1, 2)
    assert [(topic.label, topic.rounds, topic.session) for topic in card.topics] == [
        ("Find the slow query of the report", 2, claude.make_id("parent"))
    ]


def test_days_that_have_not_come_and_days_without_topics(library: Library) -> None:
    library.say("ahead", ("Set the clock of the weather station", 40 * DAY))
    library.say("idle", ("hi", 0))
    library.index()
    assert library.refresh() == 0
    assert library.cards() == []
    assert list(library.made_by()) == ["2026-03-02"]


def test_the_newest_days(library: Library) -> None:
    for number in range(4):
        library.say(f"day {number}", (f"Repair the boathouse door number {number}", number * DAY))
    library.index()
    assert list(library.labels(2)) == ["2026-03-05", "2026-03-04"]
    assert library.labels(0) == {}


# --- days ------------------------------------------------------------------------------------------------------------------
def test_midnight_is_the_persons(library: Library) -> None:
    """23:30 and 00:30 in Berlin, in the night in which the clocks go forward."""
    late = (datetime(2026, 3, 28, 22, 30, tzinfo=UTC) - claude.START) / timedelta(minutes=1)
    library.say("night", ("Fix the boathouse lamp before sunset", late), ("Order the marzipan for the bakery", late + 60))
    library.index()
    library.now = datetime(2026, 3, 30, 12, tzinfo=UTC)
    with library.reading() as reader:
        cards = library.topics.newest(reader, ZoneInfo("Europe/Berlin"), library.now, 14)
        assert [(card.day, card.topics[0].label) for card in cards] == [
            ("2026-03-29", "Order the marzipan for the bakery"),
            ("2026-03-28", "Fix the boathouse lamp before sunset"),
        ]
        assert [card.day for card in library.topics.newest(reader, UTC, library.now, 14)] == ["2026-03-28"]


ZONES = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Kiritimati"]


@given(st.lists(st.integers(946_684_800_000, 2_000_000_000_000), min_size=1, max_size=20), st.sampled_from(ZONES))
def test_every_moment_is_put_to_its_day(times: list[int], name: str) -> None:
    zone = ZoneInfo(name)
    moments = np.array(sorted(times), np.int64)
    begins, days = midnights(moments, zone)
    place = np.searchsorted(begins, moments, side="right") - 1
    assert [date.fromordinal(days[number]) for number in place.tolist()] == [local_day(time, zone) for time in moments.tolist()]


# --- kept ------------------------------------------------------------------------------------------------------------------
def test_only_days_whose_talk_changed_are_made_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = insight.make

    def counted(cursor, found, day, zone):  # type: ignore[no-untyped-def]
        made.append(date.fromordinal(day).isoformat())
        return make(cursor, found, day, zone)

    monkeypatch.setattr(insight, "make", counted)
    library.say("one", ("Repair the boathouse door", 0))
    library.say("two", ("Order the marzipan for the bakery", DAY))
    library.index()
    assert library.refresh() == 0
    assert made == ["2026-03-03", "2026-03-02"]
    assert list(library.labels()) == ["2026-03-03", "2026-03-02"]
    library.index()
    assert library.refresh() == 0
    assert made == ["2026-03-03", "2026-03-02"]  # nothing new, nothing made: neither after a pass nor when asked

    library.say("two", ("Order the marzipan for the bakery", DAY), ("And nougat for the harbour fair", DAY + 5))
    library.index()
    assert library.cards()[0].rounds == 2  # asked before it is kept: made in memory, once
    assert library.cards()[0].rounds == 2
    assert made == ["2026-03-03", "2026-03-02", "2026-03-03"]
    assert library.refresh() == 0
    assert made[3:] == ["2026-03-03"]

    library.say("one", ("Repair the boathouse door", 0), title="Boathouse")
    library.index()
    library.refresh()
    assert made[4:] == ["2026-03-02"]
    assert library.labels()["2026-03-02"] == ["Boathouse"]
    library.world.index(anew=True)  # other numbers of everything, the same talk
    library.refresh()
    assert made[5:] == []


def test_what_there_was_no_time_for_waits(library: Library) -> None:
    library.say("one", ("Repair the boathouse door", 0))
    library.say("two", ("Order the marzipan for the bakery", DAY))
    library.index()
    assert library.refresh(seconds=0.0) == 2
    assert library.made_by() == {}
    with library.writing() as store:
        assert library.topics.refresh(store, UTC, NOW, lambda: True) == 2
    assert library.refresh() == 0
    assert library.made_by() == {"2026-03-02": "words", "2026-03-03": "words"}


def test_a_day_whose_talk_is_gone_has_no_card(library: Library) -> None:
    library.say("one", ("Repair the boathouse door", 0))
    library.say("two", ("Order the marzipan for the bakery", 4 * DAY))
    library.index()
    library.refresh()
    (library.world.home / ".claude/projects/x" / f"{claude.make_id('one')}.jsonl").unlink()
    library.index()
    assert library.made_by() == {"2026-03-06": "words"}  # at once, before the next cards are made
    library.refresh()
    assert library.labels() == {"2026-03-06": ["Order the marzipan for the bakery"]}


def test_off(library: Library, tmp_path: Path) -> None:
    library.say("one", ("Repair the boathouse door", 0))
    library.index()
    library.refresh()
    library.settings = library.topics.settings = Settings(tmp_path / "settings.toml")
    library.settings.set("topics.maker", "off")
    assert library.cards() == []
    assert library.refresh() == 0
    assert library.made_by() == {}


# --- a chat model ------------------------------------------------------------------------------------------------------------
@pytest.fixture
def chatty(library: Library, tmp_path: Path) -> Library:
    """Two days of talk, cards of words, and a chat model set."""
    library.say("one", ("Repair the boathouse door", 0), ("And oil its hinges, the left one squeaks", 3))
    library.say("two", ("给面包房订杏仁糖", DAY), folder="bakery", title="杏仁糖")
    library.settings = library.topics.settings = Settings(tmp_path / "settings.toml")
    library.settings.set("topics.maker", "ollama")
    library.settings.set("topics.model", "qwen3:4b")
    library.index()
    library.refresh()
    return library


def test_a_chat_model_names_topics(chatty: Library) -> None:
    done, told = chatty.name("A: 杏仁糖订单", "A: Boathouse door\nA: Squeaking hinges")
    assert done == 2
    assert told == [
        "A. bakery: 杏仁糖\n- 给面包房订杏仁糖",
        "A. shop: Repair the boathouse door\n- And oil its hinges, the left one squeaks",
    ]
    assert chatty.labels() == {"2026-03-03": ["杏仁糖订单"], "2026-03-02": ["Boathouse door", "Squeaking hinges"]}
    card = chatty.cards()[1]
    assert (card.made_by, card.sessions, card.rounds) == ("qwen3:4b", 1, 2)
    assert [topic.message_id for topic in card.topics] == [claude.make_id("one/1"), claude.make_id("one/4")]
    assert chatty.made_by() == {"2026-03-02": "ollama:qwen3:4b", "2026-03-03": "ollama:qwen3:4b"}
    assert chatty.name() == (0, [])  # once for the same talk
    chatty.refresh()
    assert chatty.labels()["2026-03-02"] == ["Boathouse door", "Squeaking hinges"]


def test_a_service_that_is_not_there_leaves_words(chatty: Library) -> None:
    fault = ServiceFault("unreachable", "Not reached", "localhost:11434 is not reached.", "Start Ollama.")
    assert chatty.name(fault)[0] == 0  # and the other day is not tried
    assert chatty.topics.fault is not None
    assert (chatty.topics.fault.code, chatty.topics.fault.hint) == ("service_unreachable", "Start Ollama.")
    assert set(chatty.made_by().values()) == {"words"}
    assert chatty.labels()["2026-03-03"] == ["杏仁糖"]
    assert chatty.name("A: 杏仁糖订单", "A: Door")[0] == 2
    assert chatty.topics.fault is None


def test_an_answer_without_labels_leaves_words_and_is_not_asked_for_again(chatty: Library) -> None:
    assert (
        chatty.name("", "I am sorry, but I cannot help with that request, since it is not clear what you would like me to do:")[
            0
        ]
        == 2
    )
    assert chatty.labels() == {"2026-03-03": ["杏仁糖"], "2026-03-02": ["Repair the boathouse door"]}
    assert chatty.name() == (0, [])


def test_a_past_day_that_changed_is_named_anew_and_today_when_it_grew(chatty: Library) -> None:
    chatty.now = datetime(2026, 3, 3, 20, tzinfo=UTC)
    chatty.name("A: 杏仁糖订单", "A: Door")
    said = [("给面包房订杏仁糖", DAY), ("杏仁糖要两百克一盒", DAY + 1), ("再加一箱牛轧糖", DAY + 2)]
    chatty.say("one", ("Repair the boathouse door", 0), title="Boathouse")
    chatty.say("two", *said[:1], folder="bakery", title="两样糖")
    chatty.index()
    assert chatty.refresh() == 0
    assert chatty.labels() == {"2026-03-03": ["两样糖"], "2026-03-02": ["Boathouse"]}
    assert chatty.made_by() == {"2026-03-02": "words", "2026-03-03": "ollama:qwen3:4b"}
    assert chatty.name("A: Boat door")[0] == 1  # today has no more rounds than it had
    chatty.say("two", *said, folder="bakery", title="两样糖")
    chatty.index()
    assert chatty.name("A: 糖果订单")[0] == 1
    assert chatty.labels() == {"2026-03-03": ["糖果订单"], "2026-03-02": ["Boat door"]}


def test_what_was_forgotten_while_the_model_thought_does_not_come_back(chatty: Library) -> None:
    def ask(messages: Sequence[Message], **facts: object) -> str:
        (chatty.world.home / ".claude/projects/x" / f"{claude.make_id('two')}.jsonl").unlink(missing_ok=True)
        chatty.index()
        return "A: 杏仁糖订单"

    assert chatty.topics.name(chatty.reading, chatty.writing, UTC, NOW, lambda: False, ask) == 2
    assert chatty.made_by() == {}
    assert list(chatty.labels()) == ["2026-03-02"]


def test_another_model_or_none_starts_from_words(chatty: Library) -> None:
    chatty.name("A: 杏仁糖订单", "A: Door")
    chatty.settings.set("topics.maker", "words")
    assert chatty.topics.chat == ""
    chatty.refresh()
    assert set(chatty.made_by().values()) == {"words"}
    assert chatty.name() == (0, [])


def test_stop_ends_it_between_two_days(chatty: Library) -> None:
    stopped: list[int] = []

    def ask(messages: Sequence[Message], **facts: object) -> str:
        stopped.append(1)
        return "A: Door"

    assert chatty.topics.name(chatty.reading, chatty.writing, UTC, NOW, lambda: bool(stopped), ask) == 0
    assert set(chatty.made_by().values()) == {"words"}


def test_marks_know_no_zone_and_no_numbers(library: Library) -> None:
    library.say("one", ("Repair the boathouse door", 0))
    library.index()
    with library.reading() as reader:
        one = day_talk(reader.cursor, UTC, NOW)
        other = day_talk(reader.cursor, ZoneInfo("Europe/Berlin"), NOW)
    assert one.marks == other.marks
    assert day_start(date(2026, 3, 2), UTC).date().toordinal() in one.marks
