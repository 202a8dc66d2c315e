"""What a finished session came to, in its own words: the text of its session memory.

The agent's own summary of a compaction is taken whole; what came after it, or all where there was none, is extracted: first and last
request, decisions, files changed, commands that failed and were mended, errors, the last answer. Quotations and lists under fixed headings,
no word of our own. Pure functions.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from tray_app.memory.memories import CONTENT_CHARS
from tray_app.memory.sentences import decides, joined, said_by_person, sentences, shortened
from tray_app.memory.session_talk import Talk
from tray_app.memory.work import Step, changed_files, family_of, fault_line

MOST_CHARS = 3_000
"""Of what is extracted; the agent's own summary stands whole."""
OWN_CHARS = CONTENT_CHARS - MOST_CHARS - 200
"""Of an agent's own summary: a memory's content has room for no more."""
REQUEST_CHARS, LAST_CHARS, ANSWER_CHARS, SENTENCE_CHARS, COMMAND_CHARS, FAULT_CHARS = 600, 400, 500, 220, 100, 160
DECISIONS_MOST, FILES_MOST, MENDED_MOST, ERRORS_MOST = 8, 20, 5, 5

HEADINGS = {
    "summary": ("Summary by the agent", "代理自己的总结"),
    "after": ("After that summary", "总结之后"),
    "first": ("First request", "最初的请求"),
    "last": ("Last request", "最后的请求"),
    "decisions": ("Decisions", "决定"),
    "files": ("Files changed", "改动的文件"),
    "mended": ("Commands that failed and were then fixed", "失败后修好的命令"),
    "errors": ("Errors", "错误"),
    "answer": ("Last answer", "最后的回答"),
}

_PREAMBLE = re.compile(
    r"\s*(?:This session is being continued from a previous conversation[^\n]*\n+|Another language model started to solve this problem[^\n]*\n+)"
)
_TAIL = re.compile(
    r"\n[ \t]*(?:If you need specific details from before compaction\b|(?:Please )?[Cc]ontinue (?:the conversation|with the last task)\b|"
    r"The messages after this summary are the most recent)"
)
_TAGGED = re.compile(r"<(system-reminder|analysis)>.{0,4000}?</\1>|</?summary>", re.DOTALL)
_ERROR_NAME = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bTS\d{4,5}\b|\bE\d{4}\b|\b[A-Z]+_[A-Z_]*ERR\w*\b")


def summary_of(talk: Talk, folder: str = "", more_files: Iterable[str] = ()) -> str:
    """The text; '' where there is nothing to tell. `folder`: files in it are named from there. `more_files` were changed by
    sub-agents."""
    compacted = talk.summaries
    own = _plain(talk.told[compacted[-1]].text) if compacted else ""
    since = compacted[-1] + 1 if own else 0
    parts = _extracted(talk, since, [*changed_files(talk.steps), *more_files], folder)
    if not own:
        return _fitted(parts, talk.chinese)
    whole = own if len(own) <= OWN_CHARS else own[: OWN_CHARS - 1].rstrip() + "…"
    text = f"## {heading('summary', talk.chinese)}\n{whole}"
    rest = _fitted(parts, talk.chinese)
    return f"{text}\n\n{rest}" if rest else text


def heading(name: str, chinese: bool) -> str:
    return HEADINGS[name][chinese]


def relative(path: str, folder: str) -> str:
    """A path from the project's folder, with forward slashes; as it was where it lies outside."""
    plain, base = path.replace("\\", "/"), folder.replace("\\", "/").rstrip("/")
    if base and plain.lower().startswith(base.lower() + "/") and (plain.startswith(base) or base[1:2] == ":"):
        plain = plain[len(base) + 1 :]
    return posixpath.normpath(plain) if plain else path


def listed_files(paths: Iterable[str], folder: str) -> list[str]:
    """Each once, from the project's folder; what lies in a temporary folder outside it is left out."""
    named = (relative(path, folder) for path in paths if path.strip())
    return list(
        dict.fromkeys(path for path in named if not re.match(r"(?:/private)?/(?:var/)?tmp/|/dev/|[A-Za-z]:/.*/Temp/", path))
    )


