"""The owner's side of the socket: answers other processes with what the backend in this process says.

One thread accepts, and each connection has a thread of its own on which its requests are answered in order. The proof of
the secret happens on the connection's thread with a time limit, so that a caller that says nothing blocks no one. A frame
that cannot be read ends its own connection only. Knows nothing of the database, the settings or Qt.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from tray_app.errors import AppError, BugError, KnownError, UsageError
from tray_app.records import Progress
from tray_app.service import arguments, protocol, transport
from tray_app.service.backend import Backend
from tray_app.service.ownership import Note
from tray_app.service.proof import Unproven
from tray_app.service.telling import Telling
from tray_app.service.transport import Channel

log = logging.getLogger(__name__)

CONNECTIONS = 64
WINDOW_WAIT_S = 3.0
"""How long `toggle` waits for a tray that is still starting to have its window; it is shown when it comes later."""
LAST_WORDS_S = 0.5
"""How long a pass that was stopped has to tell its asker, and connections have to find that they end."""


class Window(Protocol):
    """What a tray lets others do to it. Called on a thread of the server: implementations post to their own."""

    def toggle(self) -> None: ...
    def show(self) -> None: ...
    def quit(self) -> None: ...


class Caller:
    """One connection: whether the secret was proven on it, whether something asked on it is being answered, and since when
    it is as it is."""

    def __init__(self) -> None:
        self.proven, self.asking, self.since = False, False, time.monotonic()

    def now(self, *, asking: bool) -> None:
        self.proven, self.asking, self.since = True, asking, time.monotonic()


class Server:
    """Listens from `start` to `close`. `step_down` is called, after the answer is sent, when a tray wants the files."""

    def __init__(
        self,
        backend: Backend,
        note: Note,
        *,
        window: Window | None = None,
        step_down: Callable[[], bool] | None = None,
    ) -> None:
        self._backend, self._note, self._step_down = backend, note, step_down
        self._window, self._window_known, self._show_later = window, threading.Event(), False
        if window is not None:
            self._window_known.set()
        self._listener = transport.listen(note.address)
        self._changed = threading.Condition()
        self._callers: dict[Channel, Caller] = {}
        """Open connections. A channel is closed after it has left, so that what stands here can be shut down under the lock."""
        self._running: list[str] = []
        self._closing = False
        self._why = protocol.ENDING
        self.last_asked = time.monotonic()
        self._thread = threading.Thread(target=self._accept, name="service-accept", daemon=True)

    def start(self) -> Server:
        self._thread.start()
        return self

    @property
    def window(self) -> Window | None:
        return self._window

    @window.setter
    def window(self, window: Window | None) -> None:
        with self._changed:
            self._window = window
            late, self._show_later = self._show_later and window is not None, False
        if window is not None:
            self._window_known.set()
            if late:
                window.show()

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def drain(self, seconds: float, *, for_tray: bool = False) -> None:
        """Begin no further request, and wait until those under way are answered; passes over the sessions, which their
        askers repeat with the next owner, are not waited for."""
        with self._changed:
            self._closing = True
            if for_tray:
                self._why = protocol.YIELDING
            self._changed.wait_for(lambda: all(name == "index" for name in self._running), seconds)

    def close(self) -> None:
        """Stop listening and end all connections; the backend was closed before. What has arrived by then is answered, with
        `ENDING`; what is sent later is known to its sender as not sent. Can be called twice."""
        with self._changed:
            self._closing = True
            self._changed.wait_for(lambda: not self._running, LAST_WORDS_S)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            with contextlib.suppress(OSError, KnownError):
                transport.dial(self._note.address).close()  # wakes the accepting thread
            self._thread.join(transport.STEP_S + 1)
        self._listener.close()
        with self._changed:
            for channel in self._callers:
                transport.stop_hearing(channel)
            self._changed.wait_for(lambda: not self._callers, LAST_WORDS_S + (transport.WAKE_S or 0))
            for channel in self._callers:
                transport.hang_up(channel)

    # --- connections -----------------------------------------------------------------------------------------------
    def _accept(self) -> None:
        told = False
        while not self._closing:
            try:
                channel = self._listener.accept()
                if channel is None:
                    continue
                if self._closing or not self._admit(channel):
                    channel.close()
                    continue
                self._begin(channel)
                told = False
            except (OSError, RuntimeError) as fault:
                if self._closing:
                    return
                if not told:  # once for as long as it lasts
                    log.warning("a caller could not be let in: %s", fault)
                told = True
                time.sleep(0.1)  # out of descriptors or threads, most likely: no tight loop

    def _begin(self, channel: Channel) -> None:
        """Give a connection its thread. Raises RuntimeError when there can be no more."""
        try:
            threading.Thread(target=self._serve, args=(channel,), name="service-connection", daemon=True).start()
        except BaseException:
            self._leave(channel)
            raise

    def _admit(self, channel: Channel) -> bool:
        """Keep the number of connections bounded: one that has not proven itself makes room for a new one, else the one on
        which nothing was asked for the longest; its client makes another when it needs it."""
        with self._changed:
            if len(self._callers) >= CONNECTIONS:
                idle = [old for old, caller in self._callers.items() if not caller.asking]
                if not idle:
                    return False
                old = min(idle, key=lambda old: (self._callers[old].proven, self._callers[old].since))
                (transport.stop_hearing if self._callers.pop(old).proven else transport.hang_up)(old)
            self._callers[channel] = Caller()
            return True

    def _leave(self, channel: Channel) -> None:
        with self._changed:
            self._callers.pop(channel, None)
            self._changed.notify_all()
        channel.close()

    def _serve(self, channel: Channel) -> None:
        caller = self._callers.get(channel)
        try:
            if caller is None:
                return
            transport.prove_to_caller(channel, self._note.secret.encode())
            with self._changed:
                caller.now(asking=False)
            if not channel.poll(transport.STEP_S):
                return
            same = self._greet(channel)
            while same is not None and self._is_asked(channel):
                request = protocol.decode(channel.recv_bytes(protocol.REQUEST_BYTES), protocol.Request)
                with self._changed:
                    caller.now(asking=True)
                self._answer(channel, request, same)
                with self._changed:
                    caller.now(asking=False)
        except (OSError, EOFError):
            return  # the caller has gone, or sent more than a frame may hold
        except Unproven:
            log.info("a caller did not know the secret")
        except ValueError as fault:
            log.info("a caller sent what is no request: %s", type(fault).__name__)
        finally:
            self._leave(channel)

    def _is_asked(self, channel: Channel) -> bool:
        """Wait for the next request. False when the connection is to end without one."""
        while not channel.poll(transport.WAKE_S):
            if self._closing or channel not in self._callers:
                return False
        return True

    def _greet(self, channel: Channel) -> bool | None:
        """Answer the hello. True: the same version; False: another one, which may only use the controls (these and the hello
        are the same in every version of the protocol); None: it is no hello, and the connection ends."""
        request = protocol.decode(channel.recv_bytes(protocol.REQUEST_BYTES), protocol.Request)
        if request.method != "hello":
            fault = UsageError("no_hello", "No hello", "The first request on a connection is hello.")
            self._send(channel, protocol.Reply(request.id, error=protocol.fault_of(fault)))
            return None
        caller = protocol.decode(request.params, protocol.Hello)
        own = protocol.own_hello(self._note.kind)
        self._send(channel, protocol.Reply(request.id, msgspec.Raw(protocol.encode(own))))
        return protocol.same_version(caller)

    # --- requests --------------------------------------------------------------------------------------------------
    def _answer(self, channel: Channel, request: protocol.Request, same: bool) -> None:
        with self._changed:
            self.last_asked = time.monotonic()
            refused = self._closing
            if not refused:
                self._running.append(request.method)
        after: Callable[[], object] | None = None
        try:
            if refused:
                raise self._not_done()
            result, after = self._perform(channel, request, same)
            reply = protocol.Reply(request.id, msgspec.Raw(protocol.encode(result)))
        except AppError as error:
            reply = protocol.Reply(request.id, error=protocol.fault_of(error))
        except Exception as fault:
            if self._closing:  # the backend was closed under it
                reply = protocol.Reply(request.id, error=protocol.fault_of(self._not_done()))
            else:
                log.exception("%s failed", request.method)
                reply = protocol.Reply(request.id, error=protocol.fault_of(_bug(fault)))
        try:
            if self._closing and request.method == "index":  # it was stopped in the middle
                reply = protocol.Reply(request.id, error=protocol.fault_of(self._not_done()))
            self._send(channel, reply)
        finally:
            with self._changed:
                self.last_asked = time.monotonic()
                if not refused:
                    self._running.remove(request.method)
                    self._changed.notify_all()
        if after is not None:
            threading.Thread(target=after, name="service-step-down", daemon=True).start()

    def _not_done(self) -> KnownError:
        return KnownError(self._why, "Owner changes", "This process lets go of the files.")

    def _perform(self, channel: Channel, request: protocol.Request, same: bool) -> tuple[Any, Callable[[], object] | None]:
        if request.method in protocol.CONTROLS:
            return self._control(request.method)
        if not same:
            raise protocol.other_version(protocol.own_hello(self._note.kind))
        method = protocol.METHODS.get(request.method)
        if method is None:
            raise UsageError("method_unknown", "No such request", f"{request.method!r} cannot be asked.")
        try:
            params = protocol.decode(request.params, method.params)
        except ValueError as fault:
            raise UsageError("params", "Not understood", f"{request.method}: {fault}.") from fault
        given = {name: getattr(params, name) for name in params.__struct_fields__}
        arguments.check(given)
        act = getattr(self._backend, request.method)
        if not method.progress:
            return act(**given), None

        def send(progress: Progress) -> None:
            self._send(channel, protocol.Reply(request.id, msgspec.Raw(protocol.encode(progress)), True))

        with Telling(send) as report:
            return act(**given, report=report), None

    def _control(self, name: str) -> tuple[Any, Callable[[], object] | None]:
        if name == "yield_ownership":
            yields = self._note.kind != "tray" and self._step_down is not None
            return protocol.Yielding(yields), self._step_down if yields else None
        if self._note.kind == "tray":
            self._window_known.wait(WINDOW_WAIT_S)
        with self._changed:
            window = self._window
            self._show_later = window is None and self._note.kind == "tray" and name != "quit"
            if self._show_later:
                return None, None
        if window is None:
            raise not_running()
        {"toggle": window.toggle, "show_window": window.show, "quit": window.quit}[name]()
        return None, None

    def _send(self, channel: Channel, reply: protocol.Reply) -> None:
        frame = protocol.encode(reply)
        if len(frame) > protocol.REPLY_BYTES:
            error = KnownError("reply_too_large", "Too much at once", "The answer is too large to be sent.", "Ask for less.")
            frame = protocol.encode(protocol.Reply(reply.id, error=protocol.fault_of(error)))
        channel.send_bytes(frame)


def not_running() -> KnownError:
    return KnownError("not_running", "Not running", "Backscroll's tray is not running.", "Start it with: backscroll")


def _bug(fault: Exception) -> BugError:
    return BugError(
        "bug", "Something went wrong", f"The running Backscroll met an error ({type(fault).__name__}).", "See its log."
    )
