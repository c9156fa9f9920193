"""A process that scores answers: reads what it needs, then chunks of items, until its input ends."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from pincite import doorway
from pincite.datasets.items import make_item
from pincite.errors import JudgeError
from pincite.judges.judge import open_judge
from pincite.processes import keep_to_one_core, serve
from pincite.runs.evaluate import evaluate_item
from pincite.runs.results.storable import encode, storable


def prepare(given: Any) -> tuple[str, Callable[[Any], tuple[str, Any]]]:
    settings, metrics, library, several = given
    if several:
        keep_to_one_core()  # before a model is loaded
    judge = open_judge(settings.judge, settings, remember=True)

    def answer(chunk: Any) -> tuple[str, Any]:
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
        except JudgeError as error:
            return "judge", str(error)
        return "scored", results

    return judge.name, answer


if __name__ == "__main__":
    sys.exit(serve(prepare))
