"""Looks side by side: what hangs is given up and not begun twice, what fails is told."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tray_app.errors import KnownError
from tray_app.insight.looking import Looks


def test_what_each_gives_is_known_by_its_name() -> None:
    given, missed = Looks[int](30).run({"log": lambda: 1, "proof": lambda: 2})
    assert (given, missed) == ({"log": 1, "proof": 2}, [])


def test_what_hangs_is_given_up_and_not_begun_again_before_it_ended() -> None:
    looks, free, begun = Looks[int](1), threading.Event(), []

    def hang() -> int:
        begun.append(1)
        free.wait(30)
        return 1

    given, (missed,) = looks.run({"keyring": hang, "log": lambda: 2})
    assert given == {"log": 2}
    assert (missed.code, missed.severity, missed.params["what"]) == ("not_checked", "warn", "keyring")
    assert (missed.title, missed.detail) == ("Not checked: the keyring", "No answer within 1 s.")
    _, (again,) = looks.run({"keyring": hang})
    assert (again.detail, begun) == ("It hangs since the last check-up.", [1])
    free.set()
    late = looks._late["keyring"]
    assert late.wait(30)
    given, missed_now = Looks.run(looks, {"keyring": lambda: 3})
    assert (given, missed_now) == ({"keyring": 3}, [])


def test_what_fails_is_told_and_the_others_go_on(allow_log: Callable[[str], None]) -> None:
    allow_log("could not look at agents")

    def refuse() -> int:
        raise KnownError("data_unwritable", "Folder cannot be used", "It is not writable.")

    def break_down() -> int:
        raise ValueError("odd")

    given, missed = Looks[int](30).run({"leftovers": refuse, "agents": break_down, "log": lambda: 1})
    assert given == {"log": 1}
    assert [one.detail for one in missed] == ["It is not writable.", "ValueError."]
    assert all(one.remedy for one in missed)
