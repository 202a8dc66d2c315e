"""Which programs work together here, and pairs of them that do not fit."""

from __future__ import annotations

import platform
import sys
from importlib import metadata

from tray_app import __version__
from tray_app.indexing.prepare import PIPELINE_VERSION
from tray_app.insight.findings import finding
from tray_app.library import versions
from tray_app.library.memory.schema import MEMORY_SCHEMA
from tray_app.library.migrations import SCHEMA
from tray_app.records import Finding

MCP = ((2, 3), (3, 0))
"""The first version of the SDK that will do, and the first that will not."""
LOSING = ((6, 12), (6, 13))
"""Versions of Qt for Python that lose a reference at every call under a Python before `KEEPING`, until the process aborts."""
KEEPING = (3, 12)


def findings(fts_reason: str = "") -> list[Finding]:
    """`fts_reason`: why the full-text extension did not load, '' if it did."""
    database, extension = versions.database(), versions.extension()
    qt, mcp = installed("PySide6-Essentials"), installed("mcp")
    return [*mismatches(database, extension if fts_reason else "", qt, mcp), _listed(database, extension, qt, mcp)]


def mismatches(
    database: str, extension: str, qt: str, mcp: str, python: tuple[int, ...] = tuple(sys.version_info[:2])
) -> list[Finding]:
    """`extension`: '' where it loads, or is not installed. The others are '' where they are not installed."""
    found = []
    if extension and extension != database:
        found.append(
            _unfit(
                "DuckDB",
                database,
                "full-text extension",
                extension,
                f"Install its pair: pip install {versions.EXTENSION}=={database}",
            )
        )
    if qt and python < KEEPING and LOSING[0] <= numbers(qt) < LOSING[1]:
        told = ".".join(map(str, python))
        found.append(
            _unfit(
                "Python",
                told,
                "Qt for Python",
                qt,
                "The window would end by itself. Install: pip install 'PySide6-Essentials<6.12'",
            )
        )
    if not mcp:
        found.append(
            finding(
                "mcp_missing", "info", "Agents cannot ask: the MCP SDK is not installed", "Hooks and the command line work without it.",
                "Install it: pip install 'mcp>=2.3,<3'",
            )
        )  # fmt: skip
    elif not MCP[0] <= numbers(mcp) < MCP[1]:
        found.append(_unfit("Backscroll", __version__, "MCP SDK", mcp, "Install: pip install 'mcp>=2.3,<3'"))
    return found


def _unfit(one: str, its: str, other: str, others: str, remedy: str) -> Finding:
    return finding(
        "unfit_pair", "warn", f"{one} {its} and {other} {others} do not fit", "What needs both of them does not work, or not for long.",
        remedy, one=f"{one} {its}", other=f"{other} {others}", remedy=remedy,
    )  # fmt: skip


def _listed(database: str, extension: str, qt: str, mcp: str) -> Finding:
    system = f"{platform.system()} {platform.release()}"
    parts = {
        "program": __version__, "python": platform.python_version(), "database": database, "extension": extension, "qt": qt, "mcp": mcp,
        "index": str(SCHEMA), "memory": str(MEMORY_SCHEMA), "rules": str(PIPELINE_VERSION), "system": system,
    }  # fmt: skip
    words = "Backscroll {program} · Python {python} · DuckDB {database} · full-text extension {extension} · Qt {qt} · MCP SDK {mcp} · "
    words += "index {index} · memory {memory} · text rules {rules} · {system}"
    listed = words.format(**{name: part or "none" for name, part in parts.items()})
    return finding("versions", "ok", "Versions", listed, **parts)


def installed(package: str) -> str:
    """Its version, '' where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    digits = ["".join(letter for letter in part if letter.isdigit()) for part in version.split(".")[:2]]
    return tuple(int(part or 0) for part in digits)
