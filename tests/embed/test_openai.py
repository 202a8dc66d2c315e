"""A service that speaks OpenAI's embeddings: what it is sent, what is made of its answers, and what each refusal means."""

from __future__ import annotations

import base64
import json
import logging
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stub_server import DIMS, Reply, Seen, Stub, embeddings, running, vector_of

from tray_app.embed import service
from tray_app.embed.base import Embedder, EmbedFault, Space, TextFault, Vectors
from tray_app.embed.batches import Refusal, embed_batches
from tray_app.embed.openai import OpenAIEmbedder, known_batch
from tray_app.web import Answer

KEY = "sk-KEYKEYKEY-0123456789"
TEXT = "THE-TEXT-OF-THE-PERSON"
PROBE = [service.PROBE]
NAMES = ("data", "index", "embedding", "error", "code", "message", "type", "detail")
CODES = {f"embedding_{kind}" for kind in ("refused_key", "arrears", "limited", "bad_model", "busy", "bad_answer", "text")}


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running() as made:
        made.answer = embeddings
        yield made


@pytest.fixture
def embedder(stub: Stub) -> Iterator[OpenAIEmbedder]:
    made = OpenAIEmbedder(url=stub.url + "/v1", model="some-model", key=KEY)
    yield made
    made.close()


def expected(text: str, dims: int = DIMS) -> Vectors:
    vector = np.array(vector_of(text, dims))
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def fault_of(embedder: OpenAIEmbedder, texts: list[str] | None = None) -> EmbedFault:
    with pytest.raises(EmbedFault) as caught:
        embedder.documents(texts or [TEXT, "second"])
    embedder.close()
    fault = caught.value
    told = f"{fault!s} {fault!r} {fault.hint} {fault.__cause__!r} {'' if fault.__suppress_context__ else fault.__context__!r}"
    assert KEY not in told
    assert TEXT not in told
    return fault


# --- what goes out and comes back ------------------------------------------------------------------------------------------
def test_it_is_an_embedder(embedder: OpenAIEmbedder) -> None:
    made: Embedder = embedder
    assert (made.backend, made.model, made.host, made.batch) == ("openai", "some-model", "", 64)


def test_documents_come_in_the_order_of_the_texts(stub: Stub, embedder: OpenAIEmbedder) -> None:
    texts = ["first", "第二", "third"]
    made = embedder.documents(texts)
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, [expected(text) for text in texts], rtol=1e-6)
    seen = stub.seen[0]
    assert (seen.path, seen.body) == ("/v1/embeddings", {"model": "some-model", "input": texts, "encoding_format": "float"})
    assert seen.headers["authorization"] == f"Bearer {KEY}"


def test_a_length_is_asked_for_only_when_it_is_set(stub: Stub) -> None:
    embedder = OpenAIEmbedder(url=stub.url, model="m", dims=256)
    embedder.query("a")
    embedder.close()
    assert stub.seen[0].body["dimensions"] == 256


def test_the_space_is_learned_once_with_a_word_of_ours(stub: Stub, embedder: OpenAIEmbedder) -> None:
    assert stub.seen == []
    space = embedder.space()
    assert space == embedder.space() == Space(backend="openai", model="some-model", dims=DIMS, prefix="", normalised=True)
    assert [seen.body["input"] for seen in stub.seen] == [PROBE]


def test_the_space_is_known_from_the_first_vectors(stub: Stub, embedder: OpenAIEmbedder) -> None:
    embedder.documents(["a"])
    assert embedder.space().dims == DIMS
    assert len(stub.seen) == 1


def test_prefixes_lead_in_questions_and_passages(stub: Stub) -> None:
    embedder = OpenAIEmbedder(url=stub.url, model="intfloat/multilingual-e5-large")
    np.testing.assert_allclose(embedder.query("why"), expected("query: why"), rtol=1e-6)
    np.testing.assert_allclose(embedder.documents(["so"])[0], expected("passage: so"), rtol=1e-6)
    assert embedder.space().prefix == "e5"
    embedder.close()


@pytest.mark.parametrize("ending", ["", "/", "/embeddings", "/embeddings/"])
def test_the_address_may_name_the_end_point(stub: Stub, ending: str) -> None:
    embedder = OpenAIEmbedder(url=f" {stub.url}/v1{ending} ", model="m")
    embedder.query("a")
    embedder.close()
    assert stub.seen[0].path == "/v1/embeddings"


