"""Pages: a project's long documents, as a catalogue and as paragraphs that can be found.

Owns the pass over the files: what is unchanged is not read again, what changed is written a few files at a time, what is gone leaves,
and the limits with what they cut. The documents themselves stay where they are; nothing is written to them. Texts are cleaned and redacted
before anything is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from tray_app import clock
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import PageRow, ParagraphRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.changelogs import ProjectFolders
from tray_app.memory.names import name_key
from tray_app.memory.page_age import expires_at, outdated_text, page_about
from tray_app.memory.project_files import Excluded, Listing, ProjectFile, documents_in, read_text
from tray_app.records import PageView, ParagraphView
from tray_app.settings import Settings
from tray_app.text.document import heading_path, read_document
from tray_app.text.redact import redact
from tray_app.text.segment import content_tokens
from tray_app.text.snippet import find_marks

MOST_PAGES = 500
"""Of a project; the newest are kept."""
MOST_OF_A_PAGE = 400
"""Paragraphs: 160,000 characters."""
MOST_PARAGRAPHS = 10_000
"""Of a project: all rows of the memory are held in memory."""
BATCH = 400
"""Paragraphs that are written in one change; a page is always whole in one. A change costs 50 ms and more, whatever its size."""
RULES = 1
"""Raised when titles, summaries, paragraphs or expiry are made another way: every page is read again."""
QUERY_CHARS = 2_000
MOST_MATCHED = 12


class Catalogue(msgspec.Struct, frozen=True):
    """What a pass came to. `cut`: documents left out because there are too many; `shortened`: pages whose end was left out."""

    views: tuple[PageView, ...]
    read: int = 0
    unchanged: int = 0
    gone: int = 0
    cut: int = 0
    shortened: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def index_pages(
    store: MemoryStore,
    projects: ProjectFolders,
    settings: Settings,
    project: str,
    now: int,
    *,
    stop: Callable[[], bool] = lambda: False,
) -> Catalogue:
    """Bring a project's pages up to date. `now`: epoch ms; `stop` ends the pass between two files, and what was done stays.

    Raises UsageError `no_such_project`; KnownError where the memory cannot be written."""
    name = projects.find(project)
    listing = documents_in(projects.folder_of(name), Excluded(settings))
    a_pass = _Pass(store, projects, name, now)
    a_pass.run(listing, stop)
    return Catalogue(
        tuple(views(store, name, now)), a_pass.read, a_pass.unchanged, a_pass.gone, a_pass.cut, tuple(a_pass.shortened),
        (*listing.faults, *a_pass.faults),
    )  # fmt: skip


def views(store: MemoryStore, project: str | None, now: int) -> list[PageView]:
    """The catalogue as it was read, by project and path. `project`: its own name; None: all."""
    key = name_key(project) if project else ""
    pages = [row for row in store.rows(PageRow).values() if not key or name_key(row.project) == key]
    counts: dict[int, int] = {}
    for paragraph in store.rows(ParagraphRow).values():
        counts[paragraph.page] = counts.get(paragraph.page, 0) + 1
    pages.sort(key=lambda row: (name_key(row.project), row.path))
    return [
        PageView(
            id=row.id, project=row.project, path=row.path, title=row.title, summary=row.summary, paragraphs=counts.get(row.id, 0),
            updated=clock.iso(row.mtime_ns // 1_000_000) or "", expires=clock.iso(row.expires), about=row.outdated_kind,
            outdated=_outdated(row, now),
        )
        for row in pages
    ]  # fmt: skip


def search(store: MemoryStore, query: str, project: str | None, now: int, limit: int = 8) -> list[ParagraphView]:
    """Paragraphs that hold any of the words of a question, in their text or the headings they stand under, best first. `project`: its
    own name; None: all."""
    words, _ = content_tokens(query[:QUERY_CHARS])
    if not words or limit < 1:
        return []
    key = name_key(project) if project else ""
    pages, paragraphs = store.rows(PageRow), store.rows(ParagraphRow)
    wanted = {row.id for row in pages.values() if not key or name_key(row.project) == key}
    found: list[ParagraphView] = []
    for number, score in store.find_paragraphs(words):
        paragraph = paragraphs.get(number)
        if paragraph is not None and paragraph.page in wanted:
            found.append(_found(paragraph, pages[paragraph.page], score, words, now))
            if len(found) == limit:
                break
    return found


def _found(paragraph: ParagraphRow, page: PageRow, score: float, words: Sequence[str], now: int) -> ParagraphView:
    text = f"{paragraph.heading}\n{paragraph.text}"
    matched = dict.fromkeys(text[start:end].casefold() for start, end in find_marks(text, frozenset(words)))
    return ParagraphView(
        page=page.id, project=page.project, path=page.path, title=page.title, heading=paragraph.heading, text=paragraph.text, score=score,
        matched=tuple(matched)[:MOST_MATCHED], about=page.outdated_kind, outdated=_outdated(page, now),
    )  # fmt: skip


def _outdated(row: PageRow, now: int) -> str:
    return outdated_text(row.outdated_kind, row.mtime_ns // 1_000_000, row.expires, now)


class _Page(msgspec.Struct, frozen=True):
    """A page to be written: its row (id 0: a new one), its paragraphs as (heading, text). `same`: the paragraphs stay as they are."""

    row: PageRow
    paragraphs: list[tuple[str, str]]
    same: bool = False


class _Pass:
    """One pass over the documents of one project."""

    def __init__(self, store: MemoryStore, projects: ProjectFolders, project: str, now: int) -> None:
        self._store, self._projects, self._project, self._now = store, projects, project, now
        key = name_key(project)
        self._pages = {row.path: row for row in store.rows(PageRow).values() if name_key(row.project) == key}
        self._paragraphs = _by_page(store.rows(ParagraphRow), {row.id for row in self._pages.values()})
        self.read = self.unchanged = self.gone = self.cut = 0
        self.shortened: list[str] = []
        self.faults: list[str] = []
        self._room = MOST_PARAGRAPHS
        self._waiting: list[_Page] = []

    def run(self, listing: Listing, stop: Callable[[], bool]) -> None:
        newest = sorted(listing.files, key=lambda file: (-file.mtime_ns, file.name))
        kept: set[str] = set()
        for place, file in enumerate(newest):
            if stop():
                self._settle()
                return
            if place == MOST_PAGES or not self._room:
                self.cut = len(newest) - place
                break
            if self._take(file):
                kept.add(file.name)
            if sum(len(page.paragraphs) for page in self._waiting) >= BATCH:
                self._settle()
        self._settle()
        leaving = [row for path, row in self._pages.items() if path not in kept and not listing.hides(path)]
        if leaving:
            with self._store.change() as change:
                for row in leaving:
                    self._remove(change, row)
        self.gone = len(leaving)

    def _take(self, file: ProjectFile) -> bool:
        """Keep one document as it is now; gives whether its page stays."""
        row = self._pages.get(file.name)
        held = len(self._paragraphs.get(row.id, ())) if row else 0
        if row is not None and row.mtime_ns == file.mtime_ns and row.hash.startswith(_mark(file)) and held <= self._room:
            self.unchanged += 1
            self._room -= held
            return True
        try:
            text = read_text(file)
        except OSError as fault:
            self.faults.append(f"{file.name} could not be read ({fault.strerror or type(fault).__name__}).")
            return row is not None
        if text is None:
            self.faults.append(f"{file.name} is no text.")
            return False
        text, _ = redact(text)
        if not any(map(str.isalnum, text)):
            return False
        digest = _mark(file) + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
        if row is not None and row.hash == digest and held <= self._room:
            changed = msgspec.structs.replace(row, mtime_ns=file.mtime_ns, expires=expires_at(row.outdated_kind, file.mtime_ns))
            self._waiting.append(_Page(changed, [], same=True))
            self.unchanged += 1
            self._room -= held
            return True
        self._waiting.append(self._page(file, row, text, digest))
        self.read += 1
        return True

    def _page(self, file: ProjectFile, row: PageRow | None, text: str, digest: str) -> _Page:
        document = read_document(text, file.form)
        title = document.title or file.path.stem
        made = [(heading_path(title, one.headings), text[one.start : one.end]) for one in document.paragraphs]
        about = page_about(file.name, title, [f"{heading}\n{words}" for heading, words in made])
        fits = made[: min(MOST_OF_A_PAGE, self._room)]
        if len(fits) < len(made):
            self.shortened.append(file.name)
        self._room -= len(fits)
        new = PageRow(
            id=row.id if row else 0, project=self._project, path=file.name, title=title, summary=document.summary, hash=digest,
            mtime_ns=file.mtime_ns, indexed=self._now, expires=expires_at(about, file.mtime_ns), outdated_kind=about,
        )  # fmt: skip
        return _Page(new, fits)

    def _settle(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        with self._store.change() as change:
            for page in self._waiting:
                row = page.row if page.row.id else msgspec.structs.replace(page.row, id=change.new_id(PageRow))
                change.put(row)
                if not page.same:
                    self._write_paragraphs(change, row.id, page.paragraphs)
            self._projects.register(change, self._project)
        self._waiting.clear()

    def _write_paragraphs(self, change: Change, page: int, made: Sequence[tuple[str, str]]) -> None:
        """Those that are as they were keep their ids, so that only what changed is written."""
        free: dict[tuple[str, str], list[ParagraphRow]] = {}
        for old in reversed(self._paragraphs.get(page, [])):
            free.setdefault((old.heading, old.text), []).append(old)
        for place, (heading, words) in enumerate(made):
            same = free.get((heading, words))
            number = same.pop().id if same else change.new_id(ParagraphRow)
            change.put(
                ParagraphRow(id=number, page=page, project=self._project, place=place, heading=heading, text=words)
            )  # fmt: skip
        for left in free.values():
            for old in left:
                change.delete(ParagraphRow, old.id)

    def _remove(self, change: Change, row: PageRow) -> None:
        change.delete(PageRow, row.id)
        for paragraph in self._paragraphs.get(row.id, ()):
            change.delete(ParagraphRow, paragraph.id)


def _by_page(rows: Mapping[int, ParagraphRow], pages: Iterable[int]) -> dict[int, list[ParagraphRow]]:
    """The paragraphs of pages, in their order."""
    found: dict[int, list[ParagraphRow]] = {number: [] for number in pages}
    for row in rows.values():
        if row.page in found:
            found[row.page].append(row)
    for listed in found.values():
        listed.sort(key=lambda row: row.place)
    return found


def _mark(file: ProjectFile) -> str:
    """How a page's hash begins: by these rules, of a file of this size."""
    return f"{RULES}:{file.size}:"
