"""A question and its answer: the request, what was understood of it, hits by session, and the menu where we are not sure."""

from __future__ import annotations

from tray_app.records.base import Record


class SearchRequest(Record, frozen=True, kw_only=True):
    """One question. `query` may hold operators (agent:, project:, role:, kind:, session:, before:, after:), "phrases"
    and -words; the fields below are the same filters given apart. `limit` counts hits over all sessions."""

    query: str
    limit: int = 20
    max_sessions: int = 0
    """0: as many as the hits need."""
    mode: str = "auto"
    """words | meaning | auto"""
    agent: str | None = None
    project: str | None = None
    role: str | None = None
    kind: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    space: str | None = None
    """Name of the space to search, or 'default' for what belongs to none."""
    caller: str | None = None
    """The folder the asker stands in, which names the space where `space` does not. None: the person's own window."""
    exclude_session: str | None = None
    fresh_first: bool = False
    dedupe: bool = True
    fill_after_dedupe: bool = False
    """Fill the places that folding left empty with what was folded, marked `restored_by_fill`."""
    explain: bool = False
    ignore_time: bool = False
    """Take time words as ordinary words (the person removed the time chip)."""
    patience_ms: int = 150
    """How long the leg of meaning is waited for before words answer alone."""
    now: str | None = None
    """The moment of asking, ISO 8601 with zone; else BACKSCROLL_NOW, else the clock."""


class TimeRange(Record, frozen=True, kw_only=True):
    """A half-open range of time that was understood. `words` is what in the question said so."""

    words: str
    start: str | None
    end: str | None
    first_day: str | None
    """Local day of `start`, and the last local day inside: what a chip shows."""
    last_day: str | None
    hard: bool
    """True: nothing outside is shown (operators). False: hits inside come first."""


class Understood(Record, frozen=True, kw_only=True):
    query: str
    """The question without operators and time words."""
    words: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    translated: tuple[str, ...] = ()
    """Words that the glossary added, as the other language says them."""
    time: TimeRange | None = None
    filters: dict[str, str] = {}


class Explanation(Record, frozen=True, kw_only=True):
    """How a hit's score came about. Ranks count from 1 in their own list, None: not in it."""

    words_rank: int | None = None
    words_score: float = 0.0
    """Share of the best BM25."""
    meaning_rank: int | None = None
    meaning_score: float = 0.0
    """0 to 1: where the similarity lies between this library's background and the best."""
    similarity: float = 0.0
    """Cosine, languages centred."""
    neighbour: float = 0.0
    kind_weight: float = 1.0
    inside_time: bool = False
    words: tuple[str, ...] = ()
    """Words of the question that stand in it."""
    translated: tuple[str, ...] = ()
    """Words of it that stand there in the other language, by the glossary."""
    quotes_question: bool = False
    """The assistant merely repeats the question: held back."""


class Hit(Record, frozen=True, kw_only=True):
    rank: int
    score: float
    time: str | None
    date_text: str
    date_human: str
    """English, such as 'yesterday' or '5 days ago'; the window says it in its own language from age_days."""
    age_days: int
    is_recent: bool
    role: str
    """user | assistant | tool_call | tool_result | reasoning | summary | note: that of the best message."""
    kind: str
    """round | tool | summary | note | reasoning"""
    message_id: str
    message_ids: tuple[str, ...]
    seq: int
    text: str
    """The whole passage, cleaned and redacted."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where found words stand in `text`."""
    snippet: str = ""
    """A cut of `text` of at most about 240 code points around the best words."""
    snippet_marks: tuple[tuple[int, int], ...] = ()
    matched: tuple[str, ...] = ()
    tool: str = ""
    reasons: tuple[str, ...] = ()
    """words | meaning | date"""
    path: str = ""
    offset: int = 0
    duplicate_count: int = 0
    """Further places with the same content that were folded into this hit."""
    duplicate_times: tuple[str, ...] = ()
    duplicate_sessions: tuple[str, ...] = ()
    restored_by_fill: bool = False
    explain: Explanation | None = None
    """Why it stands where it stands; only where it was asked for."""
    outside_time: bool = False
    """True: outside the time that was understood (shown below the others)."""


class SessionHits(Record, frozen=True, kw_only=True):
    session: str
    agent: str
    workspace: str
    project: str
    title: str
    start: str | None
    end: str | None
    start_date_text: str
    end_date_text: str
    score: float
    resume_command: str
    hits: tuple[Hit, ...]
    kind: str = "main"
    """main | subagent"""
    parent: str = ""
    parent_title: str = ""
    """Of a sub-agent's parent, where that is in the index."""
    gone: bool = False
    """The agent has deleted the source file; only the index still has it."""
    messages: int = 0


class MenuSession(Record, frozen=True, kw_only=True):
    """A numbered candidate, offered when we are not sure."""

    index: int
    label: str
    session: str
    agent: str
    project: str
    title: str
    date_text: str
    preview: str
    message_id: str


class Topic(Record, frozen=True, kw_only=True):
    """One thing a day was about."""

    label: str
    """A key phrase or a short line, in the language of the talk."""
    session: str = ""
    agent: str = ""
    project: str = ""
    message_id: str = ""
    """Where it was talked about most."""
    rounds: int = 0
    sessions: int = 1
    """In how many sessions, of these agents, that of `agent` first."""
    agents: tuple[str, ...] = ()


class TopicCard(Record, frozen=True, kw_only=True):
    """What was talked about on one local day: 3 to 5 topics where there are so many."""

    day: str
    """ISO date."""
    date_text: str
    topics: tuple[Topic, ...]
    sessions: int
    rounds: int
    made_by: str = "words"
    """words (extracted without a model), or the chat model's name."""


class MenuDay(Record, frozen=True, kw_only=True):
    """A day that the question may mean, with what it was about."""

    day: str
    date_text: str
    topics: tuple[str, ...]
    sessions: int


class FallbackMenu(Record, frozen=True, kw_only=True):
    question: str
    sessions: tuple[MenuSession, ...] = ()
    days: tuple[MenuDay, ...] = ()


class Answer(Record, frozen=True, kw_only=True):
    found: bool
    verdict: str
    """confident | likely | unsure | nothing"""
    reason: str
    reason_code: str
    """Stable key for `reason`, for translations: found_words | found_meaning | weak_words | weak_meaning | missing_words |
    quoted_back | no_words | nothing_matches | nothing_in_time | excluded_all | empty_index | filter_unknown | too_long | recent"""
    missing: tuple[str, ...] = ()
    """Words of the question that stand in no hit."""
    engine: str = "fts"
    """fts | hybrid | vector"""
    tier: str = "words"
    """words | prefix | close | translated | substring | none: which tier of the lexical ladder answered"""
    understood: Understood
    snapshot: str = ""
    """When the index was last brought up to date (ISO), '' if never."""
    sessions: tuple[SessionHits, ...] = ()
    hits: int = 0
    fallback_menu: FallbackMenu | None = None
    meaning: str = "off"
    """off | on | late (not there within its time) | empty (no vectors yet) | the code of the fault that let words answer alone"""
    meaning_note: str = ""
    """The same in words, '' while meaning is off or on."""
    elapsed_ms: float = 0.0
    indexing: bool = False
