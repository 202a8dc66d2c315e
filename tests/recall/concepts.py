"""A back end for tests that knows a few words which mean the same, in English and Chinese; all else is a bag of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from hash_embedder import HashEmbedder, hashed

from tray_app.embed.base import Vectors

DIMS = 256
KEY = f"builtin|concepts|{DIMS}||unit"
CONCEPTS = {
    "storm": ("tempest", "gale", "暴风"),
    "window": ("panes?", "skylight", "天窗"),
    "broke": ("tore", "smashed", "砸坏"),
    "ship": ("ferry", "vessel", "渡轮"),
}
"""What stands for what; the words that software is made with are not among them, since the glossary knows those."""
_RULES = [(re.compile("|".join(rf"\b{word}\b" if word[0].isascii() else word for word in words), re.IGNORECASE), concept)
          for concept, words in CONCEPTS.items()]  # fmt: skip


def meant(text: str) -> str:
    for rule, concept in _RULES:
        text = rule.sub(f" {concept} ", text)
    return text


class ConceptEmbedder(HashEmbedder):
    """See `HashEmbedder`."""

    def __init__(self) -> None:
        super().__init__(model="concepts", dims=DIMS)

    def documents(self, texts: Sequence[str]) -> Vectors:
        self._pass()
        self.documented += texts
        return np.stack([hashed(meant(text), self.dims) for text in texts])

    def query(self, text: str) -> Vectors:
        self._pass()
        self.asked.append(text)
        return hashed(meant(text), self.dims)
