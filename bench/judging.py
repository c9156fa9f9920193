"""How often the rule judge agrees with people, beside plain word coverage, and how fast it is.

The rows are split in two by a hash of their id: half A is for choosing, half B for the figures below. Weights
and threshold are the ones in the code; nothing is fitted here.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.figures import Figure, best_seconds
from pincite.judges.rules import THRESHOLD, RuleJudge
from pincite.records import Pair, Passage
from pincite.stats.agreement import auroc, balanced_accuracy
from pincite.text.numbers import find_quantities
from pincite.text.terms import find_terms

COVERAGE_THRESHOLD = 0.6
NUMERIC_BAR = 75.0
SPEED_BAR = 10.0
SPEED_ROUNDS = 4
POOLED = "AttributionBench"


@dataclass(frozen=True)
class Judged:
    """A row's label, what word coverage says and what the judge says, both 0 to 1."""

    supported: bool
    coverage: float
    score: float
    outcome: str


def run(data: Path | None) -> Iterator[Figure]:
    """Balanced accuracy and AUROC a source on half B, then pairs a second."""
    path = data / "support" / "dev.jsonl" if data else None
    if path is not None and path.exists():
        rows = [row for row in _read(path) if half(row["id"]) == "B"]
        yield from _accuracy(rows)
    yield from _speed()


def half(identifier: str) -> str:
    """A or B, by the identifier alone."""
    return "A" if int(hashlib.sha256(identifier.encode()).hexdigest(), 16) % 2 == 0 else "B"


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _source(row: dict[str, Any]) -> str:
    return POOLED if row["source"].startswith(POOLED) else str(row["source"])


def _accuracy(rows: Sequence[dict[str, Any]]) -> Iterator[Figure]:
    groups: dict[str, list[Judged]] = {}
    contradicted = wrong = 0
    for row, judged in zip(rows, _judge(rows), strict=True):
        groups.setdefault(_source(row), []).append(judged)
        if row["source"] == "vitaminc_real" and _compares_a_number(row["claim"]):
            groups.setdefault("vitaminc_real, numeric rows", []).append(judged)
        if judged.outcome == "contradicted":
            contradicted += 1
            wrong += judged.supported
    for name, judged_rows in sorted(groups.items()):
        yield from _compare(name, judged_rows)
    if contradicted:
        yield Figure(
            "called contradicted and labelled supported", 100 * wrong / contradicted, "%", 15.0, True
        )


def _compares_a_number(claim: str) -> bool:
    return any(quantity.kind != "ordinal" for quantity in find_quantities(claim))


def _judge(rows: Sequence[dict[str, Any]]) -> list[Judged]:
    pairs = [Pair(row["claim"], (Passage(row["evidence"]),)) for row in rows]
    verdicts = asyncio.run(RuleJudge().judge(pairs))
    return [
        Judged(
            row["label"] == 1,
            word_coverage(row["claim"], row["evidence"]),
            verdict.score or 0.0,
            verdict.outcome,
        )
        for row, verdict in zip(rows, verdicts, strict=True)
    ]


def word_coverage(claim: str, evidence: str) -> float:
    """The baseline: which part of the claim's content words the evidence holds."""
    wanted = {term.stem for term in find_terms(claim) if not term.stop}
    held = {term.stem for term in find_terms(evidence)}
    return len(wanted & held) / max(1, len(wanted))


def _compare(name: str, rows: Sequence[Judged]) -> Iterator[Figure]:
    labels = [row.supported for row in rows]
    if len(set(labels)) < 2:
        return
    base = 100 * (balanced_accuracy(labels, [row.coverage >= COVERAGE_THRESHOLD for row in rows]) or 0.0)
    ours = 100 * (balanced_accuracy(labels, [row.score >= THRESHOLD for row in rows]) or 0.0)
    bar = max(base, NUMERIC_BAR) if "numeric" in name else base
    note = f"word coverage {base:.1f}%, {len(rows)} rows"
    yield Figure(f"{name}: balanced accuracy", ours, "%", round(bar, 2), note=note)
    area = 100 * (auroc(labels, [row.score for row in rows]) or 0.0)
    plain = 100 * (auroc(labels, [row.coverage for row in rows]) or 0.0)
    yield Figure(f"{name}: AUROC", area, "%", note=f"word coverage {plain:.1f}%")


_CLAIM = (
    "The {name} steel plant on the northern coast produced over {low} tonnes last year, more than any rival."
)
_EVIDENCE = (
    "According to its annual report, the {name} plant on the northern coast produced {high} tonnes "
    "of steel in "
    "2019 and remains the largest employer of the district. None of the rival works came close to "
    "that figure, "
    "although two new furnaces are being built."
)


def _speed() -> Iterator[Figure]:
    pairs = [
        Pair(
            _CLAIM.format(name=f"Arden{index}", low=70_000 + index),
            (Passage(_EVIDENCE.format(name=f"Arden{index}", high=84_115 + index)),),
        )
        for index in range(1_000)
    ]
    judge = RuleJudge()
    seconds = base = float("inf")
    for _ in range(SPEED_ROUNDS):
        # Taking turns, so that a busy spell of the machine does not fall on one of the two alone.
        seconds = min(seconds, best_seconds(lambda: asyncio.run(judge.judge(pairs)), 2))
        read = best_seconds(lambda: [word_coverage(pair.claim, pair.passages[0].text) for pair in pairs], 2)
        base = min(base, read)
    words = len((pairs[0].claim + " " + pairs[0].passages[0].text).split())
    yield Figure("pairs a second", len(pairs) / seconds, note=f"{words} words a pair, one core")
    yield Figure(
        "time of judging ÷ time of plain word coverage", seconds / base, "×", SPEED_BAR, at_most=True
    )
