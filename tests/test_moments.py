"""Reading and writing between passes: in which order the files and the right to write are taken, and when neither is."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tray_app.engine import Engine
from tray_app.moments import Moments
from tray_app.paths import Paths
from tray_app.settings import Settings
from tray_app.sources.base import Stopped


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setenv("BACKSCROLL_SOURCES_HOME", str(tmp_path))
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    made.open_or_raise()
    yield made
    made.close()


def moments(engine: Engine) -> Moments:
    return Moments(engine.indexer, engine._using)


def test_a_moment_reads_and_writes(engine: Engine) -> None:
    library = engine.libraries.of()
    with moments(engine).reading(library, lambda: False) as reader:
        assert reader.statistics()[0] == 0
    with moments(engine).writing(library, lambda: False, lambda: False) as opened:
        assert opened is library.open()
        assert engine.indexer.writing.locked()
    assert not engine.indexer.writing.locked()


def test_who_says_stop_is_heard(engine: Engine) -> None:
    library = engine.libraries.of()
    with pytest.raises(Stopped), moments(engine).reading(library, lambda: True):
        pass
    with pytest.raises(Stopped), moments(engine).writing(library, lambda: False, lambda: True):
        pass
    assert not engine.indexer.writing.locked()
    with engine.indexer.writing, pytest.raises(Stopped), moments(engine).writing(library, lambda: True, lambda: False):
        pass
    with moments(engine).writing(library, lambda: True, lambda: False):  # nobody is waited for, so it is kept all the same
        assert engine.indexer.writing.locked()


def test_the_right_to_write_is_not_held_while_the_files_are_waited_for(engine: Engine) -> None:
    """A pass inside the files waits for the right, and closing waits for the pass: holding the right here would end none of them."""
    waits, may_enter, written = threading.Event(), threading.Event(), threading.Event()

    @contextlib.contextmanager
    def inside() -> Iterator[None]:
        waits.set()
        assert may_enter.wait(10)
        with engine._using():
            yield

    def write() -> None:
        with Moments(engine.indexer, inside).writing(engine.libraries.of(), lambda: False, lambda: False):
            written.set()

    writer = threading.Thread(target=write)
    writer.start()
    assert waits.wait(10)
    assert not engine.indexer.writing.locked()
    engine.index(all_sources=True)
    engine.close()
    may_enter.set()
    writer.join(10)
    assert written.is_set()
