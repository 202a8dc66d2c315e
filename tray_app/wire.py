"""Connections with one time limit for everything, through the system's proxy where there is one.

Owns sockets, TLS and the choice of a proxy. Knows neither keys nor services, imports nothing of ours, and logs nothing.
"""

from __future__ import annotations

import base64
import functools
import io
import ipaddress
import os
import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    import ssl

CONNECT_S = 10.0
PIECE = 65_536
DEFAULT_PORTS = {"http": 80, "https": 443}
CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where systems keep theirs. The OpenSSL inside a frozen build looks only where the machine that built it had them."""


class Unreached(Exception):
    """No connection; the text says why, in words that fit behind 'HOST is not reached: '."""


class Wire:
    """A socket whose every operation ends at `deadline` (of `time.monotonic`) with TimeoutError, however slowly bytes drip."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self.sock, self.deadline = sock, deadline
        self.whole_address = False
        """Whether requests name the whole address, because a proxy reads them."""
        self.proxy_headers: dict[str, str] = {}

    def _left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def sendall(self, data: bytes) -> None:
        view = memoryview(data)
        for start in range(0, len(view), PIECE):
            self.sock.settimeout(self._left())
            self.sock.sendall(view[start : start + PIECE])

    def receive_into(self, buffer: Any) -> int:
        self.sock.settimeout(self._left())
        return self.sock.recv_into(buffer)

    def makefile(self, mode: str = "rb") -> io.BufferedReader:
        return io.BufferedReader(_Stream(self), PIECE)

    def close(self) -> None:
        """Nothing: http.client closes its socket before the answer is read. `end` does it."""

    def end(self) -> None:
        self.sock.close()


class _Stream(io.RawIOBase):
    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._wire.receive_into(buffer)


def opened(scheme: str, host: str, port: int | None, deadline: float) -> Wire:
    """A connection to `host`, ready for requests. Raises Unreached."""
    number = port or DEFAULT_PORTS[scheme]
    limit = min(deadline, time.monotonic() + CONNECT_S)
    proxy = None if is_loopback(host) else proxy_for(scheme, host)
    wire = Wire(_connected(*(proxy[:2] if proxy else (host, number)), limit), limit)
    try:
        if proxy and scheme == "http":
            wire.whole_address, wire.proxy_headers = True, proxy[2]
        elif proxy:
            _tunnel(wire, host, number, proxy[2])
        if scheme == "https":
            wire.sock.settimeout(max(limit - time.monotonic(), 0.001))
            wire.sock = _context().wrap_socket(wire.sock, server_hostname=host)
    except BaseException as fault:
        wire.end()
        if isinstance(fault, OSError):
            raise Unreached(_why(fault)) from None
        raise
    wire.deadline = deadline
    return wire


def is_loopback(host: str) -> bool:
    """Whether a host name is this machine's own. Names are not looked up."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def proxy_for(scheme: str, host: str) -> tuple[str, int, dict[str, str]] | None:
    """The system's proxy for a host (environment, or the settings of Windows and macOS): host, port, and the header that lets
    us in. Raises Unreached for a kind that we do not speak."""
    from urllib.request import getproxies, proxy_bypass

    known = getproxies()
    given = known.get(scheme, "")
    if not given and not known.get("all", "").startswith("socks"):
        given = known.get("all", "")
    if not given or proxy_bypass(host):
        return None
    try:
        parts = urlsplit(given if "://" in given else f"http://{given}")
        name, port = parts.hostname, parts.port or 80
    except ValueError:
        raise Unreached("the address of the system's proxy cannot be read") from None
    if parts.scheme != "http" or not name:
        raise Unreached(
            f"the system's proxy is of a kind ({parts.scheme or 'unknown'}) that is not spoken here; use an http:// one"
        )
    headers = {}
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    return name, port, headers


def _tunnel(wire: Wire, host: str, port: int, headers: dict[str, str]) -> None:
    """Ask a proxy to pass bytes through to the host."""
    from http.client import HTTPException, HTTPResponse

    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}", *(f"{name}: {value}" for name, value in headers.items())]
    wire.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
    response = HTTPResponse(cast(Any, wire), method="CONNECT")
    try:
        response.begin()
    except HTTPException:
        raise Unreached("the proxy does not answer as one") from None
    finally:
        response.close()
    if response.status == 407:
        raise Unreached("the proxy wants a name and a password")
    if response.status != 200:
        raise Unreached(f"the proxy refuses (HTTP {response.status})")


def _connected(host: str, port: int, limit: float) -> socket.socket:
    """The first address of a host that takes a connection."""
    try:
        places = _looked_up(host, port, limit)
    except (OSError, UnicodeError):
        raise Unreached("its name is not found") from None
    why = "it has no address"
    for index, (family, kind, protocol, _, address) in enumerate(places):
        left = (limit - time.monotonic()) / (len(places) - index)
        if left <= 0:
            break
        sock = None
        try:
            sock = socket.socket(family, kind, protocol)
            sock.settimeout(left)
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock
        except OSError as fault:
            why = _why(fault)
            if sock is not None:
                sock.close()
    raise Unreached(why)


def _looked_up(host: str, port: int, limit: float) -> list[Any]:
    """Addresses of a host. Names are looked up in a thread of their own: a resolver can hang for a minute, whatever limit is
    set on sockets."""
    found: list[Any] = []
    faults: list[Exception] = []

    def look() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as fault:  # handed over to the thread that waits
            faults.append(fault)

    if is_loopback(host):
        look()
    else:
        thread = threading.Thread(target=look, name="name lookup", daemon=True)
        thread.start()
        thread.join(max(limit - time.monotonic(), 0))
        if thread.is_alive():
            raise Unreached("looking up its name takes too long")
    if faults:
        raise faults[0]
    return list(found)


@functools.cache
def _context() -> ssl.SSLContext:
    import ssl

    context = ssl.create_default_context()
    places = ssl.get_default_verify_paths()
    if os.name == "posix" and not places.cafile and not places.capath:
        found = next((file for file in CERTIFICATES if Path(file).exists()), None)
        if found:
            context.load_verify_locations(found)
    return context


def _why(fault: OSError) -> str:
    import ssl

    if isinstance(fault, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({fault.verify_message})"
    if isinstance(fault, ssl.SSLError) and not isinstance(fault, ssl.SSLEOFError):
        return "no TLS is spoken there; the address may have to begin with http://"
    if isinstance(fault, TimeoutError):
        return "no connection within the time limit"
    if isinstance(fault, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(fault, (ConnectionError, ssl.SSLEOFError)):
        return "the connection broke off"
    return (fault.strerror or "the network is down").rstrip(".").lower()
