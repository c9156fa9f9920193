"""The command line: `app` finds the module of a command in `commands/`."""

from __future__ import annotations

# Nothing else is imported here: an interrupt before `main` is entered would show a traceback.
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0 clean, 1 something found, 2 could not run, 130 interrupted.

    Whatever goes wrong ends in one line on standard error, never in a traceback.
    """
    try:
        is_program = arguments is None
        if is_program:
            _quit_when_interrupted()
        try:
            from pincite.cli.app import run

            given = sys.argv[1:] if arguments is None else arguments
            return run(given, _end_when_told if is_program else None)
        except SystemExit as end:  # argparse ends so after --help
            return end.code if isinstance(end.code, int) else 0
        except Exception as error:
            from pincite.cli.output import report_failure

            return report_failure(error)
        finally:
            if is_program:
                _quit_when_interrupted()
    except KeyboardInterrupt:
        return _INTERRUPTED


def _quit_when_interrupted() -> None:
    """While there is nothing to lose, Ctrl-C ends the process at once.

    An exception would strike in the middle of an import, where libraries turn it into other errors, print it
    and go on, or crash.
    """
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _quit)


def _end_when_told() -> None:
    """From here on there may be files half written and processes to end."""
    from pincite.cli.process import listen

    listen(_quit)


def _quit(number: int, frame: FrameType | None) -> None:
    import os

    os._exit(_INTERRUPTED)
