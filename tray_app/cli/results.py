"""An answer to a question, for reading on a terminal."""

from __future__ import annotations

from tray_app.cli.terminal import Paint, count_of, line_of, say, screen_columns, wrapped
from tray_app.paths import shorten
from tray_app.records import Answer, Explanation, FallbackMenu, Hit, SessionHits

SPEAKERS = {"user": "you", "tool_call": "tool call", "tool_result": "tool result"}
INDENT = "     "


def print_answer(answer: Answer, *, explain: bool = False) -> None:
    """The sessions with their passages on standard output; what is to be said about them on standard error."""
    paint = Paint()
    for session in answer.sessions:
        print_session(session, paint, explain=explain)
    if answer.verdict == "nothing" or not answer.sessions:
        say(f"Nothing found. {line_of(answer.reason)}".rstrip())
    elif answer.verdict != "confident":
        say(f"Not certain ({answer.verdict}): {line_of(answer.reason)}")
    if answer.missing and answer.sessions:
        say("In none of these: " + ", ".join(map(line_of, answer.missing)))
    if answer.fallback_menu is not None:
        print_menu(answer.fallback_menu, paint)
    if answer.indexing:
        say("Sessions are still being read; more may be found later.")
    if explain:
        print_explanation(answer)


def print_session(session: SessionHits, paint: Paint, *, explain: bool) -> None:
    days = session.start_date_text
    if session.end_date_text and session.end_date_text != days:
        days += f" to {session.end_date_text}"
    facts = [session.agent, line_of(session.project), kinship(session), days, "source file gone" if session.gone else ""]
    print(paint.bold(line_of(session.title) or session.session))
    print(paint.dim(" · ".join(fact for fact in facts if fact)))
    for hit in session.hits:
        print_hit(hit, paint, explain=explain)
    if session.resume_command:
        print(INDENT + paint.dim(line_of(session.resume_command)))
    print()


def kinship(session: SessionHits) -> str:
    """'sub-agent of "Fix the flaky test"'; '' for a session that is none."""
    if session.kind != "subagent":
        return ""
    above = line_of(session.parent_title) or session.parent
    return f'sub-agent of "{above}"' if above else "sub-agent"


def print_hit(hit: Hit, paint: Paint, *, explain: bool) -> None:
    said = [hit.date_text, f"({hit.date_human})" if hit.date_human else "", SPEAKERS.get(hit.role, hit.role), line_of(hit.tool)]
    if hit.outside_time:
        said.append("(outside the time you named)")
    print(f"{hit.rank:>3}. " + paint.dim(" ".join(part for part in said if part)))
    for line in wrapped(hit.snippet or hit.text[:240], hit.snippet_marks, screen_columns() - len(INDENT), paint):
        print(INDENT + line)
    if hit.duplicate_count:
        print(INDENT + paint.dim(f"also in {count_of(hit.duplicate_count, 'other place')}"))
    if explain:
        reasons = ", ".join(hit.reasons) or "-"
        print(INDENT + paint.dim(f"score {hit.score:.3f} by {reasons} · matched {', '.join(map(line_of, hit.matched)) or '-'}"))
        if hit.explain is not None:
            print(INDENT + paint.dim(explained(hit.explain)))
        print(INDENT + paint.dim(f"message {hit.message_id}" + (f" in {shorten(hit.path)}" if hit.path else "")))


def explained(why: Explanation) -> str:
    """How a score came about, in a line."""
    legs = [
        f"{name} {score:.2f}" + (f" (number {rank})" if rank else "")
        for name, score, rank in (("words", why.words_score, why.words_rank), ("meaning", why.meaning_score, why.meaning_rank))
        if score
    ]
    if why.similarity:
        legs.append(f"cosine {why.similarity:.2f}")
    if why.neighbour:
        legs.append(f"neighbours {why.neighbour:.2f}")
    if why.kind_weight != 1:
        legs.append(f"kind x {why.kind_weight:g}")
    legs += ["in the time you named"] if why.inside_time else []
    legs += ["gives the question back"] if why.quotes_question else []
    legs += ["translated: " + ", ".join(map(line_of, why.translated))] if why.translated else []
    return " · ".join(legs) or "-"


def print_menu(menu: FallbackMenu, paint: Paint) -> None:
    if menu.sessions:
        print(line_of(menu.question) or "Did you mean one of these?")
    for entry in menu.sessions:
        print(f"{entry.index:>3}. {line_of(entry.label)}")
        print(INDENT + paint.dim(f"backscroll show {entry.session}"))
    for day in menu.days:
        print(f"{INDENT}{day.date_text}: {', '.join(map(line_of, day.topics))}")


def print_explanation(answer: Answer) -> None:
    understood = answer.understood
    say(f"words: {' '.join(understood.words) or '-'}   ignored: {' '.join(understood.ignored) or '-'}")
    if understood.phrases or understood.excluded:
        say(f"phrases: {list(understood.phrases)}   left out: {' '.join(understood.excluded) or '-'}")
    if understood.time is not None:
        last = understood.time.last_day or "now"
        say(f"time: {understood.time.words!r} = {understood.time.first_day or 'the beginning'} to {last}")
    if understood.filters:
        say("filters: " + ", ".join(f"{name}={value}" for name, value in understood.filters.items()))
    if understood.translated:
        say("in the other language: " + ", ".join(map(line_of, understood.translated)))
    if answer.meaning_note:
        say(f"meaning: {line_of(answer.meaning_note)}")
    say(f"answered by {answer.engine} ({answer.tier}) in {answer.elapsed_ms:.0f} ms; index as of {answer.snapshot or 'never'}")
