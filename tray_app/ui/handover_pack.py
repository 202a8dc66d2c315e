"""The context pack: how large it is, how large it may be, what stands in it, and its exact text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QSyntaxHighlighter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from tray_app.records import PackLayer, PackView
from tray_app.ui import i18n, painting, theme
from tray_app.ui.controls import Hairline, Label
from tray_app.ui.handover_spans import SpanText
from tray_app.ui.handover_texts import texts
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.settings_rows import give_line
from tray_app.ui.slider import Slider

STEP, PAGE = 100, 500
LEAST, MOST = 1_000, 7_000
LAYERS = ("baseline", "facts", "state", "next")


class LayerRow(QWidget):
    """Name, what was left out, bar, tokens."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.note = ""
        self._tokens = 0
        self._share = 0.0
        self.setFixedHeight(theme.current().px(24))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_layer(self, layer: PackLayer | None, budget: int, *, has_card: bool) -> None:
        layer = layer or PackLayer(name=self.name, tokens=0)
        self.note = texts.left_out(layer, has_card=has_card)
        self._tokens, self._share = layer.tokens, layer.tokens / budget if budget else 0.0
        spoken = (texts.layer(self.name), self.note, i18n.count(layer.tokens))
        self.setAccessibleName(", ".join(part for part in spoken if part))
        self.setToolTip(layer.note)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.current().px(200), theme.current().px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        top = (self.height() - now.face("detail").line) / 2
        words = i18n.count(self._tokens) if self._tokens else "–"
        wide = painting.text_width(now, "detail", words)
        painting.draw_text(painter, self.width() - wide, top, "detail", words, now["text"])
        bar = QRectF(self.width() - now.px(144), self.height() / 2 - 2, now.px(100), 4)
        if self._tokens:
            painting.fill_rounded(painter, bar, now.radii["bar"], now["track"])
            filled = QRectF(bar.left(), bar.top(), max(bar.width() * min(self._share, 1.0), 4.0), 4)
            painting.fill_rounded(painter, filled, now.radii["bar"], now["text2"])
        name = painting.draw_text(painter, 0, top, "detail", texts.layer(self.name), now["text"], weight=500)
        room = (bar.left() if self._tokens else self.width() - wide) - name - now.px(16)
        note = painting.elide(now, "detail", self.note, room)
        painting.draw_text(painter, name + now.px(8), top, "detail", note, now["text2"])


