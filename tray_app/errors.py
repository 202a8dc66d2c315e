"""The errors that a person may meet.

Owns the one base class; may not import anything of ours, so that every layer can raise it. Texts here are English; the
window translates by `code`.
"""

from __future__ import annotations


class AppError(Exception):
    """Something went wrong, in words a person can act on.

    `code` is stable (translations and scripts key on it), `title` is a few words, `message` one sentence about what is
    wrong, `hint` what to do about it. Never carries conversation text.
    """

    exit_code = 3

    def __init__(self, code: str, title: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.title, self.message, self.hint = code, title, message, hint

    def __str__(self) -> str:
        return f"{self.title}: {self.message}" + (f" {self.hint}" if self.hint else "")


class KnownError(AppError):
    """The world's fault (disk full, file locked, folder gone): told to the person, never a crash report."""


class UsageError(KnownError):
    """The call itself was wrong: an unknown option, filter or setting."""

    exit_code = 2


class BugError(AppError):
    """Ours: something that cannot happen did. Goes to the crash report."""
