"""A worker process: is given a job, then tasks, until it is ended."""

from __future__ import annotations

from importlib import import_module

from pincite.base import ParentPipe
from pincite.engine.processes import pickled, pickled_failure, unpickled


def serve(parent: ParentPipe) -> None:
    try:
        prepare, given = unpickled(parent.receive())
        module, _, name = prepare.partition(":")
        signature, carry_out = getattr(import_module(module), name)(given)
    except Exception as error:
        parent.send(pickled(("cannot start", f"{type(error).__name__}: {error}")))
        return
    parent.send(pickled(("ready", signature)))
    while True:
        message = parent.receive()
        try:
            tasks = unpickled(message)
        except Exception as error:  # something of a class that is only known where it was made
            parent.send(pickled(("unreadable", f"{type(error).__name__}: {error}")))
            continue
        try:
            answer = pickled(("done", [carry_out(task) for task in tasks]))
        except Exception as error:
            answer = pickled_failure(error)
        parent.send(answer)
