"""What is copied: plain text alone, byte for byte, with LF, its citation, and nothing that could be taken for orders."""

from __future__ import annotations

import pytest
import samples
from PySide6.QtWidgets import QApplication

from tray_app.ui import clipboard

TEXT = "def f():\n\treturn '中文'  \n\n🚀 trailing  "


def test_only_plain_text_byte_for_byte(app: QApplication) -> None:
    assert clipboard.put(TEXT)
    data = app.clipboard().mimeData()
    assert {form.split(";")[0] for form in data.formats()} == {"text/plain"}
    assert app.clipboard().text() == TEXT
    assert bytes(data.data("text/plain;charset=utf-8").data()) == TEXT.encode()


def test_line_ends_become_lf_and_nul_goes(app: QApplication) -> None:
    assert clipboard.put("a\r\nb\rc\0d")
    assert app.clipboard().text() == "a\nb\ncd"


def test_too_much_is_refused(app: QApplication) -> None:
    clipboard.put("before")
    assert not clipboard.put("x" * (clipboard.LARGEST + 1))
    assert app.clipboard().text() == "before"


def test_five_megabytes_fit(app: QApplication) -> None:
    assert clipboard.put("中" * 5_000_000)


@pytest.mark.usefixtures("app")
def test_a_citation_says_where_from_and_how_to_go_on() -> None:
    assert clipboard.citation("claude_code", "tide-api", "2026-11-25", "Upload\nworker", "claude --resume s") == (
        "— Claude Code · tide-api · 2026-11-25 · “Upload worker”\n  claude --resume s"
    )
    assert clipboard.citation("codex", "", "2026-11-25", " ", "") == "— Codex · 2026-11-25"


def test_a_quotation_marks_every_line() -> None:
    assert clipboard.for_chat("one\n\ntwo", "— X") == "> one\n>\n> two\n\n— X\n"


@pytest.mark.usefixtures("app")
def test_a_session_as_markdown() -> None:
    view = samples.StaticBackend().show("s-upload", first=16, limit=5)
    text = clipboard.session_markdown(view)
    assert text.startswith("# Upload worker drops the last part\n\n- Agent: Claude Code\n- Project: tide-api\n")
    assert "- Resume: `cd /home/lin/tide-api && claude --resume s-upload`" in text
    assert "## You · 2026-11-25T16:26:00Z\n\nPart 7 fails with a 409" in text
    assert '## Tool call · bash · 2026-11-25T16:27:00Z\n\n```\ngrep -n "retry" src/upload.py\n```' in text
    assert text.endswith("```\n")
