"""What leaves this machine, as things are set: for the status everywhere. Windows have their own words for it.

Asks nobody: the host of each service is told by whoever would send to it. What a service on this machine gets does not leave it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tray_app.records import Departure, Embedding

STAYS = "Nothing leaves this machine."


def departures(embedding: Embedding, topics_host: str) -> tuple[Departure, ...]:
    """`topics_host`: where the chat model that names topics is asked, '' where that stays here."""
    found = []
    if embedding.sends_text_to_cloud:
        found.append(Departure(what="meaning", host=embedding.host or embedding.backend))
    if topics_host:
        found.append(Departure(what="topics", host=topics_host))
    return tuple(found)


def sentences(leaves: Sequence[Departure]) -> list[str]:
    """In English, one for each service."""
    said = {
        "meaning": "Passages, memories and questions are sent to {host} (meaning).",
        "topics": "Titles and beginnings of what you said are sent to {host} (topics).",
    }
    return [said[one.what].format(host=one.host) for one in leaves] or [STAYS]
