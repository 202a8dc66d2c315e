"""Meaning in words: its faults with what to do about each, how far it is, what a test said, and what leaves the machine.

Owns the sentences that key on a code of the back ends (`embed.base.EmbedFault`); no widget.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication

from tray_app.records import Answer, Embedding, MeaningTest
from tray_app.ui import i18n, wording

QUIET = frozenset(("off", "on", "late", "empty", "embedding_off", ""))
"""What `Answer.meaning` may say without anybody having to know."""
LOCAL = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|\[::\])?(:\d+)?")
USUAL_PORTS = {"http": 80, "https": 443}
OLLAMA_CLOUD, OLLAMA_CLOUD_HOST = re.compile(r"[:-]cloud$"), "ollama.com"
"""Models of such names are not run by the Ollama of this machine but sent on."""


class MeaningTexts:
    """Sentences in the language in force. One object; its methods are this module's functions below."""

    def tr(self, text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("MeaningTexts", text, comment, number)

    def reason(self, code: str) -> str:
        """Why meaning does not work, as a part of a sentence; '' for a code unknown here."""
        return {
            "embedding_offline": self.tr("the network is switched off for Backscroll"),
            "embedding_no_model": self.tr("the model is not chosen or not downloaded"),
            "embedding_no_key": self.tr("the service wants a key"),
            "embedding_refused_key": self.tr("the key was refused"),
            "embedding_arrears": self.tr("the account has no credit left"),
            "embedding_limited": self.tr("the service asks to wait"),
            "embedding_unreachable": self.tr("the service cannot be reached"),
            "embedding_slow": self.tr("the answer took too long"),
            "embedding_busy": self.tr("the service is overloaded"),
            "embedding_bad_answer": self.tr("the answer was of no use"),
            "embedding_bad_model": self.tr("the model is not there or is damaged"),
            "embedding_bad_address": self.tr("the address of the service cannot be used"),
            "embedding_text": self.tr("the service refused the text"),
        }.get(code, "")

    def remedy(self, code: str) -> str:
        """What to do about it, a sentence; '' for a code unknown here."""
        return {
            "embedding_offline": self.tr("Start it without BACKSCROLL_OFFLINE, or choose “On this machine”."),
            "embedding_no_model": self.tr("Choose a model and download it."),
            "embedding_no_key": self.tr("Set the key."),
            "embedding_refused_key": self.tr("Replace the key, or see whether the account is verified for this model."),
            "embedding_arrears": self.tr("Top up the account; then it goes on."),
            "embedding_limited": self.tr("It goes on by itself."),
            "embedding_unreachable": self.tr(
                "See whether the address is right and the service runs. It is tried again by itself."
            ),
            "embedding_slow": self.tr("It is tried again by itself."),
            "embedding_busy": self.tr("It is tried again by itself."),
            "embedding_bad_answer": self.tr("See whether the model is one for embeddings."),
            "embedding_bad_model": self.tr("See how the model is written, or download it again."),
            "embedding_bad_address": self.tr("Write it as the service names it, up to /v1."),
            "embedding_text": self.tr("See whether the model is one for embeddings."),
        }.get(code, "")

    def fault(self, code: str, message: str = "") -> str:
        """A fault with what to do, in one or two sentences; `message` where the code is unknown here."""
        reason = self.reason(code)
        if not reason:
            return message
        said = self.tr("{reason}.", "a sentence of its own").format(reason=reason[:1].upper() + reason[1:])
        return wording.two_sentences(said, self.remedy(code))

    def words_only(self, answer: Answer) -> str:
        """'Words only: the key was refused.'; '' where meaning took part, or nobody need know that it did not."""
        if answer.meaning in QUIET:
            return ""
        reason = self.reason(answer.meaning)
        if not reason:
            return answer.meaning_note or self.tr("Words only: meaning cannot be searched just now.")
        return self.tr("Words only: {reason}.").format(reason=reason)

    # --- how it stands -----------------------------------------------------------------------------------------------
    def short(self, embedding: Embedding) -> str:
        """How meaning stands, in a word or two; '' while it is being filled (figures say it then)."""
        return {
            "off": self.tr("Meaning off"),
            "ready": self.tr("Meaning on"),
            "waiting": self.tr("Meaning waits"),
            "stopped": self.tr("Meaning stopped"),
        }.get(embedding.state, "")

    def state(self, embedding: Embedding) -> str:
        """How meaning stands, in full."""
        if embedding.state == "filling":
            return self.tr("Working through the library for meaning: {amount}.").format(amount=self.amount(embedding))
        if embedding.state in ("waiting", "stopped"):
            fault = self.fault(embedding.error_code, embedding.error)
            said = (
                self.tr("Meaning has stopped.")
                if embedding.state == "stopped"
                else self.tr("Meaning waits and comes back by itself.")
            )
            return wording.two_sentences(said, fault) if fault else said
        if embedding.state == "ready":
            return self.tr("Meaning is on: {passages} can be found by it.").format(passages=wording.passages(embedding.vectors))
        return self.tr("Meaning is off. Words always work.")

    def of(self, embedding: Embedding) -> str:
        """'4,120 of 12,345'"""
        total = embedding.vectors + embedding.missing
        return self.tr("{done} of {total}", "counts").format(done=i18n.count(embedding.vectors), total=i18n.count(total))

    def amount(self, embedding: Embedding) -> str:
        """'4,120 of 12,345 passages'"""
        total = embedding.vectors + embedding.missing
        return self.tr("{done} of {total} passages").format(done=i18n.count(embedding.vectors), total=i18n.count(total))

    def left(self, embedding: Embedding) -> str:
        """'about 9 min left'; '' where the pace is not known."""
        return i18n.time_left(embedding.missing / embedding.per_minute * 60) if embedding.per_minute > 0 else ""

    def pace(self, embedding: Embedding) -> str:
        """What is to be said under the bar."""
        parts = []
        if embedding.state == "filling" and embedding.per_minute >= 1:
            parts.append(self.tr("%Ln a minute.", "", round(embedding.per_minute)))
        if embedding.missing and embedding.vectors:
            parts.append(self.tr("Until it is done, the rest is found by words."))
        if embedding.refused:
            parts.append(self.tr("The model refused %Ln passages; words find them.", "", embedding.refused))
        said = ""
        for part in parts:
            said = wording.two_sentences(said, part) if said else part
        return said

    # --- a test, and what it means -----------------------------------------------------------------------------------
    def outcome(self, test: MeaningTest) -> str:
        """What a test said: 'Answered in 210 ms, 1,024 dimensions.', or the fault and what to do."""
        if not test.ok:
            return self.fault(test.code, " ".join(part for part in (test.message, test.hint) if part))
        return self.tr("Answered in {time} ms, {dims}.").format(
            time=i18n.count(round(test.elapsed_ms)), dims=self.dims(test.dims)
        )

    def dims(self, number: int) -> str:
        return self.tr("%Ln dimensions", "", number)

    def change(self, backend: str, host: str | None, passages: int, *, remade: bool) -> str:
        """What will happen when another back end or model is used."""
        if backend == "off":
            return self.tr("Search goes by words alone then, and no text is sent anywhere.")
        if not remade:
            return self.tr("What was made for meaning stays.")
        how_many = self.tr("%Ln passages", "are made anew", passages)
        if not host:
            return self.tr("{passages} are worked through anew, in the background. Words find everything meanwhile.").format(
                passages=how_many
            )
        return self.tr("{passages} are sent to {host}, in the background. Words find everything meanwhile.").format(
            passages=how_many, host=host
        )

    def leaves(self, backend: str, host: str | None) -> str:
        """What leaves the machine with a back end. `host`: where texts are sent, '' for nowhere, None while it is not known."""
        if backend in ("ollama", "openai") and host != "":
            return self.tr("Each indexed passage once, and each question as you ask it, to {host}.").format(
                host=host or self.tr("the service")
            )
        if backend == "fastembed":
            return self.tr("Nothing but the download of the model. Passages and questions stay here.")
        if backend in ("ollama", "openai"):
            return self.tr("Nothing. The service runs on this machine.")
        return self.tr("Nothing.")

    def leaves_not(self) -> str:
        return self.tr("Excluded paths never. Secrets that were recognised are replaced before anything is sent.")


def host_of(url: str) -> str:
    """'api.example.com' or 'box:11434' of an address; '' for none, or one that cannot be read."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return ""
    host = parts.hostname or ""
    name = f"[{host}]" if ":" in host else host
    return name if port in (None, USUAL_PORTS.get(parts.scheme)) or not name else f"{name}:{port}"


def sent_to(backend: str, url: str, model: str) -> str | None:
    """The host that texts are sent to; '' for this machine, and where no service is asked; None while no address says it."""
    if backend not in ("ollama", "openai"):
        return ""
    host = host_of(url)
    if not host and (url.strip() or backend == "openai"):
        return None
    if backend == "ollama" and is_local(host) and OLLAMA_CLOUD.search(model.strip().lower()):
        return OLLAMA_CLOUD_HOST
    return "" if is_local(host) else host


def is_local(host: str) -> bool:
    """A host (with its port) that is this machine, or none at all."""
    return LOCAL.fullmatch(host.lower()) is not None


_texts = MeaningTexts()
words_only = _texts.words_only
reason = _texts.reason
remedy = _texts.remedy
fault = _texts.fault
short = _texts.short
state = _texts.state
of = _texts.of
amount = _texts.amount
left = _texts.left
pace = _texts.pace
outcome = _texts.outcome
dims = _texts.dims
change = _texts.change
leaves = _texts.leaves
leaves_not = _texts.leaves_not
