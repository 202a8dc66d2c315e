"""Names of record kinds that an adapter does not know: what tells that an agent's format has moved on.

Owns which names may be shown (they come out of files: only what looks like an identifier is a name) and how many are kept.
"""

from __future__ import annotations

import re

NAMES_KEPT = 40
"""Different kinds that are named for one file; further ones are counted together."""
NAMELESS = "?"
IDENTIFIER = re.compile(r"[A-Za-z0-9_./-]{1,48}")


class UnknownKinds(dict[str, int]):
    """How often each unknown kind was met in one reading. What has no name that can be shown counts as `?`."""

    def met(self, kind: object) -> None:
        name = kind if isinstance(kind, str) and IDENTIFIER.fullmatch(kind) else NAMELESS
        if name not in self and len(self) >= NAMES_KEPT:
            name = NAMELESS
        self[name] = self.get(name, 0) + 1

    def total(self) -> int:
        return sum(self.values())