def _plain(summary: str) -> str:
    """An agent's summary without what was put around it for the next model."""
    preamble = _PREAMBLE.match(summary)
    text = _TAGGED.sub("", summary[preamble.end() :] if preamble else summary)
    end = _TAIL.search(text)
    return (text[: end.start()] if end else text).strip()


def _extracted(talk: Talk, since: int, paths: Sequence[str], folder: str) -> list[tuple[str, list[str]]]:
    """What there is under each heading. `since`: place behind the agent's own summary, which tells the rest."""
    requests = [talk.told[place].text for place in talk.requests if place >= since]
    parts: list[tuple[str, list[str]]] = []
    if requests and not since:
        parts.append(("first", [said_by_person(requests[0], REQUEST_CHARS)]))
    if requests and (since or len(requests) > 1):
        parts.append(("last", [said_by_person(requests[-1], LAST_CHARS)]))
    parts.append(("decisions", _decisions(talk, since)))
    files = listed_files(paths, folder)
    more = [f"+{len(files) - FILES_MOST}"] if len(files) > FILES_MOST else []
    parts.append(("files", [*files[-FILES_MOST:], *more]))
    steps = [step for step in talk.steps if step.place >= since]
    mended, answers = _mended(steps)
    parts.append(("mended", mended))
    parts.append(("errors", [line for line in _errors(steps, answers) if not any(line in known for known in mended)]))
    answer = shortened(joined(sentences(talk.last_answer)) or talk.last_answer, ANSWER_CHARS)
    parts.append(("answer", [answer] if answer else []))
    return [(name, items) for name, items in parts if items]


def _decisions(talk: Talk, since: int) -> list[str]:
    """Sentences that say one, the newest that there is room for; the person's own before the agent's."""
    said: dict[str, bool] = {}
    for message in talk.told[since:]:
        if message.role in ("user", "assistant"):
            by_person = message.role == "user"
            for sentence in sentences(message.text):
                if decides(sentence, by_person=by_person):
                    said.setdefault(shortened(sentence, SENTENCE_CHARS), by_person)
    kept = [text for text, by_person in said.items() if by_person][-DECISIONS_MOST:]
    room = DECISIONS_MOST - len(kept)
    kept += [text for text, by_person in said.items() if not by_person][-room:] if room else []
    return [text for text in said if text in kept]


def _mended(steps: Sequence[Step]) -> tuple[list[str], set[int]]:
    """Commands that failed first and went well later, with the error and what was changed between; and the places of the failures."""
    failed: dict[str, Step] = {}
    lines: list[str] = []
    places: set[int] = set()
    for step in steps:
        family = family_of(step.command) if step.kind == "shell" else ""
        if not family or step.answer is None:
            continue
        if step.failed:
            failed.setdefault(family, step)
            places.add(step.place)
        elif before := failed.pop(family, None):
            fault = shortened(fault_line(before.answer or ""), FAULT_CHARS)
            lines.append(f"`{shortened(before.command, COMMAND_CHARS)}`" + (f" — {fault}" if fault else ""))
    open_still = {step.place for step in failed.values()}
    return list(dict.fromkeys(lines))[-MENDED_MOST:], places - open_still


def _errors(steps: Sequence[Step], mended: set[int]) -> list[str]:
    """Lines of answers that name an error which was not mended later."""
    found: dict[str, None] = {}
    for step in steps:
        if step.failed and step.answer and step.place not in mended and (step.kind != "shell" or family_of(step.command)):
            line = fault_line(step.answer)
            if len(line.split()) > 1 and (step.kind == "shell" or _ERROR_NAME.search(line)):
                found.setdefault(shortened(line, FAULT_CHARS))
    return list(found)[-ERRORS_MOST:]


def _fitted(parts: Sequence[tuple[str, list[str]]], chinese: bool) -> str:
    """All parts under their headings; where there is no room for all, the longest lists lose their oldest items."""
    sections = [(f"## {heading(name, chinese)}", [f"- {item}" for item in items]) for name, items in parts]
    while True:
        text = "\n\n".join("\n".join((title, *items)) for title, items in sections)
        if len(text) <= MOST_CHARS:
            return text
        lists = [items for _, items in sections if len(items) > 1]
        if not lists:
            return text[: MOST_CHARS - 1].rstrip() + "…"
        del max(lists, key=lambda items: sum(map(len, items)))[0]
