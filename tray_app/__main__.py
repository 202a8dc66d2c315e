"""`python -m tray_app`: the tray."""

from __future__ import annotations

import sys


def main() -> int:
    from tray_app.ui.app import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
