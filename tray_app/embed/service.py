"""What the back ends that ask a service have in common: time limits, prefixes, doubts, and learning what a service takes.

Owns no wire format (`openai` and `ollama` have theirs) and no splitting (`batches`). Texts are cut only for models that are
known to read 512 tokens or less: a service refuses longer ones, and their own cut would leave out the same end. The cut is a
guess, without the model's tokens; where it was not enough the service refuses, and `batches` halves.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from tray_app.embed.base import EmbedFault, Space, TextFault, Vectors
from tray_app.embed.prefixes import prefix_rule
from tray_app.embed.refusals import MODEL_HINT, settled
from tray_app.embed.vectors import flaw, unit
from tray_app.web import Client, ServiceFault, bad_answer, remote_host

DOCUMENTS_S, QUERY_S = 60.0, 10.0
PROBE = "hello"
"""What a service is tried with: no text of the person's."""

SHORT_MODELS = re.compile(
    r"bge-(small|base|large)|bce-embedding|(^|[^a-z0-9])e5-|all-minilm|mxbai-embed|paraphrase-multilingual"
)
SHORT_TOKENS = 480
"""With room for a prefix and the marks that every model adds."""

TOKENS_A_LETTER, TOKENS_A_HAN = 0.4, 1.0

Rows = list[list[float | None] | Vectors]
"""One for each text, in their order, as the service gave them."""


class ServiceEmbedder(ABC):
    """An Embedder that asks a service. Vectors are made unit length here, whatever the service does."""

    backend = ""

    def __init__(self, client: Client, model: str, *, batch: int, dims: int = 0) -> None:
        """`dims`: the length to ask for, 0 for the model's own."""
        self.model, self.batch = model.strip(), batch
        self._client, self._dims = client, dims
        try:
            self.host = remote_host(client.url)
        except ServiceFault:  # said with the first question
            self.host = ""
        self._rule = prefix_rule(self.model)
        self._short = SHORT_MODELS.search(self.model.lower()) is not None
        self._length = 0
        """Of this service's vectors, 0 before the first came."""

    def space(self) -> Space:
        if not self._length:
            self._learn()
        model = self.model.removesuffix(":latest")
        return Space(backend=self.backend, model=model, dims=self._length, prefix=self._rule.name)

    def documents(self, texts: Sequence[str]) -> Vectors:
        try:
            return self._vectors([self._rule.document + self._cut(text) for text in texts], DOCUMENTS_S)
        except ServiceFault as fault:
            if fault.kind == "slow":  # half as many pass within the time, sooner or later
                self.batch = max(1, min(self.batch, len(texts)) // 2)
            raise self._told(self._judged(fault)) from None

    def query(self, text: str) -> Vectors:
        try:
            row: Vectors = self._vectors([self._rule.query + self._cut(text)], QUERY_S)[0]
        except ServiceFault as fault:
            if fault.kind == "doubtful" and fault.final and self._length:  # others have passed: it is this question
                raise self._told(_of_texts(fault)) from None
            raise self._told(fault) from None
        if flaw(row, self._length):
            raise self._told(bad_answer(self._client.host, "no vector for this question"))
        return row

    def close(self) -> None:
        self._client.close()

    @abstractmethod
    def _ask(self, texts: Sequence[str], seconds: float) -> Rows:
        """Rows of the texts. Raises ServiceFault."""

    def _vectors(self, texts: Sequence[str], seconds: float) -> Vectors:
        """Shape (texts, length); what is no vector is a row of NaN, which `batches` refuses alone."""
        if not self.model:
            raise ServiceFault(
                "no_model", "No model chosen", "No model of the service is named.", "Name one in the settings.", final=True
            )
        with np.errstate(over="ignore"):  # a number that is too large for float32 is infinite, and refused as that
            rows = [np.asarray(row, dtype=np.float64).astype(np.float32) for row in self._ask(texts, seconds)]
        if len(rows) != len(texts):
            raise bad_answer(self._client.host, f"{len(rows)} vectors for {len(texts)} texts")
        lengths = {len(row) for row in rows}
        if not self._length:
            self._length = max(lengths, key=[len(row) for row in rows].count)
            if not self._length:
                raise bad_answer(self._client.host, "vectors of no length")
        if not lengths & {self._length, 0}:
            was, self._length = self._length, 0
            raise bad_answer(self._client.host, f"vectors of another length than before ({max(lengths)}, not {was})")
        made = np.full((len(rows), self._length), np.nan, dtype=np.float32)
        for index, row in enumerate(rows):
            if not flaw(row, self._length):
                made[index] = unit(row)
        return made

    def _learn(self) -> None:
        try:
            self._vectors([self._rule.document + PROBE], DOCUMENTS_S)
        except ServiceFault as fault:
            if fault.kind == "text":  # a plain word is refused, so everything would be
                fault = ServiceFault("doubtful", "Request refused", fault.message, MODEL_HINT, final=True)
            raise self._told(fault) from None

    def _judged(self, fault: ServiceFault) -> ServiceFault:
        """A refusal without a reason that we know is the texts' where a plain word passes, else the service's own."""
        if fault.kind != "doubtful":
            return fault
        try:
            self._vectors([self._rule.document + PROBE], DOCUMENTS_S)
        except ServiceFault as second:
            return second
        return _of_texts(fault)

    def _told(self, fault: ServiceFault) -> EmbedFault:
        """As back ends say it."""
        if fault.kind == "text":
            return TextFault("embedding_text", fault.title, fault.message, fault.hint)
        hint = fault.hint
        if self._dims and fault.kind == "doubtful" and fault.final:
            hint += " If a length of vectors is set, the model may not have it."
        code = f"embedding_{settled(fault).kind}"
        return EmbedFault(code, fault.title, fault.message, hint, final=fault.final, retry_after=fault.retry_after)

    def _cut(self, text: str) -> str:
        if not self._short or len(text) <= SHORT_TOKENS:
            return text
        han = np.fromiter((character > "\u2e7f" for character in text), dtype=bool, count=len(text))
        tokens = np.cumsum(np.where(han, TOKENS_A_HAN, TOKENS_A_LETTER))
        return text[: int(np.searchsorted(tokens, SHORT_TOKENS, side="right"))]


def _of_texts(fault: ServiceFault) -> ServiceFault:
    return ServiceFault("text", "Texts refused", fault.message, "Fewer or shorter ones may pass.")
