"""A process of a long check: judges pairs, or checks whole answers, until its input ends."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import msgspec

from pincite import doorway
from pincite.findings.check import check_answer
from pincite.judges.judge import open_judge
from pincite.processes import keep_to_one_core, serve
from pincite.records import Answer


def prepare(given: Any) -> tuple[str, Callable[[Any], tuple[str, Any]]]:
    settings, library = given
    keep_to_one_core()  # before a model is loaded
    judge = open_judge(settings.judge, settings)

    def answer(asked: Any) -> tuple[str, Any]:
        kind, work = asked
        try:
            if kind == "pairs":
                return "found", doorway.run(judge.judge(work), waits=False)
            checked = [
                doorway.run(check_answer(answer, library, judge, settings), waits=False) for answer in work
            ]
            # Whoever asked has the answers, which may be long.
            return "found", [msgspec.structs.replace(report, answer=Answer("")) for report in checked]
        except Exception as error:  # it is tried again by whoever asked, and told there
            return "failed", f"{type(error).__name__}: {error}"

    return judge.name, answer


if __name__ == "__main__":
    sys.exit(serve(prepare))
