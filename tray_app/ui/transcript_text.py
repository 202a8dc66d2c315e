"""A window of a session as a text document of our own making.

Owns what of a message becomes text. Markdown is parsed by Qt with HTML off into a throw-away document, and only plain
runs of text are taken out of it: no image, link, style or resource of a transcript reaches the document that is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
    QTextTable,
)

from tray_app.records import MessageView
from tray_app.ui import i18n, painting, wording
from tray_app.ui.rows import find_words
from tray_app.ui.text_layout import one_line, utf16_marks
from tray_app.ui.theme import Theme
from tray_app.ui.transcript_words import (
    bullet_of,
    comment_start,
    excerpt,
    failure,
    hang,
    line_count,
    printable,
    table_lines,
)

FOLDED = ("tool_call", "tool_result", "reasoning")
MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
SHOWN_CHARS = 20_000
"""Of one message so much is shown, around the first found word; what is left out is counted, and a press shows it."""
WINDOW_CHARS = 600_000
"""Once a window has so much text, further messages are shown by their first `LITTLE_CHARS` (a window of pasted logs would
take seconds to lay out)."""
LITTLE_CHARS = 2_000
WHOLE_CHARS = 500_000
"""Of a message that was opened, so much."""


@dataclass
class Section:
    """One message, or one folded line, and the blocks it takes in the document (numbers, both inclusive)."""

    message: MessageView
    kind: str
    """said | fold"""
    first: int
    last: int = 0
    is_hit: bool = False
    ids: tuple[str, ...] = ()
    opened: bool = False
    failed: str = ""
    """How a tool call failed, as it stands at the right of its line."""


@dataclass
class Code:
    """A block of code: its header's block and its last line's, and what a copy of it gives."""

    first: int
    last: int
    text: str


@dataclass
class Composed:
    """What stands where in the document."""

    sections: list[Section] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)
    marks: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Found words by block number: start and length in UTF-16."""


