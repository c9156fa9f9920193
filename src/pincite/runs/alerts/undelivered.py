"""Alerts that nobody took, kept in the history until somebody does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from pincite.config.settings import Alerts
from pincite.errors import StoreError
from pincite.records import Run
from pincite.runs.alerts.notify import deliver, message
from pincite.runs.journal import DocumentStore

KIND = "undelivered_alerts"


class Undelivered(Struct, frozen=True):
    """The alerts of one run that were not delivered everywhere."""

    run_id: str
    sent: dict[str, Any]
    """What was to be sent, without where to: an address may be secret."""
    problems: dict[str, str]
    """By channel, why it was not delivered."""
    tried_at: str


def keep(store: DocumentStore, run: Run, problems: Mapping[str, str]) -> None:
    """Keep a run's alerts, so that they can be sent again."""
    _put(store, Undelivered(run.run_id, message(run), dict(problems), _now()))


def undelivered(store: DocumentStore) -> Iterator[Undelivered]:
    """What waits to be sent again, by run."""
    for key in store.keys(KIND):
        value = store.get(KIND, key)
        if value is None:  # somebody else has just sent it
            continue
        try:
            yield msgspec.convert(value, Undelivered)
        except msgspec.ValidationError as error:
            raise StoreError(f"the alerts of {key} in the history are damaged: {error}") from None


def send_again(store: DocumentStore, one: Undelivered, settings: Alerts) -> Undelivered | None:
    """Send to the channels that did not take it; returns what is left, None where all was delivered.

    A channel that the settings no longer have is left as it was.
    """
    missing = {
        channel: f"no {channel} is configured" for channel in one.problems if not getattr(settings, channel)
    }
    problems = missing | deliver(one.sent, settings, one.problems)
    if not problems:
        store.remove(KIND, one.run_id)
        return None
    left = Undelivered(one.run_id, one.sent, problems, _now())
    _put(store, left)
    return left


def forget(store: DocumentStore, one: Undelivered) -> None:
    store.remove(KIND, one.run_id)


def _put(store: DocumentStore, one: Undelivered) -> None:
    store.put(KIND, one.run_id, msgspec.to_builtins(one))


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
