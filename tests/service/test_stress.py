"""Many clients on the real engine, and an owner that is killed while they write: no error, and nothing that was told is lost.

`benchmarks/bench_service.py` does more of the same.
"""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from owner_kills import Trials
from traffic import Client, begun, missing, programs, real, report_of

CALLS = 15

pytestmark = pytest.mark.timeout(600)  # a guard against hanging alone: all of it is work for the processor


def test_four_clients_with_mixed_calls(home: Path) -> None:
    """Two in processes of their own and two in this one, beside a tray."""
    commands = [("cli", "client-0", str(CALLS), "0"), ("mcp", "client-1", str(CALLS), "1")]
    with real("tray") as tray, real("cli") as one, real("mcp") as other, programs(*commands) as processes:
        owner = tray.owner.pid
        clients = [Client("client-2", 2), Client("client-3", 3)]
        threads = [
            threading.Thread(target=client.run, args=(connection, CALLS))
            for client, connection in zip(clients, (one, other), strict=True)
        ]
        for thread in threads:
            thread.start()
        assert [begun(process) for process in processes] == [owner] * 2
        reports = [report_of(process) for process in processes]
        for thread in threads:
            thread.join(500)
        reports += [client.report for client in clients]
        assert [one for report in reports for one in report["failed"]] == []
        assert [sum(map(len, report["taken"].values())) for report in reports] == [CALLS] * 4
        assert missing(tray, reports) == []
    with real("cli") as after:
        assert missing(after, reports) == []


def test_owner_killed_while_a_client_writes(home: Path) -> None:
    trials, client = Trials(), Client("writer", 4)
    with real("cli") as connection:
        for _ in range(2):
            trial = trials.kill_beside(client, connection)
            assert (trial.wrong, trial.failed) == ([], [])
    assert len(client.asked) >= 4
    assert trials.faults() == []
