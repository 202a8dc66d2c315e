"""One answer of a chat model, as a whole: OpenAI's chat completions, or Ollama's chat.

Owns the wire formats. What is asked, and with which text taken out beforehand, is the caller's; nothing of it is logged, and
faults (`ServiceFault`, codes service_...) carry neither the key nor the texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tray_app.embed.ollama import KEEP_ALIVE, asked, base_url, cloud_host, ollama_refusal
from tray_app.embed.openai import refuse_the_obvious
from tray_app.embed.refusals import complaint_of, refusal, settled
from tray_app.web import Answer, Client, ServiceFault, bad_answer, remote_host

SECONDS = 90.0
TOKENS = 1_000
ANSWER_BYTES = 4_000_000

THOUGHTS = re.compile(r"^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL)
"""Models that think aloud put it before what they say; some templates leave out the opening mark, and the limit of an answer
may come before the closing one."""
NEW_NAME = re.compile(r"max_completion_tokens")


class Message(msgspec.Struct, frozen=True):
    """`role`: system | user | assistant."""

    role: str
    content: str

    def __repr__(self) -> str:
        return f"Message({self.role}, {len(self.content)} characters)"


class _Said(msgspec.Struct):
    content: Any = None


class _Choice(msgspec.Struct):
    message: _Said


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class _OllamaAnswer(msgspec.Struct):
    message: _Said


def complete(
    messages: Sequence[Message],
    *,
    model: str,
    url: str,
    key: str = "",
    kind: str = "openai",
    limit: int = TOKENS,
    seconds: float = SECONDS,
) -> str:
    """What the model says, without its thoughts and the space around it. `kind`: openai | ollama; `url` as for the back ends of
    the same names; `limit` in tokens, thoughts included; `seconds` for all of it. Raises ServiceFault.
    """
    if not model.strip():
        raise ServiceFault("no_model", "No model chosen", "No chat model is named.", "Name one in the settings.", final=True)
    ask = _ask_ollama if kind == "ollama" else _ask_openai
    client = Client(base_url(url) if kind == "ollama" else url.strip().rstrip("/").removesuffix("/chat/completions"), key)
    try:
        text = ask(client, model.strip(), messages, limit, seconds)
    except ServiceFault as fault:
        raise settled(fault) from None
    finally:
        client.close()
    said = THOUGHTS.sub("", text).strip()
    if not said:
        raise bad_answer(client.host, "nothing said")
    return said


def chat_host(url: str, model: str, kind: str) -> str:
    """Where texts go: host, or host:port; '' when they stay on this machine. Raises ServiceFault for an unusable address."""
    return (remote_host(base_url(url)) or cloud_host(model)) if kind == "ollama" else remote_host(url)


def _ask_openai(client: Client, model: str, messages: Sequence[Message], limit: int, seconds: float) -> str:
    refuse_the_obvious(client)
    payload: dict[str, object] = {"model": model, "messages": messages, "stream": False}
    answer = client.post("/chat/completions", {**payload, "max_tokens": limit}, seconds=seconds, limit=ANSWER_BYTES)
    said = complaint_of(answer)
    if answer.status == 400 and NEW_NAME.search(said.words):  # OpenAI's newer models know the limit by this name alone
        answer = client.post(
            "/chat/completions", {**payload, "max_completion_tokens": limit}, seconds=seconds, limit=ANSWER_BYTES
        )
        said = complaint_of(answer)
    if answer.status != 200 or said.told:
        raise refusal(answer, model=model, has_key=client.has_key, complaint=said)
    choices = answer.read(_Completion).choices
    return _text(answer, choices[0].message.content if choices else None)


def _ask_ollama(client: Client, model: str, messages: Sequence[Message], limit: int, seconds: float) -> str:
    payload = {
        "model": model,
        "messages": messages,
        "stream": False,
        "think": False,
        "keep_alive": KEEP_ALIVE,
        "options": {"num_predict": limit},
    }
    answer = asked(client, "/api/chat", payload, seconds)
    if answer.status != 200:
        raise ollama_refusal(answer, model, client.has_key)
    return _text(answer, answer.read(_OllamaAnswer).message.content)


def _text(answer: Answer, content: Any) -> str:
    """A text, or a list of parts of which those of text count."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if content is not None and not isinstance(content, str):
        raise bad_answer(answer.host, "JSON of another shape")
    return content or ""
