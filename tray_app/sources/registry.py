"""Every agent that can be read, by its key.

Owns the list and its order (as the sources are shown). An adapter's module is loaded when it is first asked for, so that
the command line can name agents without loading what reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tray_app.errors import UsageError
from tray_app.sources.base import Adapter


def _dsh() -> Adapter:
    from tray_app.sources.dsh import DshAdapter

    return DshAdapter()


def _claude_code() -> Adapter:
    from tray_app.sources.claude_code import ClaudeCodeAdapter

    return ClaudeCodeAdapter()


def _codex() -> Adapter:
    from tray_app.sources.codex import CodexAdapter

    return CodexAdapter()


def _gemini_cli() -> Adapter:
    from tray_app.sources.gemini import GeminiCliAdapter

    return GeminiCliAdapter()


def _qwen() -> Adapter:
    from tray_app.sources.qwen import QwenAdapter

    return QwenAdapter()


def _pi() -> Adapter:
    from tray_app.sources.pi import PiAdapter

    return PiAdapter()


def _copilot_cli() -> Adapter:
    from tray_app.sources.copilot import CopilotCliAdapter

    return CopilotCliAdapter()


def _zcode() -> Adapter:
    from tray_app.sources.zcode import ZCodeAdapter

    return ZCodeAdapter()


def _opencode() -> Adapter:
    from tray_app.sources.opencode import OpenCodeAdapter

    return OpenCodeAdapter()


def _cursor() -> Adapter:
    from tray_app.sources.cursor import CursorAdapter

    return CursorAdapter()


def _cline() -> Adapter:
    from tray_app.sources.cline import ClineAdapter

    return ClineAdapter()


def _aider() -> Adapter:
    from tray_app.sources.aider import AiderAdapter

    return AiderAdapter()


def _workbuddy() -> Adapter:
    from tray_app.sources.codebuddy import WORKBUDDY

    return WORKBUDDY


def _codebuddy() -> Adapter:
    from tray_app.sources.codebuddy import CODEBUDDY

    return CODEBUDDY


def _kimi() -> Adapter:
    from tray_app.sources.kimi import KimiAdapter

    return KimiAdapter()


def _memory() -> Adapter:
    from tray_app.sources.memory_files import MemoryFilesAdapter

    return MemoryFilesAdapter()


class Adapters(Mapping[str, Adapter]):
    """Adapters by agent, each made once, when it is first asked for. Names and length cost nothing."""

    def __init__(self, makers: Mapping[str, Callable[[], Adapter]]) -> None:
        self._makers = makers
        self._made: dict[str, Adapter] = {}

    def __getitem__(self, agent: str) -> Adapter:
        made = self._made.get(agent)
        if made is None:
            made = self._made.setdefault(agent, self._makers[agent]())
        return made

    def __contains__(self, agent: object) -> bool:
        return agent in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


ADAPTERS: Mapping[str, Adapter] = Adapters(
    {
        "dsh": _dsh,
        "claude_code": _claude_code,
        "codex": _codex,
        "gemini_cli": _gemini_cli,
        "qwen": _qwen,
        "pi": _pi,
        "copilot_cli": _copilot_cli,
        "zcode": _zcode,
        "opencode": _opencode,
        "cursor": _cursor,
        "cline": _cline,
        "aider": _aider,
        "workbuddy": _workbuddy,
        "codebuddy": _codebuddy,
        "kimi": _kimi,
        "memory": _memory,
    }
)


def adapter(agent: str) -> Adapter:
    """The adapter of an agent. Raises UsageError for a name that is none."""
    if agent not in ADAPTERS:
        known = ", ".join(ADAPTERS)
        raise UsageError("agent_unknown", "No such agent", f"There is no agent {agent!r}.", f"Known are {known}.")
    return ADAPTERS[agent]
