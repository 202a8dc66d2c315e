"""Whether to resume or to start from the pack."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from tray_app.handoff.resume import LastSession, advise

DAY = 86_400_000
NOW = int(datetime(2026, 11, 28, 12, tzinfo=UTC).timestamp() * 1000)
COMMAND = "cd '/p/tide api' && claude --resume s1"
LAST = LastSession(
    agent="claude_code",
    agent_name="Claude Code",
    session="s1",
    title="Uploads",
    end=NOW - DAY,
    compacted=False,
    command=COMMAND,
)


def test_a_recent_one_is_resumed_with_the_exact_command() -> None:
    advice = advise(LAST, NOW, UTC)
    assert (advice.advice, advice.command, advice.date_text) == ("resume", COMMAND, "2026-11-27")
    assert advice.text == (
        "Last session: Claude Code, 2026-11-27, never compacted. It is better resumed:\n  cd '/p/tide api' && claude --resume s1"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"end": NOW - 4 * DAY}, "2026-11-24, never compacted. Start from the pack: it is not recent."),
        ({"end": 0}, "Claude Code, never compacted. Start from the pack: it is not recent."),
        ({"compacted": True}, "compacted. Start from the pack: a compacted session has lost what was said before."),
        ({"command": ""}, "Start from the pack: it cannot be resumed."),
        ({"folder_gone": True}, "Start from the pack: its folder is gone."),
    ],
)
def test_else_the_pack(change: dict[str, Any], said: str) -> None:
    advice = advise(msgspec.structs.replace(LAST, **change), NOW, UTC)
    assert advice.advice == "pack"
    assert advice.text.endswith(said)


def test_three_days_are_recent_and_none_is_none() -> None:
    assert advise(msgspec.structs.replace(LAST, end=NOW - 3 * DAY), NOW, UTC).advice == "resume"
    assert advise(None, NOW, UTC).advice == "none"


def test_a_card_that_is_behind_is_said() -> None:
    assert "It went on after the card was written (2026-11-20)." in advise(LAST, NOW, UTC, NOW - 8 * DAY).text
    assert "went on" not in advise(LAST, NOW, UTC, NOW).text
