"""The command line: one module a command, found by `app`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0 clean, 1 something found, 2 could not run, 130 interrupted.

    Whatever goes wrong ends in one line on standard error, never in a traceback.
    """
    try:
        from pincite.cli.app import run

        return run(sys.argv[1:] if arguments is None else arguments)
    except SystemExit as end:  # argparse ends so after --help
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from pincite.cli.output import report_failure

        return report_failure(error)
