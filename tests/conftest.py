"""What holds for every test: nothing of the person's is read or written, nothing leaves the machine, no noise in the log.

Owns the isolation and the few fixtures that all packages share. Tests marked `desktop` or `keyring` need a virtual screen
and a session bus; they run only where `BACKSCROLL_DESKTOP_TESTS=1` says that both are there.
"""

from __future__ import annotations

import gc
import ipaddress
import logging
import os
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "ci", settings.get_profile("default"), max_examples=60, derandomize=True, database=None, print_blob=True
)
settings.register_profile("brief", settings.get_profile("ci"), max_examples=15)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))

AGENT_VARIABLES = (
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CODEX_SQLITE_HOME", "DSH_HOME", "CODEBUDDY_CONFIG_DIR", "WORKBUDDY_HOME"),
    *("KIMI_CODE_HOME", "KIMI_SHARE_DIR", "GEMINI_CLI_HOME", "QWEN_HOME", "PI_CODING_AGENT_DIR", "COPILOT_HOME", "ZCODE_HOME"),
    "XDG_DATA_HOME",
)
FOLDER_VARIABLES = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA")
ZONE_FOLDERS = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo", "/var/db/timezone/zoneinfo")
DESKTOP_VARIABLES = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("BACKSCROLL_DESKTOP_TESTS") == "1":
        return
    skip = pytest.mark.skip(reason="needs a virtual screen and a session bus (BACKSCROLL_DESKTOP_TESTS=1)")
    for item in items:
        if item.get_closest_marker("desktop") or item.get_closest_marker("keyring"):
            item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Thousands of tests stay for the whole run: no collection of garbage need walk them, in the middle of a test least of all."""
    gc.collect()
    gc.freeze()


# These fixtures use no function-scoped fixture of pytest, so that Hypothesis tests may run under them.
@pytest.fixture(autouse=True)
def isolated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of the test's own; the folder is apart from `tmp_path`, which stays empty."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "BACKSCROLL_SOURCES_HOME"):
            patch.setenv(name, str(home))
        patch.setenv("BACKSCROLL_HOME", str(home / "backscroll"))
        for name in (
            *AGENT_VARIABLES,
            *FOLDER_VARIABLES,
            "BACKSCROLL_NOW",
            "BACKSCROLL_OFFLINE",
            "BACKSCROLL_MEANING_KEY",
            "BACKSCROLL_TOPICS_KEY",
        ):
            patch.delenv(name, raising=False)
        if not request.node.get_closest_marker("desktop") and not request.node.get_closest_marker("keyring"):
            for name in DESKTOP_VARIABLES:
                patch.delenv(name, raising=False)
        yield home


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    """Sockets reach this machine only; names are not looked up."""
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def check(address: Any) -> None:
        if isinstance(address, tuple) and not is_local(address[0]):
            raise PermissionError(f"a test tried to reach {address[0]}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        check(address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        check(address)
        return connect_ex(self, address)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host is not None and not is_local(host):
            raise PermissionError(f"a test looked up {host}")
        return getaddrinfo(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)
        yield


def is_local(host: Any) -> bool:
    """True for loopback addresses and names. `host` is text or bytes, as sockets take it."""
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False


class _Records(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: list[logging.LogRecord] = []
        self.allowed: list[re.Pattern[str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(record)

    def unexpected(self) -> list[str]:
        texts = (f"{record.levelname} {record.name}: {record.getMessage()}" for record in self.seen)
        return [text for text in texts if not any(pattern.search(text) for pattern in self.allowed)]


@pytest.fixture(autouse=True)
def log_records(request: pytest.FixtureRequest) -> Iterator[_Records]:
    """Fails the test if something was logged at WARNING or above. A test that takes `caplog` looks at the log itself."""
    handler = _Records()
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield handler
    finally:
        root.removeHandler(handler)
    unexpected = handler.unexpected()
    if unexpected and "caplog" not in request.fixturenames:
        pytest.fail("unexpected log records:\n" + "\n".join(unexpected), pytrace=False)


@pytest.fixture
def allow_log(log_records: _Records) -> Callable[[str], None]:
    """`allow_log(pattern)`: records that match the regular expression ('LEVEL logger: message') are expected."""

    def allow(pattern: str) -> None:
        log_records.allowed.append(re.compile(pattern))

    return allow


@pytest.fixture
def set_timezone() -> Iterator[Callable[[str], None]]:
    """`set_timezone("Asia/Shanghai")`: the local time zone for the rest of the test. Skips where it cannot be set."""
    if sys.platform == "win32":
        pytest.skip("the time zone of a process cannot be set here")
    with pytest.MonkeyPatch.context() as patch:

        def change(name: str) -> None:
            if "/" in name and not any(Path(base, name).exists() for base in ZONE_FOLDERS):
                pytest.skip(f"this system does not know the zone {name}")
            patch.setenv("TZ", name)
            time.tzset()

        yield change
    time.tzset()
