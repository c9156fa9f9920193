"""Sends alerts to a webhook or a command. A failed delivery never costs the run."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from pincite.base import kill_group
from pincite.config import Alerts
from pincite.records import SCHEMA_VERSION, Run

SECONDS = 10.0
"""For one exchange with a webhook, from looking up its name to the head of its reply; and for a command."""
TRIES = 3
CHANNELS = ("webhook", "command")


def deliver(
    sent: Mapping[str, Any], settings: Alerts, *, seconds: float = SECONDS, tries: int = TRIES
) -> dict[str, str]:
    """Send a message to those channels that the settings have; returns the ones that failed, and why.

    `seconds` are for one exchange with the webhook, which is tried so often, and for the command.
    """
    body = json.dumps(sent).encode()
    problems: dict[str, str | None] = {}
    if settings.webhook:
        problems["webhook"] = _post(settings.webhook, body, seconds, tries)
    if settings.command:
        problems["command"] = run_command(settings.command, body, seconds)
    return {channel: problem for channel, problem in problems.items() if problem is not None}


def message(run: Run) -> dict[str, Any]:
    """What is sent: the run by name, and its alerts."""
    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run.run_id,
        "name": run.name,
        "dataset_id": run.dataset_id,
        "system_version": run.system_version,
        "timestamp": run.finished_at or run.started_at,
        "alerts": msgspec.to_builtins(list(run.alerts)),
    }


def _post(address: str, body: bytes, seconds: float, tries: int) -> str | None:
    """The address often holds a secret, so no message repeats more of it than the host."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "the webhook's address cannot be read"
    if parts.scheme not in ("http", "https") or not host:
        return "the webhook's address must begin with http:// or https://"
    said = ""
    for attempt in range(tries):
        if attempt:
            time.sleep(0.2 * 2**attempt)
        said, again = _exchange(parts, body, seconds)
        if not said:
            return None
        if not again:
            break
    return f"the webhook at {host} did not take the alerts: {said}"


def _exchange(parts: SplitResult, body: bytes, seconds: float) -> tuple[str, bool]:
    """Post once; returns what went wrong, and whether another try may help.

    The whole of it has one deadline, which a timeout of the socket would not be: that begins anew with each
    byte, and does not cover looking up the name. So it happens in a thread that is left behind when time is
    up. The body of a reply is never read: its status says all.
    """
    from http.client import HTTPConnection, HTTPSConnection

    assert parts.hostname is not None
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=seconds)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    outcome: list[tuple[str, bool]] = []

    def post() -> None:
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            outcome.append(_judged(connection.getresponse().status))
        except Exception as error:  # whatever it is, it must not end in a traceback of the thread
            outcome.append(_explained(error, seconds))
        finally:
            connection.close()

    thread = threading.Thread(target=post, name="pincite-webhook", daemon=True)
    thread.start()
    thread.join(seconds)
    if outcome:
        return outcome[0]
    if (sock := connection.sock) is not None:
        with suppress(OSError):
            sock.shutdown(2)  # both ways, which wakes the thread where it reads or writes
    return f"there was no answer within {seconds:g} s", True


def _judged(status: int) -> tuple[str, bool]:
    if 200 <= status < 300:
        return "", False
    if 300 <= status < 400:
        return f"it redirects (HTTP {status}), which is not followed; set the address it redirects to", False
    return f"HTTP {status}", status >= 500 or status in (408, 425, 429)


def _explained(error: Exception, seconds: float) -> tuple[str, bool]:
    """Only words of our own and of the system: those of a library may quote the address."""
    import ssl
    from http.client import HTTPException

    if isinstance(error, ssl.SSLError):
        reason = getattr(error, "verify_message", "") or error.reason or type(error).__name__
        return f"no safe connection ({reason})", False
    if isinstance(error, TimeoutError):
        return f"there was no answer within {seconds:g} s", True
    if isinstance(error, ConnectionError):
        return error.strerror or "the connection was closed without an answer", True
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__, True
    if isinstance(error, ValueError) or type(error).__name__ == "InvalidURL":
        return "its address has characters that no address may have; write them as %XX", False
    if isinstance(error, HTTPException):
        return "the reply is not HTTP", True
    return type(error).__name__, False


# --- a command, with a limit on its time and on what is kept of its output ---

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
    kill_group(process)
    process.wait()