def test_base64_is_read_though_numbers_were_asked_for(stub: Stub, embedder: OpenAIEmbedder) -> None:
    def answer(seen: Seen) -> Reply:
        packed = [base64.b64encode(struct.pack(f"<{DIMS}f", *vector_of(text))).decode() for text in seen.body["input"]]
        return Reply(body={"data": [{"index": index, "embedding": text} for index, text in enumerate(packed)]})

    stub.answer = answer
    np.testing.assert_allclose(embedder.documents(["a", "b"]), [expected("a"), expected("b")], rtol=1e-6)


@pytest.mark.parametrize("given", ["%%%", "AAA", base64.b64encode(b"12345").decode()])
def test_what_is_no_base64(stub: Stub, embedder: OpenAIEmbedder, given: str) -> None:
    stub.replies(Reply(body={"data": [{"index": 0, "embedding": given}]}))
    assert fault_of(embedder, ["a"]).code == "embedding_bad_answer"


@pytest.mark.parametrize("indices", [[0, 0], [1, 2], [0], [], [0, 1, 2], [-1, 0], [0, None], [0, "1"]])
def test_indices_that_cannot_be_right(stub: Stub, embedder: OpenAIEmbedder, indices: list[Any]) -> None:
    items = [{"index": index, "embedding": [1.0, 2.0]} for index in indices]
    stub.replies(Reply(body={"data": items}))
    fault = fault_of(embedder)
    assert (fault.code, fault.final) == ("embedding_bad_answer", False)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ([float("nan")] * DIMS, "not_finite"),
        ([float("inf"), *[1.0] * (DIMS - 1)], "not_finite"),
        ([None] * DIMS, "not_finite"),
        ([1e300] * DIMS, "not_finite"),
        ([0.0] * DIMS, "not_finite"),
        ([1.0] * (DIMS - 1), "not_finite"),
        ([], "not_finite"),
    ],
)
def test_a_bad_vector_costs_its_text_alone(stub: Stub, embedder: OpenAIEmbedder, bad: list[Any], reason: str) -> None:
    def answer(seen: Seen) -> Reply:
        rows = [bad if text == "poison" else vector_of(text) for text in seen.body["input"]]
        return Reply(body={"data": [{"index": index, "embedding": row} for index, row in enumerate(rows)]})

    stub.answer = answer
    outcomes = dict(pair for batch in embed_batches(embedder, ["a", "poison", "bb"]) for pair in batch)
    assert outcomes.pop(1) == Refusal(reason)
    np.testing.assert_allclose(outcomes[0], expected("a"), rtol=1e-6)
    np.testing.assert_allclose(outcomes[2], expected("bb"), rtol=1e-6)


def test_large_and_small_numbers_get_unit_length(stub: Stub, embedder: OpenAIEmbedder) -> None:
    for size in (1e30, 1e-10):
        stub.replies(Reply(body={"data": [{"index": 0, "embedding": [size, 0, 0, 0]}]}))
        np.testing.assert_allclose(OpenAIEmbedder.query(embedder, "a"), [1, 0, 0, 0])


def test_a_question_without_a_vector_is_a_fault(stub: Stub, embedder: OpenAIEmbedder) -> None:
    stub.replies(Reply(body={"data": [{"index": 0, "embedding": [0.0] * DIMS}]}))
    with pytest.raises(EmbedFault) as caught:
        embedder.query("???")
    assert (caught.value.code, caught.value.final) == ("embedding_bad_answer", False)


def test_another_model_behind_the_same_name_makes_another_space(stub: Stub, embedder: OpenAIEmbedder) -> None:
    assert embedder.space().dims == DIMS
    stub.answer = lambda seen: Reply(
        body={"data": [{"index": index, "embedding": [1.0, 2.0]} for index, _ in enumerate(seen.body["input"])]}
    )
    assert fault_of(embedder).code == "embedding_bad_answer"
    assert embedder.space().dims == 2
    assert embedder.documents(["a"]).shape == (1, 2)


