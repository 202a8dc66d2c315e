"""What the engine and the front ends say to each other.

Frozen structs only, made of plain values, so that the same object goes through the local socket as JSON. Names and
shapes follow the stable interface (commands with --json print these fields). Times are ISO 8601 in UTC with a trailing
Z; `date_text` fields are local days (YYYY-MM-DD). Text offsets are in code points. Each module holds one kind of them; the
rest of the program imports them from here.
"""

from __future__ import annotations

from tray_app.records.base import Record
from tray_app.records.indexing import Counters, IndexReport, Problem, Progress, SourceReport, SourceView
from tray_app.records.keeping import ForgottenView, KeptView
from tray_app.records.meaning import Download, Embedding, MeaningTest, MeaningView, ModelView
from tray_app.records.memory import (
    ArchiveReport,
    BackupView,
    CacheGroup,
    CacheStats,
    CardView,
    ChangelogReport,
    CheckpointState,
    CheckpointView,
    CleanupItem,
    CleanupPlan,
    DraftView,
    MemoryStats,
    MemoryView,
    PackLayer,
    PackView,
    PageView,
    ParagraphView,
    ProjectGuess,
    ProjectView,
    Remembered,
    ResumeAdvice,
    SessionFigures,
    TransferReport,
)
from tray_app.records.search import (
    Answer,
    Explanation,
    FallbackMenu,
    Hit,
    MenuDay,
    MenuSession,
    SearchRequest,
    SessionHits,
    TimeRange,
    Topic,
    TopicCard,
    Understood,
)
from tray_app.records.sessions import MessageView, SessionItem, SessionView
from tray_app.records.status import Departure, Finding, IndexFigures, Owner, SessionPassages, SpaceView, Status

__all__ = [
    "Answer",
    "ArchiveReport",
    "BackupView",
    "CacheGroup",
    "CacheStats",
    "CardView",
    "ChangelogReport",
    "CheckpointState",
    "CheckpointView",
    "CleanupItem",
    "CleanupPlan",
    "Counters",
    "Departure",
    "Download",
    "DraftView",
    "Embedding",
    "Explanation",
    "FallbackMenu",
    "Finding",
    "ForgottenView",
    "Hit",
    "IndexFigures",
    "IndexReport",
    "KeptView",
    "MeaningTest",
    "MeaningView",
    "MemoryStats",
    "MemoryView",
    "MenuDay",
    "MenuSession",
    "MessageView",
    "ModelView",
    "Owner",
    "PackLayer",
    "PackView",
    "PageView",
    "ParagraphView",
    "Problem",
    "Progress",
    "ProjectGuess",
    "ProjectView",
    "Record",
    "Remembered",
    "ResumeAdvice",
    "SearchRequest",
    "SessionFigures",
    "SessionHits",
    "SessionItem",
    "SessionPassages",
    "SessionView",
    "SourceReport",
    "SourceView",
    "SpaceView",
    "Status",
    "TimeRange",
    "Topic",
    "TopicCard",
    "TransferReport",
    "Understood",
]
