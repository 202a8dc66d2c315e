"""Short ways to write the messages of a session down, as the index gives them."""

from __future__ import annotations

from tray_app.library.session_reading import Told

START = 1_790_000_000_000
Part = tuple[str, ...]


def told(*parts: Part, inherited: int = 0) -> list[Told]:
    """Messages from ('user', words), ('assistant', words), ('summary', words) and ('call', tool, words, answer[, path ...]); an answer
    '-' means that none came. The first `inherited` of them were said in another session."""
    messages: list[Told] = []
    for number, (role, *rest) in enumerate(parts):
        time = START + 60_000 * number
        if role == "call":
            tool, words, answer, *paths = rest
            messages.append(Told(f"call-{number}", "tool_call", tool, time, words, tuple(paths)))
            if answer != "-":
                messages.append(Told(f"call-{number}", "tool_result", tool, time, answer, ()))
        else:
            messages.append(Told(f"{role}-{number}", role, "", time, rest[0], ()))
    return [
        Told(one.native, one.role, one.tool, one.time, one.text, one.files, place < inherited)
        for place, one in enumerate(messages)
    ]
