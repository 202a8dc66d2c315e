"""The desktop entry and the metainfo that installers put in place: the desktop knows the program by them."""

from __future__ import annotations

import configparser
import xml.etree.ElementTree as ElementTree

from tray_app.paths import APP_ID, resource


def test_the_entry_is_named_as_the_windows_are() -> None:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(resource(f"desktop/{APP_ID}.desktop").read_text(encoding="utf-8"))
    entry = parser["Desktop Entry"]
    assert entry["Exec"] == "backscroll-tray"
    assert entry["Icon"] == APP_ID
    assert entry["Type"] == "Application"
    assert {"Name", "Comment", "Comment[zh_CN]", "Categories"} <= set(entry)


def test_the_metainfo_names_the_entry() -> None:
    root = ElementTree.fromstring(resource(f"desktop/{APP_ID}.metainfo.xml").read_text(encoding="utf-8"))
    assert root.findtext("id") == APP_ID
    assert root.findtext("launchable") == f"{APP_ID}.desktop"
    assert root.findtext("project_license") == "MIT"
