"""Which project a text or a path means: the rules of guessing, as values. Never makes a project.

A path in or at a known folder is sure, the longest known folder wins. So is a text that is nothing but a project's name; a
beginning of exactly one name is taken for it. Else the names that stand in the text as whole words: at each place the longest,
of these the one that stands there most often, then the longest. A name with a file's ending behind it is a file, and a part of
a path is no mention.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from tray_app.memory.names import LOOSE, NAME_CHARS, fold_name, has_extension, name_key
from tray_app.records import ProjectGuess
from tray_app.territory import FOLDS_CASE
from tray_app.text.segment import UNSPACED, is_unspaced

TEXT_CHARS = 20_000
"""Of a longer text the beginning is looked at."""
SHORTEST_BEGINNING = 2

_HOME = re.compile(r"(?<![\w./\\~-])~(?=[/\\]|\Z|\s)")
_URL = re.compile(r"file:///(?=[A-Za-z]:)|file://(?=/)")
_LETTER = rf"[^\W{UNSPACED}]"
"""Of a script that puts spaces between words; digits, too."""
_NAME_BEFORE = rf"(?<!{_LETTER})(?<![./\\@~+\-])"
_NAME_AFTER = rf"(?!{_LETTER}|[/\\@+\-]|\.{_LETTER})"


def guess(text: str, folders: Sequence[tuple[str, str]], names: Iterable[tuple[str, str]]) -> ProjectGuess:
    """`folders` as `Census.folders`; `names` are those of all projects and aliases, each with the project's."""
    text = unicodedata.normalize("NFC", text[:TEXT_CHARS])
    found = _by_folder(text, folders)
    if found is not None:
        return found
    targets = {name_key(name): project for name, project in names}
    nothing = ProjectGuess(project=LOOSE, reason="It names no project and no folder of one.", sure=False)
    return _by_whole(text, targets) or _by_mention(text, targets) or nothing


def _by_folder(text: str, folders: Sequence[tuple[str, str]]) -> ProjectGuess | None:
    said = _URL.sub("", _HOME.sub(lambda _: os.path.expanduser("~"), text)).replace("\\", "/")  # noqa: PTH111
    lower = said.lower()
    for folder, project in folders:
        plain = unicodedata.normalize("NFC", folder)
        if _stands(plain, lower if _folds(plain) else said):
            return ProjectGuess(project=project, reason=f"The path lies in the folder of {project}.", sure=True)
    return None


def _folds(plain: str) -> bool:
    """Whether cases are the same in this folder's system; its plain form is in lower case then."""
    return FOLDS_CASE or plain[1:2] == ":" or plain.startswith("//")


def _stands(folder: str, said: str) -> bool:
    """Whether the folder, or a path in it, stands in a text."""
    at = said.find(folder)
    while at >= 0:
        before, after = said[at - 1 : at], said[at + len(folder) : at + len(folder) + 2]
        if not _continues(before, "/.~-") and (not _continues(after[:1], "-.+@~") or _ends(after)):
            return True
        at = said.find(folder, at + 1)
    return False


def _continues(character: str, signs: str) -> bool:
    """Whether a path goes on with it. Chinese and the like touch a path without a space."""
    return bool(character) and (character in signs or character == "_" or (character.isalnum() and not is_unspaced(character)))


def _ends(after: str) -> bool:
    """A full stop that ends the sentence."""
    return after[:1] == "." and not _continues(after[1:], "/.")


def _by_whole(text: str, targets: dict[str, str]) -> ProjectGuess | None:
    if len(text) > 2 * NAME_CHARS or "\n" in text.strip():
        return None
    key = name_key(text)
    if key in targets:
        return ProjectGuess(project=targets[key], reason="It is the project's name.", sure=True)
    if len(key) < SHORTEST_BEGINNING or has_extension(fold_name(text)):
        return None
    begun = {project for name, project in targets.items() if name.startswith(key)}
    if len(begun) == 1:
        return ProjectGuess(project=begun.pop(), reason="Only one project's name begins so.", sure=False)
    return None


def _by_mention(text: str, targets: dict[str, str]) -> ProjectGuess | None:
    said = name_key(text)
    there = sorted((name for name in targets if name in said), key=lambda name: (-len(name), name))
    if not there:
        return None
    pattern = re.compile("|".join(_whole_word(name) for name in there))
    counted: Counter[str] = Counter()
    longest: dict[str, int] = {}
    for match in pattern.finditer(said):
        project = targets[match[0]]
        counted[project] += 1
        longest[project] = max(longest.get(project, 0), len(match[0]))
    if not counted:
        return None
    best = min(counted, key=lambda project: (-counted[project], -longest[project], project))
    return ProjectGuess(project=best, reason=f"{best} is named in it.", sure=False)


def _whole_word(name: str) -> str:
    """Scripts without spaces have no borders of words, but a single character is one only where it stands alone."""
    spaced = [not is_unspaced(character) for character in (name[0], name[-1])]
    if len(name) == 1 and not spaced[0]:
        return rf"(?<!\w){re.escape(name)}(?!\w)"
    return (_NAME_BEFORE if spaced[0] else "") + re.escape(name) + (_NAME_AFTER if spaced[1] else "")
