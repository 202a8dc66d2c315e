"""The language that a text is in, by its scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.languages import CHINESE, JAPANESE, KOREAN, LANGUAGES, OTHER, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("why is the first query slow", OTHER),
        ("", OTHER),
        ("1234 -- ??", OTHER),
        ("Почему запрос медленный", OTHER),
        ("Das Gerät läuft nicht", OTHER),
        ("上次那个内存泄漏是怎么修的", CHINESE),
        ("redis 缓存失效", CHINESE),
        ("請把設定檔搬到另一個資料夾", CHINESE),
        ("キャッシュが壊れた原因は何ですか", JAPANESE),
        ("再起動したら直りました", JAPANESE),
        ("ｷｬｯｼｭ", JAPANESE),
        ("캐시가 깨진 이유", KOREAN),
        ("the word 缓存 stands once in this long English sentence about caches and their keys", OTHER),
        ("把 getUserName 改成 get_user_name，然后跑一下 pytest -k names 看看", CHINESE),
    ],
)
def test_scripts_name_the_language(text: str, language: int) -> None:
    assert language_of(text) == language


def test_code_does_not_decide_where_there_is_talk() -> None:
    code = (
        "```python\n"
        + "def resolve(connection, statement, parameters):\n    return connection.execute(statement)\n" * 20
        + "```"
    )
    assert language_of(f"这个函数为什么会超时，帮我看看。\n{code}") == CHINESE
    assert language_of(f"Why does this function time out?\n{code}") == OTHER
    assert (
        language_of(f"Look at this:\n~~~\n{'# 这里等待连接归还' * 9}\n~~~") == CHINESE
    )  # 'Look at this' alone says too little
    assert language_of(code) == OTHER


def test_a_block_that_never_ends_is_code_to_the_end() -> None:
    assert language_of("请解释下面这段代码为什么会出错吧\n```\n" + "int main(void) { return 0; }\n" * 50) == CHINESE


@given(st.text(max_size=300))
def test_any_text_has_one(text: str) -> None:
    assert language_of(text) in range(LANGUAGES)
