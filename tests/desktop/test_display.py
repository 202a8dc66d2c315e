"""Whether a window can be shown, with the system's place taken by files and functions of the test."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tray_app.desktop import display

DEBIAN = "ID=debian\nVERSION_ID=12\n"
MINT = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n'
FEDORA = "ID=fedora\n"
ARCH = "ID=arch\n"
OTHER = "ID=plan9\n"


def elf(needed: list[str]) -> bytes:
    """A 64-bit ELF file of two segments that needs these libraries."""
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in needed)
    offsets, at = [], 1
    for name in needed:
        offsets.append(at)
        at += len(name) + 1
    strings_at = 64 + 2 * 56
    dynamic = b"".join(struct.pack("<qQ", 1, offset) for offset in offsets)
    dynamic += struct.pack("<qQ", 5, strings_at) + struct.pack("<qQ", 10, len(strings)) + struct.pack("<qQ", 0, 0)
    dynamic_at = strings_at + len(strings)
    size = dynamic_at + len(dynamic)
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, size, size, 4096)
    table = struct.pack("<IIQQQQQQ", 2, 6, dynamic_at, dynamic_at, dynamic_at, len(dynamic), len(dynamic), 8)
    return head + load + table + strings + dynamic


@pytest.fixture
def qt(tmp_path: Path) -> Path:
    """A Qt of our own: an xcb plugin that needs a bundled library, which needs one of the system."""
    folder = tmp_path / "Qt"
    (folder / "plugins" / "platforms").mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "plugins" / "platforms" / "libqxcb.so").write_bytes(elf(["libQt6XcbQpa.so.6", "libc.so.6", "libxcb-cursor.so.0"]))
    (folder / "plugins" / "platforms" / "libqwayland.so").write_bytes(elf(["libwayland-cursor.so.0"]))
    (folder / "lib" / "libQt6XcbQpa.so.6").write_bytes(elf(["libxcb-icccm.so.4", "libQt6XcbQpa.so.6"]))
    return folder


def release(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "os-release"
    file.write_text(text)
    return file


def test_needed_libraries_are_followed_through_bundled_ones(qt: Path) -> None:
    assert display.needed_libraries("xcb", qt) == ["libxcb-cursor.so.0", "libxcb-icccm.so.4"]
    assert display.needed_libraries("wayland", qt) == ["libwayland-cursor.so.0"]
    assert display.needed_libraries("offscreen", qt) == []


def test_a_file_that_is_no_elf_needs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for content in (b"", b"\x7fELF", b"#!/bin/sh\n" * 20, b"\x7fELF\x01\x01" + bytes(100)):
        file.write_bytes(content)
        assert display.needed_by(file) == []


def test_no_screen_at_all() -> None:
    found = display.problem({}, platform="linux")
    assert found is not None
    assert (found.code, found.install_line) == ("no_display", "")
    assert "DISPLAY" in found.message


def test_other_systems_have_a_screen() -> None:
    assert display.problem({}, platform="darwin") is None
    assert display.problem({}, platform="win32") is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (DEBIAN, "sudo apt-get install libxcb-cursor0 libxcb-icccm4"),
        (MINT, "sudo apt-get install libxcb-cursor0 libxcb-icccm4"),
        (FEDORA, "sudo dnf install xcb-util-cursor xcb-util-wm"),
        (ARCH, "sudo pacman -S xcb-util-cursor xcb-util-wm"),
        (OTHER, ""),
    ],
)
def test_missing_libraries_are_named_with_the_line_that_brings_them(qt: Path, tmp_path: Path, text: str, line: str) -> None:
    found = display.problem(
        {"DISPLAY": ":9"}, platform="linux", qt_folder=qt, loads=lambda name: False, os_release=release(tmp_path, text)
    )
    assert found is not None
    assert found.code == "libraries_missing"
    assert found.missing == ("libxcb-cursor.so.0", "libxcb-icccm.so.4")
    assert found.install_line == line
    assert "libxcb-cursor.so.0 and libxcb-icccm.so.4" in str(found)


def test_the_platform_with_all_its_libraries_is_enough(qt: Path) -> None:
    """Wayland's library is missing, but X is there too: Qt takes that."""
    both = {"DISPLAY": ":9", "WAYLAND_DISPLAY": "wayland-0"}
    lacking = {"libwayland-cursor.so.0"}
    found = display.problem(
        both, platform="linux", qt_folder=qt, loads=lambda name: name not in lacking, reaches=lambda name, env: True
    )
    assert found is None


def test_a_server_that_does_not_answer(qt: Path) -> None:
    found = display.problem(
        {"DISPLAY": ":9"}, platform="linux", qt_folder=qt, loads=lambda name: True, reaches=lambda name, env: False
    )
    assert found is not None
    assert found.code == "display_unreachable"
    assert "':9'" in found.message


def test_a_headless_platform_needs_no_server(qt: Path) -> None:
    assert display.problem({"QT_QPA_PLATFORM": "offscreen"}, platform="linux", qt_folder=qt, loads=lambda name: True) is None
    assert display.problem({"QT_QPA_PLATFORM": "minimal:enable_fonts"}, platform="linux", qt_folder=qt) is None


def test_a_wayland_socket_that_is_not_there(tmp_path: Path) -> None:
    assert display.answers("wayland", {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}) is False
    assert display.answers("wayland", {"WAYLAND_DISPLAY": str(tmp_path / "none")}) is False


def test_the_real_plugins_can_be_read() -> None:
    """Every library that the installed Qt wants is one we know a package for."""
    folder = display._qt_folder()
    if folder is None or not (folder / "plugins" / "platforms" / "libqxcb.so").exists():
        pytest.skip("this PySide6 brings no X11 plugin")
    wanted = display.needed_libraries("xcb", folder)
    assert "libxcb.so.1" in wanted
    assert [name for name in wanted if name not in display.PACKAGES] == []
    assert [name for name in display.needed_libraries("wayland", folder) if name not in display.PACKAGES] == []
