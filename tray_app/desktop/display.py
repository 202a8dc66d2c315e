"""Finds out, before Qt is loaded, whether a window can be shown here; Qt itself would only abort.

Owns the look at the environment, at Qt's platform plugins (their ELF headers) and at the system's libraries, and the
sentence and the install line that come of it. Loads no Qt and starts no other program.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

# Library -> package on Debian and Ubuntu, on Fedora, on Arch. What Qt's plugins want and its wheels do not carry.
PACKAGES: dict[str, tuple[str, str, str]] = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd"),
    "libGLX.so.0": ("libglx0", "libglvnd-glx", "libglvnd"),
    "libOpenGL.so.0": ("libopengl0", "libglvnd-opengl", "libglvnd"),
    "libX11.so.6": ("libx11-6", "libX11", "libx11"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb", "libx11"),
    "libSM.so.6": ("libsm6", "libSM", "libsm"),
    "libICE.so.6": ("libice6", "libICE", "libice"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    "libxcb.so.1": ("libxcb1", "libxcb", "libxcb"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util", "xcb-util"),
    "libxcb-glx.so.0": ("libxcb-glx0", "libxcb", "libxcb"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb", "libxcb"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb", "libxcb"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb", "libxcb"),
    "libxcb-xinput.so.0": ("libxcb-xinput0", "libxcb", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb", "libxcb"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype", "freetype2"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client", "wayland"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor", "wayland"),
    "libwayland-egl.so.1": ("libwayland-egl1", "libwayland-egl", "wayland"),
    "libz.so.1": ("zlib1g", "zlib", "zlib"),
}
MANAGERS = (("apt-get install", 0), ("dnf install", 1), ("pacman -S", 2))
HEADLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs", "vkkhrdisplay")


@dataclass(frozen=True)
class DisplayProblem:
    """Why no window can be shown. `install_line` is a command to run, empty where installing would not help."""

    code: str
    """no_display | display_unreachable | libraries_missing"""
    message: str
    install_line: str = ""
    missing: tuple[str, ...] = ()
    """Names of the libraries that could not be loaded."""

    def __str__(self) -> str:
        return self.message + (f"\n  {self.install_line}" if self.install_line else "")


def problem(
    environ: Mapping[str, str] | None = None,
    *,
    platform: str = sys.platform,
    qt_folder: Path | None = None,
    loads: Callable[[str], bool] | None = None,
    reaches: Callable[[str, Mapping[str, str]], bool] | None = None,
    os_release: Path = Path("/etc/os-release"),
) -> DisplayProblem | None:
    """None when a window can be shown. The other arguments are what a test puts in the system's place: `loads` tells
    whether a library can be loaded, `reaches` whether a display server ('xcb' or 'wayland') answers."""
    if not platform.startswith("linux"):
        return None
    env = os.environ if environ is None else environ
    candidates = _platforms(env)
    if not candidates:
        return DisplayProblem(
            "no_display",
            "There is no screen here: neither WAYLAND_DISPLAY nor DISPLAY is set. "
            "Start Backscroll inside a desktop session; the commands (backscroll search …) work without one.",
        )
    folder = qt_folder or _qt_folder()
    can_load = loads or loads_library
    faults: list[tuple[str, ...]] = []
    unreachable: list[str] = []
    for name in candidates:
        lacking = tuple(soname for soname in needed_libraries(name, folder) if not can_load(soname)) if folder else ()
        if lacking:
            faults.append(lacking)
        elif name in ("xcb", "wayland") and not (reaches or answers)(name, env):
            unreachable.append(name)
        else:
            return None
    if faults:
        lacking = min(faults, key=len)
        return DisplayProblem(
            "libraries_missing",
            "Qt cannot open a window because this system lacks " + _listed(lacking) + ".",
            install_line(lacking, os_release),
            lacking,
        )
    where = env.get("DISPLAY" if unreachable[-1] == "xcb" else "WAYLAND_DISPLAY", "")
    return DisplayProblem(
        "display_unreachable",
        f"The screen {where!r} does not answer. Check that the desktop session is running and that this user may use it.",
    )


def _platforms(env: Mapping[str, str]) -> list[str]:
    """Qt's platform plugins in the order in which Qt would try them."""
    asked = [part.split(":")[0] for part in env.get("QT_QPA_PLATFORM", "").split(";") if part]
    if asked:
        return ["wayland" if name.startswith("wayland") else name for name in asked]
    found = []
    if env.get("WAYLAND_DISPLAY"):
        found.append("wayland")
    if env.get("DISPLAY"):
        found.append("xcb")
    return found


