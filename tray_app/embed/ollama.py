"""Vectors from Ollama, on this machine or another.

Owns the wire format of /api/embed. Ollama takes any number of texts and makes their vectors one after another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tray_app.embed.refusals import Complaint, complaint_of, refusal
from tray_app.embed.service import Rows, ServiceEmbedder
from tray_app.web import Answer, Client, ServiceFault

URL = "http://127.0.0.1:11434"
BATCH = 16
KEEP_ALIVE = "15m"
"""Ollama's own 5 minutes are often over when the next question comes, and loading takes longer than a question waits."""

CLOUD = re.compile(r"[:-]cloud$")
CLOUD_HOST = "ollama.com"


class _Embeddings(msgspec.Struct):
    embeddings: list[list[float | None]]


class OllamaEmbedder(ServiceEmbedder):
    """`url` of the server, this machine's when empty. `key` for one behind a door of its own."""

    backend = "ollama"

    def __init__(self, *, model: str, url: str = "", key: str = "", dims: int = 0) -> None:
        super().__init__(Client(base_url(url), key), model, batch=BATCH, dims=dims)
        self.host = self.host or cloud_host(self.model)

    def _ask(self, texts: Sequence[str], seconds: float) -> Rows:
        payload: dict[str, object] = {"model": self.model, "input": list(texts), "truncate": True, "keep_alive": KEEP_ALIVE}
        if self._dims:
            payload["dimensions"] = self._dims
        answer = asked(self._client, "/api/embed", payload, seconds)
        if answer.status == 200:
            return list(answer.read(_Embeddings).embeddings)
        raise ollama_refusal(answer, self.model, self._client.has_key)


def base_url(url: str) -> str:
    """The server's address, also from one that was copied with an API's path."""
    return re.sub(r"(/api(/embed|/chat)?|/v1)$", "", url.strip().rstrip("/")) or URL


def cloud_host(model: str) -> str:
    """Where the server of this machine sends texts itself: models of the name ...-cloud do not run here. '' for others."""
    return CLOUD_HOST if CLOUD.search(model.strip().lower()) else ""


def asked(client: Client, path: str, payload: object, seconds: float) -> Answer:
    try:
        return client.post(path, payload, seconds=seconds)
    except ServiceFault as fault:
        if fault.kind == "unreachable":
            fault.hint = "Start Ollama (ollama serve), or give its address in the settings."
        raise


def ollama_refusal(answer: Answer, model: str, has_key: bool) -> ServiceFault:
    said: Complaint = complaint_of(answer)
    fault = refusal(answer, model=model, has_key=has_key, complaint=said)
    if answer.status == 404 and not said.told:
        hint = "Check the address; a very old Ollama has to be updated."
        return ServiceFault("bad_model", "Nothing there", f"{answer.host} does not answer as Ollama does.", hint, final=True)
    if answer.status == 404:
        fault.hint = f"Get it with: ollama pull {model}"
    return fault
