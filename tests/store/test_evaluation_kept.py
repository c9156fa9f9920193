"""A real evaluation, kept in each kind of database, comes back as it was printed."""

from __future__ import annotations

import json
from pathlib import Path

from pincite.config import load_settings
from pincite.datasets import validate_file
from pincite.runs import evaluate, write_results
from pincite.store import Store, open_store


def measure(store: Store, seed: int = 1, **settings: object) -> str:
    run = evaluate(
        "sample",
        target="answer",
        judge="rules",
        metrics=["nDCG@5", "citation_correctness"],
        settings=load_settings(evaluation_resamples=200, **settings),
        store=store,
        limit=6,
        seed=seed,
    )
    return run.run_id


def test_a_run_is_found_listed_followed_and_exported(url: str, tmp_path: Path) -> None:
    with open_store(url) as store:
        first, second = measure(store), measure(store, seed=2)
        kept = store.find("latest")
        assert (kept.run_id, store.find("latest~1").run_id) == (second, first)
        assert kept.status == "finished" and kept.successful == 6
        assert len(list(store.items(second))) == 6
        assert store.verdicts(second)["support"]
        (newest, _) = store.trend("nDCG@5")[::-1]
        score = next(score for score in kept.scores if score.metric == "nDCG@5")
        assert (newest.run_id, newest.value, newest.n) == (second, score.value, score.n)
        path = tmp_path / "run.results.json"
        write_results(kept.document, store.items(second), path)
    document = json.loads(path.read_bytes())
    assert document["evaluation_id"] == second and len(document["query_results"]) == 6
    assert list(validate_file(path, "results")) == []


def test_no_password_is_kept_in_the_history(url: str) -> None:
    with open_store(url) as store:
        kept = store.find(measure(store, store_url=url))
        told = repr(kept) + repr(list(store.items(kept.run_id)))
    assert "s3cr3t" not in told and "PASSWORD" not in told
