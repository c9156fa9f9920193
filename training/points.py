"""Choose a judge's two points: from where on an unsupported claim is warned about, and is called an error.

    python training/points.py --data FOLDER --judge rules
    python training/points.py --data FOLDER --judge entailment

In real answers nine claims in ten or more are right, so what counts is how many of those are bothered. At the
error point at most 1% of right claims may be, at the warning point at most 5%, in half A of
`support/dev.jsonl` and the written groups kept for development taken together, or with `--each` in either
by itself. Half B is only shown.

`rules` is measured by `rules.alarm`, and its points are constants of that file. Any other judge is measured
by its score, and its points belong into `weights/join.json` as `warn` and `sure`. The last columns tell what
the judge does today, with its present points.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "cross"))
from rows import SUPPORTED, Row, read_rows

from pincite.judges.opening import open_judge
from pincite.judges.rules import judge as rules
from pincite.judges.rules.reading import ReadingRoom
from pincite.records import Pair, Passage, Verdict

MOST = {"error": 0.01, "warn": 0.05}
CHOSEN_ON = ("A", "written")
BATCH = 256


class Measured(NamedTuple):
    part: str
    right: bool
    against: float
    """How much the judge has against the claim: the larger, the surer. 0 for a supported claim."""
    told: str
    """`error`, `warn` or nothing, with the points that the judge has today."""


def choose(rows: list[Measured], most: float, each: bool = False) -> float:
    """The lowest point that at most this share of the right claims reaches, of each part if that is asked."""
    right: dict[str, list[float]] = {}
    for row in rows:
        if row.right and row.part in CHOSEN_ON:
            right.setdefault(row.part if each else "", []).append(row.against)
    for point in sorted({row.against for row in rows if row.against > 0}):
        if all(share_from(found, point) <= most for found in right.values()):
            return point
    return float("inf")


def share_from(against: list[float], point: float) -> float:
    return float(np.mean([value >= point for value in against])) if against else 0.0


def measure(rows: list[Row], judge_name: str) -> list[Measured]:
    judge = open_judge(judge_name)
    measured = []
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        pairs = [Pair(row.claim, tuple(Passage(text) for text in texts_of(row))) for row in some]
        room = ReadingRoom()
        for row, pair, verdict in zip(some, pairs, asyncio.run(judge.judge(pairs)), strict=True):
            if verdict.outcome == "unjudged":
                continue
            against = 0.0
            if verdict.outcome != "supported":
                against = alarm(pair, room) if judge_name == "rules" else 1.0 - (verdict.score or 0.0)
            measured.append(Measured(row.part, row.label == SUPPORTED, round(against, 4), told(verdict)))
    return measured


def texts_of(row: Row) -> list[str]:
    return row.evidence if isinstance(row.evidence, list) else [row.evidence]


def alarm(pair: Pair, room: ReadingRoom) -> float:
    return rules.alarm(rules.observe_pair(pair, room))


def told(verdict: Verdict) -> str:
    if verdict.outcome == "supported" or verdict.doubtful:
        return ""
    return "error" if verdict.sure else "warn"


def table(rows: list[Measured], points: dict[str, float]) -> list[str]:
    lines = [f"{'':10}{'claims':>8}" + "".join(f"{name:>24}" for name in ("at the points", "told today"))]
    for part in ("A", "written", "B"):
        for right, name in ((True, "right"), (False, "wrong")):
            here = [row for row in rows if row.part == part and row.right == right]
            if not here:
                continue
            chosen = [share_from([row.against for row in here], point) for point in points.values()]
            today = [
                np.mean([row.told == "error" for row in here]),
                np.mean([row.told != "" for row in here]),
            ]
            figures = "".join(f"{f'{100 * a:.2f}% / {100 * b:.2f}%':>24}" for a, b in (chosen, today))
            lines.append(f"{part:<8}{name:<6}{len(here):>4}{figures}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--judge", default="entailment")
    parser.add_argument("--each", action="store_true", help="hold either part to the bars by itself")
    options = parser.parse_args()
    rows = [row for row in read_rows(options.data) if row.part in (*CHOSEN_ON, "B")]
    measured = measure(rows, options.judge)
    points = {name: choose(measured, most, options.each) for name, most in MOST.items()}
    for name, point in points.items():
        value = f"alarm >= {point:.2f}" if options.judge == "rules" else f"score <= {1 - point:.4f}"
        print(f"{name}: {value}")
    print("\n".join(table(measured, points)))
    print("each pair of figures: called an error / warned about or called an error")


if __name__ == "__main__":
    main()
