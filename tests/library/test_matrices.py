"""When the matrix of a library is loaded, refreshed and given back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from tray_app.errors import KnownError
from tray_app.library import matrices as module
from tray_app.library.centring import Facts
from tray_app.library.matrices import Matrices
from tray_app.library.matrix import Matrix

Allow = Callable[[str], None]


class Library:
    """Gives matrices with rising numbers; waits where `hold` is cleared."""

    def __init__(self) -> None:
        self.hold = threading.Event()
        self.hold.set()
        self.loads: list[tuple[str, int | None]] = []
        self.fault: Exception | None = None
        self.nothing = False

    def load(self, key: str, former: Matrix | None) -> Matrix | None:
        assert self.hold.wait(10)
        self.loads.append((key, number(former)))
        if self.fault is not None:
            raise self.fault
        return None if self.nothing else Matrix.none(Facts.unpacked(None, None, 4), len(self.loads))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setattr(module, "LEAST_GAP_S", 0.0)
    monkeypatch.setattr(module, "GAP_TIMES_LOAD", 0)
    return Library()


def number(matrix: Matrix | None) -> int | None:
    return None if matrix is None else matrix.space


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_who_asks_first_does_not_wait_and_who_asks_later_has_it(library: Library) -> None:
    kept = Matrices(library.load)
    library.hold.clear()
    assert kept.of("a") is None
    assert kept.of("a") is None
    library.hold.set()
    until(lambda: kept.of("a") is not None)
    assert library.loads == [("a", None)]


def test_it_may_be_waited_for(library: Library) -> None:
    assert number(Matrices(library.load).of("a", 5.0)) == 1


def test_a_changed_library_is_loaded_by_increments_while_the_former_is_used(library: Library) -> None:
    kept = Matrices(library.load)
    kept.of("a", 5.0)
    library.hold.clear()
    kept.outdated()
    assert number(kept.of("a")) == 1
    assert number(kept.of("a", 5.0)) == 1
    library.hold.set()
    until(lambda: number(kept.of("a")) == 2)
    assert library.loads == [("a", None), ("a", 1)]


def test_refreshing_has_a_rest(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_GAP_S", 60.0)
    kept = Matrices(library.load)
    kept.of("a", 5.0)
    kept.outdated()
    kept.of("a")
    until(lambda: number(kept.of("a")) == 2)
    kept.outdated()
    for _ in range(3):
        kept.of("a")
        time.sleep(0.02)
    assert len(library.loads) == 2


def test_another_space_is_another_matrix(library: Library) -> None:
    kept = Matrices(library.load)
    assert number(kept.of("a", 5.0)) == 1
    assert kept.of("b") is None
    assert number(kept.of("b", 5.0)) == 2
    assert library.loads[1] == ("b", None)


def test_what_nobody_uses_is_given_back(library: Library) -> None:
    kept = Matrices(library.load)
    kept.of("a", 5.0)
    assert kept.release_idle(60)
    assert not kept.release_idle(0)
    assert kept.of("a") is None
    assert number(kept.of("a", 5.0)) == 2
    kept.drop()
    assert kept.of("a") is None


def test_a_library_that_is_closed_gives_none_and_is_asked_again(library: Library) -> None:
    library.nothing = True
    kept = Matrices(library.load)
    assert kept.of("a", 5.0) is None
    library.nothing = False
    until(lambda: kept.of("a") is not None)


@pytest.mark.parametrize("fault", [KnownError("disk_full", "Full", "No room."), RuntimeError("odd")])
def test_a_fault_has_a_rest(library: Library, fault: Exception, allow_log: Allow) -> None:
    allow_log("vectors could not be loaded")
    library.fault = fault
    kept = Matrices(library.load)
    assert kept.of("a", 5.0) is None
    for _ in range(3):
        assert kept.of("a", 0.05) is None
    assert len(library.loads) == 1


def test_the_arrays_of_an_empty_matrix_are_empty() -> None:
    assert Matrix.none(Facts.unpacked(None, None, 4)).ids.dtype == np.int32
