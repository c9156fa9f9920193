"""Span scoring: against arithmetic on sets of characters, and at ten thousand spans a side."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.figures import Figure, best_seconds, peak_megabytes
from pincite.metrics import score_spans
from pincite.records import Place

LENGTH = 500
LAYOUTS = {
    "spread": "500-character spans over 5,000,000 characters",
    "close": "500-character spans over 200,000 characters: 50 overlaps a span",
    "varied": "1 to 1,000 characters over 200,000 characters",
    "clusters": "32 spans a side in each place, of all lengths",
    "nested": "every span overlaps every other, all lengths: a good assignment, not surely the best",
}


def run(data: Path | None) -> Iterator[Figure]:
    for name, document in (("far apart", 100_000), ("close together", 10_000)):
        true, predicted = _spans("equal", 100, document, 1), _spans("equal", 100, document, 2)
        baseline = best_seconds(lambda t=true, p=predicted: by_sets(t, p, 10), repeats=2)  # type: ignore[misc]
        ours = best_seconds(lambda t=true, p=predicted: score_spans(t, p), repeats=20)  # type: ignore[misc]
        note = f"{baseline:.2f} s against {ours * 1000:.2f} ms"
        yield Figure(f"100 × 100 spans {name}, times faster than sets", baseline / ours, "×", 3000, note=note)
    for layout, note in LAYOUTS.items():
        seconds, megabytes, exact = _measure(layout)
        if not exact and layout != "nested":
            seconds, note = float("inf"), "not the best assignment"
        yield Figure(f"10,000 × 10,000 spans, {layout}", seconds, " s", 2, at_most=True, note=note)
        yield Figure(f"10,000 × 10,000 spans, {layout}: peak memory", megabytes, " MB", 300, at_most=True)


def by_sets(true: Sequence[Place], predicted: Sequence[Place], tolerance: int) -> dict[str, float]:
    """The arithmetic to beat: a set of characters a span, and the predicted set widened for every pair."""
    true_sets = [set(range(span.start or 0, span.end or 0)) for span in true]
    predicted_sets = [set(range(span.start or 0, span.end or 0)) for span in predicted]
    best_exact = best_wide = 0.0
    for characters in true_sets:
        for others in predicted_sets:
            exact = len(characters & others) / len(characters | others)
            widened: set[int] = set()
            for place in others:
                widened.update(range(max(0, place - tolerance), place + tolerance + 1))
            wide = len(characters & widened) / len(characters | widened)
            if wide > best_wide:
                best_exact, best_wide = exact, wide
    return {"mean_exact_jaccard": best_exact, "mean_tolerance_jaccard": best_wide}


def _spans(kind: str, count: int, document: int, seed: int) -> list[Place]:
    draw = random.Random(seed)
    spans = []
    for index in range(count):
        if kind == "clusters":
            start = index // 32 * 10_000 + draw.randrange(1000)
            end = start + draw.randint(1, 2 * LENGTH)
        elif kind == "nested":
            start = draw.randrange(document // 2)
            end = document // 2 + 1 + draw.randrange(document // 2)
        else:
            start = draw.randrange(document)
            end = start + (LENGTH if kind == "equal" else draw.randint(1, 2 * LENGTH))
        spans.append(Place("report.pdf", None, start, end))
    return spans


def _measure(layout: str) -> tuple[float, float, bool]:
    """Seconds and peak megabytes in a process of its own: the best of three runs."""
    results = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-m", "bench.spans", layout],
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
            cwd=Path(__file__).parents[1],
        )
        results.append(json.loads(done.stdout))
    seconds, megabytes, exact = min(results)
    return seconds, megabytes, exact


def _measure_here(layout: str) -> None:
    import time

    kind = {"spread": "equal", "close": "equal"}.get(layout, layout)
    document = 5_000_000 if layout == "spread" else 200_000
    true, predicted = _spans(kind, 10_000, document, 1), _spans(kind, 10_000, document, 2)
    start = time.perf_counter()
    scores = score_spans(true, predicted)
    seconds = time.perf_counter() - start
    print(json.dumps([seconds, peak_megabytes(), scores.exact_assignment]))


if __name__ == "__main__":
    _measure_here(sys.argv[1])
