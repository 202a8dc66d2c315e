"""The one way out: JSON to a service over HTTP, and what can go wrong with that.

Owns questions, answers and redirects; `wire` has the connections. Knows no service: what a status means is read by who asked. Nothing
here logs, and no fault carries the key, what was sent, or what came back. `BACKSCROLL_OFFLINE=1` forbids every call, this
machine's own services included.
"""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import SplitResult, quote, urljoin, urlsplit

import msgspec

from tray_app import __version__
from tray_app.errors import KnownError
from tray_app.wire import DEFAULT_PORTS, Unreached, Wire, is_loopback, opened

if TYPE_CHECKING:
    from http.client import HTTPResponse

T = TypeVar("T")

ANSWER_BYTES = 32_000_000
"""64 vectors of 8,192 numbers as text are 12 MB."""
IDLE_S = 45.0
"""A kept connection older than this is not trusted: services close theirs after 60 s or more."""
REDIRECTS = 3


class ServiceFault(KnownError):
    """A service did not answer, or not as it should. `kind` is one of: offline, bad_address, unreachable, slow, bad_answer,
    no_key, refused_key, arrears, limited, bad_model, busy, text (what was sent is too much, too long or unwelcome), doubtful
    (refused without a reason that we know). The code is `service_` and the kind.

    `final`: asking again is of no use before the person changes something. `retry_after`: seconds the service asked to wait.
    """

    def __init__(
        self, kind: str, title: str, message: str, hint: str = "", *, final: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(f"service_{kind}", title, message, hint)
        self.kind, self.final, self.retry_after = kind, final, retry_after


class Answer(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """What came back, whatever its status. Names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    host: str
    body: bytes = b""

    def __repr__(self) -> str:
        return f"Answer({self.status} of {self.host}, {len(self.body)} bytes)"

    def read(self, kind: type[T]) -> T:
        """The JSON as a typed value. NaN and Infinity, which are no JSON but are sent, are read as floats. Raises ServiceFault
        ('bad_answer')."""
        try:
            return msgspec.json.decode(self.body, type=kind)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
            if b"NaN" not in self.body and b"Infinity" not in self.body:
                raise self._misread(fault) from None
        try:
            return msgspec.convert(json.loads(self.body), kind)
        except (ValueError, RecursionError) as fault:
            raise self._misread(fault) from None

    def _misread(self, fault: Exception) -> ServiceFault:
        what = "JSON of another shape" if isinstance(fault, msgspec.ValidationError) else "something that is no JSON"
        return bad_answer(self.host, what)

    def wait(self) -> float | None:
        """Seconds that the service asks to wait (`Retry-After` as seconds or as a date), None where it says nothing."""
        given = self.headers.get("retry-after", "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d*)?", given):
            return float(given)
        from email.utils import parsedate_to_datetime

        try:
            then = parsedate_to_datetime(given).timestamp()
        except (ValueError, OverflowError, OSError):
            return None
        try:  # by the service's own clock, where it tells it: this machine's may be wrong
            now = parsedate_to_datetime(self.headers.get("date", "")).timestamp()
        except (ValueError, OverflowError, OSError):
            now = time.time()
        return max(0.0, then - now)


def bad_answer(host: str, what: str) -> ServiceFault:
    return ServiceFault(
        "bad_answer", "Answer not understood", f"{host} answers with {what}.", "Check that the address is that of the service."
    )


def forbidden() -> bool:
    """Whether the environment forbids every use of the network."""
    return os.environ.get("BACKSCROLL_OFFLINE", "").strip() not in ("", "0")


def remote_host(url: str) -> str:
    """Where an address sends texts: host, or host:port where the port is not the usual one; '' for this machine. Raises
    ServiceFault('bad_address')."""
    parts = checked(url)
    return "" if is_loopback(parts.hostname or "") else shown(parts)


def shown(parts: SplitResult) -> str:
    host = parts.hostname or ""
    name = f"[{host}]" if ":" in host else host
    return name if parts.port in (None, DEFAULT_PORTS[parts.scheme]) else f"{name}:{parts.port}"


def checked(url: str) -> SplitResult:
    """The parts of an address that can be asked, host in ASCII. Raises ServiceFault('bad_address'), which does not repeat it: it
    may hold a password."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
        name = host if host.isascii() else host.encode("idna").decode("ascii")
    except ValueError:  # a bad port, half an IPv6 address, a name that no host has
        raise _bad_address("cannot be read") from None
    if parts.scheme not in DEFAULT_PORTS or not name:
        raise _bad_address("does not begin with http:// or https:// and a host")
    if not re.fullmatch(r"[\w.%:-]+", name, re.ASCII):
        raise _bad_address("cannot be read")
    if "@" in parts.netloc:
        raise _bad_address("holds a name or a password, which would be kept in a file")
    if name == "0.0.0.0":  # noqa: S104 -- what a server listens on; it is not an address to ask
        name = "127.0.0.1"
    name = f"[{name}]" if ":" in name else name
    path = quote(parts.path, safe="/%:@!$&'()*+,;=~")
    return SplitResult(
        parts.scheme, f"{name}:{port}" if port is not None else name, path, quote(parts.query, safe="=&%+,/:"), ""
    )


def _bad_address(why: str) -> ServiceFault:
    return ServiceFault(
        "bad_address", "No usable address", f"The service's address {why}.", "Give it in the settings.", final=True
    )


class Client:
    """Asks one service, over one connection that is kept between questions. Used from one thread at a time."""

    def __init__(self, url: str, key: str = "") -> None:
        """`url` without a trailing slash; it is checked with the first question. `key` is sent as a bearer token."""
        self.url = url.strip().rstrip("/")
        self._key = key.strip().removeprefix("Bearer ").strip()
        self._kept: tuple[tuple[str, str], Wire, float] | None = None

    @property
    def has_key(self) -> bool:
        return bool(self._key)

    @property
    def host(self) -> str:
        """As it is shown; '' where the address is unusable."""
        try:
            return shown(checked(self.url))
        except ServiceFault:
            return ""

    def post(self, path: str, payload: object, *, seconds: float, limit: int = ANSWER_BYTES) -> Answer:
        """Send JSON to `url + path`. `seconds` is for all of it, `limit` in bytes for the answer. Raises ServiceFault where there
        is no answer; every status is one."""
        try:
            body = msgspec.json.encode(payload)
        except UnicodeEncodeError:  # half a surrogate pair, as Windows lets through: it is sent as a question mark
            body = json.dumps(msgspec.to_builtins(payload), ensure_ascii=False).encode("utf-8", "replace")
        return self._ask("POST", path, body, seconds, limit)

    def get(self, path: str, *, seconds: float, limit: int = ANSWER_BYTES) -> Answer:
        return self._ask("GET", path, None, seconds, limit)

    def close(self) -> None:
        """Let go of the connection; the next question opens another."""
        if self._kept is not None:
            self._kept[1].end()
            self._kept = None

    def _ask(self, method: str, path: str, body: bytes | None, seconds: float, limit: int) -> Answer:
        if forbidden():
            raise ServiceFault(
                "offline",
                "Offline",
                "BACKSCROLL_OFFLINE is set: no service is asked.",
                "Unset it to use a service.",
                final=True,
            )
        if not re.fullmatch(r"[!-~]*", self._key):  # http.client would name it in its complaint
            raise ServiceFault(
                "refused_key", "Key refused", "The key holds characters that no key has.", "Give it again.", final=True
            )
        deadline = time.monotonic() + seconds
        target = checked(self.url + path)
        for _ in range(REDIRECTS + 1):
            try:
                answer = self._exchange(method, target, body, deadline, limit)
            except BaseException as fault:
                self.close()
                if not isinstance(fault, TimeoutError):
                    raise
                raise ServiceFault(
                    "slow",
                    "Service too slow",
                    f"{shown(target)} gave no answer within {seconds:g} s.",
                    "It is asked again later.",
                ) from None
            if answer.status not in (301, 302, 303, 307, 308):
                return answer
            target = _redirected(target, answer)
        raise bad_answer(shown(target), "one redirect after another")

    def _exchange(self, method: str, target: SplitResult, body: bytes | None, deadline: float, limit: int) -> Answer:
        """One question and its answer. A kept connection that turns out to be closed is replaced once."""
        import http.client

        wire, kept = self._wire(target, deadline)
        try:
            response = self._send(wire, method, target, body)
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException) as fault:
            if not kept:
                raise _broken(target, fault) from None
            self.close()
            return self._exchange(method, target, body, deadline, limit)
        try:
            return self._received(response, target, limit)
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException) as fault:
            raise _broken(target, fault) from None

    def _wire(self, target: SplitResult, deadline: float) -> tuple[Wire, bool]:
        place = (target.scheme, target.netloc)
        if self._kept is not None and self._kept[0] == place and time.monotonic() - self._kept[2] < IDLE_S:
            self._kept[1].deadline = deadline
            return self._kept[1], True
        self.close()
        try:
            wire = opened(target.scheme, target.hostname or "", target.port, deadline)
        except Unreached as fault:
            raise unreachable(shown(target), str(fault)) from None
        self._kept = (place, wire, time.monotonic())
        return wire, False

    def _send(self, wire: Wire, method: str, target: SplitResult, body: bytes | None) -> HTTPResponse:
        import http.client

        headers = {"User-Agent": f"Backscroll/{__version__}", "Accept": "application/json", "Host": target.netloc}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        headers.update(wire.proxy_headers)
        path = (target.path or "/") + (f"?{target.query}" if target.query else "")
        connection = http.client.HTTPConnection(target.hostname or "", target.port)
        connection.sock = cast(Any, wire)
        try:
            connection.request(method, f"http://{target.netloc}{path}" if wire.whole_address else path, body, headers)
        except (BrokenPipeError, ConnectionResetError) as fault:
            # A service that finds the message too big says so and hangs up while we are still sending.
            try:
                return connection.getresponse()
            except (OSError, http.client.HTTPException):
                raise fault from None
        return connection.getresponse()

    def _received(self, response: HTTPResponse, target: SplitResult, limit: int) -> Answer:
        with response:
            too_big = bad_answer(shown(target), f"more than {limit:,} bytes")
            if (response.length or 0) > limit:
                raise too_big
            body = response.read(limit + 1)
            if len(body) > limit:
                raise too_big
            if response.length:  # `read` with a size does not complain about an early end
                raise bad_answer(shown(target), "half of what it announced")
            headers = {name.lower(): value for name, value in response.getheaders()}
            closes = response.will_close
        if closes:
            self.close()
        elif self._kept is not None:
            self._kept = (*self._kept[:2], time.monotonic())
        return Answer(response.status, headers, shown(target), body)


