"""The rules of the house, checked on the code as it stands: who imports whom, what is really loaded, how long a file is."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tray_app"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ("PySide6", "shiboken6", "duckdb", "numpy", "zstandard", "fastembed", "onnxruntime", "keyring")
LONGEST = 400


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def imported(file: Path) -> set[str]:
    """Top-level names of all packages a file imports, at its head or inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
        elif (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("import_module", "__import__")
        ):
            names.add(node.args[0].value)
    return {name.split(".")[0] for name in names}


def loaded_by(code: str) -> set[str]:
    """Which of the heavy packages a fresh interpreter has loaded after `code`."""
    listing = f"import sys\nprint(*sorted(set({HEAVY!r}) & {{name.split('.')[0] for name in sys.modules}}), file=sys.stderr)"
    wrapped = f"import atexit\ndef look():\n    {listing.replace(chr(10), chr(10) + '    ')}\natexit.register(look)\n{code}"
    answer = subprocess.run(
        [sys.executable, "-c", wrapped], capture_output=True, text=True, cwd=ROOT, env=os.environ, timeout=60
    )
    assert answer.stderr, answer
    return set(answer.stderr.splitlines()[-1].split())


def test_imports_run_one_way() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize("file", [file for file in MODULES if file.relative_to(PACKAGE).parts[0] != "ui"], ids=name_of)
def test_only_ui_knows_qt(file: Path) -> None:
    assert imported(file) & {"PySide6", "shiboken6"} == set()


@pytest.mark.parametrize("file", [file for file in MODULES if file.relative_to(PACKAGE).parts[0] != "library"], ids=name_of)
def test_only_library_knows_duckdb(file: Path) -> None:
    assert imported(file) & {"duckdb"} == set()


def test_imports_inside_functions_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "lazy.py"
    file.write_text(
        "def f():\n    from PySide6.QtCore import Qt\n    import importlib\n    importlib.import_module('duckdb.x')\n"
    )
    assert imported(file) == {"PySide6", "importlib", "duckdb"}


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_files_stay_readable(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_says_what_it_owns(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    assert not source.strip() or ast.get_docstring(ast.parse(source))


# --- what each way in really loads ---------------------------------------------------------------------------------------
def test_version_loads_nothing_heavy() -> None:
    assert loaded_by("from tray_app.cli.main import main\nmain(['--version'])") == set()


def test_help_loads_nothing_heavy() -> None:
    assert loaded_by("from tray_app.cli.main import main\nmain(['--help'])") == set()


@pytest.mark.parametrize(
    "module", ["searching", "reading", "reports", "controls", "remembering", "handing_over", "tending", "documents"]
)
def test_a_command_that_the_owner_answers_loads_no_engine(module: str) -> None:
    assert loaded_by(f"import tray_app.cli.{module}") == set()


def test_the_tray_looks_for_a_screen_and_an_owner_before_it_loads_qt() -> None:
    assert loaded_by("import tray_app.__main__, tray_app.ui.app") == set()


def test_sources_know_neither_the_database_nor_qt() -> None:
    assert loaded_by("import tray_app.sources.registry") <= {"zstandard"}


def test_engine_knows_no_qt() -> None:
    assert loaded_by("import tray_app.engine") & {"PySide6", "shiboken6", "fastembed", "onnxruntime"} == set()


def test_settings_paths_and_records_are_light() -> None:
    assert loaded_by("import tray_app.settings, tray_app.paths, tray_app.records, tray_app.demo") == set()
