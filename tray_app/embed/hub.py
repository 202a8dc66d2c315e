"""What is asked of the hub that models come from, or of a mirror of it: the files of a repository, and their bytes.

Owns that small part of its protocol. huggingface_hub's own client is not used: since 1.3x it throws half a file away when a
download ends early, reads the mirror from the environment when it is imported, and sends the token it finds in the home
folder. Nothing of the person's is sent here. Redirects to other hosts are followed, since files lie elsewhere, but never from
TLS to none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import SplitResult, quote, urljoin

import msgspec

from tray_app import __version__
from tray_app.embed.base import EmbedFault
from tray_app.web import Answer, Client, ServiceFault, checked, shown, unreachable
from tray_app.wire import Unreached, Wire, opened

if TYPE_CHECKING:
    from http.client import HTTPResponse

ADDRESS = "https://huggingface.co"
LIST_S, STALL_S = 20.0, 30.0
"""For a list of files, and for the next bytes of one."""
REDIRECTS = 5
PIECE = 262_144


class _Stored(msgspec.Struct):
    sha256: str = ""


class _File(msgspec.Struct, rename={"name": "rfilename", "blob": "blobId"}):
    name: str
    size: int | None = None
    blob: str = ""
    lfs: _Stored | None = None


class _Repository(msgspec.Struct):
    sha: str
    siblings: list[_File] = []


class RemoteFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a repository. `sha256` of its bytes where the hub stores it apart, else `blob`: git's name for it."""

    name: str
    size: int
    sha256: str = ""
    blob: str = ""


class Hub:
    """One address. Used from one thread at a time; `cut` from any."""

    def __init__(self, mirror: str = "") -> None:
        self.address = mirror.strip().rstrip("/") or ADDRESS
        self._wire: Wire | None = None

    @property
    def host(self) -> str:
        return shown(checked(self.address))

    def files(self, repo: str) -> tuple[str, list[RemoteFile]]:
        """The newest revision of a repository, and its files. Raises EmbedFault."""
        client = Client(self.address)
        try:
            answer = client.get(f"/api/models/{quote(repo)}/revision/main?blobs=true", seconds=LIST_S)
            if answer.status != 200:
                raise refused(answer.status, answer.host, answer.wait())
            read = answer.read(_Repository)
        except ServiceFault as fault:
            raise told(fault) from None
        finally:
            client.close()
        return read.sha, [
            RemoteFile(name=file.name, size=file.size, sha256=file.lfs.sha256 if file.lfs else "", blob=file.blob)
            for file in read.siblings
            if file.size is not None
        ]

    def bytes_of(self, repo: str, revision: str, name: str, start: int, take: Callable[[bytes, bool], None]) -> None:
        """The bytes of a file from `start` on, piece by piece; with the first piece `take` is told whether they really begin
        there (else at 0: the server knows no ranges). Raises EmbedFault; what `take` raises comes through."""
        target = checked(f"{self.address}/{quote(repo)}/resolve/{revision}/{quote(name)}")
        for _ in range(REDIRECTS + 1):
            with self._asked(target, start) as response:
                if response.status in (301, 302, 303, 307, 308):
                    target = _following(target, response.headers.get("Location", ""))
                    continue
                if response.status not in (200, 206):
                    raise refused(response.status, shown(target), _wait(response))
                resumed = response.status == 206
                if resumed and not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
                    raise _odd(shown(target))
                for piece in self._pieces(response, shown(target)):
                    take(piece, resumed)
                return
        raise _odd(shown(target))

    def cut(self) -> None:
        """End what is being read, from another thread."""
        import socket

        wire = self._wire
        if wire is not None:
            try:
                wire.sock.shutdown(socket.SHUT_RDWR)
            except (OSError, ValueError):  # it is over already
                return

    @contextmanager
    def _asked(self, target: SplitResult, start: int) -> Iterator[HTTPResponse]:
        import http.client

        host = shown(target)
        try:
            wire = opened(target.scheme, target.hostname or "", target.port, time.monotonic() + STALL_S)
        except Unreached as fault:
            raise told(unreachable(host, str(fault))) from None
        self._wire = wire
        try:
            headers = {"User-Agent": f"Backscroll/{__version__}", "Accept": "*/*", "Host": target.netloc}
            headers |= {"Range": f"bytes={start}-"} if start else {}
            headers.update(wire.proxy_headers)
            path = (target.path or "/") + (f"?{target.query}" if target.query else "")
            connection = http.client.HTTPConnection(target.hostname or "", target.port)
            connection.sock = cast(Any, wire)
            with _in_words(host):
                place = f"{target.scheme}://{target.netloc}{path}" if wire.whole_address else path
                connection.request("GET", place, headers=headers)
                response = connection.getresponse()
            with response:
                yield response
        finally:
            self._wire = None
            wire.end()

    def _pieces(self, response: HTTPResponse, host: str) -> Iterator[bytes]:
        while True:
            if self._wire is not None:
                self._wire.deadline = time.monotonic() + STALL_S
            with _in_words(host):
                piece = response.read1(PIECE)
            if piece:
                yield piece
            elif response.length:
                raise told(unreachable(host, "the connection broke off"))
            else:
                return


@contextmanager
def _in_words(host: str) -> Iterator[None]:
    """Faults of the network as EmbedFault. ValueError: of a connection that `cut` has ended."""
    from http.client import HTTPException

    try:
        yield
    except TimeoutError:
        raise told(unreachable(host, f"nothing came for {STALL_S:g} s")) from None
    except (OSError, HTTPException, ValueError):
        raise told(unreachable(host, "the connection broke off")) from None


def _wait(response: HTTPResponse) -> float | None:
    return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, "").wait()


def _following(target: SplitResult, location: str) -> SplitResult:
    try:
        following = checked(urljoin(target.geturl(), location))
    except ServiceFault:
        raise _odd(shown(target)) from None
    if target.scheme == "https" and following.scheme != "https":
        raise _odd(shown(target))
    return following


def _odd(host: str) -> EmbedFault:
    return EmbedFault(
        "embedding_bad_answer",
        "Answer not understood",
        f"{host} does not answer as a hub of models does.",
        "Check the mirror in the settings.",
        final=True,
    )


def refused(status: int, host: str, wait: float | None) -> EmbedFault:
    """What an answer other than the file means."""
    if status in (401, 403, 404, 410):
        return EmbedFault(
            "embedding_bad_model",
            "Model not found",
            f"{host} does not have this model, or does not give it to everyone (HTTP {status}).",
            "Choose another model, or another mirror.",
            final=True,
        )
    if status == 429:
        return EmbedFault(
            "embedding_limited", "Too many requests", f"{host} asks to wait.", "Try again later.", retry_after=wait
        )
    if status >= 500:
        return EmbedFault(
            "embedding_busy", "Hub busy", f"{host} cannot serve it now (HTTP {status}).", "Try again later.", retry_after=wait
        )
    return _odd(host)


def told(fault: ServiceFault) -> EmbedFault:
    """As back ends say it."""
    return EmbedFault(f"embedding_{fault.kind}", fault.title, fault.message, fault.hint, final=fault.final)
