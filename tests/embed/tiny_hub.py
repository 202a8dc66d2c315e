"""A hub of models on this machine: the part of its protocol that a download needs, and the ways in which it fails."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

PIECE = 1_000


class TinyHub:
    """One repository. Weights are stored apart, as the hub does: by SHA-256, behind a redirect."""

    def __init__(self, repo: str, files: dict[str, bytes]) -> None:
        self.repo, self.files, self.sha = repo, files, "c" * 40
        self.asked: list[tuple[str, str]] = []
        """Paths and ranges."""
        self.headers: list[dict[str, str]] = []
        self.statuses: list[int] = []
        """What the next requests for weights get instead of them."""
        self.list_status = 200
        self.retry_after = ""
        self.ranges = True
        self.drops: list[int] = []
        """After how many bytes the next requests for weights end."""
        self.stall_at: int | None = None
        self.stalled, self.go_on = threading.Event(), threading.Event()
        self.sent: dict[str, bytes] = {}
        """What comes instead of a file's bytes."""
        self.location = ""
        """Where redirects lead instead."""
        self.blobs = True
        self.address = ""

    def listing(self) -> bytes:
        siblings: list[dict[str, Any]] = []
        for name, content in self.files.items():
            one: dict[str, Any] = {"rfilename": name}
            if self.blobs:
                one |= {"size": len(content), "blobId": git_name(content)}
                if self.is_stored_apart(name):
                    one["lfs"] = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
            siblings.append(one)
        return json.dumps({"id": self.repo, "sha": self.sha, "siblings": siblings, "private": False}).encode()

    @staticmethod
    def is_stored_apart(name: str) -> bool:
        return name.endswith((".onnx", ".onnx_data", ".safetensors"))


def git_name(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@contextmanager
def serving(hub: TinyHub) -> Iterator[TinyHub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            hub.asked.append((self.path, self.headers.get("Range", "")))
            hub.headers.append(dict(self.headers))
            if path == f"/api/models/{hub.repo}/revision/main":
                self.answer(hub.list_status, hub.listing() if hub.list_status == 200 else b"{}")
            elif path.startswith(f"/{hub.repo}/resolve/{hub.sha}/"):
                name = path.removeprefix(f"/{hub.repo}/resolve/{hub.sha}/")
                if hub.is_stored_apart(name):
                    self.send_response(302)
                    self.send_header("Location", hub.location or f"/stored/{name}?signature=a%2Fb")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                else:
                    self.file(name)
            elif path.startswith("/stored/"):
                if hub.statuses:
                    self.answer(hub.statuses.pop(0), b"no")
                else:
                    self.file(path.removeprefix("/stored/"))
            else:
                self.answer(404, b"{}")

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            if hub.retry_after:
                self.send_header("Retry-After", hub.retry_after)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def file(self, name: str) -> None:
            content = hub.sent.get(name, hub.files.get(name, b""))
            given = self.headers.get("Range", "")
            start = int(given.removeprefix("bytes=").removesuffix("-")) if given and hub.ranges else 0
            self.send_response(206 if given and hub.ranges else 200)
            if given and hub.ranges:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            end = start + hub.drops.pop(0) if hub.drops and hub.is_stored_apart(name) else len(content)
            for place in range(start, min(end, len(content)), PIECE):
                if hub.stall_at is not None and place >= hub.stall_at and hub.is_stored_apart(name):
                    hub.stalled.set()
                    hub.go_on.wait(20)
                try:
                    self.wfile.write(content[place : min(place + PIECE, end)])
                except OSError:  # the other end has gone
                    break
            self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
