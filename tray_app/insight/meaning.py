"""What the check-up says of finding by meaning. Owns these findings alone; texts are English, windows key on `code`."""

from __future__ import annotations

from tray_app.records import Embedding, Finding


def findings(embedding: Embedding) -> list[Finding]:
    """What is wrong with the back end, and what cannot be found by meaning."""
    found = []
    if embedding.state == "stopped":
        found.append(
            Finding(
                code="meaning_stopped", severity="error", title="Meaning has stopped: search goes by words", detail=embedding.error,
                remedy="Set it right under Meaning in the settings.",
                params={"error_code": embedding.error_code, "reason": embedding.error},
            )
        )  # fmt: skip
    elif embedding.missing:
        count, waits = str(embedding.missing), embedding.state == "waiting"
        found.append(
            Finding(
                code="meaning_missing", severity="warn" if waits else "info", title=f"{count} passages cannot be found by meaning yet",
                detail=embedding.error if waits else "Words find them.",
                remedy="It goes on by itself." if waits else "They are worked through in the background; at once: backscroll index",
                params={"count": count, "error_code": embedding.error_code},
            )
        )  # fmt: skip
    if embedding.refused:
        count = str(embedding.refused)
        found.append(
            Finding(
                code="meaning_refused", severity="info", title=f"The model refused {count} passages",
                detail="Each of them alone, for what it holds. Words find them.", remedy="Another model may take them.",
                params={"count": count},
            )
        )  # fmt: skip
    return found
