"""Small sets for the tests of the evaluation, as objects and as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def message(number: int, role: str, text: str, tool: str | None = None, day: int = 4) -> Row:
    return {"id": f"m{number}", "time": f"2026-03-{day:02}T09:{number:02}:00Z", "role": role, "text": text, "tool": tool}


def session(key: str, agent: str, *said: tuple[str, str], day: int = 4) -> Row:
    """A session of one local day (+08:00); the messages are m1, m2, ... a minute apart."""
    told = [
        message(number, role, text, "bash" if role.startswith("tool") else None, day)
        for number, (role, text) in enumerate(said, 1)
    ]
    return {
        "session": key,
        "agent": agent,
        "project": "kiln",
        "cwd": "/home/ada/kiln",
        "title": f"About {key}",
        "start": f"2026-03-{day:02}T17:00:00+08:00",
        "messages": told,
    }


def question(name: str, query: str, *gold: tuple[str, str], category: str = "exact", lang: str = "en") -> Row:
    """`gold`: pairs of a session and the numbers of its messages ("1 2")."""
    places = [{"session": key, "messages": [f"m{number}" for number in numbers.split()]} for key, numbers in gold]
    asked = "2026-03-20T10:00:00+08:00"
    return {"id": name, "query": query, "lang": lang, "category": category, "asked_at": asked, "gold": places, "note": ""}


SESSIONS = [
    session(
        "glaze",
        "claude_code",
        ("injected", "# CLAUDE.md\nNever speak of the porcelain auction."),
        ("user", "why does the celadon glaze crawl at cone nine"),
        ("reasoning", "Maybe the bisque was fired too hot, who knows."),
        ("tool_call", "kilnctl log --firing 212"),
        ("tool_result", "cone 9 reached 1280 C, hold 00:12, crawl index 0.7"),
        ("assistant", "The celadon crawls because the layer is too thick; thin it to 1.42 specific gravity."),
    ),
    session(
        "窑温",
        "codex",
        ("injected", "<environment_context>\n  <cwd>/home/ada/kiln</cwd>\n  <note>拍卖行的事情不要提起来</note>\n</environment_context>"),
        ("user", "热电偶读数比测温锥低四十度"),
        ("tool_call", "kilnctl probe"),
        ("tool_result", "type S, offset -40 C"),
        ("assistant", "补偿导线接反了,对调以后偏差只剩两度。"),
        ("injected", "Reminder: the porcelain auction must stay secret."),
        ("user", "对调好了"),
        ("assistant", "记下了,以后按颜色接线。"),
        day=5,
    ),
    session(
        "shelf",
        "dsh",
        ("user", "shelves warp after thirty firings"),
        ("injected", "Skills: porcelain auction catalogue writer."),
        ("reasoning", "Silicon carbide is probably out of budget here."),
        ("assistant", "Turn cordierite shelves over every fifth firing, and keep the load under twelve kilos."),
        ("tool_call", "kilnctl shelves --warp"),
        ("tool_result", "shelf 3: 4.5 mm"),
        ("assistant", "Shelf three is past saving."),
        day=6,
    ),
]  # fmt: skip

QUESTIONS = [
    question("e1", "celadon crawls too thick", ("glaze", "6")),
    question("z1", "补偿导线接反了", ("窑温", "5"), lang="zh"),
    question("t1", "shelf 4.5 mm", ("shelf", "6"), category="tool_result"),
    question("u1", "raku burner manifold", category="unanswerable"),
]


def put(folder: Path, sessions: list[Row] = SESSIONS, questions: list[Row] = QUESTIONS) -> tuple[Path, Path]:
    """Both files, as JSON lines."""
    folder.mkdir(parents=True, exist_ok=True)
    files = folder / "sessions.jsonl", folder / "queries.jsonl"
    for file, rows in zip(files, (sessions, questions), strict=True):
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return files
