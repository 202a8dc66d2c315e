"""Every agent that can be read has its name in the windows and a mark, and the README says how sure we are of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from tray_app.sources.registry import ADAPTERS
from tray_app.ui import icons, wording

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|]+ \| `(\w+)` \| [^|]+ \| (recorded|fixtures|readers)\b", re.MULTILINE)

pytestmark = pytest.mark.usefixtures("app")


def test_agents_are_called_what_their_adapters_say() -> None:
    assert {agent: wording.agent_name(agent) for agent in ADAPTERS} == {
        agent: adapter.name for agent, adapter in ADAPTERS.items()
    }
    assert {*wording.AGENTS, "memory"} == set(ADAPTERS)


def test_an_unknown_agent_is_called_by_its_key_in_words() -> None:
    assert wording.agent_name("new_agent") == "New Agent"


@pytest.mark.parametrize("agent", list(ADAPTERS))
def test_every_agent_has_a_mark(agent: str) -> None:
    color = QColor("black")
    image = icons.agent_mark(agent, 32, color).toImage()
    assert image != icons.agent_mark("other", 32, color).toImage()
    alike = [other for other in ADAPTERS if icons.agent_mark(other, 32, color).toImage() == image]
    assert alike == ([agent] if agent not in ("codebuddy", "workbuddy") else ["workbuddy", "codebuddy"])


def test_the_readme_has_a_row_for_every_agent() -> None:
    assert ROW.findall(README) == [(agent, adapter.confidence) for agent, adapter in ADAPTERS.items()]
