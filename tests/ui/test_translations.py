"""Chinese is complete: nothing unfinished, placeholders kept, and what is compiled is what stands in the .ts files."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from tray_app.paths import resource

ROOT = Path(__file__).parents[2]
FOLDER = resource("i18n")
TOOLS = Path(sys.executable).parent
PLACES = re.compile(r"\{\w+\}|%L?n")


def messages(language: str) -> Iterator[tuple[str, str, list[str], bool]]:
    """Context, source, translations, finished."""
    root = ElementTree.parse(FOLDER / f"backscroll_{language}.ts").getroot()
    for context in root.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            forms = [form.text or "" for form in translation.findall("numerusform")] or [translation.text or ""]
            finished = translation.get("type") is None and all(forms)
            yield context.findtext("name", ""), message.findtext("source", ""), forms, finished


@pytest.mark.parametrize("language", ["zh_CN", "en"])
def test_nothing_is_unfinished(language: str) -> None:
    assert [(context, source) for context, source, _forms, finished in messages(language) if not finished] == []


@pytest.mark.parametrize("language", ["zh_CN", "en"])
def test_placeholders_are_kept(language: str) -> None:
    for _context, source, forms, _finished in messages(language):
        for form in forms:
            assert sorted(PLACES.findall(form)) == sorted(PLACES.findall(source)), source


def test_chinese_is_written_as_chinese_is() -> None:
    for _context, source, (text, *_), _finished in messages("zh_CN"):
        assert not re.search(r"[\u4e00-\u9fff][,.?!:;](\s|$)", text), (source, "full-width punctuation in sentences")
        assert (
            not re.search(r"[\u4e00-\u9fff][A-Za-z0-9{]", text.replace("不在{time}", "").replace("含有{words}", ""))
            or "{" in text
        ), source
        assert "..." not in text


@pytest.mark.parametrize("language", ["zh_CN", "en"])
def test_compiled_files_are_up_to_date(language: str, tmp_path: Path) -> None:
    made = tmp_path / "made.qm"
    tool = TOOLS / "pyside6-lrelease"
    if not tool.exists():
        pytest.skip("pyside6-lrelease is not beside this interpreter")
    subprocess.run([str(tool), "-silent", str(FOLDER / f"backscroll_{language}.ts"), "-qm", str(made)], check=True)
    assert made.read_bytes() == (FOLDER / f"backscroll_{language}.qm").read_bytes()


def test_every_text_of_the_windows_is_in_the_file(tmp_path: Path) -> None:
    tool = TOOLS / "pyside6-lupdate"
    if not tool.exists():
        pytest.skip("pyside6-lupdate is not beside this interpreter")
    files = [str(path) for path in sorted((ROOT / "tray_app" / "ui").rglob("*.py"))]
    made = tmp_path / "made.ts"
    subprocess.run([str(tool), "-silent", "-no-obsolete", "-locations", "none", *files, "-ts", str(made)], check=True)
    root = ElementTree.parse(made).getroot()
    found = {
        (context.findtext("name"), message.findtext("source"))
        for context in root.iter("context")
        for message in context.iter("message")
    }
    kept = {(context, source) for context, source, _forms, _finished in messages("zh_CN")}
    assert found - kept == set()
    assert kept - found == set()
