"""Made-up answers, sessions and status for tests of the windows, in English and Chinese, and a backend that gives them.

The talk is invented. Passages mark their found words with ⟦ ⟧ here, which `marked` turns into offsets.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec
from meanings import MeaningDouble

from tray_app.insight.leaving import departures
from tray_app.records import (
    Answer,
    Counters,
    Embedding,
    FallbackMenu,
    Finding,
    Hit,
    IndexReport,
    MenuDay,
    MenuSession,
    MessageView,
    Owner,
    Progress,
    SearchRequest,
    SessionHits,
    SessionItem,
    SessionView,
    SourceView,
    Status,
    TimeRange,
    Understood,
)

NOW = "2026-11-30T14:04:00+00:00"


def marked(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text without its brackets, and where they stood, in code points."""
    plain, marks, start = "", [], 0
    for char in text:
        if char == "⟦":
            start = len(plain)
        elif char == "⟧":
            marks.append((start, len(plain)))
        else:
            plain += char
    return plain, tuple(marks)


def hit(text: str, *, message: str, days: int = 5, role: str = "assistant", reasons: str = "words date", **more: Any) -> Hit:
    plain, marks = marked(text)
    day = datetime.fromisoformat(NOW) - timedelta(days=days)
    values: dict[str, Any] = {
        "rank": 1,
        "score": 1.0,
        "time": day.isoformat().replace("+00:00", "Z"),
        "date_text": day.date().isoformat(),
        "date_human": f"{days} days ago",
        "age_days": days,
        "is_recent": days < 7,
        "role": role,
        "kind": "tool" if role.startswith("tool") else "round",
        "message_id": message,
        "message_ids": (message,),
        "seq": 1,
        "text": plain,
        "marks": marks,
        "snippet": plain,
        "snippet_marks": marks,
        "matched": tuple(dict.fromkeys(plain[a:b].casefold() for a, b in marks)),
        "reasons": tuple(reasons.split()),
    }
    return Hit(**{**values, **more})


def group(session: str, agent: str, project: str, title: str, hits: list[Hit], **more: Any) -> SessionHits:
    days = min(found.age_days for found in hits)
    day = datetime.fromisoformat(NOW) - timedelta(days=days)
    return SessionHits(
        session=session,
        agent=agent,
        workspace=f"/home/lin/{project}",
        project=project,
        title=title,
        start=(day - timedelta(hours=1)).isoformat().replace("+00:00", "Z"),
        end=day.isoformat().replace("+00:00", "Z"),
        start_date_text=day.date().isoformat(),
        end_date_text=day.date().isoformat(),
        score=1.0,
        resume_command=f"cd /home/lin/{project} && claude --resume {session}",
        hits=tuple(hits),
        messages=38,
        **more,
    )


def answer(language: str = "en", **more: Any) -> Answer:
    """Five passages in four sessions, one of them outside the time that was understood."""
    if language == "zh_CN":
        first = "409 之后我们⟦不再重试⟧，因为这一片已经存好了：同一片再⟦上传⟧一次，整个文件的校验和就对不上。"
        second = "那就完全不⟦重试⟧？⟦上传⟧到一半遇到 503 怎么办？"
        words, query = "上周", "上周为什么不再重试上传"
    else:
        first = (
            "We ⟦stopped⟧ ⟦retrying⟧ on 409 because the part is already stored: a second ⟦upload⟧ of the same part makes "
            "the checksum of the whole file fail."
        )
        second = "So no ⟦retry⟧ at all? What about a 503 in the middle of the ⟦upload⟧?"
        words, query = "last week", "why did we stop retrying the upload last week"
    groups = (
        group(
            "s-upload",
            "claude_code",
            "tide-api",
            "Upload worker drops the last part",
            [
                hit(first, message="m-20", reasons="words meaning date", duplicate_count=2, duplicate_sessions=("a", "b")),
                hit(second, message="m-22", role="user"),
            ],
        ),
        group(
            "s-parts",
            "dsh",
            "tide-api",
            "分片上传失败后的重试策略",
            [
                hit(
                    "结论：409 直接当作成功，不再⟦重试⟧；只有 503 和超时才退避⟦重试⟧，最多三次。这样⟦上传⟧不会把校验和弄坏。",
                    message="d-3",
                    days=6,
                    reasons="meaning date",
                )
            ],
        ),
        group(
            "s-kiosk",
            "codex",
            "kiosk-menu",
            "Kiosk sync on flaky wifi",
            [
                hit(
                    "FAILED test_⟦upload⟧.py::test_⟦retry⟧_gives_up",
                    message="k-9",
                    days=7,
                    role="tool_result",
                    tool="bash",
                )
            ],
        ),
        group(
            "s-ledger",
            "kimi",
            "ledger",
            "Retry budget for the importer",
            [
                hit(
                    "Give the importer a ⟦retry⟧ budget per file, not per row.",
                    message="l-4",
                    days=18,
                    role="user",
                    reasons="words",
                    outside_time=True,
                )
            ],
        ),
    )
    values: dict[str, Any] = {
        "found": True,
        "verdict": "confident",
        "reason": "The words stand together in one passage.",
        "reason_code": "found_words",
        "understood": Understood(
            query=query,
            words=("stop", "retrying", "upload"),
            time=TimeRange(
                words=words,
                start="2026-11-23T00:00:00Z",
                end="2026-11-30T00:00:00Z",
                first_day="2026-11-23",
                last_day="2026-11-29",
                hard=False,
            ),
        ),
        "sessions": groups,
        "hits": 5,
    }
    return Answer(**{**values, **more})


