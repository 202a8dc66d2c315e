"""`eval`: how well the search finds, measured on known sessions and questions. Never touches the person's library."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tray_app.cli.access import loaded, print_json
from tray_app.cli.terminal import Paint, count_of, line_of, say, table
from tray_app.errors import UsageError
from tray_app.evaluation import question_set, trial
from tray_app.evaluation.question_set import QuestionSet
from tray_app.evaluation.scoring import Figures
from tray_app.evaluation.trial import Result, Scores
from tray_app.paths import Paths
from tray_app.settings import BY_KEY

DONE, PARTLY = 0, 4
LEAKS_SHOWN = 10
LEGEND = (
    ("r@k", "share of the sessions sought that the first k passages hit with the right message"),
    ("s@k", "the same for the session alone"),
    ("MRR", "one divided by the place of the first passage that answers"),
    ("found", "said to be found, of the questions that have an answer"),
    ("false", "the same of those that have none"),
    ("precision", "of what was said to be found, the share whose first passage answers"),
)
HEADS = ("", "n", "r@1", "r@5", "r@10", "s@1", "s@5", "MRR", "found", "false", "precision")


def evaluate(arguments: argparse.Namespace) -> int:
    given = chosen_set(arguments)
    paths = Paths.from_environment()
    values = chosen_meaning(loaded(paths).as_dict(), arguments)
    with folder_of(arguments.home) as folder:
        result = trial.run(
            given,
            folder,
            values,
            mode=arguments.mode,
            limit=arguments.limit,
            with_floor=arguments.floor,
            cache=paths.cache,
            report=say,
        )
    print_json(result) if arguments.json else print_result(result)
    return PARTLY if result.missing_sessions or result.meaning.missing else DONE


def chosen_set(arguments: argparse.Namespace) -> QuestionSet:
    """The set that was named, or the one that comes with the program. Raises UsageError."""
    if arguments.sessions is None and arguments.queries is None:
        if arguments.traps is not None:
            raise UsageError("usage", "Wrong use", "--traps belongs to --sessions and --queries.")
        return question_set.shipped(arguments.first)
    if arguments.sessions is None or arguments.queries is None:
        raise UsageError("usage", "Wrong use", "--sessions and --queries belong together.", "See: backscroll eval --help")
    traps = Path(arguments.traps) if arguments.traps is not None else None
    return question_set.load(Path(arguments.sessions), Path(arguments.queries), traps, arguments.first)


def chosen_meaning(values: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The person's settings with what was asked for. A back end other than theirs has nothing of their model and address."""
    backend = "off" if arguments.mode == "words" else arguments.backend or values["meaning.backend"]
    if backend != values["meaning.backend"]:
        values |= {key: BY_KEY[key].default for key in ("meaning.model", "meaning.url", "meaning.dims")}
    values["meaning.backend"] = backend
    if arguments.model is not None:
        values["meaning.model"] = arguments.model
    return values


@contextmanager
def folder_of(home: str | None) -> Iterator[Path]:
    """The named folder, which must be empty or missing and is kept; else a throw-away one."""
    if home is not None:
        folder = Path(home).expanduser().absolute()
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError("eval_home", "Wrong use", f"{folder} is not an empty folder.", "Name one that does not exist yet.")
        yield folder
        return
    made = Path(tempfile.mkdtemp(prefix="backscroll-eval-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=sys.platform == "win32")  # there, a file that is just being let go stays


def print_result(result: Result) -> None:
    paint = Paint()
    print(
        f"{count_of(result.sessions, 'session')}, {result.messages:,} messages, {result.rounds:,} rounds;"
        f" {count_of(result.questions, 'question')}; mode {result.mode}, {result.limit} passages each"
    )
    print(f"Answered by {counted(result.engines)}; indexed in {result.index_s:.1f} s; meaning: {meaning_of(result)}")
    if result.meaning.error:
        print(f"Meaning: {line_of(result.meaning.error)}")
    print()
    print_scores(result.scores, paint)
    if result.floor is not None:
        print()
        print("Plain BM25 over rounds, for comparison")
        print_scores(result.floor, paint)
    if result.missing_sessions:
        print(f"\n{count_of(result.missing_sessions, 'session')} did not get into the index.")
    print()
    print(f"Text that must not come back: {count_of(len(result.leaks), 'time')}")
    for leak in result.leaks[:LEAKS_SHOWN]:
        print(f"  {leak.question}: {leak.kind}: {line_of(leak.phrase)}")
    print()
    print("\n".join(table(LEGEND)))


def print_scores(scores: Scores, paint: Paint) -> None:
    lines = table([HEADS, *(row(name, figures) for name, figures in scores.groups.items())], cut_last=False)
    print(paint.bold(lines[0]))
    print("\n".join(lines[1:]))
    latency = scores.latency
    print(f"A question took {latency.p50:.1f} ms (median), {latency.p95:.1f} ms (95 %), {latency.worst:.1f} ms at worst.")


def row(name: str, figures: Figures) -> Sequence[str]:
    shares = (
        figures.recall_1,
        figures.recall_5,
        figures.recall_10,
        figures.session_1,
        figures.session_5,
        figures.mrr,
        figures.found,
        figures.false_found,
        figures.precision,
    )
    return [line_of(name), str(figures.n), *("-" if share is None else f"{share:.3f}" for share in shares)]


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))


def meaning_of(result: Result) -> str:
    """The back end and its model, what it made, and how it took part in the answers."""
    meaning = result.meaning
    if meaning.backend == "off":
        return "off"
    missing = f", {meaning.missing:,} missing" if meaning.missing else ""
    return (
        f"{meaning.backend} {meaning.model}".rstrip()
        + f", {meaning.vectors:,} vectors{missing} in {result.embed_s:.1f} s, {counted(result.meanings)}"
    )
