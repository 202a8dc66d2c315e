"""The hotkey under Wayland: the desktop portal's GlobalShortcuts, spoken with jeepney on a connection of our own.

Owns that connection, one portal session and one shortcut id, which stays the same for ever because desktops keep
bindings by it. Nothing here waits for an answer: requests are sent, and a notifier hands the answers to the next step.
Which key it is decides the desktop: the one we send is a wish, and the person changes it in the system's settings.
"""

from __future__ import annotations

import itertools
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, QTimer

from tray_app.paths import APP_ID
from tray_app.ui.hotkey.base import Grabbed, Outcome, Press, Refused, Sequence, Unsupported, Waiting

log = logging.getLogger(__name__)

BUS_NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
REQUEST = "org.freedesktop.portal.Request"
SESSION = "org.freedesktop.portal.Session"
REGISTRY = "org.freedesktop.host.portal.Registry"
SHORTCUT_ID = "open-search"
NOT_THERE = ("UnknownMethod", "UnknownInterface", "UnknownObject")
NO_SERVICE = ("ServiceUnknown", "NameHasNoOwner", "Spawn.", "NoReply", "TimedOut", "Timeout")
KEY_NAMES = {
    "Space": "space", "Return": "Return", "Enter": "KP_Enter", "Esc": "Escape", "Backspace": "BackSpace", "Del": "Delete",
    "Ins": "Insert", "PgUp": "Page_Up", "PgDown": "Page_Down", "`": "grave", "-": "minus", "=": "equal",
    "[": "bracketleft", "]": "bracketright", "\\": "backslash", ";": "semicolon", "'": "apostrophe", ",": "comma",
    ".": "period", "/": "slash", "+": "plus",
}  # fmt: skip
MODIFIER_NAMES = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Meta": "LOGO"}


def trigger(sequence: Sequence) -> str:
    """A key as the XDG shortcuts specification writes it: 'CTRL+ALT+space'."""
    modifiers = [MODIFIER_NAMES[name] for name in MODIFIER_NAMES if name in sequence.modifiers]
    key = KEY_NAMES.get(sequence.key, sequence.key.lower() if len(sequence.key) == 1 else sequence.key)
    return "+".join([*modifiers, key])


