"""`python -m pincite` is `pincite`."""

from __future__ import annotations

import sys

from pincite.cli import main

if __name__ == "__main__":
    sys.exit(main())
