"""Tells alerts to a webhook or a command. Whoever cannot be reached costs a warning, never the run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from pincite.config.settings import Alerts
from pincite.measured import Run
from pincite.records import SCHEMA_VERSION

SECONDS = 10.0
TRIES = 3


def notify(run: Run, settings: Alerts) -> tuple[str, ...]:
    """Send the run's alerts wherever the settings say; gives what went wrong, a sentence each."""
    if not run.alerts:
        return ()
    body = json.dumps(message(run)).encode()
    problems = []
    if settings.webhook:
        problems.append(_post(settings.webhook, body))
    if settings.command:
        problems.append(_run(settings.command, body))
    return tuple(filter(None, problems))


def message(run: Run) -> dict[str, Any]:
    """What is sent: the run by name, and its alerts."""
    from msgspec import to_builtins

    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run.run_id,
        "name": run.name,
        "dataset_id": run.dataset_id,
        "system_version": run.system_version,
        "timestamp": run.finished_at or run.started_at,
        "alerts": to_builtins(list(run.alerts)),
    }


def _post(address: str, body: bytes) -> str | None:
    """The address often holds a secret, so no message repeats more of it than the host."""
    import time
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "the webhook's address cannot be read"
    if parts.scheme not in ("http", "https") or not host:
        return "the webhook's address must begin with http:// or https://"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    said = ""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(0.2 * 2**attempt)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(host, port, timeout=SECONDS)
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            status = connection.getresponse().status
        except (OSError, HTTPException, ValueError) as error:
            said = type(error).__name__
            continue
        finally:
            connection.close()
        if status < 400:
            return None
        said = f"HTTP {status}"
        if status < 500 and status != 429:
            break
    return f"the webhook at {host} did not take the alerts: {said}"


def _run(command: Sequence[str], body: bytes) -> str | None:
    try:
        # No shell reads it, and what is in the alerts reaches it only on standard input.
        done = subprocess.run(list(command), input=body, timeout=SECONDS, capture_output=True, check=False)  # noqa: S603
    except (OSError, ValueError) as error:
        return f"the alert command {command[0]} could not be started: {type(error).__name__}"
    except subprocess.TimeoutExpired:
        return f"the alert command {command[0]} took longer than {SECONDS:g} s and was stopped"
    return f"the alert command {command[0]} ended with code {done.returncode}" if done.returncode else None
