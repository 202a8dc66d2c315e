"""Makes resources/calibration/builtin.npz: the vectors of the fixed texts by the builtin model, so that no library waits for them.

Run it after the texts, the model or its rule have changed: python installer/calibration.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tray_app.embed.builtin import BuiltinEmbedder  # noqa: E402
from tray_app.indexing.embedding import SHIPPED, calibration_texts, digest  # noqa: E402


def main() -> int:
    texts = calibration_texts()
    model = BuiltinEmbedder()
    np.savez_compressed(
        ROOT / "resources" / SHIPPED,
        key=np.array(model.space().key),
        digest=np.array(digest(texts)),
        statements=model.documents(texts.statements).astype(np.float16),
        questions=np.stack([model.query(text) for text in texts.questions]).astype(np.float16),
    )
    print(f"{len(texts.statements)} statements, {len(texts.questions)} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
