"""A process that scores answers: reads what it needs, then chunks of items, until its input ends."""

from __future__ import annotations

import sys
from typing import IO, Any

from pincite import doorway
from pincite.datasets.items import make_item
from pincite.errors import JudgeError
from pincite.judges.chosen import measuring_judge
from pincite.processes import Closed, keep_to_one_core, own_pipes, receive, send
from pincite.runs.evaluate import evaluate_item
from pincite.runs.storable import encode, storable


def main() -> int:
    inward, outward = own_pipes()
    try:
        _serve(inward, outward)
    except (Closed, BrokenPipeError):
        pass  # nobody is left to work for
    return 0


def _serve(inward: IO[bytes], outward: IO[bytes]) -> None:
    try:
        paths, settings, metrics, library, several = receive(inward)
        sys.path[:] = paths
        if several:
            keep_to_one_core()  # before a model is loaded
        judge = measuring_judge(settings)
    except Closed:
        raise
    except Exception as error:
        send(outward, ("cannot start", f"{type(error).__name__}: {error}"))
        return
    send(outward, ("ready", judge.name))
    while True:
        try:
            chunk = receive(inward)
        except Closed:
            raise
        except Exception as error:  # something of a class that is only known where it was made
            send(outward, ("unreadable", f"{type(error).__name__}: {error}"))
            continue
        results = []
        try:
            for task, recorded, own in chunk:
                item = make_item(task.query, recorded, settings)
                measured = evaluate_item(
                    item,
                    task.query,
                    metrics,
                    judge,
                    settings,
                    library if own is None else own,
                    recorded=recorded,
                    key=task.key,
                    position=task.position,
                )
                results.append(encode(storable(doorway.run(measured, waits=False))))
            answer: tuple[str, Any] = ("scored", results)
        except JudgeError as error:
            answer = ("judge", str(error))
        send(outward, answer)


if __name__ == "__main__":
    sys.exit(main())