def _qt_folder() -> Path | None:
    """PySide6's own copy of Qt, without importing it. None: a Qt of the system's, whose packages see to libraries."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.origin:
        return None
    folder = Path(spec.origin).parent / "Qt"
    return folder if (folder / "plugins" / "platforms").is_dir() else None


def needed_libraries(platform_name: str, qt_folder: Path) -> list[str]:
    """The system's libraries that a Qt platform plugin wants, followed through the libraries that Qt brings itself."""
    pattern = {"xcb": "libqxcb.so", "wayland": "libqwayland*.so"}.get(platform_name, f"libq{platform_name}.so")
    queue = sorted((qt_folder / "plugins" / "platforms").glob(pattern))[:1]
    own = qt_folder / "lib"
    seen: set[str] = set()
    wanted: list[str] = []
    while queue:
        for soname in needed_by(queue.pop()):
            if soname in seen:
                continue
            seen.add(soname)
            if (own / soname).exists():
                queue.append(own / soname)
            elif soname.startswith(
                ("libX", "libx", "libwayland", "libEGL", "libGL", "libOpenGL", "libdbus", "libSM", "libICE")
            ) or (soname in PACKAGES):
                wanted.append(soname)
    return sorted(wanted)


def needed_by(file: Path) -> list[str]:
    """The DT_NEEDED entries of a 64-bit little-endian ELF file; [] for anything else."""
    with file.open("rb") as stream:
        head = stream.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            return []
        (table,) = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        stream.seek(table)
        segments = [struct.unpack("<IIQQQQQQ", stream.read(size)[:56]) for _ in range(count)]
        loads = [(address, length, offset) for kind, _, offset, address, _, length, _, _ in segments if kind == 1]

        def offset_of(address: int) -> int:
            return next((offset + address - start for start, length, offset in loads if start <= address < start + length), 0)

        names: list[int] = []
        strings = strings_size = 0
        for kind, _, offset, _, _, length, _, _ in segments:
            if kind != 2:
                continue
            stream.seek(offset)
            for tag, value in struct.iter_unpack("<qQ", stream.read(length - length % 16)):
                if tag == 1:
                    names.append(value)
                elif tag == 5:
                    strings = offset_of(value)
                elif tag == 10:
                    strings_size = value
        stream.seek(strings)
        text = stream.read(strings_size)
    return [text[name : text.index(b"\0", name)].decode("ascii", "replace") for name in names if name < len(text)]


def loads_library(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def answers(platform_name: str, env: Mapping[str, str]) -> bool:
    """Whether the display server can be connected to."""
    if platform_name == "wayland":
        name = env.get("WAYLAND_DISPLAY") or "wayland-0"
        path = name if name.startswith("/") else str(Path(env.get("XDG_RUNTIME_DIR", "")) / name)
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(2)
            try:
                probe.connect(path)
            except OSError:
                return False
        return True
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(env.get("DISPLAY", "").encode() or None, None)
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)


def install_line(sonames: Iterable[str], os_release: Path = Path("/etc/os-release")) -> str:
    """The command of this distribution that brings the libraries; '' where we do not know the distribution's names."""
    family = _family(os_release)
    if family is None:
        return ""
    command, column = MANAGERS[family]
    packages = sorted({PACKAGES[soname][column] for soname in sonames if soname in PACKAGES})
    return f"sudo {command} {' '.join(packages)}" if packages else ""


def _family(os_release: Path) -> int | None:
    try:
        lines = os_release.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    names = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', " ").replace("'", " ").split()
    for index, known in enumerate((("debian", "ubuntu"), ("fedora", "rhel", "centos"), ("arch", "manjaro"))):
        if any(name in known for name in names):
            return index
    return None


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
