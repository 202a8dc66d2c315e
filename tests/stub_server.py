"""A small HTTP server on this machine that plays a service: tests say what it answers and see what it was asked.

Speaks HTTP/1.1 with kept connections, TLS if given a context, and CONNECT as a proxy does.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMS = 8


@dataclass
class Seen:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Reply:
    """`body` is sent as JSON unless it is bytes. `delay_s` before the answer, `drip_s` between its bytes. `short` bytes are
    announced and not sent; `silent` hangs up without a word; `raw` is sent instead of HTTP."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drip_s: float = 0.0
    short: int = 0
    silent: bool = False
    raw: bytes = b""
    chunked: bool = False


Answering = Callable[[Seen], Reply]


class Stub:
    """`answer` may be replaced at any time; `seen` holds the requests in order, `connections` how many were opened."""

    def __init__(self, server: ThreadingHTTPServer, tls: bool) -> None:
        self.port: int = server.server_address[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self.answer: Answering = lambda _seen: Reply(body={})
        self.seen: list[Seen] = []
        self.connections = 0
        self.tunnels: dict[str, int] = {}
        """CONNECT: port on this machine by the name asked for."""
        self.ending = threading.Event()

    def replies(self, *replies: Reply) -> None:
        """One after another; the last one again and again."""
        waiting = list(replies)
        self.answer = lambda _seen: waiting.pop(0) if len(waiting) > 1 else waiting[0]


@contextlib.contextmanager
def running(context: ssl.SSLContext | None = None) -> Iterator[Stub]:
    server = _Server(("127.0.0.1", 0), _Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    stub = server.stub = Stub(server, context is not None)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.ending.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def vector_of(text: str, dims: int = DIMS) -> list[float]:
    """What the stub's model makes of a text."""
    return [byte / 255 + 0.01 for byte in hashlib.sha256(text.encode()).digest()[:dims]]


def embeddings(request: Seen) -> Reply:
    """As an OpenAI-compatible service, last one first."""
    items = [{"index": index, "embedding": vector_of(text)} for index, text in enumerate(request.body["input"])]
    return Reply(body={"object": "list", "data": items[::-1], "usage": {"total_tokens": 1}})


def ollama_embeddings(request: Seen) -> Reply:
    return Reply(body={"model": request.body["model"], "embeddings": [vector_of(text) for text in request.body["input"]]})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stub: Stub

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up, or a handshake that it refused: the tests see their side of it."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.stub.connections += 1

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_CONNECT(self) -> None:
        stub = self.server.stub
        stub.seen.append(Seen("CONNECT", self.path, {name.lower(): value for name, value in self.headers.items()}, None))
        port = stub.tunnels.get(self.path)
        if port is None:
            self._send(stub.answer(stub.seen[-1]))
            return
        with socket.create_connection(("127.0.0.1", port)) as beyond:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_pump, args=(beyond, self.connection), daemon=True)
            back.start()
            _pump(self.connection, beyond)
            back.join(5)
        self.close_connection = True

    def _serve(self) -> None:
        stub = self.server.stub
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        stub.seen.append(Seen(self.command, self.path, headers, json.loads(content) if content else None))
        self._send(stub.answer(stub.seen[-1]))

    def _send(self, reply: Reply) -> None:
        stub = self.server.stub
        if reply.delay_s and stub.ending.wait(reply.delay_s):
            reply = Reply(silent=True)
        if reply.silent or reply.raw:
            self.wfile.write(reply.raw)
            self.close_connection = True
            return
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.chunked:
            self.send_header("Transfer-Encoding", "chunked")
            body = b"%x\r\n%s\r\n" % (len(body), body) + (b"" if reply.short else b"0\r\n\r\n")
        else:
            self.send_header("Content-Length", str(len(body) + reply.short))
        self.end_headers()
        if reply.drip_s:
            for byte in body:
                if stub.ending.wait(reply.drip_s):
                    break
                self.wfile.write(bytes([byte]))
        else:
            self.wfile.write(body)
        if reply.short:
            self.close_connection = True


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(65_536):
            target.sendall(piece)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