class _Headings(QSyntaxHighlighter):
    """Headings stand out by weight; the text itself is untouched."""

    def highlightBlock(self, text: str) -> None:
        if text.startswith("#"):
            look = QTextCharFormat()
            look.setFontWeight(QFont.Weight.Bold)
            self.setFormat(0, len(text.encode("utf-16-le", "surrogatepass")) // 2, look)


class PackPane(QWidget):
    budget_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._pack: PackView | None = None
        self._has_card = False
        self.title = give_line(Label("", "title", "text", self), "title")
        self.under = give_line(Label("", "detail", "text2", self), "detail")
        self.tokens = give_line(Label("", "query", "text", self), "query")
        self.of = give_line(Label("", "detail", "text2", self), "detail")
        figure = QHBoxLayout()
        figure.setSpacing(now.px(8))
        figure.addWidget(self.tokens)
        figure.addWidget(self.of, 1, Qt.AlignmentFlag.AlignBottom)
        self.slider = Slider(self)
        self.slider.setRange(LEAST, MOST)
        self.slider.setSingleStep(STEP)
        self.slider.setPageStep(PAGE)
        self.least = Label("", "reason", "text2", self)
        self.holds = Label("", "reason", "text3", self)
        self.most = Label("", "reason", "text2", self)
        ends = QHBoxLayout()
        ends.addWidget(self.least)
        ends.addStretch(1)
        ends.addWidget(self.holds)
        ends.addStretch(1)
        ends.addWidget(self.most)
        self.layers = {name: LayerRow(name, self) for name in LAYERS}
        self.advice = SpanText(self, "detail")
        self.text = QTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAcceptRichText(False)
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.document().setDocumentMargin(0)
        OverlayBar(self.text)
        _Headings(self.text.document())
        side = now.px(20)
        column = QVBoxLayout(self)
        column.setContentsMargins(side, now.px(16), side, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.under)
        column.addSpacing(now.px(8))
        column.addLayout(figure)
        column.addWidget(self.slider)
        column.addLayout(ends)
        column.addSpacing(now.px(12))
        for row in self.layers.values():
            column.addWidget(row)
        column.addSpacing(now.px(8))
        column.addWidget(self.advice)
        column.addSpacing(now.px(8))
        column.addWidget(Hairline(self))
        column.addSpacing(now.px(12))
        column.addWidget(self.text, 1)
        self.slider.valueChanged.connect(self._moved)
        self._showing = False
        self._dress()
        theme.notifier().changed.connect(self._dress)
        self.retranslate()

    @property
    def pack(self) -> PackView | None:
        return self._pack

    def show_pack(self, pack: PackView | None, *, has_card: bool) -> None:
        """None while another project's is being asked for."""
        self._pack, self._has_card = pack, has_card
        text = pack.pack if pack is not None else ""
        if self.text.toPlainText() != text:
            top = self.text.verticalScrollBar().value()
            self._set_text(text)
            self.text.verticalScrollBar().setValue(top)
        if pack is not None and not self.slider.isSliderDown():
            self.show_budget(pack.budget)
        self._say()

    def set_has_card(self, has_card: bool) -> None:
        if has_card != self._has_card:
            self._has_card = has_card
            self._say()

    def show_budget(self, budget: int) -> None:
        """Where the slider stands; its ends give way to what was set elsewhere."""
        self._showing = True
        self.slider.setRange(min(LEAST, budget // STEP * STEP), max(MOST, -(-budget // STEP) * STEP))
        self.slider.setValue(budget)
        self._showing = False
        self.least.setText(i18n.count(self.slider.minimum()))
        self.most.setText(i18n.count(self.slider.maximum()))

    def _moved(self, value: int) -> None:
        if not self._showing:
            self.of.setText(self.tr("of {budget} tokens").format(budget=i18n.count(value)))
            self.budget_changed.emit(value)

    def _say(self) -> None:
        pack = self._pack
        self.tokens.setText(i18n.count(pack.tokens) if pack is not None else "–")
        budget = self.slider.value()
        self.of.setText(self.tr("of {budget} tokens").format(budget=i18n.count(budget)))
        found = {layer.name: layer for layer in pack.layers} if pack is not None else {}
        for name, row in self.layers.items():
            row.show_layer(found.get(name), budget, has_card=self._has_card)
        words = texts.resume(pack.resume) if pack is not None else ""
        self.advice.setVisible(bool(words))
        if words:
            self.advice.set_words(words)

    def _set_text(self, text: str) -> None:
        """The exact text, its lines as far apart as the design has them."""
        self.text.setPlainText(text)
        cursor = QTextCursor(self.text.document())
        cursor.select(QTextCursor.SelectionType.Document)
        look = QTextBlockFormat()
        look.setLineHeight(theme.current().face("code").line, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.mergeBlockFormat(look)

    def _dress(self) -> None:
        now = theme.current()
        self.text.setFont(now.font("code"))
        if self._pack is not None:
            self._set_text(self._pack.pack)
        palette = self.text.palette()
        palette.setColor(QPalette.ColorRole.Base, now["bg"])
        palette.setColor(QPalette.ColorRole.Text, now["text"])
        self.text.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Context pack"))
        self.under.setText(self.tr("What the next session reads first."))
        self.holds.setText(self.tr("for all projects"))
        self.slider.setAccessibleName(self.tr("Size of the pack, in tokens"))
        self.text.setAccessibleName(self.tr("Text of the pack"))
        self.least.setText(i18n.count(self.slider.minimum()))
        self.most.setText(i18n.count(self.slider.maximum()))
        self._say()
