"""Projects that were moved: shown, filtered and resumed where they are now, without anything being read again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from data.claude_files import START, Chat, make_id, write
from hypothesis import given
from hypothesis import strategies as st

from tray_app.engine import Engine
from tray_app.errors import UsageError
from tray_app.moved import Moved
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.settings import Settings

NOW = (START + timedelta(days=3)).isoformat()
OLD = "/home/kim/old/shop"


@pytest.mark.parametrize(
    ("rules", "folder", "real"),
    [
        (["/a/shop=/b/store"], "/a/shop", "/b/store"),
        (["/a/shop=/b/store"], "/a/shop/", "/b/store"),
        (["/a/shop/=/b/store/"], "/a/shop/src/x", "/b/store/src/x"),
        (["/a/sho=/b/store"], "/a/shop", "/a/shop"),
        (["/a/shop=/b/store"], "/a/shopping", "/a/shopping"),
        (["/a=/z", "/a/shop=/b/store"], "/a/shop/src", "/b/store/src"),
        (["/a=/z", "/a/shop=/b/store"], "/a/other", "/z/other"),
        (["/a/one=/a/two", "/a/two=/a/three"], "/a/one/x", "/a/three/x"),
        (["/a/one=/a/two", "/a/two=/a/one"], "/a/one", "/a/one"),
        (["/a=/a/inner"], "/a/x", "/a/inner/x"),
        ([r"C:\Code\App=D:\Work\App"], r"c:\code\app\Src", r"D:\Work\App\Src"),
        ([r"C:\Code\App=D:\Work\App"], "C:/Code/App/src", r"D:\Work\App\src"),
        ([r"C:\Code\App=D:\Work\App"], r"C:\Code\Apple", r"C:\Code\Apple"),
        ([r"C:\Code\App=/home/kim/app"], r"C:\Code\App\a\b", "/home/kim/app/a/b"),
        (["/mnt/c/app=C:/app"], "/mnt/c/app/src", "C:/app/src"),
        ([r"\\server\share\app=D:\app"], r"\\server\share\app\x", r"D:\app\x"),
        (["/a/k=v=/b/k=v"], "/a/k=v/src", "/b/k=v/src"),
        (["/项目/旧=/项目/新"], "/项目/旧/代码", "/项目/新/代码"),
        (["no rule", "=/b", "/a="], "/a", "/a"),
        (["/=/chroot"], "/srv/x", "/chroot/srv/x"),
        (["/a=/b"], "", ""),
    ],
)
def test_where_a_folder_is_now(rules: list[str], folder: str, real: str) -> None:
    assert Moved(tuple(rules)).real(folder) == real


def test_the_home_folder_may_be_written_short(isolated: Path) -> None:
    assert Moved(("~/old=~/new",)).real(str(isolated / "old" / "x")) == str(isolated / "new" / "x")


@given(st.lists(st.text("ab/\\:=~", max_size=8), max_size=5), st.text("ab/\\:~", max_size=12))
def test_any_rules_end_and_only_move_what_lies_inside(rules: list[str], folder: str) -> None:
    moved = Moved(tuple(f"/{rule}=/{rule[::-1]}" for rule in rules))
    real = moved.real(folder)
    assert isinstance(real, str)
    assert Moved().real(folder) == folder


# --- on a library ----------------------------------------------------------------------------------------------------------------
@pytest.fixture
def engine(isolated: Path) -> Iterator[Engine]:
    for label, cwd, said in (
        ("top", OLD, "The heron stands in the pond."),
        ("below", f"{OLD}/worker", "The heron flies up."),
        ("beside", f"{OLD}-two", "The heron is elsewhere."),
    ):
        chat = Chat(label, cwd=cwd)
        write(isolated / ".claude" / "projects" / "-x" / f"{make_id(label)}.jsonl", [chat.user(said), chat.answer("Noted.")])
    paths = Paths.from_environment()
    made = Engine(paths, Settings(paths.settings_file))
    made.settings.set("meaning.backend", "off")
    made.index(all_sources=True)
    yield made
    made.close()


def shown(engine: Engine, query: str) -> dict[str, tuple[str, str, str]]:
    answer = engine.search(SearchRequest(query=query, now=NOW))
    return {one.session: (one.workspace, one.project, one.resume_command) for one in answer.sessions}


def test_answers_views_and_lists_name_the_new_folder(engine: Engine, tmp_path: Path) -> None:
    new = tmp_path / "store"
    (new / "worker").mkdir(parents=True)
    assert engine.show(make_id("top")).cwd_exists is False
    engine.set_config("projects.moved", [f"{OLD}={new}"])
    found = shown(engine, "heron")
    assert found[make_id("top")][:2] == (str(new), "store")
    assert f"{new} && claude --resume" in found[make_id("top")][2].replace("'", "")
    assert found[make_id("below")][:2] == (f"{new}/worker", "worker")
    assert found[make_id("beside")][:2] == (f"{OLD}-two", "shop-two")
    view = engine.show(make_id("below"))
    assert (view.cwd, view.project, view.cwd_exists) == (f"{new}/worker", "worker", True)
    assert str(new) in view.resume_command
    items = {item.session: item for item in engine.sessions()}
    assert (items[make_id("top")].cwd, items[make_id("top")].project) == (str(new), "store")
    assert str(new) in items[make_id("top")].resume_command
    assert engine.show(make_id("beside")).cwd_exists is False
    assert engine.index().totals.bytes_read == 0


@pytest.mark.parametrize(
    ("project", "labels"),
    [
        ("store", {"top"}),
        ("Store", {"top"}),
        ("/srv/new/store", {"top", "below"}),
        ("/srv/new", {"top", "below"}),
        ("new/store", {"top"}),
        ("shop", {"top"}),
        (OLD, {"top", "below"}),
        ("worker", {"below"}),
        ("/srv/new/stor", set()),
        ("shop-two", {"beside"}),
    ],
)
def test_filters_know_the_old_and_the_new_place(engine: Engine, project: str, labels: set[str]) -> None:
    engine.set_config("projects.moved", [f"{OLD}=/srv/new/store"])
    wanted = {make_id(label) for label in labels}
    assert {item.session for item in engine.sessions(project=project)} == wanted
    answer = engine.search(SearchRequest(query="heron", project=project, now=NOW))
    assert {one.session for one in answer.sessions} == wanted


def test_taken_back_everything_is_as_it_was(engine: Engine) -> None:
    before = shown(engine, "heron")
    engine.set_config("projects.moved", [f"{OLD}=/srv/new/store"])
    assert shown(engine, "heron") != before
    engine.set_config("projects.moved", None)
    assert shown(engine, "heron") == before


@pytest.mark.parametrize("rule", ["/a", "/a=b", "=/b", "/a=", "/a=b/c"])
def test_what_is_no_rule_is_refused(engine: Engine, rule: str) -> None:
    with pytest.raises(UsageError):
        engine.set_config("projects.moved", [rule])