def _redirected(target: SplitResult, answer: Answer) -> SplitResult:
    """Where the same question goes next: the same host only, and never back from TLS."""
    try:
        following = checked(urljoin(target.geturl(), answer.headers.get("location", "")))
    except (ServiceFault, ValueError):
        raise bad_answer(shown(target), "a redirect that leads nowhere") from None
    schemes = (target.scheme, following.scheme)
    if shown(following) != shown(target) or schemes not in {(target.scheme,) * 2, ("http", "https")} or following == target:
        fault = bad_answer(shown(target), f"a redirect to {shown(following)}, where the key and the texts are not sent")
        fault.hint = "If that is where the service is now, give this address in the settings."
        raise fault
    return following


def _broken(target: SplitResult, fault: Exception) -> ServiceFault:
    import http.client

    if isinstance(fault, http.client.BadStatusLine) and not isinstance(fault, http.client.RemoteDisconnected):
        return bad_answer(shown(target), "something that is no HTTP")
    if isinstance(fault, http.client.HTTPException) and not isinstance(fault, ConnectionError):
        return bad_answer(shown(target), "a broken message")
    return unreachable(shown(target), "the connection broke off")


def unreachable(host: str, why: str, hint: str = "Check the address, the network and the proxy.") -> ServiceFault:
    return ServiceFault("unreachable", "Service not reached", f"{host} is not reached: {why}.", hint)
