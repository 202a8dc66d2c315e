"""Entries of ours in agents' configs: put in, taken out, told what they would be.

Owns the one place that writes below an agent's folder: only its configs, only on command, after a backup, whole or not at all.
Everything else in a file stays byte for byte as it was, or the file is refused with a sentence.
"""

from __future__ import annotations

from tray_app.agents.install.clients import CLIENTS, Client, Setup, snippet
from tray_app.agents.install.files import ConfigFault
from tray_app.agents.install.installing import Change, Plan, State, apply, client_of, plan, state

__all__ = [
    "CLIENTS",
    "Change",
    "Client",
    "ConfigFault",
    "Plan",
    "Setup",
    "State",
    "apply",
    "client_of",
    "plan",
    "snippet",
    "state",
]
