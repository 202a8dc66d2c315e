"""What a service means by a status and an error code: OpenAI's shape, Zhipu's, SiliconFlow's, Alibaba's, Ollama's.

Owns the tables alone; used for vectors and for chat alike. What a service says in words is matched here and goes no further:
it may repeat the key or the texts.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tray_app.web import Answer, ServiceFault, bad_answer

KEY_CODES = {"1000", "1001", "1002", "1003", "1004", "1110", "1111", "1112", "1120", "1121"}
ARREARS_CODES = {"1113", "30001", "arrearage", "insufficient_quota", "billing_not_active", "insufficient_balance"}
LIMIT_CODES = {"1302", "1303", "1304", "1305", "rate_limit_exceeded"}
MODEL_CODES = {"1211", "1220", "1221", "1222", "20012", "model_not_found", "modelnotfound"}
TEXT_CODES = {
    "1261",
    "1301",
    "20015",
    "context_length_exceeded",
    "content_filter",
    "data_inspection_failed",
    "datainspectionfailed",
}
"""Also 1301 of Zhipu and the inspections of Alibaba: texts that are unwelcome. 20015 of SiliconFlow is any odd parameter, which
is why a service is tried with a plain word before texts are blamed for it (`doubtful`)."""

TEXT_WORDS = re.compile(
    r"batch.?size|too (?:long|large|many|big)|too much|context (?:length|size|window)|n_ctx|max(?:imum|_)? ?(?:context|input|tokens?|"
    r"sequence|length|model.?len)|token(?:s| count| limit)[^.]{0,40}(?:exceed|limit|larger|longer|greater|less than)|"
    r"(?:less|fewer|more) than \d+ tokens|exceed\w*[^.]{0,60}(?:token|length|limit|batch|context)|"
    r"unsupported value: nan|must (?:not be|be non-?)empty|empty string|input.{0,20}(?:cannot|must not|should not) be (?:empty|blank)|"
    r"sensitive|inappropriate|过长|超过|超出|上限|敏感",
    re.IGNORECASE,
)
BALANCE_WORDS = re.compile(r"balance|arrear|overdue|insufficient.{0,10}(?:quota|credit|funds)|欠费|余额", re.IGNORECASE)
MODEL_WORDS = re.compile(r"model.{0,60}(?:not (?:found|exist)|does not exist)|not support embed|模型不存在", re.IGNORECASE)
BATCH_LIMIT = re.compile(
    r"(?:maximum allowed batch size|larger than|at most|less than or equal to|maximum of|最多|超过)\D{0,20}(\d{1,4})"
)

WORDS = 400
"""Characters of a complaint that are looked at: what comes later is more likely what we sent, told back."""

KEY_HINT = "Give a valid key in the settings."
MODEL_HINT = "Check the model's name, and that the address is the one that the service names for its API."


class _Detail(msgspec.Struct):
    code: Any = None
    message: Any = None
    type: Any = None


class _Body(msgspec.Struct):
    error: Any = None
    code: Any = None
    message: Any = None
    detail: Any = None


class Complaint(msgspec.Struct, frozen=True):
    """The code and the words of an error, '' where there are none. `told` is whether the body was an error's at all."""

    codes: tuple[str, ...] = ()
    words: str = ""

    @property
    def told(self) -> bool:
        return bool(self.codes or self.words)

    def __repr__(self) -> str:
        return f"Complaint({len(self.words)} characters)"


def complaint_of(answer: Answer) -> Complaint:
    """What an answer complains of, whichever service's shape it has; an empty one where it has none of them."""
    try:
        body = answer.read(_Body)
    except ServiceFault:
        return Complaint()
    error = msgspec.convert(body.error, _Detail) if isinstance(body.error, dict) else _Detail(message=body.error)
    given = (error.code, error.type, body.code if body.code not in (0, 200, "0", "200") else None)
    codes = tuple(str(code).lower() for code in given if isinstance(code, (str, int)) and code != "")
    words = (text for text in (error.message, body.message, body.detail) if isinstance(text, str))
    return Complaint(codes, " ".join(words)[:WORDS])


def batch_limit(complaint: Complaint) -> int | None:
    """How many texts a service takes at once, where its complaint says so."""
    found = BATCH_LIMIT.search(complaint.words) if "batch" in complaint.words.lower() else None
    return int(found[1]) if found and int(found[1]) > 0 else None


def refusal(answer: Answer, *, model: str, has_key: bool, complaint: Complaint | None = None) -> ServiceFault:
    """The fault that a status other than 200 stands for, or a 200 that holds an error."""
    said = complaint_of(answer) if complaint is None else complaint
    codes, status, host = set(said.codes), answer.status, answer.host
    wait = answer.wait()
    where = f"(HTTP {status}{_shown_code(said)})"
    if status == 402 or codes & ARREARS_CODES or (status in (403, 429) and BALANCE_WORDS.search(said.words)):
        message = f"{host} says that the account has nothing left {where}."
        return ServiceFault("arrears", "No balance left", message, "Top it up, or choose another service.", final=True)
    if status in (401, 403, 407) or codes & KEY_CODES:
        if not has_key:
            return ServiceFault("no_key", "No key", f"{host} wants a key {where}.", KEY_HINT, final=True)
        hint = KEY_HINT if status != 403 else "Check what the account may use, and give a valid key in the settings."
        return ServiceFault("refused_key", "Key refused", f"{host} refuses the key {where}.", hint, final=True)
    if codes & MODEL_CODES or (status >= 400 and MODEL_WORDS.search(said.words)):
        return ServiceFault("bad_model", "Model not there", f"{host} does not have {model} {where}.", MODEL_HINT, final=True)
    if status == 429 or codes & LIMIT_CODES:
        message = f"{host} wants fewer requests {where}."
        return ServiceFault("limited", "Limit reached", message, "It goes on by itself after a while.", retry_after=wait)
    if status in (404, 405, 410):
        return ServiceFault(
            "bad_model", "Nothing there", f"{host} has nothing at this address {where}.", MODEL_HINT, final=True
        )
    if status == 413 or codes & TEXT_CODES - {"20015"} or (status >= 400 and TEXT_WORDS.search(said.words)):
        return ServiceFault("text", "Texts refused", f"{host} refuses the texts {where}.", "Fewer or shorter ones may pass.")
    if status == 408:
        return ServiceFault(
            "slow", "Service too slow", f"{host} gave up waiting {where}.", "It is asked again later.", retry_after=wait
        )
    if status >= 500:
        # 500 alone may be the texts' doing: some make some models crash, each time anew.
        kind = "doubtful" if status == 500 and wait is None else "busy"
        return ServiceFault(
            kind, "Service busy", f"{host} cannot answer now {where}.", "It is asked again later.", retry_after=wait
        )
    if status >= 400 or said.told:
        return ServiceFault("doubtful", "Request refused", f"{host} refuses the request {where}.", MODEL_HINT, final=True)
    return bad_answer(host, f"HTTP {status}")


def settled(fault: ServiceFault) -> ServiceFault:
    """What a doubtful refusal is taken for where nothing else was found out: the settings' fault if it is final, else the
    service's."""
    if fault.kind != "doubtful":
        return fault
    kind = "bad_model" if fault.final else "busy"
    return ServiceFault(kind, fault.title, fault.message, fault.hint, final=fault.final, retry_after=fault.retry_after)


def _shown_code(complaint: Complaint) -> str:
    """The first code that is a plain number: others are a service's words."""
    code = next((code for code in complaint.codes if re.fullmatch(r"\d{3,5}", code)), "")
    return f", code {code}" if code else ""
