"""Backscroll: search, and hand over, everything you and your coding agents ever said on this machine."""

__version__ = "0.1.0"