class Composer:
    """Writes messages into a document, one after the other."""

    def __init__(self, document: QTextDocument, theme: Theme, agent: str, measure: float) -> None:
        self._theme, self._agent, self._measure = theme, agent, measure
        self._cursor = QTextCursor(document)
        self._document = document
        self._empty = True
        self.made = Composed()
        self._words: Sequence[str] = ()
        self._opened: Collection[str] = ()
        self._hit = ""
        self._spent = 0

    def tr(self, text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("Composer", text, comment, number)

    def write(self, messages: Sequence[MessageView], hit: str, opened: Collection[str], words: Sequence[str]) -> Composed:
        """Replace the document's text. `hit` is a message id, `opened` the ids of folded lines that are open."""
        self._words, self._opened, self._hit, self._spent = words, opened, hit, 0
        self._cursor.beginEditBlock()
        place = 0
        while place < len(messages):
            message = messages[place]
            if message.role in FOLDED:
                answer = None
                following = messages[place + 1] if place + 1 < len(messages) else None
                if message.role == "tool_call" and following is not None and following.role == "tool_result":
                    answer = following
                    place += 1
                self._fold(message, answer, hit, opened)
            else:
                self._said(message, hit)
            place += 1
        self._cursor.endEditBlock()
        self._mark(words)
        return self.made

    # --- messages ----------------------------------------------------------------------------------------------------
    def _said(self, message: MessageView, hit: str) -> None:
        section = Section(message, "said", 0, is_hit=message.message_id == hit, ids=(message.message_id,))
        section.first = self._block(self._theme.face("body").line, top=26)
        self._run(wording.role_name(message.role, self._agent), self._look("row", weight=600))
        moment = i18n.local(message.time)
        if moment is not None:
            self._run("  " + i18n.clock(moment), self._look("detail", "text2"))
        before, text, after = self._excerpt(message, message.message_id in self._opened)
        self._left_out(before, message)
        if message.role == "user" and "```" not in text:
            self._plain(text)
        else:
            self._markdown(text)
        self._left_out(after, message)
        section.last = self._number()
        self.made.sections.append(section)

    def _fold(self, message: MessageView, answer: MessageView | None, hit: str, opened: Collection[str]) -> None:
        ids = (message.message_id, *((answer.message_id,) if answer is not None else ()))
        before = self.made.sections[-1] if self.made.sections else None
        follows = before is not None and before.kind == "fold" and not before.opened
        is_open = any(one in opened for one in ids)
        section = Section(message, "fold", 0, is_hit=hit in ids, ids=ids, opened=is_open)
        section.first = self._block(self._theme.px(20), top=8 if follows else 20)
        section.failed = self._fold_line(message, answer)
        if is_open:
            for part in (message, answer):
                if part is not None and part.text.strip():
                    label = {"tool_call": self.tr("Call"), "tool_result": self.tr("Result")}.get(part.role, "")
                    ahead, text, rest = self._excerpt(part, False)
                    self._code(text, label, rest=ahead + rest)
        section.last = self._number()
        self.made.sections.append(section)

    def _excerpt(self, message: MessageView, whole: bool) -> tuple[int, str, int]:
        """The part of a message that is shown, and how many characters are left out before and after it."""
        room = SHOWN_CHARS if self._spent < WINDOW_CHARS or message.message_id == self._hit else LITTLE_CHARS
        found = excerpt(message.text, self._words, WHOLE_CHARS if whole else room)
        self._spent += len(found[1])
        return found

    def _left_out(self, number: int, message: MessageView) -> None:
        if number:
            self._block(self._theme.face("reading").line, top=2)
            link = self._look("detail", "accent_text")
            link.setAnchor(True)
            link.setAnchorHref(f"fold:{message.message_id}")
            link.setFontUnderline(True)
            self._run(self.tr("%Ln more characters", "", number), link)

    def _fold_line(self, message: MessageView, answer: MessageView | None) -> str:
        """Write the line of a folded call; returns how it failed, '' if it did not."""
        now = self._theme
        left = now.px(16)
        shape = self._cursor.blockFormat()
        shape.setLeftMargin(left)
        shape.setTabPositions([QTextOption.Tab(self._measure - left, QTextOption.TabType.RightTab)])
        shape.setNonBreakableLines(True)
        self._cursor.setBlockFormat(shape)
        result = message if message.role == "tool_result" else answer
        outcome, failed = self._outcome(result)
        name = one_line(message.tool) or wording.role_name(message.role, self._agent)
        link = self._look("row", "text2" if not failed else "text", weight=500)
        link.setAnchor(True)
        link.setAnchorHref(f"fold:{message.message_id}")
        shown = painting.elide(now, "row", name, self._measure * 0.4, weight=500)
        self._run(shown, link)
        used = left + painting.text_width(now, "row", shown, 500) + painting.text_width(now, "detail", outcome) + now.px(36)
        summary = one_line(message.text[:2_000]) if message.role != "tool_result" else ""
        if summary:
            code = self._look("code", "text2")
            code.setAnchor(True)
            code.setAnchorHref(f"fold:{message.message_id}")
            room = self._measure - used - (now.px(20) if failed else 0)
            self._run("  " + painting.elide(now, "code", summary, max(room, 24)), code)
        if outcome:
            self._run("\t" + outcome, self._look("detail", "text" if failed else "text2", weight=500 if failed else None))
        return outcome if failed else ""

    def _outcome(self, result: MessageView | None) -> tuple[str, bool]:
        """How a call ended, in words, and whether it failed."""
        if result is None:
            return "", False
        if result.role == "reasoning":
            return self.tr("%Ln lines", "", line_count(result.text)), False
        code = failure(result.text)
        if code:
            return self.tr("exit {code}").format(code=code), True
        return self.tr("%Ln lines", "", line_count(result.text)), False

    def _plain(self, text: str) -> None:
        for place, line in enumerate(text.strip("\n").split("\n")):
            self._block(self._theme.face("reading").line, top=2 if place == 0 else 0)
            self._run(printable(line), self._look("reading"))

    # --- markdown ----------------------------------------------------------------------------------------------------
    def _markdown(self, text: str) -> None:
        parsed = QTextDocument()
        parsed.setUndoRedoEnabled(False)
        parsed.setMarkdown(text, MARKDOWN)
        block = parsed.begin()
        table: QTextTable | None = None
        while block.isValid():
            inside = QTextCursor(block).currentTable()
            if inside is not None:
                if inside is not table:
                    self._table(inside)
                table = inside
                block = block.next()
            elif (
                block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence) or block.blockFormat().nonBreakableLines()
            ):
                language = str(block.blockFormat().property(QTextFormat.Property.BlockCodeLanguage) or "")
                block = self._fence(block, language)
            else:
                self._paragraph(block)
                block = block.next()

    def _paragraph(self, block: QTextBlock) -> None:
        shape = block.blockFormat()
        if not block.text().strip() and not shape.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth):
            return
        level = shape.headingLevel()
        face = "title" if level in (1, 2) else "row_strong" if level else "reading"
        quoted = int(shape.property(QTextFormat.Property.BlockQuoteLevel) or 0)
        color = "text2" if quoted else "text"
        left = float(self._theme.px(12) * quoted)
        bullet = ""
        item = block.textList()
        if item is not None:
            bullet = bullet_of(block, item.itemNumber(block), item.format())
            left += self._theme.px(16) * max(item.format().indent() - 1, 0)
        hanging = painting.text_width(self._theme, "reading", bullet) if bullet else 0.0
        self._block(
            self._theme.face("title" if face == "title" else "reading").line,
            top=8 if level else 5 if not bullet or (item is not None and item.itemNumber(block) == 0) else 0,
            left=left + hanging,
            indent=-hanging,
        )
        if bullet:
            self._run(bullet, self._look("reading", "text2"))
        if shape.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth):
            self._run("———", self._look("reading", "text3"))
        walk = block.begin()
        while not walk.atEnd():
            piece = walk.fragment()
            if piece.isValid():
                self._piece(piece.text(), piece.charFormat(), face, color)
            walk += 1

    def _piece(self, text: str, style: QTextCharFormat, face: str, color: str) -> None:
        if style.isImageFormat():
            self._run(self.tr("[image]") * text.count("\ufffc"), self._look(face, "text2"))
            return
        text = printable(text.replace("\u2028", "\n").replace("\ufffc", ""))
        if style.fontFixedPitch():
            look = self._look("code", color)
            look.setBackground(self._theme["code"])
            self._run(text, look)
            return
        look = self._look(face, color, weight=600 if style.fontWeight() >= 600 else None)
        look.setFontStrikeOut(style.fontStrikeOut())
        self._run(text, look)
        address = style.anchorHref()
        if address and address.rstrip("/") not in (
            text.strip().rstrip("/"),
            "mailto:" + text.strip(),
            "http://" + text.strip(),
        ):
            self._run(f" ({one_line(address)})", self._look("detail", "text2"))

    def _fence(self, block: QTextBlock, language: str) -> QTextBlock:
        lines: list[str] = []
        while block.isValid():
            shape = block.blockFormat()
            fenced = shape.hasProperty(QTextFormat.Property.BlockCodeFence) or shape.nonBreakableLines()
            if not fenced or str(shape.property(QTextFormat.Property.BlockCodeLanguage) or "") != language:
                break
            lines.append(block.text().replace("\u2028", "\n"))
            block = block.next()
        self._code("\n".join(lines), language)
        return block

    def _table(self, table: QTextTable) -> None:
        self._code("\n".join(table_lines(table)), "")

    def _code(self, text: str, language: str, *, rest: int = 0) -> None:
        now = self._theme
        text = text.strip("\n")
        inset = now.px(12)
        code = Code(0, 0, text)
        code.first = self._block(now.px(20), top=14, left=inset)
        shape = self._cursor.blockFormat()
        shape.setTabPositions([QTextOption.Tab(self._measure - 2 * inset, QTextOption.TabType.RightTab)])
        self._cursor.setBlockFormat(shape)
        self._run(one_line(language), self._look("reason", "text2"))
        link = self._look("reason", "text2")
        link.setAnchor(True)
        link.setAnchorHref(f"copy:{len(self.made.codes)}")
        self._run("\t", self._look("reason", "text2"))
        self._run(self.tr("Copy"), link)
        column = painting.text_width(now, "code", "0")
        for place, line in enumerate(text.split("\n")):
            line = printable(line.replace("\t", "    "))
            # A text document cannot scroll one block sideways: what is too long goes on below, further in than it began.
            hanging = min(hang(line) * column, self._measure / 3)
            self._block(now.face("code").line, top=4 if place == 0 else 0, left=inset + hanging, indent=-hanging)
            self._code_line(line, language)
        if rest:
            self._block(now.face("code").line, left=inset)
            self._run(self.tr("%Ln more characters are not shown", "", rest), self._look("reason", "text2"))
        code.last = self._number()
        self.made.codes.append(code)

    def _code_line(self, line: str, language: str) -> None:
        at = comment_start(line, language)
        self._run(line if at < 0 else line[:at], self._look("code"))
        if at >= 0:
            self._run(line[at:], self._look("code", "text3"))

    # --- strokes -----------------------------------------------------------------------------------------------------
    def _block(self, line: int, *, top: float = 0, left: float = 0, indent: float = 0) -> int:
        """Begin a block; returns its number."""
        shape = QTextBlockFormat()
        shape.setLineHeight(line, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        shape.setTopMargin(self._theme.px(top))
        shape.setLeftMargin(left)
        shape.setTextIndent(indent)
        if self._empty:
            self._cursor.setBlockFormat(shape)
            self._empty = False
        else:
            self._cursor.insertBlock(shape, self._look("reading"))
        return self._number()

    def _number(self) -> int:
        return self._cursor.blockNumber()

    def _run(self, text: str, look: QTextCharFormat) -> None:
        if text:
            self._cursor.insertText(text.replace("\n", "\u2028"), look)

    def _look(self, face: str, color: str = "text", weight: int | None = None) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setFont(self._theme.font(face, weight))
        look.setForeground(self._theme[color])
        return look

    def _mark(self, words: Sequence[str]) -> None:
        """Find the words in what was said and make them stand out; their grounds are painted by the view."""
        wanted = sorted({word for word in words if len(word) > 1 or ord(word[0]) > 127}, key=len, reverse=True)
        if not wanted:
            return
        look = QTextCharFormat()
        look.setFontWeight(600)
        look.setForeground(self._theme["mark_text"])
        heads = {section.first for section in self.made.sections if section.kind == "said"}
        block = self._document.begin()
        while block.isValid():
            if block.blockNumber() not in heads:
                text = block.text()
                found = [
                    (start, end)
                    for start, end in find_words(text, wanted)
                    if not (text[start].isascii() and start and text[start - 1].isascii() and text[start - 1].isalnum())
                ]
                if found:
                    marks = utf16_marks(text, tuple(found))
                    self.made.marks[block.blockNumber()] = marks
                    for start, length in marks:
                        cursor = QTextCursor(block)
                        cursor.setPosition(block.position() + start)
                        cursor.setPosition(block.position() + start + length, QTextCursor.MoveMode.KeepAnchor)
                        cursor.mergeCharFormat(look)
            block = block.next()
