"""The set-up script: the right Python, a whole environment or none, and sentences that say what to do."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "installer" / "run.py"
posix = pytest.mark.skipif(os.name == "nt", reason="stands in for programs with shell scripts")


@pytest.fixture
def run() -> ModuleType:
    spec = importlib.util.spec_from_file_location("installer_run", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    file.chmod(0o755)


# --- a Python that fits --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("version", "fits"), [((3, 8), False), ((3, 10), False), ((3, 11), True), ((3, 13), True), ((3, 14), False), ((), False)]
)
def test_versions(run: ModuleType, version: tuple[int, ...], fits: bool) -> None:
    assert run.is_wanted(version) is fits


@posix
def test_a_name_that_does_not_start_is_passed_over(run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "python3.13", "echo 'no such version' >&2; exit 127")
    program(tmp_path, "python3.12", "echo 3 12")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run.find_python() == ["python3.12"]


@posix
def test_an_old_python_hands_over_with_all_arguments(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program(tmp_path, "python3.11", 'if [ "$1" = -c ]; then echo 3 11; else shift; echo "with: $*"; exit 7; fi')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("BACKSCROLL_VENV", str(tmp_path / "none"))
    monkeypatch.setattr(run.sys, "version_info", (3, 8, 18, "final", 0))
    assert run.main(["test", "-k", "a b"]) == 7
    out, err = capfd.readouterr()
    assert out == "with: test -k a b\n"
    assert err == "This is Python 3.8; going on with python3.11.\n"


def test_no_python_that_fits(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("BACKSCROLL_VENV", str(tmp_path / "none"))
    monkeypatch.setattr(run.sys, "version_info", (3, 14, 0, "final", 0))
    assert run.main([]) == 3
    text = capsys.readouterr().err
    assert text.startswith("Backscroll needs Python 3.11, 3.12 or 3.13; this is Python 3.14, and no other was found.\n")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("platform", "words"),
    [("win32", "py -3.13 installer\\run.py"), ("darwin", "brew install python@3.13"), ("linux", "apt-get install python3")],
)
def test_the_remedy_is_that_of_the_system(run: ModuleType, platform: str, words: str) -> None:
    assert words in run.missing_python("3.9", platform)


# --- where it goes -------------------------------------------------------------------------------------------------------
def test_the_folder_can_be_named(run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BACKSCROLL_VENV", str(tmp_path / "with space"))
    assert run.venv_folder() == tmp_path / "with space"


def test_a_checkout_that_cannot_be_written(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, isolated: Path
) -> None:
    monkeypatch.delenv("BACKSCROLL_VENV", raising=False)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    assert run.venv_folder() == tmp_path / ".venv"
    monkeypatch.setattr(run, "is_writable", lambda folder: False)
    folder = run.venv_folder()
    assert folder.is_relative_to(isolated / ".cache" / "backscroll-checkout")
    monkeypatch.setattr(run, "ROOT", tmp_path / "other")
    assert run.venv_folder() != folder


def test_writable_is_tried(run: ModuleType, tmp_path: Path) -> None:
    assert run.is_writable(tmp_path) is True
    assert list(tmp_path.iterdir()) == []
    assert run.is_writable(tmp_path / "missing") is False


# --- the environment -----------------------------------------------------------------------------------------------------
def test_a_real_environment_and_what_breaks_it(run: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a b" / "venv"
    environment = run.Environment(folder)
    assert environment.state() == "missing"
    environment.make()
    assert environment.state() == "ready"
    assert str(folder) in capsys.readouterr().err

    (folder / run.STAMP).write_text(json.dumps({"folder": str(folder)}), encoding="utf-8")
    assert environment.state() == "ready"
    moved = run.Environment(tmp_path / "moved")
    folder.rename(moved.folder)
    assert moved.state() == "moved"


@posix
def test_half_an_environment_is_made_again(run: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /nowhere\n", encoding="utf-8")
    (folder / "bin" / "python").symlink_to("/nowhere/python3")
    environment = run.Environment(folder)
    assert environment.state() == "missing"  # a link that leads nowhere
    environment.make()
    assert environment.state() == "ready"


def test_an_environment_without_pip_is_completed(run: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=60)
    (folder / "kept.txt").write_text("mine", encoding="utf-8")
    environment = run.Environment(folder)
    assert environment.state() == "no_pip"
    environment.prepare()
    assert environment.state() == "ready"
    assert (folder / "kept.txt").exists()


@posix
@pytest.mark.parametrize(
    ("body", "state"),
    [("echo 3 10 True", "misfit"), ("echo 3 12 True", "ready"), ("exit 1", "broken"), ("echo what", "broken")],
)
def test_what_its_python_says(run: ModuleType, tmp_path: Path, body: str, state: str) -> None:
    (tmp_path / "venv").mkdir()
    program(tmp_path / "venv" / "bin", "python", body)
    assert run.Environment(tmp_path / "venv").state() == state


@posix
def test_an_environment_of_another_python_is_left_alone(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "venv").mkdir()
    program(tmp_path / "venv" / "bin", "python", "echo 3 10 True")
    monkeypatch.setenv("BACKSCROLL_VENV", str(tmp_path / "venv"))
    assert run.main([]) == 3
    assert "belongs to another Python" in capsys.readouterr().err
    assert (tmp_path / "venv" / "bin" / "python").exists()


def test_a_folder_of_the_persons_is_left_alone(run: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(run.SetupError, match="is no virtual environment"):
        run.Environment(folder).make()
    assert (folder / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_debian_without_venv(run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(run.sys, "platform", "linux")
    monkeypatch.setattr(run, "is_system_python", lambda: True)
    with pytest.raises(run.SetupError, match=r"apt-get install -y python3-venv"):
        run.Environment(tmp_path / "venv").make()


class FakePip:
    """Stands in for `Environment.pip`: keeps the commands, fails when told to."""

    def __init__(self, run: ModuleType, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.targets: list[str] = []
        self.fault: Exception | None = None
        self.environment = run.Environment(folder)
        self.environment.pip = self.pip

    def pip(self, command: list[str]) -> None:
        self.targets.append(command[-1])
        if self.fault:
            raise self.fault


def test_installed_once_for_a_project_file(run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "my checkout"
    root.mkdir()
    (root / "pyproject.toml").write_text("one", encoding="utf-8")
    monkeypatch.setattr(run, "ROOT", root)
    fake = FakePip(run, tmp_path / "venv")
    fake.environment.install([])
    fake.environment.install([])
    assert fake.targets == [str(root)]
    fake.environment.install(["test"])
    fake.environment.install([])
    fake.environment.install(["test"])
    assert fake.targets == [str(root), f"{root}[test]"]
    (root / "pyproject.toml").write_text("two", encoding="utf-8")
    fake.environment.install([])
    assert fake.targets[2:] == [f"{root}[test]"]


def test_an_interrupted_install_is_begun_again(run: ModuleType, tmp_path: Path) -> None:
    fake = FakePip(run, tmp_path / "venv")
    fake.fault = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        fake.environment.install([])
    fake.fault = None
    fake.environment.install([])
    assert len(fake.targets) == 2
    assert [file.name for file in fake.environment.folder.iterdir()] == [run.STAMP]


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"project": 1}'])
def test_a_damaged_stamp_counts_as_none(run: ModuleType, tmp_path: Path, content: str) -> None:
    fake = FakePip(run, tmp_path / "venv")
    (fake.environment.folder / run.STAMP).write_text(content, encoding="utf-8")
    fake.environment.install([])
    assert len(fake.targets) == 1


@posix
def test_pip_is_heard_and_its_fault_is_told(run: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(tmp_path, "pip", "echo '  Downloading duckdb-1.5.5-cp311-manylinux.whl (21.4 MB)'; echo 'ERROR: broken'; exit 1")
    with pytest.raises(run.SetupError, match=r"Its last words:\n.*\nERROR: broken"):
        run.Environment(tmp_path / "venv").pip([str(tmp_path / "pip")])
    assert capsys.readouterr().err == "  duckdb (21.4 MB)\n"


@pytest.mark.parametrize(
    ("line", "note"),
    [
        (
            "Downloading pyside6_essentials-6.11.3-cp310-abi3-manylinux_2_34_x86_64.whl (84.2 MB)",
            "pyside6_essentials (84.2 MB)",
        ),
        ("  Using cached numpy-2.1.0-cp311-cp311-manylinux.whl (16 MB)", "numpy (16 MB)"),
        ("Installing collected packages: a, b, c", "unpacking 3 packages"),
        ("Collecting msgspec>=0.19", ""),
        ("", ""),
    ],
)
def test_progress(run: ModuleType, line: str, note: str) -> None:
    assert run.progress_note(line) == note


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["WARNING: Retrying after connection broken by 'NewConnectionError('x')'", "ERROR: No matching"], "no connection"),
        (["ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"], "The disk is full"),
        (["error: metadata-generation-failed"], "metadata-generation-failed"),
    ],
)
def test_why_pip_gave_up(run: ModuleType, lines: list[str], words: str) -> None:
    assert words in run.pip_fault(lines)


# --- running -------------------------------------------------------------------------------------------------------------
@pytest.fixture
def ready(run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Any, ...]]:
    """An environment that is set up already; what would be run is kept instead."""
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setenv("BACKSCROLL_VENV", str(tmp_path / "venv"))
    monkeypatch.setattr(run.Environment, "state", lambda self: "ready")
    monkeypatch.setattr(run.Environment, "install", lambda self, extras: calls.append(("install", extras)))
    monkeypatch.setattr(run.Environment, "display_problem", lambda self, settings: "")
    monkeypatch.setattr(run, "become", lambda command, settings: calls.append((command, settings)) or 0)
    monkeypatch.chdir(tmp_path)
    return calls


def test_the_program_gets_the_arguments(run: ModuleType, ready: list[tuple[Any, ...]], tmp_path: Path) -> None:
    assert run.main(["search", "--json", "a b"]) == 0
    assert ready[0] == ("install", ["mcp"])
    command, _ = ready[1]
    assert Path(command[0]).stem == "backscroll" and command[1:] == ["search", "--json", "a b"]


def test_the_tests_run_offscreen_and_repeatably(
    run: ModuleType, ready: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("HYPOTHESIS_PROFILE", raising=False)
    assert run.main(["test", "-k", "demo"]) == 0
    assert ready[0] == ("install", ["test"])
    command, settings = ready[1]
    assert command[1:] == ["-m", "pytest", "-q", "-k", "demo"]
    assert (settings["QT_QPA_PLATFORM"], settings["HYPOTHESIS_PROFILE"]) == ("offscreen", "ci")


def test_a_library_that_qt_lacks_is_named(
    run: ModuleType, ready: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "Qt cannot open a window because this system lacks libEGL.so.1.\n  sudo apt-get install libegl1"
    monkeypatch.setattr(run.Environment, "display_problem", lambda self, settings: words)
    assert run.main(["test"]) == 3
    assert words in capsys.readouterr().err
    assert ready == [("install", ["test"])]


def test_what_qt_lacks_is_asked_of_the_program(run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment = run.Environment(tmp_path)
    monkeypatch.setattr(run.Environment, "python", Path(sys.executable))
    settings = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    text = environment.display_problem(settings)
    assert ("no screen here" in text) is sys.platform.startswith("linux")


@posix
def test_the_program_takes_this_ones_place(run: ModuleType, tmp_path: Path) -> None:
    program(tmp_path, "target", 'echo "$1/$MARK"; exit 5')
    code = "import runpy; m = runpy.run_path({!r}); m['become']([{!r}, 'x y'], {{'MARK': 'm'}})".format(
        str(SCRIPT), str(tmp_path / "target")
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stdout) == (5, "x y/m\n")


def test_only_what_an_old_python_reads() -> None:
    import ast

    tree = ast.parse(SCRIPT.read_bytes(), feature_version=(3, 8))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Match)]
    names = {name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    names |= {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert names <= set(sys.stdlib_module_names)
