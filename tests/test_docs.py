"""README and CHANGELOG say what the program does: commands, settings, variables, versions."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import tray_app
from tray_app.cli.commands import COMMANDS, parse
from tray_app.declared import DECLARED, Setting

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
LISTS = {"privacy.excluded_paths": "a list of key and credential files", "sources.bridges": "tools of common chats and of mail"}
VARIABLES = (
    *("BACKSCROLL_HOME", "BACKSCROLL_SOURCES_HOME", "BACKSCROLL_NOW", "BACKSCROLL_OFFLINE", "BACKSCROLL_VENV"),
    *("BACKSCROLL_MEANING_KEY", "BACKSCROLL_TOPICS_KEY"),
)


def row(setting: Setting) -> str:
    """A setting's line in the README's table."""
    if setting.kind is list:
        default = LISTS.get(setting.key, "empty")
    elif setting.kind is bool:
        default = "on" if setting.default else "off"
    else:
        default = f"`{setting.default}`" if setting.default != "" else "empty"
    if setting.choices:
        values = ", ".join(f"`{choice}`" for choice in setting.choices)
    elif setting.minimum is not None and setting.maximum is not None:
        values = f"{setting.minimum:,g} to {setting.maximum:,.12g}"
    else:
        values = {bool: "on, off", list: "a list", str: "text"}[setting.kind]
    return f"| `{setting.key}` | {default} | {values} | {setting.label}. {setting.help} |"


@pytest.mark.parametrize("setting", DECLARED, ids=lambda setting: setting.key)
def test_every_setting_is_documented_as_declared(setting: Setting) -> None:
    assert row(setting) in README.splitlines()


def test_no_setting_is_documented_that_is_gone() -> None:
    documented = re.findall(r"^\| `([a-z]+\.[a-z_]+)` \|", README, re.MULTILINE)
    assert documented == [setting.key for setting in DECLARED]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert re.search(rf"^backscroll {command}\b|^backscroll .*# .*(also|;).*\b{command}\b", README, re.MULTILINE)


def test_examples_in_the_readme_are_commands() -> None:
    examples = re.findall(r"^backscroll ([^\s#|][^#\n|]*?)(?: +#.*| \|.*)?$", README, re.MULTILINE)
    assert len(examples) >= len(COMMANDS) - 2
    for example in examples:
        name, *arguments = shlex.split(example)
        parse(name, arguments)


def test_the_keys_are_those_of_the_window(qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QWidget

    from tray_app.ui.keys_overlay import KeysOverlay

    window = QWidget()
    qtbot.addWidget(window)
    keys = KeysOverlay(window).keys()
    rows = [f"| {' '.join(f'<kbd>{cap}</kbd>' for cap in caps)} | {words} |" for caps, words in keys]
    assert [line for line in README.splitlines() if line.startswith("| <kbd>")] == rows


@pytest.mark.parametrize("variable", VARIABLES)
def test_every_variable_is_documented(variable: str) -> None:
    assert re.search(rf"^\| .*`{variable}`.* \|", README, re.MULTILINE)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert "://" in target or (ROOT / target).exists(), target


def test_versions_agree() -> None:
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
    assert newest and newest.group(1) == tray_app.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "tray_app/__init__.py"


def test_desktop_metadata_names_this_version() -> None:
    for file in (ROOT / "resources").rglob("*.metainfo.xml"):
        newest = re.search(r'<release [^>]*version="([^"]+)"', file.read_text(encoding="utf-8"))
        assert newest is None or newest.group(1) == tray_app.__version__
