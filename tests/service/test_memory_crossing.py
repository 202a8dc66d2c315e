"""Memory and hand-over over the socket: every method, with its arguments, gives what the owner gives."""

from __future__ import annotations

import inspect

import pytest
from engine_double import connect_double
from memory_double import MemoryPart

from tray_app.errors import UsageError
from tray_app.records import Progress, Remembered
from tray_app.service import protocol
from tray_app.service.memory_backend import MemoryBackend
from tray_app.service.memory_forwarding import MemoryForwarding

NAMES = sorted(name for name, _ in inspect.getmembers(MemoryBackend, inspect.isfunction) if not name.startswith("_"))


@pytest.mark.parametrize("name", NAMES)
def test_those_who_pass_on_take_what_the_backend_takes(name: str) -> None:
    wanted = inspect.signature(getattr(MemoryBackend, name))
    assert inspect.signature(getattr(MemoryForwarding, name)) == wanted
    assert inspect.signature(getattr(MemoryPart, name)) == wanted
    assert list(wanted.parameters)[-1] == ("report" if protocol.METHODS[name].progress else "caller")


def test_every_method_crosses_the_socket() -> None:
    with connect_double() as first, connect_double() as second:
        assert second.alias_project("店", "shop")[0].aliases == ("店",)
        assert second.projects() == first.projects(caller="/a")
        assert second.guess_project("the shop") == first.guess_project("/home/a/shop")
        assert [view.name for view in second.prune_projects([])] == ["old"]
        made = second.remember("店", "fact", "Retries", "three retries", source={"agent": "codex", "session": "s"})
        assert (made.created, made.memory.source_agent, made.memory.source_session) == (True, "codex", "s")
        assert second.remember("shop", "fact", "Again", "three retries") == Remembered(
            memory=made.memory, created=False, duplicate=True
        )
        newer = second.remember("shop", "fact", "Retries", "four retries", supersedes=[made.memory.id])
        assert (newer.superseded, newer.memory.supersedes) == ((1,), (1,))
        assert second.update_memory(2, content="five retries").memory.content == "five retries"
        assert second.set_memory_state(2, "archived") == second.memories(state="archived")[0]
        assert second.set_memory_state(2, "active") == first.memories("shop", "fact", limit=1)[0]
        assert second.bring_back("card", 1) is None
        assert second.memory_stats() == first.memory_stats()
        assert second.recall_memories("five", kinds=["fact"]) == first.recall_memories("five", "shop", 3)
        state = second.put_checkpoint("shop", {"goal": "pay back", "done": ["a", "b"], "doing": None})
        assert state.active is not None
        assert (state.active.goal, state.active.done, state.active.doing) == ("pay back", ("a", "b"), "")
        assert second.checkpoint("shop") == state
        assert second.put_checkpoint("shop", {"next": ["c"]}, draft=True).draft is not None
        assert second.drafts() == first.drafts()
        assert second.promote_draft("shop", ["next"]).active != state.active
        second.put_checkpoint("shop", {"next": ["d"]}, draft=True)
        assert second.discard_draft("shop").draft is None
        assert second.card("shop").markdown == "# shop\n\npay back\n"
        assert second.put_card("shop", "# By hand") == first.card("shop")
        assert second.pack("shop", budget_tokens=500, with_meta=True).budget == 500
        seen: list[Progress] = []
        assert second.archive_sessions(backfill=True, report=seen.append).before_baseline == 0
        assert seen == [Progress(phase="archiving", done=1, total=1, agent="claude_code")]
        assert second.cleanup(purge=True) == first.cleanup()
        assert second.changelog("shop", everything=True).added == 2
        assert second.index_pages("shop") == second.pages("shop") == first.pages()
        assert second.search_pages("retries", limit=2) == first.search_pages("retries")
        assert second.cache_stats(limit=3) == first.cache_stats()
        assert second.snippet("0f3c", "m2", for_agent=True) == first.snippet("0f3c", "m2")
        kept = second.backup()
        assert second.backups() == [kept]
        assert second.restore_backup(kept.path).kind == "before"
        assert second.export_memory("/a/taken.jsonl", overwrite=True).memories == 2
        assert second.export_memory("/a/out.jsonl") == first.export_memory("/a/out.jsonl")
        assert second.import_memory("/a/out.jsonl").duplicates == 2
        assert second.prune_projects(["old"])[0].state == "orphan"
        assert sorted(set(NAMES) - set(first.engine.calls)) == []  # type: ignore[union-attr]


def test_wrong_use_crosses_the_socket() -> None:
    with connect_double(), connect_double() as second:
        for code, call in (
            ("no_such_project", lambda: second.card("nothing")),
            ("no_such_memory", lambda: second.update_memory(7, title="x")),
            ("bad_field", lambda: second.put_checkpoint("shop", {"mood": "good"})),
            ("no_draft", lambda: second.promote_draft("shop")),
            ("no_such_backup", lambda: second.restore_backup("/nowhere")),
        ):
            with pytest.raises(UsageError) as known:
                call()
            assert known.value.code == code
