"""Whether to go on in the last session of a project or to start from its pack.

Owns the rule and its words; stands beside the pack, never in it, since it changes with every session.
"""

from __future__ import annotations

from datetime import tzinfo

import msgspec

from tray_app.records import ResumeAdvice
from tray_app.text.dates import age_days, date_text

RECENT_DAYS = 3


class LastSession(msgspec.Struct, frozen=True, kw_only=True):
    """The latest session of a project. `end` epoch ms, `agent_name` as people call it; `command` is the exact one that goes on
    with it ('' where there is none, or the session is gone), `folder_gone` that it would have to run in a folder that is no
    more."""

    agent: str
    agent_name: str
    session: str
    title: str
    end: int
    compacted: bool
    command: str
    folder_gone: bool = False


def advise(last: LastSession | None, now: int, zone: tzinfo, written: int = 0) -> ResumeAdvice:
    """`resume` for a session of the last `RECENT_DAYS` days that was never compacted and can be resumed; else `pack`; `none`
    without a session. `now` and `written` (when the checkpoint was, 0 for never) in epoch ms."""
    if last is None:
        return ResumeAdvice(advice="none", text="No session of this project is known.")
    day = date_text(last.end, zone)
    facts = ", ".join(part for part in (last.agent_name, day, "compacted" if last.compacted else "never compacted") if part)
    reason = _against(last, age_days(last.end, now, zone) if last.end else RECENT_DAYS + 1)
    if reason:
        text = f"Last session: {facts}. Start from the pack: {reason}."
    else:
        text = f"Last session: {facts}. It is better resumed:\n  {last.command}"
    if written and last.end > written:
        text += f"\nIt went on after the card was written ({date_text(written, zone)})."
    return ResumeAdvice(
        advice="pack" if reason else "resume", text=text, agent=last.agent, session=last.session, title=last.title, date_text=day,
        compacted=last.compacted, command=last.command,
    )  # fmt: skip


def _against(last: LastSession, age: int) -> str:
    if last.folder_gone:
        return "its folder is gone"
    if not last.command:
        return "it cannot be resumed"
    if last.compacted:
        return "a compacted session has lost what was said before"
    if age > RECENT_DAYS:
        return "it is not recent"
    return ""
