"""Runs somebody's program with a limit on its time and on what is kept of its output."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

KEPT = 2048
"""Bytes kept of the beginning of the output, and as many of its end."""
_SHOWN = 200
_DRAIN_SECONDS = 1.0
"""How long to read on once the program is gone: one of its own children may still hold the pipe."""


class Output:
    """Takes any amount of output and keeps its beginning and its end."""

    def __init__(self) -> None:
        self._first = b""
        self._last = b""

    def take(self, piece: bytes) -> None:
        room = KEPT - len(self._first)
        self._first += piece[:room]
        self._last = (self._last + piece[room:])[-KEPT:]

    def __str__(self) -> str:
        """The last words on one line, or all of them where they are few."""
        said = " ".join((self._first + self._last).decode("utf-8", "replace").split())
        return said if len(said) <= _SHOWN else f"…{said[-_SHOWN:]}"


def run_command(command: Sequence[str], given: bytes, seconds: float) -> str | None:
    """Run a program with `given` on its standard input; what went wrong as a sentence, or None."""
    name = f"the alert command {command[0]}"
    output = Output()
    with tempfile.TemporaryFile() as stdin:  # not a pipe: a program that reads none of it would block us
        stdin.write(given)
        stdin.seek(0)
        try:
            # No shell reads it. A session of its own, so that its children can be ended with it.
            process = subprocess.Popen(  # noqa: S603
                list(command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return f"{name} could not be started: {type(error).__name__}"
    assert process.stdout is not None
    reader = threading.Thread(target=_drain, args=(process.stdout, output), daemon=True)
    reader.start()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        _end(process)
        return f"{name} took longer than {seconds:g} s and was stopped"
    except BaseException:
        _end(process)
        raise
    if not process.returncode:
        return None
    reader.join(_DRAIN_SECONDS)
    said = str(output)
    return f"{name} ended with code {process.returncode}" + (f": {said}" if said else "")


def _drain(pipe: IO[bytes], output: Output) -> None:
    with pipe, suppress(OSError, ValueError):
        while piece := os.read(pipe.fileno(), 65536):
            output.take(piece)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program with every child that stayed in its session."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
