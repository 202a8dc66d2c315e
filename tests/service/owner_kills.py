"""Killing the owner while clients write, for the tests and for `benchmarks/bench_service.py`."""

from __future__ import annotations

import random
import threading
import time
from typing import Any, NamedTuple

from traffic import Client, begun, missing, programs, real, report_of

from tray_app.service.connection import Connection


class Trial(NamedTuple):
    """`wrong`: what is not as it was acknowledged; `failed`: errors that clients met; `longest`: seconds of each client's
    longest call, which is the one that lost its owner; `written`: acknowledged writes."""

    wrong: list[str]
    failed: list[str]
    longest: list[float]
    written: int


class Trials:
    """One home, its owner killed again and again; what was acknowledged in one trial must be there after all later ones."""

    def __init__(self, seed: int = 0) -> None:
        self._dice, self._number = random.Random(seed), 0
        self._reports: list[dict[str, Any]] = []

    def kill(self, writers: int, after: float) -> Trial:
        """One owner and clients that write, all processes; the owner is killed within a second, and the clients go on for
        `after` seconds without it: one of them has become the owner."""
        self._number += 1
        with programs(("tray", "owner", "hold", "0")) as (owner,):
            assert begun(owner) == owner.pid
            names = [f"writer-{self._number}-{number}" for number in range(writers)]
            with programs(*(("cli", name, "write", name) for name in names)) as clients:
                assert {begun(client) for client in clients} == {owner.pid}
                assert clients[0].stdout is not None
                assert "kept" in clients[0].stdout.readline()
                time.sleep(self._dice.random())
                owner.kill()
                owner.wait()
                time.sleep(after)
                reports = [report_of(client) for client in clients]
        self._reports += reports
        return self._told(reports)

    def kill_beside(self, client: Client, connection: Connection) -> Trial:
        """The same with one client, in this process."""
        ended = threading.Event()
        with programs(("tray", "owner", "hold", "0")) as (owner,):
            assert begun(owner) == owner.pid
            writing = threading.Thread(target=client.write, args=(connection, ended))
            before = len(client.asked)
            writing.start()
            while len(client.asked) < before + 2:  # one was acknowledged
                time.sleep(0.01)
            time.sleep(self._dice.random() / 2)
            owner.kill()
            owner.wait()
            while not connection.is_owner and writing.is_alive():  # its next call elects
                time.sleep(0.01)
            ended.set()
            writing.join(300)
        assert not writing.is_alive()
        assert connection.is_owner
        self._reports = [client.report]
        return self._told(self._reports)

    def _told(self, reports: list[dict[str, Any]]) -> Trial:
        longest = [max(taken for kind in report["taken"].values() for taken in kind) for report in reports]
        failed = [one for report in reports for one in report["failed"]]
        written = sum(len(taken) for report in reports for taken in report["taken"].values())
        return Trial(self.faults(), failed, longest, written - len(failed))

    def faults(self) -> list[str]:
        """What is wrong with memory, opened anew."""
        with real("tray") as connection:
            engine: Any = connection.engine
            wrong = missing(connection, self._reports)
            store = engine.libraries.of().memory
            wrong += [f"mended: {store.mended}"] if store.mended else []
            wrong += [] if store.places.journal.read().whole else ["the journal has a gap"]
        return wrong