class PortalHotkey:
    """`describe` gives the sentence that the desktop's own dialog shows for the shortcut."""

    def __init__(self, describe: Callable[[], str], environ: Mapping[str, str] | None = None, app_id: str = APP_ID) -> None:
        self._describe = describe
        self._environ = os.environ if environ is None else environ
        self._app_id = app_id
        self._owner = QObject()
        self._tokens = itertools.count(1)
        self._connection: Any = None
        self._notifier: QSocketNotifier | None = None
        self._replies: dict[int, Callable[[Any], None]] = {}
        self._responses: dict[str, Callable[[int, dict[str, Any]], None]] = {}
        self._session = ""
        self._sequence: Sequence | None = None
        self._pressed: Callable[[Press], None] = lambda press: None
        self._settled: Callable[[Outcome], None] = lambda outcome: None

    def grab(self, sequence: Sequence, pressed: Callable[[Press], None], settled: Callable[[Outcome], None]) -> Outcome:
        if self._session:
            # Bound once already: only the desktop can change it now.
            return Grabbed(str(self._sequence), self._release, fixed=True)
        self._close_connection()
        try:
            from jeepney.io.blocking import open_dbus_connection
        except ImportError as fault:
            return Unsupported("no_library", str(fault))
        try:
            self._connection = open_dbus_connection(self._environ.get("DBUS_SESSION_BUS_ADDRESS") or "SESSION")
        except (OSError, KeyError, ValueError, RuntimeError) as fault:
            return Unsupported("no_bus", str(fault) or type(fault).__name__, again=True)
        self._sequence, self._pressed, self._settled = sequence, pressed, settled
        self._notifier = QSocketNotifier(self._connection.sock.fileno(), QSocketNotifier.Type.Read, self._owner)
        self._notifier.activated.connect(self._read)
        self._listen()
        # First of all calls on this connection, or the portal takes us for nobody (since 1.21).
        self._call(PATH, REGISTRY, "Register", "sa{sv}", (self._app_id, {}), self._registered)
        return Waiting()

    def close(self) -> None:
        self._release()
        self._close_connection()

    def _release(self) -> None:
        if self._session and self._connection is not None:
            self._call(self._session, SESSION, "Close", None, (), lambda message: None)
        self._session = ""

    # --- the steps -------------------------------------------------------------------------------------------------
    def _registered(self, reply: Any) -> None:
        name, text = _error(reply)
        if any(part in name for part in NO_SERVICE):
            self._fail(Unsupported("no_portal", text, again=True))
            return
        if name and not any(part in name for part in NOT_THERE):
            # An older portal has no registry and needs none; this one has, and does not know our desktop file.
            self._fail(Unsupported("no_app_id", text))
            return
        token = self._token()
        options = {"handle_token": ("s", token), "session_handle_token": ("s", self._token())}
        self._responses[token] = self._created
        self._call(PATH, SHORTCUTS, "CreateSession", "a{sv}", (options,), self._asked)

    def _asked(self, reply: Any) -> None:
        name, text = _error(reply)
        if not name:
            return
        self._responses.clear()
        missing = any(part in name for part in (*NOT_THERE, *NO_SERVICE))
        self._fail(Unsupported("no_portal" if missing else "no_app_id", text, again=missing))

    def _created(self, code: int, results: dict[str, Any]) -> None:
        if code or "session_handle" not in results:
            self._fail(Refused("denied", f"response {code}"))
            return
        self._session = results["session_handle"][1]
        assert self._sequence is not None
        token = self._token()
        shortcut = {"description": ("s", self._describe()), "preferred_trigger": ("s", trigger(self._sequence))}
        self._responses[token] = self._bound
        body = (self._session, [(SHORTCUT_ID, shortcut)], "", {"handle_token": ("s", token)})
        self._call(PATH, SHORTCUTS, "BindShortcuts", "oa(sa{sv})sa{sv}", body, self._asked)

    def _bound(self, code: int, results: dict[str, Any]) -> None:
        if code:
            self._release()
            self._fail(Refused("denied", f"response {code}"))
            return
        self._tell(results.get("shortcuts", ("", []))[1])

    def _tell(self, shortcuts: list[Any]) -> None:
        # GNOME may list nothing though it bound the key: the presses that come are what counts.
        texts = [fields.get("trigger_description", ("s", ""))[1] for name, fields in shortcuts if name == SHORTCUT_ID]
        self._settled(Grabbed(texts[0] if texts else "", self._release, fixed=True))

    def _fail(self, outcome: Outcome) -> None:
        log.info("the portal gave no global shortcut: %s", outcome)
        settled = self._settled
        self._close_connection()
        settled(outcome)

    # --- the wire --------------------------------------------------------------------------------------------------
    def _listen(self) -> None:
        from jeepney import MatchRule
        from jeepney.bus_messages import message_bus

        for interface in (REQUEST, SHORTCUTS, SESSION):
            rule = MatchRule(type="signal", interface=interface, sender=BUS_NAME)
            self._connection.send(message_bus.AddMatch(rule))

    def _token(self) -> str:
        return f"backscroll{os.getpid()}_{next(self._tokens)}"

    def _call(
        self, path: str, interface: str, member: str, signature: str | None, body: tuple[Any, ...], then: Callable[[Any], None]
    ) -> None:
        from jeepney import DBusAddress, new_method_call

        message = new_method_call(DBusAddress(path, BUS_NAME, interface), member, signature, body)
        serial = next(self._connection.outgoing_serial)
        self._replies[serial] = then
        try:
            self._connection.send(message, serial=serial)
        except OSError as fault:
            # Told from the event loop: the caller is still in the middle of asking.
            detail = str(fault)
            QTimer.singleShot(0, self._owner, lambda: self._lost(detail))

    def _read(self) -> None:
        while self._connection is not None:
            try:
                message = self._connection.receive(timeout=0)
            except TimeoutError:
                return
            except (OSError, EOFError) as fault:
                self._lost(str(fault))
                return
            self._handle(message)

    def _handle(self, message: Any) -> None:
        from jeepney import HeaderFields, MessageType

        fields = message.header.fields
        kind = message.header.message_type
        if kind in (MessageType.method_return, MessageType.error):
            then = self._replies.pop(fields.get(HeaderFields.reply_serial), None)
            if then:
                then(message)
            return
        if kind != MessageType.signal:
            return
        path, member = str(fields.get(HeaderFields.path, "")), fields.get(HeaderFields.member)
        if member == "Response":
            answer = self._responses.pop(path.rsplit("/", 1)[-1], None)
            if answer:
                answer(int(message.body[0]), message.body[1])
        elif member == "Activated" and message.body[0] == self._session and message.body[1] == SHORTCUT_ID:
            options = message.body[3]
            self._pressed(Press(token=str(options.get("activation_token", ("s", ""))[1])))
        elif member == "ShortcutsChanged" and message.body[0] == self._session:
            self._tell(message.body[1])
        elif member == "Closed" and path == self._session:
            self._lost("the portal closed the session")

    def _lost(self, detail: str) -> None:
        self._session = ""
        self._fail(Unsupported("lost", detail, again=True))

    def _close_connection(self) -> None:
        self._session = ""
        self._replies.clear()
        self._responses.clear()
        if self._notifier:
            self._notifier.setEnabled(False)
            self._notifier = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _error(message: Any) -> tuple[str, str]:
    """The error's name and text of a reply; ('', '') for an answer."""
    from jeepney import HeaderFields, MessageType

    if message.header.message_type != MessageType.error:
        return "", ""
    text = str(message.body[0]) if message.body else ""
    return str(message.header.fields.get(HeaderFields.error_name, "error")), text
