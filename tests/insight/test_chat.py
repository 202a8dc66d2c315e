"""One answer of a chat model: what is asked, what is taken from the answer, and what each refusal means."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from stub_server import Reply, Stub, running

from tray_app.insight.chat import Message, chat_host, complete
from tray_app.web import ServiceFault

KEY = "sk-KEYKEYKEY-0123456789"
TEXT = "THE-TEXT-OF-THE-PERSON"
MESSAGES = [Message("system", "Name the topics."), Message("user", TEXT)]
SENT = [{"role": "system", "content": "Name the topics."}, {"role": "user", "content": TEXT}]


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running() as made:
        yield made


def said(content: Any) -> Reply:
    return Reply(body={"id": "x", "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": content}}]})


def ask(stub: Stub, kind: str = "openai", **more: Any) -> str:
    return complete(MESSAGES, model="a-model", url=stub.url + ("/v1" if kind == "openai" else ""), key=KEY, kind=kind, **more)


def fault_of(stub: Stub, kind: str = "openai", **more: Any) -> ServiceFault:
    with pytest.raises(ServiceFault) as caught:
        ask(stub, kind, **more)
    told = f"{caught.value!s} {caught.value!r} {caught.value.hint} {caught.value.__cause__!r}"
    assert KEY not in told
    assert TEXT not in told
    return caught.value


def test_openai(stub: Stub) -> None:
    stub.replies(said("  登录限流 \n"))
    assert ask(stub, limit=200) == "登录限流"
    assert stub.seen[0].path == "/v1/chat/completions"
    assert stub.seen[0].body == {"model": "a-model", "messages": SENT, "stream": False, "max_tokens": 200}
    assert stub.seen[0].headers["authorization"] == f"Bearer {KEY}"


def test_ollama(stub: Stub) -> None:
    stub.replies(Reply(body={"model": "a-model", "message": {"role": "assistant", "content": "topics"}, "done": True}))
    assert ask(stub, "ollama", limit=200) == "topics"
    assert stub.seen[0].path == "/api/chat"
    assert stub.seen[0].body == {
        "model": "a-model",
        "messages": SENT,
        "stream": False,
        "think": False,
        "keep_alive": "15m",
        "options": {"num_predict": 200},
    }


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>first\nthis</think>\nthat", "that"),
        ("first this</think>that", "that"),
        ("<thinking>b</thinking>c", "c"),
        ("so <think>and on without an end", "so"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "ab"),
    ],
)
def test_what_is_taken_of_an_answer(stub: Stub, content: Any, text: str) -> None:
    stub.replies(said(content))
    assert ask(stub) == text


@pytest.mark.parametrize(
    "reply",
    [
        said(None),
        said(" "),
        said("<think>all</think>"),
        said(7),
        Reply(body={"choices": []}),
        Reply(body={}),
        Reply(body=b"<html>"),
    ],
)
def test_answers_that_say_nothing(stub: Stub, reply: Reply) -> None:
    stub.replies(reply)
    fault = fault_of(stub)
    assert (fault.code, fault.final) == ("service_bad_answer", False)


def test_the_new_name_of_the_limit(stub: Stub) -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    stub.replies(Reply(status=400, body={"error": {"message": words, "code": "unsupported_parameter"}}), said("yes"))
    assert ask(stub, limit=9) == "yes"
    assert stub.seen[1].body == {"model": "a-model", "messages": SENT, "stream": False, "max_completion_tokens": 9}


@pytest.mark.parametrize(
    ("status", "body", "code", "final"),
    [
        (401, {"error": {"message": f"Incorrect API key: {KEY}"}}, "service_refused_key", True),
        (402, {"error": {"message": "Insufficient Balance"}}, "service_arrears", True),
        (404, {"error": {"message": "no", "code": "model_not_found"}}, "service_bad_model", True),
        (400, {"error": {"message": "odd", "code": "1214"}}, "service_bad_model", True),
        (400, {"error": {"message": "maximum context length is 8192 tokens"}}, "service_text", False),
        (429, {"message": TEXT}, "service_limited", False),
        (500, {}, "service_busy", False),
        (503, {}, "service_busy", False),
        (200, {"error": {"message": "no", "code": 1113}}, "service_arrears", True),
    ],
)
def test_what_a_refusal_means(stub: Stub, status: int, body: Any, code: str, final: bool) -> None:
    stub.replies(Reply(status=status, body=body, headers={"Retry-After": "4"} if status == 429 else {}))
    fault = fault_of(stub)
    assert (fault.code, fault.final, fault.retry_after) == (code, final, 4.0 if status == 429 else None)


def test_ollama_without_the_model(stub: Stub) -> None:
    stub.replies(Reply(status=404, body={"error": "model 'a-model' not found"}))
    assert fault_of(stub, "ollama").hint == "Get it with: ollama pull a-model"


def test_too_slow(stub: Stub) -> None:
    stub.replies(Reply(delay_s=3))
    assert fault_of(stub, seconds=0.1).code == "service_slow"


def test_offline(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_OFFLINE", "1")
    assert fault_of(stub).code == "service_offline"
    assert stub.connections == 0


@pytest.mark.parametrize(
    ("url", "model", "key", "code"),
    [
        ("", "m", KEY, "service_bad_address"),
        ("https://open.bigmodel.cn/api/paas/v4", "m", "", "service_no_key"),
        ("https://open.bigmodel.cn/api/paas/v4", "", KEY, "service_no_model"),
    ],
)
def test_what_is_known_to_fail(url: str, model: str, key: str, code: str) -> None:
    with pytest.raises(ServiceFault) as caught:
        complete(MESSAGES, model=model, url=url, key=key)
    assert (caught.value.code, caught.value.final) == (code, True)


@pytest.mark.parametrize(
    ("url", "model", "kind", "host"),
    [
        *(("", "qwen3:4b", "ollama", ""), ("", "gpt-oss:120b-cloud", "ollama", "ollama.com")),
        *(
            ("http://10.1.1.1:11434/api", "qwen3:4b", "ollama", "10.1.1.1:11434"),
            ("http://localhost:1234/v1", "m", "openai", ""),
        ),
        ("https://api.deepseek.com/v1", "m", "openai", "api.deepseek.com"),
    ],
)
def test_where_texts_go(url: str, model: str, kind: str, host: str) -> None:
    assert chat_host(url, model, kind) == host


def test_nothing_is_logged_and_nothing_shown(stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    stub.replies(said("a"))
    ask(stub)
    assert caplog.records == []
    assert repr(MESSAGES[1]) == "Message(user, 22 characters)"
