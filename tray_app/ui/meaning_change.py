"""What a change of the back end for meaning consists of: which settings are kept in which order, and what it means.

Pure: no widget, nothing is kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS = ("backend", "model", "url", "dims")
USED = {
    "off": (),
    "builtin": (),
    "fastembed": ("model",),
    "ollama": ("model", "url", "dims"),
    "openai": ("model", "url", "dims"),
}
"""Which of the settings a back end looks at."""


def of_config(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of meaning without their group."""
    return {key: values[f"meaning.{key}"] for key in KEYS}


def is_another(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether something that is looked at is different."""
    return kept["backend"] != wanted["backend"] or any(kept[key] != wanted[key] for key in USED[str(wanted["backend"])])


def is_remade(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether all vectors are made anew: another address alone does not change what a model says."""
    if wanted["backend"] == "off":
        return False
    if kept["backend"] != wanted["backend"]:
        return True
    return any(kept[key] != wanted[key] for key in USED[str(wanted["backend"])] if key != "url")


def steps(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Settings to keep, in order. Each is in force at once, so that meaning is off while more than one of them changes:
    no model is looked for at another's address, and nothing is sent to a half-written one."""
    changed = [(f"meaning.{key}", wanted[key]) for key in USED[str(wanted["backend"])] if kept[key] != wanted[key]]
    turned = kept["backend"] != wanted["backend"]
    off = kept["backend"] != "off" and bool(changed) and (turned or len(changed) > 1)
    first = [("meaning.backend", "off")] if off else []
    last = [("meaning.backend", wanted["backend"])] if turned or off else []
    return [*first, *changed, *last]
