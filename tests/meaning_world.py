"""A real engine over made-up sessions whose back end is a small deterministic one, for the tests of filling.

As a program: `meaning_world.py` reads and fills without an end; it is killed from outside in the middle.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "data"))

import claude_files as claude
from hash_embedder import DIMS, HashEmbedder

from tray_app import meaning
from tray_app.engine import Engine
from tray_app.library import vectors
from tray_app.library.vectors import Amounts
from tray_app.paths import Paths
from tray_app.records import Embedding
from tray_app.settings import Settings

KEY = f"builtin|hash|{DIMS}||unit"


class MeaningWorld:
    """`home` holds the sessions; the engine's own files lie where the environment says. Back ends that are made come to stand in
    `made`; `before` is done to each."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.made: list[HashEmbedder] = []
        self.before: Callable[[HashEmbedder], None] = lambda embedder: None
        paths = Paths.from_environment()
        self.settings = Settings(paths.settings_file)
        self.engine = Engine(paths, self.settings)
        self.engine.sense._make = self.make

    def make(self, values: dict[str, Any], *, cache: Path, key: Callable[[str], str | None]) -> HashEmbedder | None:
        if values["meaning.backend"] == "off":
            return None
        embedder = HashEmbedder(values["meaning.backend"], values["meaning.model"] or "hash")
        self.before(embedder)
        self.made.append(embedder)
        return embedder

    def write(self, label: str, *words: str, cwd: str = "/home/kim/shop") -> Path:
        """A session with a round for each of these questions."""
        chat = claude.Chat(label, cwd=cwd)
        rows = [row for said in words for row in (chat.user(said), chat.answer(f"Noted for {label}: {said}"))]
        return claude.write(self.home / ".claude/projects" / cwd.replace("/", "-") / f"{chat.id}.jsonl", rows)

    def index(self) -> None:
        self.engine.index(all_sources=True)

    def fill(self, stop: Callable[[], bool] = lambda: False) -> bool:
        return self.engine.embed_once(lambda progress: None, stop)

    def status(self) -> Embedding:
        return self.engine.status().embedding

    def rows(self, query: str, space: str | None = None) -> list[Any]:
        with self.engine._reading(self.engine._asked(space)) as reader:
            return reader.cursor.execute(query).fetchall()

    def amounts(self, key: str = KEY, space: str | None = None) -> Amounts:
        with self.engine._reading(self.engine._asked(space)) as reader:
            return vectors.amounts(reader.cursor, key)

    def assert_sound(self) -> None:
        """No vector without its passage, none twice, none of no space."""
        for query in (
            "select chunk_id from vectors where chunk_id not in (select id from chunks)",
            "select chunk_id from refused where chunk_id not in (select id from chunks)",
            "select chunk_id from refused where (chunk_id, space) in (select (chunk_id, space) from vectors)",
            "select mark from vectors group by mark having count(*) > 1",
            "select chunk_id from vectors group by chunk_id, part, space having count(*) > 1",
            "select space from vectors where space not in (select id from vector_spaces)",
            "select id from vector_spaces group by id having count(*) > 1",
            f"select chunk_id from vectors where octet_length(vector) <> {2 * DIMS}",
        ):
            assert self.rows(query) == [], query

    def close(self) -> None:
        self.engine.close()


def work(home: Path) -> None:
    """What the killed program does."""
    world = MeaningWorld(home)
    print("open", flush=True)
    for number in itertools.count():
        world.index()
        world.fill()
        world.write(f"more {number}", *(f"question {number} {turn} of the killed one" for turn in range(20)))


if __name__ == "__main__":
    assert meaning
    work(Path(sys.argv[1]))
