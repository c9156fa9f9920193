"""Runs a command of Pincite and interrupts it where the caller says, by counting what it does.

python interrupted.py EVENT COMMAND …: Ctrl-C comes with this event, counted from 1, of all that Python
audits (imports, files, sockets) from when the command is read; 0 is never. With STUCK_CHECK set, a
check never ends, and says so on standard output.
"""

from __future__ import annotations

import os
import signal
import sys

WHEN = int(sys.argv[1])
count, begun = 0, False


def watch(name: str, given: tuple[object, ...]) -> None:
    global count, begun
    if name == "exec" and getattr(given[0], "co_filename", "").endswith("serve.py"):
        begun = True
    if not begun or name in ("object.__getattr__", "os.kill", "signal.pthread_kill"):
        return
    count += 1
    if count == WHEN:
        os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    sys.addaudithook(watch)
    sys.argv = ["pincite", *sys.argv[2:]]
    from pincite.cli import main

    if os.environ.get("STUCK_CHECK"):
        import threading

        import pincite.findings

        def stuck(*given: object, **named: object) -> None:
            os.write(1, b"stuck\n")
            threading.Event().wait()

        pincite.findings.check = stuck  # type: ignore[assignment]
    sys.exit(main())
