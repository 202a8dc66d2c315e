"""What front ends ask about sessions that are never to come back, in the index and in memory alike."""

from __future__ import annotations

from tray_app.memory.archiving import forget
from tray_app.recall.sessions import one_session
from tray_app.records import ForgottenView
from tray_app.remembering.reach import Reach


class Forgetting(Reach):
    """A part of `Engine`. Owns no state."""

    def forget_session(
        self, session: str, agent: str | None = None, space: str | None = None, caller: str | None = None
    ) -> ForgottenView:
        with self._using():
            with self._reading(self._asked(space, caller)) as reader:
                row = one_session(reader, session, agent)
            for mind in self._minds(removed=True):
                forget(mind.store, row.agent, row.native)
            return self.keeping.forget(row)

    def forgotten(self) -> list[ForgottenView]:
        return self.keeping.forgotten()

    def unforget(self, session: str, agent: str | None = None) -> list[ForgottenView]:
        with self._using():
            return self.keeping.unforget(session, agent)
