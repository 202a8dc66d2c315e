"""The schemas of all tools as they were agreed on. Whoever changes one on purpose runs this file, and looks at what changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tray_app.mcp_server.catalogue import TOOLS

FILE = Path(__file__).parents[1] / "data/tool_schemas.json"


def schemas() -> dict[str, Any]:
    return {
        name: {
            "title": tool.title,
            "reads": tool.reads,
            "destroys": tool.destroys,
            "repeats": tool.repeats,
            "input": tool.input_schema,
            "output": tool.output_schema,
        }
        for name, tool in TOOLS.items()
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(schemas(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
