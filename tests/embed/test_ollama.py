"""Ollama: what it is sent, its refusals, and where texts really go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from stub_server import DIMS, Reply, Seen, Stub, ollama_embeddings, running, vector_of

from tray_app.embed import service
from tray_app.embed.base import Embedder, EmbedFault, Space, TextFault
from tray_app.embed.ollama import OllamaEmbedder

TEXT = "THE-TEXT-OF-THE-PERSON"
PROBE = ["search_document: " + service.PROBE]


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running() as made:
        made.answer = ollama_embeddings
        yield made


@pytest.fixture
def embedder(stub: Stub) -> Iterator[OllamaEmbedder]:
    made = OllamaEmbedder(model="nomic-embed-text", url=stub.url)
    yield made
    made.close()


def fault_of(embedder: OllamaEmbedder) -> EmbedFault:
    with pytest.raises(EmbedFault) as caught:
        embedder.documents([TEXT, "second"])
    assert TEXT not in f"{caught.value!s} {caught.value!r} {caught.value.hint}"
    return caught.value


def test_what_is_sent(stub: Stub, embedder: OllamaEmbedder) -> None:
    made: Embedder = embedder
    vectors = made.documents(["a", "b"])
    for row, text in zip(vectors, ("a", "b"), strict=True):
        vector = np.array(vector_of("search_document: " + text))
        np.testing.assert_allclose(row, vector / np.linalg.norm(vector), rtol=1e-6)
    assert stub.seen[0].path == "/api/embed"
    assert stub.seen[0].body == {
        "model": "nomic-embed-text",
        "input": ["search_document: a", "search_document: b"],
        "truncate": True,
        "keep_alive": "15m",
    }
    assert "authorization" not in stub.seen[0].headers
    embedder.query("why")
    assert stub.seen[1].body["input"] == ["search_query: why"]


def test_a_length_is_asked_for_only_when_it_is_set(stub: Stub) -> None:
    embedder = OllamaEmbedder(model="qwen3-embedding:0.6b", url=stub.url, dims=512)
    embedder.documents(["a"])
    embedder.close()
    assert stub.seen[0].body["dimensions"] == 512


def test_the_latest_of_a_model_is_the_model(stub: Stub) -> None:
    embedder = OllamaEmbedder(model="bge-m3:latest", url=stub.url)
    assert embedder.space() == Space(backend="ollama", model="bge-m3", dims=DIMS)
    embedder.close()


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        *(("", "http://127.0.0.1:11434"), ("http://10.0.0.5:11434/", "http://10.0.0.5:11434")),
        *(("http://h:1/api/embed", "http://h:1"), ("http://h:1/v1", "http://h:1"), ("http://h/ollama/api", "http://h/ollama")),
    ],
)
def test_addresses(url: str, asked: str) -> None:
    assert OllamaEmbedder(model="m", url=url)._client.url == asked


@pytest.mark.parametrize(
    ("url", "model", "host"),
    [
        *(("", "bge-m3", ""), ("http://localhost:11434", "bge-m3", ""), ("http://10.0.0.5:11434", "bge-m3", "10.0.0.5:11434")),
        *(("", "some-model:567b-cloud", "ollama.com"), ("", "some-model:cloud", "ollama.com"), ("", "cloudy-embed", "")),
    ],
)
def test_where_texts_go(url: str, model: str, host: str) -> None:
    assert OllamaEmbedder(model=model, url=url).host == host


@pytest.mark.parametrize(
    ("status", "body", "code", "final", "hint"),
    [
        (
            404,
            {"error": 'model "nomic-embed-text" not found, try pulling it first'},
            "bad_model",
            True,
            "ollama pull nomic-embed-text",
        ),
        (404, b"404 page not found", "bad_model", True, "very old Ollama"),
        (400, {"error": "this model does not support embeddings"}, "bad_model", True, "model's name"),
        (401, {"error": "unauthorized"}, "no_key", True, "key"),
        (503, {"error": "server busy, please try again. maximum pending requests exceeded"}, "busy", False, "again"),
        (500, {"error": "model requires more system memory (9 GiB) than is available"}, "busy", False, "again"),
        (200, {"embeddings": [[1.0]]}, "bad_answer", False, "address"),
        (200, {"embedding": [1.0]}, "bad_answer", False, "address"),
    ],
)
def test_what_a_refusal_means(
    stub: Stub, embedder: OllamaEmbedder, status: int, body: Any, code: str, final: bool, hint: str
) -> None:
    stub.replies(Reply(status=status, body=body))
    fault = fault_of(embedder)
    assert (fault.code, fault.final, type(fault)) == (f"embedding_{code}", final, EmbedFault)
    assert hint in fault.hint


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "the input length exceeds the context length"),
        (500, "failed to encode response: json: unsupported value: NaN"),
    ],
)
def test_texts_that_are_refused(stub: Stub, embedder: OllamaEmbedder, status: int, words: str) -> None:
    stub.replies(Reply(status=status, body={"error": words}))
    assert type(fault_of(embedder)) is TextFault


def crash(seen: Seen) -> Reply:
    """Of a model that some text brings down."""
    if any(TEXT in text for text in seen.body["input"]):
        return Reply(status=500, body={"error": 'do embedding request: Post "http://127.0.0.1:4/embedding": EOF'})
    return ollama_embeddings(seen)


def test_a_text_that_brings_the_model_down_is_to_blame(stub: Stub, embedder: OllamaEmbedder) -> None:
    stub.answer = crash
    assert type(fault_of(embedder)) is TextFault
    assert stub.seen[1].body["input"] == PROBE


def test_a_model_that_is_down_anyway_is_not_the_texts_fault(stub: Stub, embedder: OllamaEmbedder) -> None:
    stub.replies(Reply(status=500, body={"error": "llama runner process has terminated: exit status 2"}))
    fault = fault_of(embedder)
    assert (fault.code, fault.final, type(fault)) == ("embedding_busy", False, EmbedFault)
    assert len(stub.seen) == 2


def test_ollama_that_does_not_run() -> None:
    fault = fault_of(OllamaEmbedder(model="m", url="http://127.0.0.1:1"))
    assert (fault.code, fault.final) == ("embedding_unreachable", False)
    assert fault.hint == "Start Ollama (ollama serve), or give its address in the settings."
