"""Settings: types, ranges, the file with its comments, and files that are not as we left them."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.declared import DECLARED
from tray_app.errors import KnownError, UsageError
from tray_app.settings import BY_KEY, Settings, checked

PLAIN = st.text(st.characters(exclude_categories=["Cs"]))
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.text(), max_size=3), st.dates()
)


def test_what_is_declared_is_sound() -> None:
    assert len(BY_KEY) == len(DECLARED)
    for setting in DECLARED:
        assert checked(setting.key, setting.default) == setting.default
        assert setting.key.split(".")[0].isidentifier() and setting.label and setting.help.endswith(".")
        assert (setting.minimum is None) == (setting.maximum is None)


@pytest.mark.parametrize(
    ("key", "given_value", "kept"),
    [
        ("index.days", "90", 90),
        ("index.days", 90.0, 90),
        ("index.tools", "off", False),
        ("index.tools", "YES", True),
        ("privacy.excluded_workspaces", " /a , ,/b ", ["/a", "/b"]),
        ("sources.folders", ("codex=/x",), ["codex=/x"]),
        ("sources.bridges", "send:*pager*, receive:*pager*", ["send:*pager*", "receive:*pager*"]),
        ("search.found_share", "0.5", 0.5),
        ("search.found_share", 1, 1.0),
        ("general.hotkey", "", ""),
    ],
)
def test_values_are_read_as_their_type(key: str, given_value: Any, kept: Any) -> None:
    value = checked(key, given_value)
    assert (value, type(value)) == (kept, type(kept))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("index.days", -1),
        ("index.days", 3651),
        ("index.days", "many"),
        ("sources.bridges", ["*pager*"]),
        ("sources.bridges", ["send:two words"]),
        ("index.days", 1.5),
        ("index.days", True),
        ("index.days", float("inf")),
        ("index.days", float("nan")),
        ("search.found_share", float("nan")),
        ("index.tools", "perhaps"),
        ("index.tools", 1),
        ("general.theme", "pink"),
        ("sources.enabled", [1]),
        ("sources.folders", ["codex=/bad\udcff"]),
    ],
)
def test_what_cannot_be_meant_is_refused(key: str, value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        checked(key, value)
    assert caught.value.code == "setting_value"
    assert key in caught.value.message


def test_an_unknown_name_is_answered_with_a_near_one() -> None:
    with pytest.raises(UsageError) as caught:
        Settings().set("index.day", 3)
    assert (caught.value.code, caught.value.hint) == ("setting_unknown", "Did you mean index.days?")
    with pytest.raises(UsageError):
        Settings().unset("nothing.like_it")
    with pytest.raises(KeyError):
        Settings()["nothing.like_it"]


@given(st.sampled_from([setting.key for setting in DECLARED]), ANYTHING)
def test_anything_is_a_value_or_a_usage_error(key: str, value: Any) -> None:
    try:
        kept = checked(key, value)
    except UsageError:
        return
    assert type(kept) is BY_KEY[key].kind
    assert checked(key, kept) == kept


@given(st.lists(PLAIN, max_size=4))
def test_any_list_of_text_comes_back_from_the_file(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    file = tmp_path_factory.mktemp("settings") / "settings.toml"
    Settings(file).set("privacy.excluded_workspaces", texts)
    assert Settings(file)["privacy.excluded_workspaces"] == texts


def test_the_file_keeps_its_comments_and_unknown_keys(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('# mine\n[index]\ndays = 30  # a month\nfuture = "x"\n\n[later]\na = 1\n', "utf-8")
    settings = Settings(file)
    assert settings["index.days"] == 30
    assert len(settings.faults) == 2
    settings.set("index.days", 60)
    settings.set("search.limit", 20)
    text = file.read_text("utf-8")
    assert text.startswith("# mine\n[index]\ndays = 60 # a month\n") or "days = 60  # a month" in text
    assert tomllib.loads(text) == {"index": {"days": 60, "future": "x"}, "later": {"a": 1}, "search": {"limit": 20}}
    settings.unset("index.days")
    assert settings["index.days"] == 0
    assert not settings.is_set("index.days")
    assert "days" not in tomllib.loads(file.read_text("utf-8"))["index"]


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"[index\n",
        b"index = 3\n",
        b"[index]\ndays = inf\n",
        b"[index]\ndays = 'x'\n",
        b"[[index]]\ndays = 1\n",
        b"a.b.c = 1\n",
    ],
)
def test_any_file_gives_settings(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    settings = Settings(file)
    assert settings["index.days"] == 0
    assert len(settings.faults) == 1
    if content[:2] not in (b"\xff\xfe", b"[i") or b"]\n" in content:
        settings.set("index.days", 7)
        assert Settings(file)["index.days"] == 7
    else:  # what cannot be read is not overwritten
        with pytest.raises(KnownError) as caught:
            settings.set("index.days", 7)
        assert caught.value.code == "settings_unreadable"
        assert file.read_bytes() == content
        assert settings["index.days"] == 7


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xef\xbb\xbf[index]\r\ndays = 12\r\n")
    assert (Settings(file)["index.days"], Settings(file).faults) == (12, [])


def test_a_list_that_is_given_out_is_the_callers_own() -> None:
    settings = Settings()
    settings["privacy.excluded_paths"].append("everything")
    assert settings["privacy.excluded_paths"] == BY_KEY["privacy.excluded_paths"].default


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_the_file_is_for_this_user_only(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "config" / "settings.toml"
    Settings(file).set("index.days", 7)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["settings.toml"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be", "utf-8")
    settings = Settings()
    settings.file = tmp_path / "config" / "settings.toml"
    with pytest.raises(KnownError) as caught:
        settings.set("index.days", 7)
    assert caught.value.code in ("settings_unwritable", "settings_unreadable")
    assert settings["index.days"] == 7  # holds until the end
