"""What commands that measure share: the history that takes the run, and alerts that reach somebody."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from pincite.cli.history import NO_STORE
from pincite.cli.options import given
from pincite.cli.output import note
from pincite.config import Settings
from pincite.config.settings import StoreSettings
from pincite.errors import PinciteError, StoreError, StorePlaceError
from pincite.records import Alert, Run
from pincite.runs.alerts.notify import CHANNELS, deliver, keep, message
from pincite.runs.evaluation import Request
from pincite.runs.finishing import Finished


@contextmanager
def history_for(options: Namespace, request: Request) -> Iterator[Any]:
    """The history; None with `--store none`, or where it cannot be opened."""
    url = request.settings.store.url
    if url == NO_STORE:
        yield None
        return
    from pincite.store import open_store

    try:
        store = open_store(url)
        try:
            store.refuse_read_only()
        except StorePlaceError:
            store.close()
            raise
        except StoreError:
            pass  # it is busy, which may well be over when there is something to write
    except StoreError as error:
        if request.baseline:
            raise  # without the baseline, what was asked for cannot be said
        if isinstance(error, StorePlaceError) and (given(options, "store.url") or url != StoreSettings().url):
            raise  # somebody named a place that can keep nothing: better said now than after an hour
        note(f"this run is not kept: {error}", "warning")
        yield None
        return
    try:
        yield store
    finally:
        try:
            store.close()
        except PinciteError as error:
            note(str(error), "warning")


def deliver_alerts(settings: Settings, done: Finished, store: Any) -> Finished:
    """Send the alerts to whom the settings name. That they were not delivered is an alert in every output."""
    alerts = settings.alerts
    if not done.run.alerts or not (alerts.webhook or alerts.command):
        return done
    try:
        problems = deliver(message(done.run), alerts)
    except KeyboardInterrupt:  # of somebody who waits no longer; the results must not be lost with it
        problems = {name: f"the {name} was interrupted" for name in CHANNELS if getattr(alerts, name)}
    run, said = done.run, "; ".join(problems.values())
    if problems:
        told = f"the alerts were not delivered: {said}; {_kept(store, run, problems)}"
        alert = Alert(kind="undelivered", metric="", value=None, message=told)
        run = msgspec.structs.replace(run, alerts=(*run.alerts, alert))
    metadata = run.document.metadata
    checked = {**metadata.quality_assurance, "alerts": f"not delivered: {said}" if said else "delivered"}
    metadata = msgspec.structs.replace(metadata, quality_assurance=checked)
    document = msgspec.structs.replace(run.document, metadata=metadata)
    return msgspec.structs.replace(done, run=msgspec.structs.replace(run, document=document))


def _kept(store: Any, run: Run, problems: dict[str, str]) -> str:
    if store is None:
        return "they are not saved, since there is no history"
    try:
        keep(store, run, problems)
    except (PinciteError, OSError) as error:
        return f"they could not be saved: {error}"
    return "they are saved: `pincite runs alerts --send` tries again"
