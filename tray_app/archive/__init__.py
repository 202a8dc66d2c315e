"""Copies of session files, kept before their agents delete them."""

from tray_app.archive.copies import Archive, Original, Round
from tray_app.archive.manifest import Copy

__all__ = ["Archive", "Copy", "Original", "Round"]
