"""Which settings a change of the back end keeps, in which order, and what it makes anew."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.settings import Settings
from tray_app.ui import meaning_change

CLOUD = {"backend": "openai", "model": "BAAI/bge-m3", "url": "https://a.example/v1", "dims": 0}
BUILTIN = {"backend": "builtin", "model": "", "url": "", "dims": 0}
VALUES = st.fixed_dictionaries(
    {
        "backend": st.sampled_from(list(meaning_change.USED)),
        "model": st.sampled_from(["", "m", "n"]),
        "url": st.sampled_from(["", "https://a.example/v1", "http://b.example/v1"]),
        "dims": st.sampled_from([0, 512]),
    }
)


def test_a_service_is_filled_in_while_meaning_is_off() -> None:
    assert meaning_change.steps(BUILTIN, CLOUD) == [
        ("meaning.backend", "off"),
        ("meaning.model", "BAAI/bge-m3"),
        ("meaning.url", "https://a.example/v1"),
        ("meaning.backend", "openai"),
    ]


def test_one_setting_alone_is_changed_at_once() -> None:
    assert meaning_change.steps(CLOUD, {**CLOUD, "model": "x"}) == [("meaning.model", "x")]
    assert meaning_change.steps(CLOUD, {**CLOUD, "backend": "builtin"}) == [("meaning.backend", "builtin")]
    assert meaning_change.steps(CLOUD, {**CLOUD, "backend": "off"}) == [("meaning.backend", "off")]


@pytest.mark.parametrize(
    ("kept", "wanted", "another", "remade"),
    [
        (CLOUD, CLOUD, False, False),
        (CLOUD, {**CLOUD, "url": "https://b.example/v1"}, True, False),
        (CLOUD, {**CLOUD, "dims": 512}, True, True),
        (CLOUD, {**CLOUD, "backend": "off"}, True, False),
        (BUILTIN, {**BUILTIN, "model": "of another back end"}, False, False),
    ],
)
def test_what_is_made_anew(kept: dict[str, Any], wanted: dict[str, Any], another: bool, remade: bool) -> None:
    assert (meaning_change.is_another(kept, wanted), meaning_change.is_remade(kept, wanted)) == (another, remade)


@given(kept=VALUES, wanted=VALUES)
def test_the_steps_lead_there_and_never_over_a_mixture(kept: dict[str, Any], wanted: dict[str, Any]) -> None:
    settings = Settings()
    for key, value in kept.items():
        settings.set(f"meaning.{key}", value)
    used = meaning_change.USED[wanted["backend"]]
    for name, value in meaning_change.steps(kept, wanted):
        settings.set(name, value)
        now = meaning_change.of_config(settings.as_dict())
        assert now["backend"] == "off" or not meaning_change.is_another(now, kept) or not meaning_change.is_another(now, wanted)
    assert {key: settings[f"meaning.{key}"] for key in ("backend", *used)} == {key: wanted[key] for key in ("backend", *used)}
