"""A draft of a project's checkpoint out of a finished session: only fields that something in the session says, with what says it.

Never invents: every field is a quotation of the session or a list of files it really wrote. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tray_app.memory.plans import ITEMS_MOST, Plan, boxes_left, last_plan, list_ahead
from tray_app.memory.sentences import asks_openly, is_request, reports_done, said_by_person, sentences, shortened, statements
from tray_app.memory.session_talk import Round, Talk
from tray_app.memory.summary import listed_files
from tray_app.memory.work import Step, changed_files, family_of, is_test

GOAL_CHARS, DOING_CHARS, DONE_CHARS, QUESTION_CHARS, COMMAND_CHARS = 500, 400, 220, 300, 60
DONE_MOST, FILES_MOST, QUESTIONS_MOST, DONE_A_ROUND = 12, 40, 5, 6
CALLS_BEGUN = 3
"""From so many calls on, work that broke off is worth going on with."""
_CUT = (",", "，", "、", ":", "：", ";", "；", "(", "（", "-", "→")
"""How the words of an answer end that broke off, or that announce a call which never came."""

_WORDS = {
    "goal": ("first request", "最初的请求"),
    "before": ("first request of the session it was forked from", "分叉前会话的最初请求"),
    "answers": ("answers after {0}", "回答，依据：{0}"),
    "unanswered": ("last request, not answered", "最后的请求，没有回答"),
    "cut": ("last request, broken off", "最后的请求，中断了"),
    "running": ("in progress in {0}", "{0} 里进行中"),
    "plan": ("left in {0}", "{0} 里未完成"),
    "boxes": ("unticked in the last answer", "最后的回答里未勾选"),
    "ahead": ("list at the end of the last answer", "最后的回答末尾的列表"),
    "questions": ("end of the last answer", "最后的回答末尾"),
    "files": ("{0} calls", "{0} 调用"),
    "subagent": ("sub-agent", "子代理"),
}


class Draft(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Fields of a checkpoint as `records.memory.FIELDS` name them; `evidence` has a sentence for every field that is filled, and for
    no other."""

    goal: str = ""
    done: tuple[str, ...] = ()
    doing: str = ""
    next: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    evidence: dict[str, str] = {}
    calls: int = 0

    @property
    def is_worth_review(self) -> bool:
        """Whether something was done, begun or planned: a question and its answer need no checkpoint."""
        return bool(self.files or self.done or self.next) or (bool(self.doing) and self.calls >= CALLS_BEGUN)


def draft_of(talk: Talk, folder: str = "", by_subagents: Iterable[Step] = ()) -> Draft:
    """The draft; empty where nothing has evidence. `folder` is the project's; `by_subagents` are calls of the session's helpers."""
    found = _Found(talk.chinese)
    helpers = list(by_subagents)
    _goal(found, talk)
    plan = last_plan(talk.steps)
    _done(found, talk)
    _doing(found, talk, plan)
    _next(found, talk, plan)
    _files(found, talk, helpers, folder)
    _questions(found, talk)
    return msgspec.structs.replace(Draft(evidence=found.evidence, calls=len(talk.steps)), **found.fields)


class _Found:
    """The fields so far, each with its evidence."""

    def __init__(self, chinese: bool) -> None:
        self.chinese = chinese
        self.fields: dict[str, str | tuple[str, ...]] = {}
        self.evidence: dict[str, str] = {}

    def put(self, field: str, value: str | tuple[str, ...], reason: str, *names: str) -> None:
        if value:
            self.fields[field] = value
            self.evidence[field] = self.words(reason, *names)

    def words(self, reason: str, *names: str) -> str:
        return _WORDS[reason][self.chinese].format(*names)


def _goal(found: _Found, talk: Talk) -> None:
    own = [talk.told[place].text for place in talk.requests]
    before = [one.text for one in talk.before if one.role == "user" and is_request(one.text)]
    if own:
        found.put("goal", said_by_person(own[0], GOAL_CHARS), "goal")
    elif before:
        found.put("goal", said_by_person(before[0], GOAL_CHARS), "before")


