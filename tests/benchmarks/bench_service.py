"""One owner under many clients: how long calls take, what a killed owner costs, and whether a long-lived one grows.

    python tests/benchmarks/bench_service.py [--clients 8] [--calls 200] [--kills 20] [--long 20000]

First so many client processes ask the real engine for everything at once, writes among them, and all that was acknowledged is
looked for afterwards. Then an owner is killed again and again while two clients write; the longest call of each is the one that
lost its owner, found the next and was repeated. Last, one client asks a single owner so many times, with a new connection at
every tenth call, and the owner's memory is read in between. Any number of 0 leaves its part out. Prints figures and gates nothing
but what must never happen: an error, or a write that is missing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "service")]

from owner_kills import Trials  # noqa: E402
from traffic import PROJECT, SHARES, Client, begun, furnish, missing, programs, real, report_of  # noqa: E402

MARKS = 5
"""How often the memory is read in the long run."""
CHEAP = ("search", "search", "search", "recall_memories", "checkpoint", "pack", "memories", "status")
"""What the long run asks: nothing that adds to what is kept."""


def at(values: Sequence[float], share: float) -> float:
    """A percentile, in milliseconds."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] * 1e3


def must_be_empty(faults: list[str]) -> None:
    if faults:
        raise SystemExit("\n".join(["WRONG:", *faults[:20]]))


def mixed(clients: int, calls: int) -> None:
    """Client processes beside an owner of its own process."""
    with programs(("tray", "owner", "hold", "0")) as (owner,):
        begun(owner)
        started = time.perf_counter()
        with programs(*(("cli", f"client-{number}", str(calls), str(number)) for number in range(clients))) as running:
            reports = [report_of(one, 3600) for one in running]
        wall = time.perf_counter() - started
        with real("cli") as connection:
            must_be_empty([*missing(connection, reports), *(fault for report in reports for fault in report["failed"])])
            kept = len(connection.memories(PROJECT))
    print(f"{clients} clients x {calls} mixed calls: {wall:.1f} s, no error, {kept} memories, none missing, none twice")
    for kind in SHARES:
        taken = [one for report in reports for one in report["taken"].get(kind, ())]
        if taken:
            print(
                f"  {kind:16} {len(taken):5}  p50 {at(taken, 0.5):7.1f}  p95 {at(taken, 0.95):7.1f}  most {max(taken) * 1e3:7.1f} ms"
            )


def killed(kills: int) -> None:
    trials, longest, written = Trials(), [], 0
    for _ in range(kills):
        trial = trials.kill(writers=2, after=3.0)
        must_be_empty([*trial.wrong, *trial.failed])
        print(f"  {max(trial.longest) * 1e3:.0f} ms, {trial.written} writes", flush=True)
        longest += trial.longest
        written += trial.written
    late = sum(one > 2 for one in longest)
    print(
        f"{kills} owners killed under 2 writers: {written} writes acknowledged, all there once, files sound; the call that lost its "
        f"owner took p50 {at(longest, 0.5):.0f}, p95 {at(longest, 0.95):.0f}, most {max(longest) * 1e3:.0f} ms; over 2 s: {late}"
    )


def resident(process: int) -> float:
    """Megabytes."""
    return (
        int(subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True).stdout) / 1e3
    )


def long_lived(calls: int) -> None:
    with programs(("tray", "owner", "hold", "0")) as (owner,):
        begun(owner)
        client = Client("long", 7)
        with real("cli") as connection:
            client.run(connection, 300)
            figures, started = [resident(owner.pid)], time.perf_counter()
            for number in range(calls):
                if number % 10:
                    client.ask(connection, CHEAP[number % len(CHEAP)])
                else:
                    with real("mcp") as another:
                        client.ask(another, CHEAP[number // 10 % len(CHEAP)])
                if (number + 1) % (calls // MARKS) == 0:
                    figures.append(resident(owner.pid))
                    print(f"  after {number + 1:,} calls: {figures[-1]:.0f} MB", flush=True)
        must_be_empty(client.failed)
        wall = time.perf_counter() - started
    print(
        f"{calls:,} calls to one owner in {wall:.0f} s: resident {figures[0]:.0f} MB after 300 mixed calls, {figures[-1]:.0f} MB now"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--long", type=int, default=20_000)
    given: Any = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-service-") as name:
        home = Path(name)
        os.environ.update(HOME=name, BACKSCROLL_SOURCES_HOME=name, BACKSCROLL_HOME=str(home / "ours"))
        furnish(home)
        with real("cli") as connection:
            connection.index(all_sources=True)
        if given.clients and given.calls:
            mixed(given.clients, given.calls)
        if given.kills:
            killed(given.kills)
        if given.long:
            long_lived(given.long)


if __name__ == "__main__":
    main()
