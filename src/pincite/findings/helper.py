"""A process that helps with a long check: judges pairs, or checks whole answers, until its input ends."""

from __future__ import annotations

import sys
from typing import IO, Any

import msgspec

from pincite import doorway
from pincite.findings.check import check_answer
from pincite.judges.calibrated import calibrated
from pincite.judges.judge import make_judge
from pincite.processes import Closed, keep_to_one_core, own_pipes, receive, send
from pincite.records import Answer


def main() -> int:
    inward, outward = own_pipes()
    try:
        _serve(inward, outward)
    except (Closed, BrokenPipeError):
        pass  # nobody is left to work for
    return 0


def _serve(inward: IO[bytes], outward: IO[bytes]) -> None:
    try:
        paths, settings, library = receive(inward)
        sys.path[:] = paths
        keep_to_one_core()  # before a model is loaded
        judge = calibrated(make_judge(settings.judge, settings), settings)
    except Closed:
        raise
    except Exception as error:
        send(outward, ("cannot start", f"{type(error).__name__}: {error}"))
        return
    send(outward, ("ready", judge.name))
    while True:
        kind, work = receive(inward)
        try:
            if kind == "pairs":
                found: Any = doorway.run(judge.judge(work), waits=False)
            else:
                checked = [
                    doorway.run(check_answer(answer, library, judge, settings), waits=False)
                    for answer in work
                ]
                # Whoever asked has the answers, which may be long.
                found = [msgspec.structs.replace(report, answer=Answer("")) for report in checked]
            said: tuple[str, Any] = ("found", found)
        except Exception as error:  # it is tried again by whoever asked, and told there
            said = ("failed", f"{type(error).__name__}: {error}")
        send(outward, said)


if __name__ == "__main__":
    sys.exit(main())
