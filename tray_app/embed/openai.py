"""Vectors from any service that speaks OpenAI's embeddings: Zhipu, SiliconFlow, Alibaba, OpenAI, and servers on this machine.

Owns the wire format and the known limits of services. Texts leave this machine for `host`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

import msgspec
import numpy as np

from tray_app.embed.base import Vectors
from tray_app.embed.refusals import batch_limit, complaint_of, refusal
from tray_app.embed.service import Rows, ServiceEmbedder
from tray_app.web import Answer, Client, ServiceFault, bad_answer, checked

BATCH = 64
BATCHES = {
    "aliyuncs.com": 10,
    "siliconflow.cn": 32,
    "siliconflow.com": 32,
    "bigmodel.cn": 64,
    "z.ai": 64,
    "openai.com": 64,
}
"""Texts at once, by the end of the host's name. These are services in the cloud: they want a key, and TLS."""


class _Item(msgspec.Struct):
    index: int
    embedding: list[float | None] | str


class _Embeddings(msgspec.Struct):
    data: list[_Item]


class OpenAIEmbedder(ServiceEmbedder):
    """`url` up to and with /v1 (or what the service names for its API); `dims` is sent only where it is not 0."""

    backend = "openai"

    def __init__(self, *, url: str, model: str, key: str = "", dims: int = 0) -> None:
        base = url.strip().rstrip("/").removesuffix("/embeddings")
        super().__init__(Client(base, key), model, batch=known_batch(base) or BATCH, dims=dims)

    def _ask(self, texts: Sequence[str], seconds: float) -> Rows:
        refuse_the_obvious(self._client)
        payload: dict[str, object] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        if self._dims:
            payload["dimensions"] = self._dims
        answer = self._client.post("/embeddings", payload, seconds=seconds)
        if answer.status == 200:
            try:
                return in_order(answer, answer.read(_Embeddings).data, len(texts))
            except ServiceFault:
                if not complaint_of(answer).told:
                    raise
        complaint = complaint_of(answer)
        most = batch_limit(complaint)
        if most is not None and most < len(texts):
            self.batch = min(self.batch, most)
        raise refusal(answer, model=self.model, has_key=self._client.has_key, complaint=complaint)


def refuse_the_obvious(client: Client) -> None:
    """What is known to fail is not asked: texts and the key would go over the network for nothing. Raises ServiceFault."""
    if not client.url:
        raise ServiceFault(
            "bad_address", "No address", "No address of a service is set.", "Give it in the settings.", final=True
        )
    if known_batch(client.url) is None:
        return
    if checked(client.url).scheme == "http":
        message = f"{client.host} would get the key and the texts unencrypted."
        raise ServiceFault("bad_address", "No usable address", message, "Begin the address with https://.", final=True)
    if not client.has_key:
        message = f"{client.host} wants a key, and none is kept."
        raise ServiceFault("no_key", "No key", message, "Give the key in the settings.", final=True)


def known_batch(url: str) -> int | None:
    """How many texts a known service takes at once, None for one that is not known."""
    try:
        host = (checked(url).hostname or "").lower().rstrip(".")
    except ServiceFault:
        return None
    return next((size for name, size in BATCHES.items() if host == name or host.endswith(f".{name}")), None)


def in_order(answer: Answer, items: Sequence[_Item], texts: int) -> Rows:
    """Rows by their index: services do not keep the order. Raises ServiceFault where an index is missing, twice or too high."""
    if sorted(item.index for item in items) != list(range(texts)):
        raise bad_answer(answer.host, f"{len(items)} vectors for {texts} texts, or with odd numbers")
    return [_row(answer, item.embedding) for item in sorted(items, key=lambda item: item.index)]


def _row(answer: Answer, given: list[float | None] | str) -> list[float | None] | Vectors:
    """A list as it is; little-endian float32 in base64, which some send though they were asked for numbers, decoded."""
    if not isinstance(given, str):
        return given
    try:
        return np.frombuffer(base64.b64decode(given, validate=True), dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError):
        raise bad_answer(answer.host, "a vector in a form that is not known") from None
