"""Scores corrected by human labels."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from small_system import FERRY, MUSEUM, RULES

from pincite.annotation import labels_from_pairs, pairs_to_judge
from pincite.config import with_overrides
from pincite.errors import InputError
from pincite.judges import Judge
from pincite.records import Pair, Verdict
from pincite.runs import EvalRequest, run_evaluation


class Generous(Judge):
    """Calls nine of ten unsupported claims supported."""

    name = "generous/1"
    waits = False

    async def judge(self, pairs: list[Pair]) -> list[Verdict]:
        return [Verdict("supported", 1.0, "sure") for _ in pairs]


def system(folder: Path, queries: int) -> tuple[dict[str, Any], Path, list[bool]]:
    dice = random.Random(5)
    true = [dice.random() < 0.6 for _ in range(queries)]
    texts = {"ferry": FERRY, "museum": MUSEUM}
    data = {
        "dataset_id": "d",
        "name": "d",
        "version": "1.0.0",
        "documents": [
            {"document_id": name, "content": text, "file_path": f"{name}.txt"} for name, text in texts.items()
        ],
        "queries": [
            {"query_id": f"q{n}", "query_text": f"What, {n}?", "relevant_documents": ["ferry"]}
            for n in range(queries)
        ],
    }
    lines = [
        {
            "query_id": f"q{n}",
            "answer": f"The ferry carries {84 if true[n] else 85 + n} cars [ferry.txt:0-26].",
        }
        for n in range(queries)
    ]
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return data, answers, true


def corrected(folder: Path, labelled: int, queries: int = 200) -> Any:
    data, answers, true = system(folder, queries)
    labels = folder / "labels.jsonl"
    rows = [
        {
            "query_id": f"q{n}",
            "claim": f"The ferry carries {84 if true[n] else 85 + n} cars",
            "label": int(true[n]),
        }
        for n in range(labelled)
    ]
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = with_overrides(RULES, {"evaluation_resamples": 100})
    request = EvalRequest(
        dataset=data,
        answers=answers,
        judge=Generous(),  # type: ignore[arg-type]
        metrics=("citation_correctness", "citation_completeness"),
        settings=settings,
        labels=labels,
    )
    with run_evaluation(request) as done:
        return done.run, sum(true) / queries


def test_a_generous_judge_is_put_right_by_a_few_labels(tmp_path: Path) -> None:
    run, truth = corrected(tmp_path, 60)
    correctness, completeness = run.scores
    assert correctness.value == 1.0
    assert correctness.corrected_interval is not None
    low, high = correctness.corrected_interval
    assert low <= truth <= high < 1.0
    assert completeness.corrected is None  # no judge had a say in it
    node = run.document.citation_metrics["citation_correctness"]
    assert node["corrected"]["value"] == correctness.corrected


def test_labels_of_every_query_are_the_rate(tmp_path: Path) -> None:
    run, truth = corrected(tmp_path, 200)
    assert run.scores[0].corrected == pytest.approx(truth)


JUDGED = (
    "citation_correctness",
    "alce_recall",
    "alce_precision",
    "longcite_recall",
    "trec_rag_precision",
    "factual_consistency",
    "hallucination_rate",
    "contradiction_rate",
)


@pytest.mark.parametrize("system_name", ["a", "b"])
def test_people_who_agree_with_every_verdict_leave_each_figure_as_it_is(
    tmp_path: Path, system_name: str
) -> None:
    asked = EvalRequest(
        dataset="sample", answers=f"sample:{system_name}", judge="rules", metrics=JUDGED, settings=RULES
    )
    with run_evaluation(asked) as done:
        rows = pairs_to_judge(done.items(), 20, seed=7)
    agreed = [{**row, "verdict": "agree"} for row in rows]
    made = labels_from_pairs(enumerate(agreed, start=1))
    assert len(made.rows) == len(rows)
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps(row) + "\n" for row in made.rows))
    with run_evaluation(msgspec.structs.replace(asked, labels=labels)) as done:
        for score in done.run.scores:
            assert score.corrected == score.value, score.metric
            assert 0 < score.labelled <= 20


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no labels"):
        corrected(tmp_path, 0)
