"""A worker process: is given a job, then tasks, until its input ends."""

from __future__ import annotations

import sys
from importlib import import_module

from pincite.engine.processes import Closed, own_pipes, pickled, pickled_failure, receive, send


def serve() -> int:
    inward, outward = own_pipes()
    try:
        try:
            paths, prepare, given = receive(inward)
            sys.path[:] = paths
            module, _, name = prepare.partition(":")
            signature, carry_out = getattr(import_module(module), name)(given)
        except Closed:
            raise
        except Exception as error:
            send(outward, ("cannot start", f"{type(error).__name__}: {error}"))
            return 0
        send(outward, ("ready", signature))
        while True:
            try:
                tasks = receive(inward)
            except Closed:
                raise
            except Exception as error:  # something of a class that is only known where it was made
                send(outward, ("unreadable", f"{type(error).__name__}: {error}"))
                continue
            try:
                answer = pickled(("done", [carry_out(task) for task in tasks]))
            except Exception as error:
                answer = pickled_failure(error)
            send(outward, answer)
    except (Closed, BrokenPipeError):
        return 0  # nobody is left to work for


if __name__ == "__main__":
    sys.exit(serve())
