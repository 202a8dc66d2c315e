"""How fast the text rules are: `python tests/benchmarks/text_speed.py [megabytes]`. Prints figures and gates nothing.

The text is mixed as in sessions: the standard library's sources as code, its docstrings as prose, tool results in JSON and
sentences in Chinese. Processor time, best of three; the last column is how many passes of `str.lower` the rule costs.
"""

from __future__ import annotations

import json
import random
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from time import process_time

from tray_app.text.chunk import ChunkMessage, chunk_round
from tray_app.text.clean import clean
from tray_app.text.redact import redact
from tray_app.text.segment import tokens

SMALL, BIG = 1_500, 400_000
"""Characters of a text: a message, and a long tool result."""
CHINESE = (
    "我们决定把金额字段统一用定点数，不要用浮点。",
    "昨天的构建失败了，原因是缓存没有清理干净；重新运行以后就好了。",
    "请看一下日志里的错误：连接超时，已经重试三次。",
    "这个函数的返回值是一个元组，第一个是文本，第二个是数量。",
    "密码放在钥匙串里，不写进配置文件。",
)


def mixed_text(size: int) -> str:
    """About that many characters; the same on every machine with the same Python."""
    rng = random.Random(7)
    sources = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    rng.shuffle(sources)
    parts: list[str] = []
    length = 0
    for source in sources:
        text = source.read_text(encoding="utf-8", errors="replace")[:20_000]
        chinese = "".join(rng.choices(CHINESE, k=max(4, len(text) // 200)))
        result = json.dumps({"type": "tool_result", "id": f"{rng.getrandbits(128):032x}", "content": text[:4_000]})
        for part in (text, chinese, result):
            parts.append(part)
            length += len(part)
        if length >= size:
            break
    return "\n".join(parts)[:size]


def measure(rule: Callable[[str], object], pieces: list[str]) -> float:
    """Seconds of processor time for all pieces, best of three."""
    best = float("inf")
    for _ in range(3):
        start = process_time()
        for piece in pieces:
            rule(piece)
        best = min(best, process_time() - start)
    return max(best, 1e-9)


def cut_chunks(text: str) -> object:
    return chunk_round([ChunkMessage(0, "user", text[:200]), ChunkMessage(1, "assistant", text)])


def main(megabytes: float) -> None:
    text = mixed_text(int(megabytes * 1_000_000))
    size = len(text.encode()) / 1_000_000
    print(f"{size:.1f} MB of mixed text, {len(text) / 1_000_000:.1f} million characters")
    print(f"{'':10}{'pieces of':>12}{'MB/s':>10}{'x lower':>10}")
    for piece in (SMALL, BIG):
        pieces = [text[at : at + piece] for at in range(0, len(text), piece)]
        plain = measure(str.lower, pieces)
        for rule in (clean, redact, tokens, cut_chunks):
            seconds = measure(rule, pieces)
            print(f"{rule.__name__:10}{piece:>12,}{size / seconds:>10.1f}{seconds / plain:>10.1f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
