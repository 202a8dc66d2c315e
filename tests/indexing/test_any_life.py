"""Any life of a folder: sessions begin, go on, are forked, cut, rewritten, deleted, in any order and with passes anywhere in
between. What a session shows is what its file says, and every message is stored once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from data import claude_files
from data.claude_files import Chat, Row, make_id, stamp
from hypothesis import given, settings
from hypothesis import strategies as st
from library_world import World

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["begin", "append", "append", "fork", "fork", "cut", "rewrite", "delete", "pass", "pass", "anew"]),
        st.integers(0, 9),
        st.integers(1, 5),
    ),
    min_size=3,
    max_size=16,
)


class Folder:
    """Session files as an agent would leave them, with what each of them says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.files: dict[str, list[Row]] = {}
        self.made = 0

    def name(self, place: int) -> str | None:
        return sorted(self.files)[place % len(self.files)] if self.files else None

    def lines(self, session: str, rounds: int) -> list[Row]:
        made: list[Row] = []
        for _ in range(rounds):
            for kind in ("user", "assistant"):
                self.made += 1
                text = f"{kind} says {self.made} about the medlar"
                said: dict[str, Any] = {"role": kind, "content": [{"type": "text", "text": text}]}
                if kind == "assistant":
                    said |= {"id": f"msg_{self.made}", "model": "m"}
                made.append({"type": kind, "uuid": make_id(f"line{self.made}"), "timestamp": stamp(self.made),
                             "sessionId": session, "cwd": "/home/kim/shop", "version": "2.1.332", "message": said,
                             **({"promptSource": "typed", "turnOrigin": "user"} if kind == "user" else {})})  # fmt: skip
        return made

    def copied(self, parent: str, session: str, lines: list[Row]) -> list[Row]:
        """Lines as a fork has them: same ids, the parent named."""
        rows = []
        for line in lines:
            row = {**line, "sessionId": session}
            if line["type"] == "assistant":
                row["requestSessionId"] = parent
            rows.append(row)
        return rows

    def do(self, step: str, place: int, amount: int) -> None:
        session = self.name(place)
        if step == "pass" or step == "anew":
            self.world.index(anew=step == "anew")
            self.world.assert_sound()
        elif step == "begin":
            new = make_id(f"session{self.made}")
            self.files[new] = self.lines(new, amount)
            self.write(new)
        elif session is None:
            return
        elif step == "append":
            self.files[session] += self.lines(session, amount)
            self.write(session)
        elif step == "fork":
            new = make_id(f"session{self.made}")
            taken = self.copied(session, new, self.files[session][: 2 * amount])
            self.files[new] = taken + self.lines(new, 1)
            self.write(new)
        elif step == "cut":
            self.files[session] = self.files[session][: amount + 1]
            self.write(session)
        elif step == "rewrite":
            self.files[session] = self.files[session][: amount + 1] + self.lines(session, amount)
            self.write(session)
        else:
            del self.files[session]
            self.path(session).unlink()

    def path(self, session: str) -> Path:
        return self.world.root("claude_code") / "-p" / f"{session}.jsonl"

    def write(self, session: str) -> None:
        path = claude_files.write(self.path(session), list(self.files[session]))
        self.made += 1
        os.utime(path, ns=(1_772_000_000_000_000_000 + self.made, 1_772_000_000_000_000_000 + self.made))

    def says(self, session: str) -> list[str]:
        return [line["message"]["content"][0]["text"] for line in self.files[session]]


@settings(max_examples=12, derandomize=True)
@given(STEPS)
def test_any_life(steps: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        world = World(Path(place) / "home", Path(place) / "index.duckdb")
        try:
            folder = Folder(world)
            (folder.path("x")).parent.mkdir(parents=True)
            (folder.path("x").with_name("keeps-the-root-from-being-empty")).touch()
            folder.do("begin", 0, 2)
            for step in steps:
                folder.do(*step)
            world.index()
            world.index()  # reads the heirs of what was deleted
            world.assert_sound()
            assert world.read_bytes() == 0
            assert {row[0] for row in world.rows("select native from sessions")} == set(folder.files)
            for session in folder.files:
                assert [text for _, text, _ in world.talk(session)] == folder.says(session)
            texts = world.texts()
            assert len(texts) == len(set(texts))
            assert set(texts) == {text for session in folder.files for text in folder.says(session)}
        finally:
            world.close()


def test_a_chat_of_this_shape_is_what_claude_writes() -> None:
    """The lines above and those of the shared maker have the same fields where it counts."""
    chat = Chat("x")
    assert {"type", "uuid", "timestamp", "sessionId", "message"} <= set(chat.user("a")) & set(chat.answer("b"))
