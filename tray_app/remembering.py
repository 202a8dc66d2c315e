"""What front ends ask of the engine about memory and hand-over.

Owns no state: the part of `Engine` that passes these on.
"""

from __future__ import annotations
