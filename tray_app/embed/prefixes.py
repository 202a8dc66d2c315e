"""How texts are led in, by model: some were trained with words before questions or passages, and are worse without them.

Owns the table alone. The words are those of the models' own cards. A rule's name is part of `Space.prefix`: whoever changes
the words of a rule gives it another name, so that vectors made with the old ones are made anew.
"""

from __future__ import annotations

import re

import msgspec

TASK = "Instruct: Given a search query, retrieve relevant passages that answer it\nQuery:"
SENTENCE = "Represent this sentence for searching relevant passages: "


class PrefixRule(msgspec.Struct, frozen=True):
    """What stands before a question and before a passage, '' for nothing."""

    name: str
    query: str = ""
    document: str = ""


NONE = PrefixRule("")

RULES: tuple[tuple[re.Pattern[str], PrefixRule], ...] = tuple(
    (re.compile(pattern), rule)
    for pattern, rule in (
        (r"qwen3-embedding", PrefixRule("qwen3", TASK)),
        (r"e5(-[a-z0-9]+)*-instruct", PrefixRule("e5-instruct", f"{TASK} ")),
        (r"(^|nano|[^a-z0-9])e5(?![a-z0-9])", PrefixRule("e5", "query: ", "passage: ")),
        (r"bge-(small|base|large)-zh", PrefixRule("bge-zh", "为这个句子生成表示以用于检索相关文章：")),
        (r"bge-(small|base|large)(?!-zh)", PrefixRule("bge-en", SENTENCE)),
        (r"nomic-embed-text", PrefixRule("nomic", "search_query: ", "search_document: ")),
        (r"mxbai-embed-(2d-)?large", PrefixRule("mxbai", SENTENCE)),
        (r"snowflake-arctic-embed(2|-[a-z]-v2)", PrefixRule("arctic2", "query: ")),
        (r"snowflake-arctic-embed", PrefixRule("arctic", SENTENCE)),
        (r"embeddinggemma", PrefixRule("gemma", "task: search result | query: ", "title: none | text: ")),
    )
)


def prefix_rule(model: str) -> PrefixRule:
    """The rule for a model by its name, whatever owner, tag or case it is written with ('Qwen/Qwen3-Embedding-8B',
    'qwen3-embedding:0.6b', 'intfloat/multilingual-e5-small', the last part of a folder's path)."""
    name = model.lower().replace("_", "-")
    return next((rule for pattern, rule in RULES if pattern.search(name)), NONE)