def doubt() -> Answer:
    """Four numbered candidates and the days they are from."""
    rows = (
        ("claude_code", "kiosk-menu", "Receipt font: ship DejaVu, not a subset", "2026-11-27",
         "Decided for the whole font: the subset lost 「囍」 and two currency signs"),
        ("dsh", "subtitle-forge", "字幕字体回退：先苹方再思源", "2026-11-17", "字体回退顺序先按系统，再按随包的思源黑体。"),
        ("codex", "ledger", "PDF export shows boxes for Chinese", "2026-11-09", "The report embeds the font now, 1.6 MB larger."),
        ("kimi", "workspace", "Editor: ligatures off by default", "2026-11-02", "Ligatures in the code font are a setting."),
    )  # fmt: skip
    menu = FallbackMenu(
        question="Not sure. Is it one of these?",
        sessions=tuple(
            MenuSession(
                index=number,
                label=f"{day} {title}",
                session=f"c-{number}",
                agent=agent,
                project=project,
                title=title,
                date_text=day,
                preview=preview,
                message_id=f"c-{number}-m",
            )
            for number, (agent, project, title, day, preview) in enumerate(rows, 1)
        ),
        days=(
            MenuDay(
                day="2026-11-27",
                date_text="2026-11-27",
                topics=("Font for the receipts: decided, then reopened", "Kiosk login"),
                sessions=4,
            ),
            MenuDay(
                day="2026-11-17",
                date_text="2026-11-17",
                topics=("字幕渲染：字体回退与描边", "Part size for uploads"),
                sessions=4,
            ),
        ),
    )
    return answer(
        found=False,
        verdict="unsure",
        reason="No passage matches well enough to be called the answer.",
        reason_code="weak_words",
        understood=Understood(
            query="what did we settle on about the font thing",
            words=("settle", "font"),
            ignored=("what", "did", "we", "the", "thing"),
        ),
        sessions=(),
        hits=0,
        fallback_menu=menu,
    )


def nothing(*, in_time: bool = True) -> Answer:
    code = "nothing_in_time" if in_time else "nothing_matches"
    understood = answer().understood if in_time else Understood(query="zzz", words=("zzz",))
    return answer(
        found=False,
        verdict="nothing",
        reason="Nothing.",
        reason_code=code,
        understood=understood,
        sessions=(),
        hits=0,
        tier="none",
    )


