"""Retrieval measures from Python dicts, against pytrec_eval end to end in the same run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figures import Figure, best_seconds
from pincite.metrics import RetrievalMetric, find_relevant, parse_metric

QUERIES, DOCUMENTS = 10_000, 100
OURS = [f"{name}@{k}" for name in ("ndcg", "map", "precision", "recall", "hit") for k in (5, 10)] + ["mrr"]
THEIRS = {f"{name}.5,10" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")} | {"recip_rank"}

Table = dict[str, dict[str, Any]]


def run(data: Path | None) -> Iterator[Figure]:
    for judged, ties in ((10, False), (10, True), (40, False), (100, False)):
        qrels, ranked = _made_up(judged, ties)
        theirs, ours = _side_by_side(qrels, ranked)
        name = f"{QUERIES:,} × {DOCUMENTS} documents, {judged} judged{', scores that tie' if ties else ''}"
        note = f"{theirs * 1000:.0f} ms against {ours * 1000:.0f} ms"
        yield Figure(f"{name}: times pytrec_eval", theirs / ours, "×", 1, note=note)


def _side_by_side(qrels: Table, ranked: Table) -> tuple[float, float]:
    """The least time of each, in turns, so that whatever else the machine does disturbs both."""
    rounds = [
        (
            best_seconds(lambda: by_pytrec_eval(qrels, ranked), repeats=1),
            best_seconds(lambda: by_pincite(qrels, ranked), repeats=1),
        )
        for _ in range(7)
    ]
    return min(theirs for theirs, _ in rounds), min(ours for _, ours in rounds)


def by_pincite(qrels: Table, ranked: Table) -> dict[str, list[float]]:
    metrics = [metric for metric in map(parse_metric, OURS) if isinstance(metric, RetrievalMetric)]
    values = {}
    for query, grades in qrels.items():
        found = find_relevant(grades, ranked[query], depth=10)
        if found is not None:
            values[query] = [metric.value(found) for metric in metrics]
    return values


def by_pytrec_eval(qrels: Table, ranked: Table) -> Any:
    """What it has to be as fast as: an evaluator made and a run evaluated."""
    import pytrec_eval

    return pytrec_eval.RelevanceEvaluator(qrels, THEIRS).evaluate(ranked)


def _made_up(judged: int, ties: bool) -> tuple[Table, Table]:
    draw = random.Random(1)
    qrels: Table = {}
    ranked: Table = {}
    for query in range(QUERIES):
        documents = [f"d{number}" for number in draw.sample(range(10**7), DOCUMENTS)]
        ranked[f"q{query}"] = {
            document: round(draw.random(), 2) if ties else draw.random() for document in documents
        }
        found = draw.sample(documents, judged // 2)
        missed = [f"x{draw.randrange(10**7)}" for _ in range(judged - len(found))]
        qrels[f"q{query}"] = {document: draw.randrange(4) for document in [*found, *missed]}
    return qrels, ranked