def _done(found: _Found, talk: Talk) -> None:
    """Statements in the last words of each round that writes or tests of that round stand behind, or files they name."""
    said: dict[str, None] = {}
    behind: dict[str, None] = {}
    written: dict[str, str] = {}
    for one in talk.rounds:
        steps = [step for step in talk.steps if one.first <= step.place <= one.last]
        proofs = _proofs(steps)
        for step in steps:
            if step.kind == "write" and not step.failed:
                written.update((path.replace("\\", "/").rsplit("/", 1)[-1], step.tool) for path in step.paths)
        taken = 0
        for sentence in _report(talk, one):
            if taken == DONE_A_ROUND:
                break
            if not reports_done(sentence):
                continue
            known = proofs or [tool for name, tool in written.items() if name and name in sentence]
            if known:
                said[shortened(sentence.rstrip(" :："), DONE_CHARS)] = None
                behind.update(dict.fromkeys(known))
                taken += 1
    found.put("done", tuple(said)[-DONE_MOST:], "answers", ", ".join(behind))


def _report(talk: Talk, one: Round) -> Iterable[str]:
    """Sentences of a round's last words; where it ended in a call, of what was said before that."""
    if one.answer:
        return statements(one.answer)
    for place in range(one.last, one.first - 1, -1):
        if talk.told[place].role == "assistant":
            return statements(talk.told[place].text)
    return ()


def _proofs(steps: Sequence[Step]) -> list[str]:
    """What in a round shows that work was done: the tools that wrote, and tests that went well."""
    writes = [step.tool for step in steps if step.kind == "write" and not step.failed and step.paths]
    tests: dict[str, bool] = {}
    for step in steps:
        family = family_of(step.command) if step.kind == "shell" else ""
        if family and step.answer is not None and is_test(family):
            tests[family] = not step.failed
    return [*dict.fromkeys(writes), *(f"`{shortened(family, COMMAND_CHARS)}`" for family, passed in tests.items() if passed)]


def _doing(found: _Found, talk: Talk, plan: Plan | None) -> None:
    if talk.rounds and talk.requests:
        last, place = talk.rounds[-1], talk.requests[-1]
        words = said_by_person(talk.told[place].text, DOING_CHARS)
        roles = {talk.told[number].role for number in range(place + 1, last.last + 1)}
        if not roles & {"assistant", "tool_call"}:
            found.put("doing", words, "unanswered")
            return
        if not last.answer.strip() or last.answer.rstrip(" \t\n*_`").endswith(_CUT):
            found.put("doing", words, "cut")
            return
    if plan is not None and plan.running:
        found.put("doing", shortened("; ".join(plan.running), DOING_CHARS), "running", plan.source)


def _next(found: _Found, talk: Talk, plan: Plan | None) -> None:
    if plan is not None and plan.pending:
        found.put("next", plan.pending, "plan", plan.source)
    elif plan is None or not plan.running:
        answer = talk.last_answer
        if boxes := boxes_left(answer):
            found.put("next", tuple(boxes[:ITEMS_MOST]), "boxes")
        else:
            found.put("next", tuple(list_ahead(answer)[:ITEMS_MOST]), "ahead")


def _files(found: _Found, talk: Talk, helpers: Sequence[Step], folder: str) -> None:
    paths = [*changed_files(talk.steps), *changed_files(helpers)]
    tools = [step.tool for step in talk.steps if step.kind == "write" and not step.failed and step.paths]
    names = list(dict.fromkeys(tools))
    if changed_files(helpers):
        names.append(found.words("subagent"))
    found.put("files", tuple(listed_files(paths, folder)[-FILES_MOST:]), "files", ", ".join(names))


def _questions(found: _Found, talk: Talk) -> None:
    asked = [shortened(one, QUESTION_CHARS) for one in sentences(talk.last_answer) if asks_openly(one)]
    found.put("open_questions", tuple(dict.fromkeys(asked))[-QUESTIONS_MOST:], "questions")
