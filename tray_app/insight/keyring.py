"""What the check-up says of the system's keyring. Asks it within a limit, reads no key, and has nobody asked to unlock it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tray_app.desktop import keys
from tray_app.insight.findings import finding
from tray_app.records import Departure, Finding
from tray_app.settings import Settings

SECONDS = 3.0
BACK_ENDS = {"meaning": "meaning.backend", "topics": "topics.maker"}
"""The settings that say which service is used for what leaves the machine."""
CODES = {"none": "keyring_none", "plain": "keyring_plain", "silent": "keyring_silent", "refused": "keyring_refused"}


def needing(leaves: Sequence[Departure], settings: Settings) -> tuple[Departure, ...]:
    """Those to services that take a key. An Ollama on another machine is asked without one."""
    return tuple(one for one in leaves if settings[BACK_ENDS[one.what]] != "ollama")


def findings(
    leaves: tuple[Departure, ...], seconds: float = SECONDS, environ: Mapping[str, str] | None = None
) -> list[Finding]:
    """A warning where a service is used whose key would be kept there; else it is good to know. `leaves`: what goes to such."""
    fault = keys.why_unusable(seconds)
    if fault is None:
        return [
            finding(
                "keyring_works", "ok", "The system's keyring is there", "Keys of services are kept in it, and nowhere else."
            )
        ]
    given = os.environ if environ is None else environ
    lacking = [one.host for one in leaves if not given.get(keys.VARIABLES[one.what], "").strip()]
    use = f"The key for {lacking[0]} cannot be kept." if lacking else "No service that needs a key from it is in use."
    return [
        finding(
            CODES[fault.state], "warn" if lacking else "info", fault.message.rstrip("."), use, fault.hint,
            host=lacking[0] if lacking else "", reason=fault.message,
        )
    ]  # fmt: skip
