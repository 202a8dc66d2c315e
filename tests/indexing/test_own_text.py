"""What Backscroll itself told an agent is not taken in again, through whole passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from data import claude_files
from data.claude_files import Chat
from library_world import World

from tray_app.text.own_marks import CARD, PACK, closing, enclosed, opening

PACK_TEXT = enclosed("# tide-api\n\n## Facts\n\n- **Decision:** The quokka keeps port 8123.", PACK)
ANSWER = f"{opening('recall:0f1e2d3c')}\n> the wombat decided it\n{closing('recall:0f1e2d3c')}\n"


def put(world: World, rows: list[Any], label: str) -> Path:
    return claude_files.write(world.root("claude_code") / "-p" / f"{claude_files.make_id(label)}.jsonl", rows)


def test_nothing_of_a_pack_or_an_answer_is_found_and_the_words_around_are(world: World, tmp_path: Path) -> None:
    chat = Chat("later")
    put(
        world,
        [
            chat.user(f"here is where we stand, pelican\n{PACK_TEXT}now go on with the heron"),
            chat.call("t1", "Bash", {"command": "backscroll pack tide-api"}),
            chat.result("t1", PACK_TEXT),
            chat.call("t2", "mcp__backscroll__session_recall", {"query": "bandicoot port"}),
            chat.result("t2", '{"found": true, "hits": [{"text": "the numbat decided it"}]}'),
            chat.call("t4", "mcp__backscroll__handoff_pack", {"project": "dunnart"}),
            chat.result("t4", '{"project": "dunnart", "note": "the numbat again"}'),
            chat.call("t3", "Read", {"file_path": "/p/notes.md"}),
            chat.result(
                "t3", f"     1→{opening(CARD)}\n     2→The quoll was here\n     3→{closing(CARD)}\n     4→own notes: kestrel"
            ),
            chat.user(f"and this\n{ANSWER}is what I meant, egret"),
            chat.answer("I will keep the ibis."),
        ],
        "later",
    )
    world.index()
    for word in ("quokka", "wombat", "numbat", "quoll", "bandicoot"):
        assert world.find(word) == [], word
    for word in ("pelican", "heron", "dunnart", "kestrel", "egret", "ibis"):
        assert world.find(word), word
    talk = [text for role, text, _ in world.talk(chat.id) if role in ("user", "assistant")]
    assert talk == [
        "here is where we stand, pelican\nnow go on with the heron",
        "and this\nis what I meant, egret",
        "I will keep the ibis.",
    ]
    world.assert_like_fresh(tmp_path / "fresh" / "index.duckdb")


def test_a_message_that_is_only_ours_disappears_and_gives_no_title(world: World) -> None:
    chat = Chat("only")
    put(world, [chat.user(PACK_TEXT), chat.user("where did we stop?"), chat.answer("At the ibis.")], "only")
    world.index()
    assert [text for _, text, _ in world.talk(chat.id)] == ["where did we stop?", "At the ibis."]
    assert all("quokka" not in row[0] and "backscroll" not in row[0] for row in world.rows("select title from sessions"))


def test_counts_do_not_grow_when_a_quotation_is_pasted_ten_times(world: World) -> None:
    first = Chat("orig")
    put(world, [first.user("original decision: keep port 8123, quokka")], "orig")
    later = Chat("later")
    put(
        world,
        [later.user(f"{opening('quote:0f1e2d3c')}\n> quokka\n{closing('quote:0f1e2d3c')}\nthanks {i}") for i in range(10)],
        "later",
    )
    world.index()
    assert world.find("quokka") == [first.id]
    assert len(world.talk(later.id)) == 10
