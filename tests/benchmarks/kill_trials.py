"""`python tests/benchmarks/kill_trials.py [kills]`: kill -9 at so many random moments (20), more than the test suite does."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "indexing")]

from killing import trial  # noqa: E402


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        aside = trial(Path(folder), kills, seed=int(started))
    print(f"{kills} kills: all opened and sound, {aside} set aside, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
