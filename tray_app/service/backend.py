"""What a front end may ask, whether the owner is in this process or reached over the socket.

`Engine` answers these itself; `service.client.Client` passes them on. Front ends are written against this alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tray_app.records import (
    Answer,
    Download,
    Finding,
    ForgottenView,
    IndexFigures,
    IndexReport,
    KeptView,
    MeaningTest,
    MeaningView,
    Progress,
    SearchRequest,
    SessionItem,
    SessionView,
    SourceView,
    SpaceView,
    Status,
    TopicCard,
)
from tray_app.service.memory_backend import MemoryBackend


class Backend(MemoryBackend, Protocol):
    """All calls may raise `AppError`; none blocks for longer than its work needs. Safe to call from several threads."""

    def search(self, request: SearchRequest) -> Answer: ...

    def show(
        self,
        session: str,
        around: str | None = None,
        limit: int = 200,
        first: int | None = None,
        agent: str | None = None,
        space: str | None = None,
        caller: str | None = None,
    ) -> SessionView:
        """A session's messages in order. `session`: native id or an unambiguous beginning of it. `around`: a message id
        to centre the window on; `first`: index to start the window at instead. `space` and `caller` as in
        `SearchRequest`."""
        ...

    def sessions(
        self,
        agent: str | None = None,
        project: str | None = None,
        limit: int = 0,
        order: str = "newest",
        space: str | None = None,
        caller: str | None = None,
    ) -> list[SessionItem]:
        """Known sessions, newest first. limit 0: all."""
        ...

    def sources(self) -> list[SourceView]: ...

    def set_source(self, source: str, enabled: bool) -> list[SourceView]:
        """Tick or untick one source (its `id`). Unticking takes its sessions out of the index at the next pass."""
        ...

    def add_folder(self, agent: str, path: str) -> list[SourceView]: ...

    def remove_folder(self, source: str) -> list[SourceView]: ...

    def index(
        self,
        *,
        all_sources: bool = False,
        full: bool = False,
        vectors: bool = False,
        report: Callable[[Progress], None] | None = None,
    ) -> IndexReport:
        """One whole pass over the ticked sources, waited for. `all_sources` ticks all that are found first; `full` reads
        every file anew; `vectors` makes vectors of what has none after it (the tray does so by itself, and is not waited for). A pass already running is waited for, then another one is made."""
        ...

    def pause(self, minutes: float | None = None) -> Status:
        """Stop indexing, for some minutes or (None) until `resume`. Survives a restart."""
        ...

    def resume(self) -> Status: ...

    def rebuild(self) -> None:
        """Throw the index away and read everything anew in the background. Search works meanwhile on what is in."""
        ...

    def clear_index(self) -> Status:
        """Remove everything that was indexed, untick nothing, and pause. Sessions on disk are not touched."""
        ...

    def spaces(self) -> list[SpaceView]:
        """The rest first, then every space in the order they were made, removed ones too."""
        ...

    def add_space(self, name: str, folders: list[str]) -> list[SpaceView]:
        """Keep folders apart, in a library of their own. What other libraries held of them is gone from these when this
        returns, and read into the new one in the background; so it is with every change below. All raise UsageError for a
        name or a folder that cannot be meant, or that is taken."""
        ...

    def assign_folders(self, space: str, folders: list[str]) -> list[SpaceView]: ...

    def unassign_folder(self, folder: str) -> list[SpaceView]:
        """What is in the folder belongs to the rest again."""
        ...

    def rename_space(self, space: str, name: str) -> list[SpaceView]: ...

    def remove_space(self, space: str) -> list[SpaceView]:
        """Put it away: its file is kept, and its folders stay with it, so that nothing of it comes up elsewhere."""
        ...

    def restore_space(self, space: str) -> list[SpaceView]: ...

    def kept(self) -> KeptView:
        """The archive of session files, and what is gone or will be."""
        ...

    def keep_now(self) -> KeptView:
        """Copy session files that are due, as much as one round may (`left` says what waits)."""
        ...

    def write_out(self, session: str, target: str, agent: str | None = None) -> list[str]:
        """Write the copies of a session's files into a folder of the person's; gives their paths."""
        ...

    def forget_session(
        self, session: str, agent: str | None = None, space: str | None = None, caller: str | None = None
    ) -> ForgottenView:
        """Take a session, with its sub-agents and the copies of its messages in others, out of every library for good. Its
        file on disk is not touched. `space` and `caller` say where it is looked for, as in `SearchRequest`."""
        ...

    def forgotten(self) -> list[ForgottenView]:
        """What was forgotten, newest first."""
        ...

    def unforget(self, session: str, agent: str | None = None) -> list[ForgottenView]:
        """Let a session come back: it is read again in the background."""
        ...

    def meaning(self) -> MeaningView:
        """The back end in use, the models there are, and the download that runs."""
        ...

    def test_meaning(self, values: dict[str, Any], key: str | None = None) -> MeaningTest:
        """Try one sentence with settings that are not in force yet (`backend`, `model`, `url`, `dims`), and a key that is not
        kept yet (None: the kept one). Never raises for what the back end says: that is the result."""
        ...

    def set_key(self, purpose: str, key: str | None) -> MeaningView:
        """Keep (None: forget) the key for the service that is set for `purpose` (meaning | topics) in the system's keyring.
        Raises KnownError `keyring_unusable`."""
        ...

    def download_model(self, model: str) -> Download:
        """Begin to fetch a model in the background; `meaning()` tells how far it is."""
        ...

    def cancel_download(self) -> Download: ...

    def topics(self, days: int = 14, space: str | None = None, caller: str | None = None) -> list[TopicCard]:
        """What each of the last so many local days with talk was about, newest first."""
        ...

    def status(self, space: str | None = None, caller: str | None = None) -> Status: ...

    def index_figures(self, space: str | None = None, caller: str | None = None) -> IndexFigures:
        """How many passages there are of each kind, agent and session."""
        ...

    def problems(self, limit: int = 500, space: str | None = None) -> list[Any]:
        """`records.Problem`s of the files as they stand now, newest first."""
        ...

    def doctor(self) -> list[Finding]: ...

    def config(self) -> dict[str, Any]:
        """All settings with their values."""
        ...

    def set_config(self, key: str, value: Any) -> Any: ...