def conversation(language: str = "en", total: int = 38) -> tuple[MessageView, ...]:
    """A whole session; message 20 is the hit of `answer`, 22 its second."""
    made: list[MessageView] = []
    for index in range(total):
        role = "user" if index % 4 == 0 else "assistant"
        text = f"Note {index}: we looked at **part {index}** of the log.\n\n- one\n- two"
        if index % 4 == 1:
            role, text = "tool_call", 'grep -n "retry" src/upload.py'
        elif index % 4 == 2:
            role, text = "tool_result", "\n".join(f"{line}: retry(part)" for line in range(14))
        if index == 16:
            role = "user"
            text = "Part 7 fails with a 409 after the retry, and then the whole file is thrown away. Why do we even retry that one?"
            if language == "zh_CN":
                text = "第 7 片重试之后返回 409，然后整个文件被丢弃。这种情况为什么还要重试？"
        if index == 20:
            role = "assistant"
            text = (
                "A **409** means that the store already holds this part. We stopped retrying it because a second upload of the "
                "same part makes the checksum of the whole file fail. From now on:\n\n- `409` counts as done; keep the ETag it "
                "returns\n- `503` and timeouts back off, three tries at most\n\n```python\ndef put_part(store, part):\n"
                "    r = store.put(part.key, part.body)\n    if r.status == 409:          # already there\n        return r.etag\n"
                "    r.raise_for_status()\n    return r.etag\n```"
            )
            if language == "zh_CN":
                text = (
                    "**409** 表示存储端已经有这一片。我们不再重试，是因为同一片再上传一次，整个文件的校验和就会失败。今后：\n\n"
                    "- `409` 视为已完成，保留它返回的 ETag\n- `503` 和超时退避重试，最多三次\n\n```python\n"
                    "def put_part(store, part):\n    return store.put(part.key, part.body)\n```"
                )
        if index == 22:
            role, text = "user", "So no retry at all? What about a 503 in the middle of the upload?"
        if index == 18:
            role, text = "tool_result", "1 failed\nexit code: 1"
        made.append(
            MessageView(
                message_id=f"m-{index}",
                seq=index,
                time=f"2026-11-25T16:{10 + index:02}:00Z" if index < 50 else None,
                role=role,
                kind="round",
                text=text,
                tool="bash" if role.startswith("tool") else "",
                index=index,
            )
        )
    return tuple(made)


def sessions(language: str = "en") -> list[SessionItem]:
    """Six sessions over four days, newest first."""
    rows = (
        ("claude_code", "tide-api", "Upload worker drops the last part", "2026-11-30T13:52:00Z", 38),
        ("dsh", "subtitle-forge", "给字幕工坊加上断点续传", "2026-11-30T13:00:00Z", 112),
        ("codex", "opening-hours", "Move opening hours to one table", "2026-11-30T11:00:00Z", 24),
        ("workbuddy", "workspace", "周报模板：按项目汇总", "2026-11-29T21:40:00Z", 9),
        ("kimi", "ledger", "Why the importer counts twice", "2026-11-29T18:05:00Z", 61),
        ("zcode", "kiosk-menu", "登录页在窄屏上错位，顺便把按钮的间距统一一下", "2026-11-27T16:12:00Z", 17),
        ("codex", "tide-api", "Release notes for 0.9", "2026-11-27T10:00:00Z", 12),
        ("kimi", "ledger", "Backup before migration", "2026-11-26T10:00:00Z", 30),
    )
    return [
        SessionItem(
            session=f"r-{number}",
            agent=agent,
            title=title,
            cwd=f"/home/lin/{project}",
            project=project,
            start=end,
            end=end,
            end_date_text=end[:10],
            messages=messages,
            resume_command=f"cd /home/lin/{project} && {agent} resume r-{number}",
        )
        for number, (agent, project, title, end, messages) in enumerate(rows, 1)
    ]


def status(*, indexing: bool = False, cloud: bool = False, **more: Any) -> Status:
    values: dict[str, Any] = {
        "totals": Counters(files=815, sessions=812, messages=40_321, chunks=12_345, skipped_records=3, redacted=41),
        "sources": tuple(sources()),
        "built_at": "2026-11-30T14:03:56Z",
        "oldest": "2026-02-01T00:00:00Z",
        "newest": "2026-11-30T13:52:00Z",
        "index_bytes": 48_000_000,
        "text_bytes": 20_000_000,
        "memory_bytes": 90_000_000,
        "embedding": Embedding(backend="openai", model="m", host="api.example.com", sends_text_to_cloud=True)
        if cloud
        else Embedding(),
        "spaces": (),
        "version": "1.0.0",
        "schema": 1,
        "pipeline_version": 1,
        "owner": Owner(pid=1, kind="tray"),
        "problems": 3,
        "indexing": indexing,
        "progress": Progress(phase="reading", done=214, total=812, eta_s=170.0, skipped=3) if indexing else None,
    }
    made = Status(**{**values, **more})
    return made if made.leaves else msgspec.structs.replace(made, leaves=departures(made.embedding, ""))


