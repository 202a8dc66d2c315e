"""A made-up home with sessions in three folders, and a real engine over it, for the tests of spaces.

As a program: `spaces_world.py` makes the engine on the home of the environment, assigns the client's folder, and reads; it is
killed from outside in the middle.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "data"))

import claude_files as claude

from tray_app.engine import Engine
from tray_app.library.connection import open_index
from tray_app.paths import Paths
from tray_app.records import IndexReport, SearchRequest
from tray_app.settings import Settings

SHOP, CLIENT, INNER = "/home/kim/shop", "/home/kim/client", "/home/kim/client/inner"
WORDS = {SHOP: "marzipan", CLIENT: "zeppelin", INNER: "quokka"}
"""A word that stands in every session of a folder, its title included, and nowhere else."""


class SpacesWorld:
    """`home` holds the sessions; the engine's own files lie where the environment says."""

    def __init__(self, home: Path) -> None:
        self.home, self.paths = home, Paths.from_environment()
        self.engine = Engine(self.paths, Settings(self.paths.settings_file), kind="cli")

    def file_of(self, label: str, folder: str) -> Path:
        return self.home / ".claude/projects" / folder.replace("/", "-") / f"{claude.make_id(label)}.jsonl"

    def write(self, label: str, folder: str, *more: str) -> Path:
        """A session in a folder; each of `more` is one more question in it."""
        chat = claude.Chat(label, cwd=folder)
        word = WORDS[folder]
        lines: list[claude.Row | bytes] = [
            chat.user(f"Where does the {word} of {label} go?"),
            chat.answer(f"The {word} goes home."),
        ]
        for text in more:
            lines += [chat.user(text), chat.answer(f"So it is, {word}.")]
        return claude.write(self.file_of(label, folder), lines)

    def write_all(self) -> None:
        for folder in WORDS:
            for number in range(3):
                self.write(f"{WORDS[folder]}-{number}", folder)

    def index(self) -> IndexReport:
        return self.engine.index(all_sources=True)

    def found(self, word: str, space: str | None = None) -> int:
        """In how many sessions of a library the word is found."""
        answer = self.engine.search(SearchRequest(query=word, space=space))
        return len(answer.sessions) if answer.found else 0

    def words_in(self, file: Path) -> set[str]:
        """Which of the words stand anywhere in a library: in a table, or in the bytes of its file and what lies beside it."""
        raw = b"".join(path.read_bytes() for path in file.parent.glob("*") if path.is_file())
        found = {word for word in WORDS.values() if word.encode() in raw}
        if not file.exists():
            return found
        opened = open_index(file)
        try:
            cursor = opened.cursor()
            tables = cursor.execute(
                "select schema_name, table_name from duckdb_tables() where database_name = 'library'"
            ).fetchall()
            for schema, table in tables:
                text = repr(cursor.execute(f'select * from "{schema}"."{table}"').fetchall())
                found |= {word for word in WORDS.values() if word in text}
        finally:
            opened.close()
        return found

    def held(self) -> dict[str, set[str]]:
        """The words in each library's file, by the name of the space. The engine lets go of the files for it."""
        views = self.engine.spaces()
        self.engine.close()
        return {view.name: self.words_in(Path(view.path)) for view in views}


@contextmanager
def spaces_world(home: Path) -> Iterator[SpacesWorld]:
    world = SpacesWorld(home)
    try:
        yield world
    finally:
        world.engine.close()


if __name__ == "__main__":
    with spaces_world(Path.home()) as running:
        print("ready", flush=True)
        running.engine.add_space("client", [CLIENT])
        print("assigned", flush=True)
        running.index()
        print("read", flush=True)
