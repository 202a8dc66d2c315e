"""The versions that are told, and pairs of them that do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tray_app import __version__
from tray_app.insight import versions
from tray_app.library import versions as library
from tray_app.library.connection import open_index

FINE = {"database": "1.5.5", "extension": "", "qt": "6.11.3", "mcp": "2.3.0"}


def codes(*, python: tuple[int, ...] = (3, 12), **given: str) -> list[tuple[str, str]]:
    return [(one.code, one.severity) for one in versions.mismatches(**{**FINE, **given}, python=python)]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, []),
        ({"extension": "1.5.5"}, []),
        ({"extension": "1.5.4"}, [("unfit_pair", "warn")]),
        ({"qt": ""}, []),
        ({"qt": "6.12.0"}, []),
        ({"mcp": ""}, [("mcp_missing", "info")]),
        ({"mcp": "2.2.9"}, [("unfit_pair", "warn")]),
        ({"mcp": "3.0"}, [("unfit_pair", "warn")]),
        ({"mcp": "2.10.0rc1"}, []),
    ],
)
def test_pairs(given: dict[str, str], found: list[tuple[str, str]]) -> None:
    assert codes(**given) == found


def test_a_qt_that_loses_references_before_python_3_12() -> None:
    assert codes(qt="6.12.0", python=(3, 11)) == [("unfit_pair", "warn")]
    assert codes(qt="6.11.3", python=(3, 11)) == codes(qt="6.12.1", python=(3, 13)) == []


def test_the_extension_for_another_database_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is when only one of the pair was updated: the packaged file lies under another version, and does not load."""
    monkeypatch.setattr("duckdb.__version__", "1.5.99")
    opened = open_index(tmp_path / "index.duckdb")
    try:
        one, _ = versions.findings(opened.fts_reason)
    finally:
        opened.close()
    assert (one.code, one.params["one"]) == ("unfit_pair", "DuckDB 1.5.99")
    assert one.remedy == "Install its pair: pip install duckdb-extension-fts==1.5.99"


def test_all_versions_are_told() -> None:
    told = versions.findings()[-1]
    assert (told.code, told.severity) == ("versions", "ok")
    assert told.detail.startswith(f"Backscroll {__version__} · Python 3.")
    assert f"DuckDB {library.database()}" in told.detail and "Qt " in told.detail
