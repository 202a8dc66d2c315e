"""Memory and hand-over in the running program: the part of `Engine` that front ends ask, and the work done after each round.

Owns which library's memory a call goes to, and when memory is tended by itself. What memory is, and what is handed over, is
`memory`'s and `handoff`'s.
"""

from __future__ import annotations

from tray_app.remembering.forgetting import Forgetting
from tray_app.remembering.handing import Handing
from tray_app.remembering.knowing import Knowing
from tray_app.remembering.tending import Tending


class Remembering(Knowing, Handing, Tending, Forgetting):
    """A part of `Engine`: all that is asked about memory and hand-over."""
