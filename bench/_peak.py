"""Runs a command of Pincite in this process and prints the most memory that it held, in megabytes."""

from __future__ import annotations

import sys

from bench.figures import peak_megabytes


def main() -> int:
    from pincite.cli import main as run_command

    code = run_command(sys.argv[1:])
    print(peak_megabytes(), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
