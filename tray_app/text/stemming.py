"""Light English stemming: the few endings that questions and answers differ in.

Owns the rules and the exceptions; knows no documents. A stem need not be a word ('cach' for cache, caches, caching): it
only has to be the same for the forms of one word, and different for different words.
"""

from __future__ import annotations

_EXCEPTIONS = """
https always perhaps alias canvas bias atlas pandas lens news windows chaos kudos pros thus plus versus across axis basis
nothing something anything everything morning evening ceiling during string spring embed hundred sacred naked shed sled
family anomaly italy july monopoly butterfly
"""
_KEPT = frozenset(_EXCEPTIONS.split())
_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """The stem of one lower-case ASCII word; words of three letters and less stay."""
    if len(word) < 4 or word in _KEPT:
        return word
    word = _singular(word)
    if word in _KEPT:
        return word
    word = _base(word)
    if word.endswith("ly") and len(word) > 5 and word[-3] != "p":
        word = word[:-1] if word.endswith("bly") else word[:-4] if word.endswith("ically") else word[:-2]
    if word.endswith("ie") and len(word) > 4:
        return word[:-2] + "y"
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    if word.endswith("ll") and len(word) > 5:
        word = word[:-1]
    return word


def _singular(word: str) -> str:
    if word[-1] != "s" or word[-2] in "su" or word.endswith("is"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1]


def _base(word: str) -> str:
    """Without -ing and -ed."""
    if word.endswith("ied"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith("ing"):
        rest = word[:-3]
    elif word.endswith("ed") and not word.endswith("eed"):
        rest = word[:-2]
    else:
        return word
    if len(rest) < 2 or not _VOWELS.intersection(rest):
        return word
    if len(rest) == 2:
        return rest + "e" if rest[0] in _VOWELS else rest
    if rest[-1] == rest[-2] and rest[-1] in "bdgkmnprtv" and len(rest) > 3:
        return rest[:-1]
    if len(rest) == 3 and rest[0] not in _VOWELS and rest[1] in _VOWELS and rest[2] not in "aeiouwxy":
        return rest + "e"
    return rest
