"""A program of another process that text is pasted into: `python paste_target.py CLASS FILE`.

Shows one text field; writes the window's id, then every key press and the text into FILE, one JSON list a line.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit


class Watcher(QObject):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def tell(self, kind: str, value: object) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps([kind, value]) + "\n")

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.tell("key", [event.key(), event.modifiers().value])
        return False


def main() -> int:
    app = QApplication([sys.argv[1]])
    watcher = Watcher(Path(sys.argv[2]))
    field = QPlainTextEdit()
    field.setWindowTitle("Target")
    field.installEventFilter(watcher)
    field.textChanged.connect(lambda: watcher.tell("text", field.toPlainText()))
    field.show()
    QTimer.singleShot(0, lambda: watcher.tell("window", int(field.winId())))
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
