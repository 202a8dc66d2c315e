"""The runs in Aider's chat history, a Markdown file: where each begins, and who said what in it.

Owns the marks: `# aider chat started at` begins a run, `#### ` is the person's, `> ` the program's, everything else the
model's. A heading of the model's may look like the person's: Aider ends each line of the person's with two blanks, and where
an editor has taken these away, the program's own lines stand between an answer and the next prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from tray_app.sources.base import Limits, Reading, Session, Stop, Stopped, Unit, Usage
from tray_app.sources.talk import Talk

STOP_LINES = 2000
_BEGUN = re.compile(rb"^# aider chat started at (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)[ \t]*\r?$", re.MULTILINE)
_PROMPT = re.compile(r"#### ?(.*)")
_COMMAND = re.compile(r"/([a-z][a-z-]*)(?:\s+(.*))?\Z", re.DOTALL)
_TOKENS = re.compile(
    r"Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received"
)
_VERSION = re.compile(r"Aider v(\S+)")
_MODEL = re.compile(r"(?:Main model|Model|Model set to)[: ]+(\S+)")
SPOKEN = frozenset({"ask", "code", "architect", "chat", "context", "help"})
"""Commands whose words are a prompt."""
HEADER = (
    *("Aider v", "Main model:", "Model:", "Weak model:", "Editor model:", "Git repo:", "Repo-map:", "Tokens:", "Cost:"),
    *("VSCode terminal", "Use /help", "Restored previous conversation", "Newer aider version", "Multi-line mode"),
)
"""How a line of the program's begins that says nothing of the work."""


class Run(msgspec.Struct, frozen=True):
    """A run by its bytes in the file. `written_ms` is its beginning read as UTC: steady, whatever zone the machine is in."""

    name: str
    start: int
    end: int
    body: int
    stamp: str
    written_ms: int


def runs_of(data: bytes) -> Iterator[Run]:
    """All runs that hold more than their first line, in the order of the file."""
    heads = list(_BEGUN.finditer(data))
    known: dict[str, int] = {}
    if heads and data[: heads[0].start()].strip() and heads[0].start():
        yield Run("0", 0, heads[0].start(), 0, "", 0)
    elif not heads and data.strip(b" \t\r\n\x00"):
        yield Run("0", 0, len(data), 0, "", 0)
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        end = following.start() if following else len(data)
        stamp = f"{head[1].decode()}T{head[2].decode()}"
        known[stamp] = known.get(stamp, 0) + 1
        if not data[head.end() : end].strip():
            continue
        name = stamp if known[stamp] == 1 else f"{stamp}-{known[stamp]}"
        yield Run(name, head.start(), end, head.end(), stamp, _millis(stamp, utc=True))


def read_run(unit: Unit, run: Run, data: bytes, limits: Limits, stop: Stop) -> Reading:
    """One run. All its messages have the time at which it began: the file has no others."""
    time = _millis(run.stamp, utc=False) or unit.mtime_ns // 1_000_000
    reading = _Reading(unit, limits, time)
    body = data[run.body : run.end]
    reading.strict = re.search(rb"^####.*  \r?$", body, re.MULTILINE) is not None
    reading.told = re.search(rb"^> ", body, re.MULTILINE) is not None
    offset = run.body
    for number, line in enumerate(body.split(b"\n")):
        if number % STOP_LINES == 0 and stop():
            raise Stopped
        reading.take(line, offset)
        offset += len(line) + 1
    reading.give()
    talk = reading.talk
    return Reading(
        session=Session(
            id=unit.session,
            cwd=str(unit.path.parent),
            title=talk.memory.title,
            start=time,
            end=time,
            model=reading.model,
            version=reading.version,
        ),
        messages=talk.collector.messages(),
        usage=list(talk.usage.values()),
        checkpoint=None,
        bytes_read=run.end - run.start,
        records=reading.records,
        recognised=reading.records,
        truncated=talk.collector.truncated,
    )


class _Reading:
    """Takes lines in order, and gives a message out when the next line is another's."""

    def __init__(self, unit: Unit, limits: Limits, time: int) -> None:
        self.talk = Talk(unit.session, limits)
        self.time, self.strict, self.told = time, False, False
        self.model = self.version = ""
        self.records = 0
        self._who, self._offset = "", 0
        self._held: list[str] = []
        self._fence = False

    def take(self, raw: bytes, offset: int) -> None:
        line = raw.replace(b"\x00", b"").decode("utf-8", "replace").rstrip("\r")
        prompt = _PROMPT.fullmatch(line)
        if prompt and self._is_prompt(line):
            self._turn("user", offset)
            self._held.append(prompt[1].rstrip())
        elif line.startswith("> ") and not self._fence:
            self._turn("program", offset)
            self._program(line[2:].rstrip())
        elif not line.strip() and self._who == "user":
            self.give()  # what follows without an answer is a prompt of its own
        elif line.strip() or self._who == "assistant":
            self._turn("assistant", offset)
            if line.lstrip().startswith("```"):
                self._fence = not self._fence
            self._held.append(line)

    def _is_prompt(self, line: str) -> bool:
        if self.strict:
            return line.endswith("  ")
        return not self._fence and not (self.told and self._who == "assistant")

    def _turn(self, who: str, offset: int) -> None:
        if who != self._who:
            self.give()
            self._who, self._offset, self._fence = who, offset, False

    def _program(self, line: str) -> None:
        version, model, tokens = _VERSION.match(line), _MODEL.match(line), _TOKENS.match(line)
        self.version = version[1] if version else self.version
        self.model = model[1] if model else self.model
        if tokens:
            sent, written, hit, received = (_number(value) for value in tokens.groups())
            fresh = sent - max(written, 0) - max(hit, 0) if sent >= max(written, 0) + max(hit, 0) else sent
            key = f"{self.talk.session}:{self._offset}"
            self.talk.count(Usage(key, self.time, self.model, fresh, received, hit, written))
        if line and not line.startswith(HEADER):
            self._held.append(line)

    def give(self) -> None:
        """End of what one of them said."""
        text = "\n".join(self._held).strip()
        self._held.clear()
        self.records += bool(self._who)
        if self._who == "user":
            self._prompt(text)
        elif self._who == "program":
            self.talk.result(text, self.time, tool="aider", offset=self._offset)
        elif self._who == "assistant":
            self.talk.say("assistant", text, self.time, offset=self._offset)
        self._who = ""

    def _prompt(self, text: str) -> None:
        command = _COMMAND.match(text)
        role = "user"
        if command and command[1] in SPOKEN and command[2]:
            text = command[2]
        elif command:
            role, text = "note", text if command[2] else ""
        self.talk.say(role, text, self.time, offset=self._offset)


def _number(text: str | None) -> int:
    """'4.3k' as 4300; -1 where there is none."""
    if not text:
        return -1
    scale = {"k": 1_000, "M": 1_000_000}.get(text[-1], 1)
    try:
        return round(float(text.rstrip("kM").replace(",", "")) * scale)
    except ValueError:
        return -1


def _millis(stamp: str, *, utc: bool) -> int:
    """Epoch milliseconds of a local time; 0 if it is none."""
    try:
        moment = datetime.fromisoformat(stamp)
        return round((moment.replace(tzinfo=UTC) if utc else moment).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return 0
