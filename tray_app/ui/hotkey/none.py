"""The back end for systems where no global key can be had. Owns nothing; says why."""

from __future__ import annotations

from collections.abc import Callable

from tray_app.ui.hotkey.base import Outcome, Press, Sequence, Unsupported


class NoHotkey:
    def __init__(self, reason: str, detail: str = "", again: bool = False) -> None:
        self.outcome = Unsupported(reason, detail, again)

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        return self.outcome

    def close(self) -> None:
        """Nothing to let go of."""
