"""Questions before passages, one at a time."""

from __future__ import annotations

import threading
import time

from hypothesis import given
from hypothesis import strategies as st

from tray_app.embed.turns import Turns, slices


def test_a_question_goes_before_passages_that_wait_longer() -> None:
    turns, order = Turns(), []

    def passages() -> None:
        with turns.passages():
            order.append("passages")

    def question() -> None:
        with turns.question():
            order.append("question")

    threads = [threading.Thread(target=passages), threading.Thread(target=question)]
    with turns.passages():
        for thread in threads:
            thread.start()
            time.sleep(0.05)
        assert order == []
    for thread in threads:
        thread.join()
    assert order == ["question", "passages"]


def test_one_at_a_time_and_free_after_a_fault() -> None:
    turns, inside, most = Turns(), [0], [0]

    def work(door: str) -> None:
        for _ in range(50):
            try:
                with getattr(turns, door)():
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                    inside[0] -= 1
                    raise ValueError
            except ValueError:
                continue

    threads = [threading.Thread(target=work, args=(door,)) for door in ("question", "passages", "passages")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


@given(st.lists(st.text(max_size=20)), st.integers(1, 40))
def test_slices_keep_order_and_size(texts: list[str], size: int) -> None:
    groups = list(slices(texts, size))
    assert [text for group in groups for text in group] == texts
    assert all(len(group) == 1 or sum(map(len, group)) <= size for group in groups)
