"""A stand-in for xdg-desktop-portal's GlobalShortcuts, as strict as a real one; run as a program on a test's bus.

Options: `--no-registry` (an older portal), `--unknown-app` (no desktop file is installed), `--refuse` (the person cancels),
`--no-shortcuts` (the desktop has the portal, but not this part). Press the key by the method `Press` of
`org.backscroll.Control`; `Close` ends the session as a desktop does at log-out.
"""

from __future__ import annotations

import sys
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

PATH = "/org/freedesktop/portal/desktop"
PORTAL = "org.freedesktop.portal."


class FakePortal:
    def __init__(self, options: list[str]) -> None:
        self.options = options
        self.connection = open_dbus_connection("SESSION")
        self.registered: set[str] = set()
        self.session = ""
        self.bound: dict[str, str] = {}

    def run(self) -> None:
        self.connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
        while True:
            message = self.connection.receive()
            if message.header.message_type == MessageType.method_call:
                self.answer(message)

    def answer(self, message: Any) -> None:
        member = message.header.fields[HeaderFields.member]
        handler = getattr(self, f"on_{member}", None)
        if handler is None:
            self.connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", (f"no {member}",)))
            return
        handler(message, message.header.fields[HeaderFields.sender])

    def fail(self, message: Any, name: str, text: str) -> None:
        self.connection.send(new_error(message, name, "s", (text,)))

    def on_Register(self, message: Any, sender: str) -> None:
        if "--no-registry" in self.options:
            self.fail(message, "org.freedesktop.DBus.Error.UnknownInterface", "no such interface")
        elif "--unknown-app" in self.options:
            self.fail(message, PORTAL + "Error.NotAllowed", "App info not found for 'io.github.backscroll.Backscroll'")
        else:
            self.registered.add(sender)
            self.connection.send(new_method_return(message))

    def on_CreateSession(self, message: Any, sender: str) -> None:
        if "--no-shortcuts" in self.options:
            self.fail(message, "org.freedesktop.DBus.Error.UnknownMethod", "no GlobalShortcuts here")
            return
        if sender not in self.registered and "--no-registry" not in self.options:
            self.fail(message, PORTAL + "Error.NotAllowed", "An app id is required")
            return
        self.session = f"{PATH}/session/{sender[1:].replace('.', '_')}/{message.body[0]['session_handle_token'][1]}"
        self.respond(message, sender, message.body[0], 0, {"session_handle": ("s", self.session)})

    def on_BindShortcuts(self, message: Any, sender: str) -> None:
        session, shortcuts, _parent, options = message.body
        assert session == self.session
        if "--refuse" in self.options:
            self.respond(message, sender, options, 1, {})
            return
        self.bound = {name: fields["preferred_trigger"][1] for name, fields in shortcuts}
        rows = [(name, {"trigger_description": ("s", f"Press {trigger}")}) for name, trigger in self.bound.items()]
        self.respond(message, sender, options, 0, {"shortcuts": ("a(sa{sv})", rows)})

    def on_Close(self, message: Any, sender: str) -> None:
        self.connection.send(new_method_return(message))
        self.emit(self.session, "Session", "Closed", None, ())
        self.session = ""

    def on_Press(self, message: Any, sender: str) -> None:
        self.connection.send(new_method_return(message))
        for name in self.bound:
            body = (self.session, name, 123, {"activation_token": ("s", "token-42")})
            self.emit(PATH, "GlobalShortcuts", "Activated", "osta{sv}", body)

    def on_Rebind(self, message: Any, sender: str) -> None:
        """The person chose another key in the system's settings."""
        self.connection.send(new_method_return(message))
        rows = [("open-search", {"trigger_description": ("s", "Press LOGO+b")})]
        self.emit(PATH, "GlobalShortcuts", "ShortcutsChanged", "oa(sa{sv})", (self.session, rows))

    def respond(self, message: Any, sender: str, options: dict[str, Any], code: int, results: dict[str, Any]) -> None:
        path = f"{PATH}/request/{sender[1:].replace('.', '_')}/{options['handle_token'][1]}"
        self.connection.send(new_method_return(message, "o", (path,)))
        self.emit(path, "Request", "Response", "ua{sv}", (code, results))

    def emit(self, path: str, interface: str, member: str, signature: str | None, body: tuple[Any, ...]) -> None:
        self.connection.send(new_signal(DBusAddress(path, interface=PORTAL + interface), member, signature, body))


if __name__ == "__main__":
    FakePortal(sys.argv[1:]).run()