def sources() -> list[SourceView]:
    rows = (
        ("claude_code", "Claude Code", "~/.claude/projects", True, True, 402, 812_000_000, ""),
        ("codex", "Codex", "~/.codex/sessions", True, True, 310, 240_000_000, ""),
        ("dsh", "DSH", "~/.dsh", True, False, 100, 90_000_000, "not_ticked"),
        ("kimi", "Kimi", "~/.kimi", False, False, 0, 0, "not_found"),
    )
    return [
        SourceView(
            id=agent, agent=agent, name=name, path=path, found=found, enabled=on, sessions=count, bytes=size, why_off=why,
            newest="2026-11-30T13:52:00Z" if found else None, confidence="recorded", adapter_version=1,
            counters=Counters(sessions=count, messages=count * 30, chunks=count * 15),
        )
        for agent, name, path, found, on, count, size, why in rows
    ]  # fmt: skip


class StaticBackend(MeaningDouble):
    """`service.backend.Backend` that answers from memory. `calls` has what was asked; `before` may block or raise."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.calls: list[tuple[str, Any]] = []
        self.before: Callable[[str, Any], None] = lambda _name, _argument: None
        self.answer: Callable[[SearchRequest], Answer] = lambda _request: answer(language)
        self.messages = conversation(language)
        self.items = sessions(language)
        self.state = status()
        self.settings: dict[str, Any] = {}
        self._start_meaning()

    def _called(self, name: str, argument: Any = None) -> None:
        self.calls.append((name, argument))
        self.before(name, argument)

    def asked(self, name: str) -> list[Any]:
        return [argument for called, argument in self.calls if called == name]

    def search(self, request: SearchRequest) -> Answer:
        self._called("search", request)
        return self.answer(request)

    def show(
        self, session: str, around: str | None = None, limit: int = 200, first: int | None = None, agent: str | None = None
    ) -> SessionView:
        self._called("show", (session, around, limit, first, agent))
        start = first or 0
        if around is not None:
            at = next((message.index for message in self.messages if message.message_id == around), 0)
            start = max(min(at - limit // 2, len(self.messages) - limit), 0)
        window = self.messages[start : start + limit]
        return SessionView(
            session=session,
            agent=agent or "claude_code",
            title="Upload worker drops the last part",
            cwd="/home/lin/tide-api",
            project="tide-api",
            start="2026-11-25T16:02:00Z",
            end="2026-11-25T17:02:00Z",
            resume_command=f"cd /home/lin/tide-api && claude --resume {session}",
            messages=window,
            total=len(self.messages),
            first=start,
        )

    def sessions(
        self, agent: str | None = None, project: str | None = None, limit: int = 0, order: str = "newest"
    ) -> list[SessionItem]:
        self._called("sessions", limit)
        return self.items[:limit] if limit else list(self.items)

    def sources(self) -> list[SourceView]:
        self._called("sources")
        return list(self.state.sources)

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        self._called("set_source", (source, enabled))
        return self.sources()

    def add_folder(self, agent: str, path: str) -> list[SourceView]:
        self._called("add_folder", (agent, path))
        return self.sources()

    def remove_folder(self, source: str) -> list[SourceView]:
        self._called("remove_folder", source)
        return self.sources()

    def index(
        self, *, all_sources: bool = False, full: bool = False, report: Callable[[Progress], None] | None = None
    ) -> IndexReport:
        self._called("index", (all_sources, full))
        if report is not None:
            report(Progress(phase="reading", done=214, total=812))
        return IndexReport(totals=self.state.totals, sources=(), problems=(), elapsed_s=0.1)

    def pause(self, minutes: float | None = None) -> Status:
        self._called("pause", minutes)
        return self.state

    def resume(self) -> Status:
        self._called("resume")
        return self.state

    def rebuild(self) -> None:
        self._called("rebuild")

    def clear_index(self) -> Status:
        self._called("clear_index")
        return self.state

    def status(self) -> Status:
        self._called("status")
        return self.state

    def problems(self, limit: int = 500) -> list[Any]:
        self._called("problems", limit)
        return []

    def doctor(self) -> list[Finding]:
        self._called("doctor")
        return []

    def snippet(
        self, session: str, message: str | None = None, form: str = "passage", for_agent: bool = False, agent: str | None = None
    ) -> str:
        self._called("snippet", (session, message, for_agent, agent))
        return f"fenced {message} of {session}\n"

    def config(self) -> dict[str, Any]:
        self._called("config")
        return dict(self.settings)

    def set_config(self, key: str, value: Any) -> Any:
        self._called("set_config", (key, value))
        self.settings[key] = value
        return value
