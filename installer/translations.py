"""Collect the windows' texts into resources/i18n/*.ts and compile them.

Run it after a text was added or changed (`python installer/translations.py`), fill in what is unfinished in
backscroll_zh_CN.ts, and run it again. English has a file of its own for plurals only.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"


def tool(name: str) -> str:
    """A program of PySide6 beside the interpreter that runs this, else the one on the path."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        raise SystemExit(f"{name} was not found: install PySide6 in this environment.")
    return found


def sources() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tray_app" / "ui").rglob("*.py"))]


def collect() -> None:
    """Bring the .ts files up to date with the source."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language, options in (("zh_CN", []), ("en", ["-pluralonly"])):
        target = FOLDER / f"backscroll_{language}.ts"
        command = [tool("pyside6-lupdate"), "-silent", "-no-obsolete", "-locations", "none", *options, *sources()]
        subprocess.run(
            [*command, "-ts", str(target), "-target-language", language, "-source-language", "en"], cwd=ROOT, check=True
        )


def compile_all() -> None:
    """Make the .qm files that the program loads."""
    for file in sorted(FOLDER.glob("*.ts")):
        subprocess.run([tool("pyside6-lrelease"), "-silent", str(file), "-qm", str(file.with_suffix(".qm"))], check=True)


if __name__ == "__main__":
    collect()
    compile_all()
