"""A chat history of Aider's shape, made up for tests. Lines of the person's end with two blanks, as Aider writes them."""

from __future__ import annotations

from pathlib import Path

NAME = ".aider.chat.history.md"
FIRST, SECOND = "2026-05-04 08:00:00", "2026-05-05 09:30:00"


def begun(stamp: str) -> str:
    return f"\n# aider chat started at {stamp}\n\n"


def prompt(*lines: str) -> str:
    return "\n" + "".join(f"#### {line}  \n" for line in lines)


HEAD = """> /usr/bin/aider --model sonnet-9
> Aider v0.86.1
> Main model: sonnet-9 with diff edit format
> Git repo: .git with 3 files
> Repo-map: using 1024 tokens

"""
ANSWER = """
In the south bed:

#### Step 1
Dig.

```
> quoted in code
#### also in code
```

> Tokens: 4.3k sent, 1.3k cache hit, 512 received. Cost: $0.01 message, $0.02 session.
> Applied edit to beds.txt
"""

RUN = begun(FIRST) + HEAD + prompt("Where do the plums go?", "", "李子？") + ANSWER + prompt("/add pears.txt") + prompt("/exit")
NEXT = begun(SECOND) + prompt("/ask And the pears?") + "Beside them.\n"
TALK = [
    ("tool_result", "/usr/bin/aider --model sonnet-9"),
    ("user", "Where do the plums go?\n\n李子？"),
    ("assistant", "In the south bed:\n\n#### Step 1\nDig.\n\n```\n> quoted in code\n#### also in code\n```"),
    ("tool_result", "Applied edit to beds.txt"),
    ("note", "/add pears.txt"),
]


def history(folder: Path, text: str = RUN + NEXT) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_bytes(text.encode())
    return path