# --- what is not asked at all ----------------------------------------------------------------------------------------------
def test_offline(stub: Stub, embedder: OpenAIEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_OFFLINE", "1")
    fault = fault_of(embedder)
    assert (fault.code, fault.final, stub.connections) == ("embedding_offline", True, 0)


@pytest.mark.parametrize(
    ("url", "model", "key", "code"),
    [
        ("", "m", KEY, "embedding_bad_address"),
        ("not an address", "m", KEY, "embedding_bad_address"),
        ("https://api.siliconflow.cn/v1", "m", "", "embedding_no_key"),
        ("http://api.siliconflow.cn/v1", "m", KEY, "embedding_bad_address"),
        ("https://api.siliconflow.cn/v1", " ", KEY, "embedding_no_model"),
    ],
)
def test_what_is_known_to_fail(url: str, model: str, key: str, code: str) -> None:
    embedder = OpenAIEmbedder(url=url, model=model, key=key)
    fault = fault_of(embedder)
    assert (fault.code, fault.final) == (code, True)
    with pytest.raises(EmbedFault, match=fault.title):
        embedder.space()


@pytest.mark.parametrize(
    ("url", "batch", "host"),
    [
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", 10, "dashscope.aliyuncs.com"),
        ("https://api.siliconflow.cn/v1", 32, "api.siliconflow.cn"),
        ("https://open.bigmodel.cn/api/paas/v4", 64, "open.bigmodel.cn"),
        ("https://notz.ai/v1", None, "notz.ai"),
        ("http://10.0.0.2:8000/v1", None, "10.0.0.2:8000"),
        ("http://localhost:1234/v1", None, ""),
        ("nothing", None, ""),
    ],
)
def test_limits_and_hosts_of_services(url: str, batch: int | None, host: str) -> None:
    embedder = OpenAIEmbedder(url=url, model="m")
    assert (known_batch(url), embedder.batch, embedder.host) == (batch, batch or 64, host)


# --- refusals --------------------------------------------------------------------------------------------------------------
def openai_error(code: str | int | None, message: str = "no", kind: str | None = None) -> dict[str, Any]:
    return {"error": {"message": f"{message} {KEY} {TEXT}", "type": kind, "code": code}}


def siliconflow(code: int, message: str = "no") -> dict[str, Any]:
    return {"code": code, "message": f"{message} {KEY} {TEXT}", "data": None}


@pytest.mark.parametrize(
    ("status", "body", "code", "final"),
    [
        (401, openai_error("1002", "Invalid Authentication Token"), "embedding_refused_key", True),
        (401, openai_error("invalid_api_key", "Incorrect API key provided:"), "embedding_refused_key", True),
        (401, "Invalid token", "embedding_refused_key", True),
        (403, siliconflow(30003, "Real name verification required"), "embedding_refused_key", True),
        (200, openai_error(1004), "embedding_refused_key", True),
        (403, siliconflow(30001, "Sorry, your account balance is insufficient"), "embedding_arrears", True),
        (402, {"error": {"message": "Insufficient Balance"}}, "embedding_arrears", True),
        (429, openai_error("1113", "您的账户已欠费"), "embedding_arrears", True),
        (429, openai_error("insufficient_quota", "You exceeded your current quota"), "embedding_arrears", True),
        (429, openai_error(None, "quota", kind="insufficient_quota"), "embedding_arrears", True),
        (400, openai_error("Arrearage", "Access denied"), "embedding_arrears", True),
        (429, openai_error("1302", "并发数过高"), "embedding_limited", False),
        (429, {"message": "Request was rejected due to rate limiting.", "data": None}, "embedding_limited", False),
        (404, openai_error("model_not_found", "The model `x` does not exist"), "embedding_bad_model", True),
        (400, openai_error("1211", "模型不存在，请检查模型代码。"), "embedding_bad_model", True),
        (400, siliconflow(20012, "Model does not exist."), "embedding_bad_model", True),
        (404, b"404 page not found", "embedding_bad_model", True),
        (405, {"detail": "Method Not Allowed"}, "embedding_bad_model", True),
        (500, openai_error(None, "Internal"), "embedding_busy", False),
        (502, b"<html>Bad Gateway</html>", "embedding_busy", False),
        (503, siliconflow(50505, "Model service overloaded. Please try again later."), "embedding_busy", False),
        (504, b"", "embedding_busy", False),
        (408, b"", "embedding_slow", False),
        (200, b"<html>Sign in</html>", "embedding_bad_answer", False),
        (200, {"object": "list"}, "embedding_bad_answer", False),
        (200, {"data": []}, "embedding_bad_answer", False),
        (204, b"", "embedding_bad_answer", False),
        (302, {}, "embedding_bad_answer", False),
    ],
)
def test_what_a_refusal_means(stub: Stub, embedder: OpenAIEmbedder, status: int, body: Any, code: str, final: bool) -> None:
    stub.replies(Reply(status=status, body=body))
    fault = fault_of(embedder)
    assert (fault.code, fault.final, isinstance(fault, TextFault)) == (code, final, False)
    assert fault.title
    assert fault.hint
    assert [seen.body["input"] for seen in stub.seen[1:]] == ([PROBE] if status == 500 else [])


def test_without_a_key_a_refused_one_is_a_missing_one(stub: Stub) -> None:
    stub.replies(Reply(status=401, body={}))
    fault = fault_of(OpenAIEmbedder(url=stub.url, model="m"))
    assert (fault.code, fault.final) == ("embedding_no_key", True)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (413, siliconflow(20042, "input batch size 473 > maximum allowed batch size 64")),
        (413, b"<html>Request Entity Too Large</html>"),
        (400, openai_error(None, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens")),
        (400, openai_error("context_length_exceeded", "Your input exceeds the context window of this model.")),
        (400, openai_error("InvalidParameter", "batch size is invalid, it should not be larger than 10.")),
        (400, openai_error("1301", "系统检测到输入或生成内容可能包含不安全或敏感内容")),
        (400, openai_error("data_inspection_failed", "Input data may contain inappropriate content.")),
        (400, siliconflow(20015, "length of prompt_tokens (600) must be less than 512.")),
        (400, openai_error(400, "Illegal param: prefill 744 tokens exceed n_ctx_per_seq")),
        (500, openai_error(500, "input is too large to process. increase the physical batch size")),
        (422, {"error": "Input validation error: `inputs` must have less than 512 tokens. Given: 600"}),
        (400, {"error": {"code": "1210", "message": "输入长度超过上限"}}),
    ],
)
def test_refusals_that_are_about_the_texts(stub: Stub, embedder: OpenAIEmbedder, status: int, body: Any) -> None:
    stub.replies(Reply(status=status, body=body))
    fault = fault_of(embedder)
    assert (type(fault), fault.code, fault.final) == (TextFault, "embedding_text", False)
    assert len(stub.seen) == 1


def test_a_refusal_without_a_reason_is_the_texts_where_a_word_passes(stub: Stub, embedder: OpenAIEmbedder) -> None:
    odd = Reply(status=400, body=siliconflow(20015, "The parameter is invalid. Please check again."))
    stub.answer = lambda seen: embeddings(seen) if seen.body["input"] == PROBE else odd
    assert type(fault_of(embedder)) is TextFault
    assert [seen.body["input"] for seen in stub.seen] == [[TEXT, "second"], PROBE]


def test_a_text_that_a_service_breaks_on_holds_up_no_other(stub: Stub, embedder: OpenAIEmbedder) -> None:
    stub.answer = lambda seen: (
        Reply(status=500, body={}) if any("poison" in text for text in seen.body["input"]) else embeddings(seen)
    )
    outcomes = dict(pair for batch in embed_batches(embedder, ["a", "poison" * 9, "b", "c"]) for pair in batch)
    assert outcomes.pop(1) == Refusal("refused")
    assert not any(isinstance(vector, Refusal) for vector in outcomes.values())
    with pytest.raises(EmbedFault) as caught:
        embedder.query("poison")
    assert (caught.value.code, type(caught.value)) == ("embedding_busy", EmbedFault)


def test_a_refusal_without_a_reason_is_the_settings_where_no_word_passes(stub: Stub) -> None:
    embedder = OpenAIEmbedder(url=stub.url, model="bge-m3", key=KEY, dims=300)
    stub.replies(Reply(status=400, body=openai_error("1214", "dimensions")))
    fault = fault_of(embedder)
    assert (fault.code, fault.final) == ("embedding_bad_model", True)
    assert "length of vectors" in fault.hint
    with pytest.raises(EmbedFault) as caught:
        embedder.query("a")
    assert (caught.value.code, caught.value.final) == ("embedding_bad_model", True)
    embedder.close()


def test_a_service_that_refuses_a_plain_word_refuses_no_text_of_the_person(stub: Stub, embedder: OpenAIEmbedder) -> None:
    """Else one wrong setting would mark the whole library as refused."""
    stub.replies(Reply(status=400, body=openai_error(None, "dimensions must not exceed the limit of 1024")))
    with pytest.raises(EmbedFault) as caught:
        list(embed_batches(embedder, [TEXT, "second"]))
    assert (caught.value.code, caught.value.final, type(caught.value)) == ("embedding_bad_model", True, EmbedFault)
    assert len(stub.seen) == 1


def test_a_question_that_is_refused_where_others_passed_stops_nothing(stub: Stub, embedder: OpenAIEmbedder) -> None:
    embedder.query("a")
    stub.replies(Reply(status=422, body={"detail": [{"loc": ["body"], "msg": TEXT}]}))
    with pytest.raises(TextFault) as caught:
        embedder.query(TEXT)
    assert TEXT not in str(caught.value)
    assert len(stub.seen) == 2


@pytest.mark.parametrize(("status", "after"), [(429, "7"), (503, "7")])
def test_how_long_to_wait_comes_through(stub: Stub, embedder: OpenAIEmbedder, status: int, after: str) -> None:
    stub.replies(Reply(status=status, body={}, headers={"Retry-After": after}))
    assert fault_of(embedder).retry_after == 7.0


def test_the_code_of_a_service_is_told_but_not_its_words(stub: Stub, embedder: OpenAIEmbedder) -> None:
    stub.replies(Reply(status=401, body=openai_error("1002", "Authorization")))
    assert fault_of(embedder).message == f"127.0.0.1:{stub.port} refuses the key (HTTP 401, code 1002)."


def test_the_limit_of_a_service_is_learned_from_its_words(stub: Stub, embedder: OpenAIEmbedder) -> None:
    def answer(seen: Seen) -> Reply:
        if len(seen.body["input"]) > 10:
            return Reply(
                status=400, body=openai_error("InvalidParameter", "batch size is invalid, it should not be larger than 10.")
            )
        return embeddings(seen)

    stub.answer = answer
    texts = [f"text {number}" for number in range(100)]
    outcomes = dict(pair for batch in embed_batches(embedder, texts) for pair in batch)
    assert len(outcomes) == 100
    assert embedder.batch == 10
    np.testing.assert_allclose(outcomes[42], expected("text 42"), rtol=1e-6)
    assert len(stub.seen) < 20


# --- time ------------------------------------------------------------------------------------------------------------------
def test_a_slow_answer_makes_the_next_batch_smaller(
    stub: Stub, embedder: OpenAIEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "DOCUMENTS_S", 0.15)
    stub.replies(Reply(delay_s=3))
    fault = fault_of(embedder, [TEXT] * 12)
    assert (fault.code, fault.final, embedder.batch) == ("embedding_slow", False, 6)


def test_questions_have_a_shorter_time(stub: Stub, embedder: OpenAIEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "QUERY_S", 0.1)
    stub.replies(Reply(delay_s=3))
    with pytest.raises(EmbedFault, match="within 0\\.1 s"):
        embedder.query("a")


def test_a_dead_service(embedder: OpenAIEmbedder) -> None:
    dead = OpenAIEmbedder(url="http://127.0.0.1:1/v1", model="m", key=KEY)
    fault = fault_of(dead)
    assert (fault.code, fault.final) == ("embedding_unreachable", False)


# --- cutting ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("model", "text", "sent"),
    [
        ("BAAI/bge-large-zh-v1.5", "字" * 2_000, 480),
        ("BAAI/bge-large-zh-v1.5", "abcd " * 1_000, 1_200),
        ("BAAI/bge-large-zh-v1.5", "字" * 480, 480),
        ("BAAI/bge-m3", "字" * 2_000, 2_000),
        ("text-embedding-v4", "a" * 6_000, 6_000),
    ],
)
def test_texts_are_cut_for_models_that_read_little(stub: Stub, model: str, text: str, sent: int) -> None:
    embedder = OpenAIEmbedder(url=stub.url, model=model)
    embedder.documents([text])
    embedder.close()
    assert stub.seen[0].body["input"] == [text[:sent]]


def test_nothing_is_logged(stub: Stub, embedder: OpenAIEmbedder, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    embedder.documents([TEXT])
    stub.replies(Reply(status=401, body=openai_error("1002")))
    fault_of(embedder)
    assert caplog.records == []
    assert KEY not in repr(embedder)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(
    status=st.sampled_from([200, 200, 200, 204, 400, 401, 404, 413, 429, 500, 503, 599]),
    body=st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()),
    headers=st.dictionaries(st.sampled_from(["retry-after", "date"]), st.text(max_size=12)),
)
def test_any_answer_is_vectors_or_a_fault(status: int, body: bytes, headers: dict[str, str]) -> None:
    embedder = OpenAIEmbedder(url="http://127.0.0.1:1", model="m", key=KEY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedder._client, "post", lambda *_args, **_more: Answer(status, headers, "h", body))
        try:
            made = embedder.documents(["a", "b"])
        except EmbedFault as fault:
            assert fault.code in CODES
        else:
            assert made.shape == (2, embedder.space().dims)
