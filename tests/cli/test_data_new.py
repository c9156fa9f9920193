"""`pincite data new`: the sample in its tree, drafts from documents, and nothing overwritten unasked."""

from __future__ import annotations

import json
from pathlib import Path

from cli_run import Runner

from pincite.datasets import sample_path


def test_the_sample_is_written_into_the_tree(pincite: Runner) -> None:
    done = pincite("data", "new")
    assert done.code == 0
    dataset = pincite.folder / "data/evaluation/datasets/sample_1.0.0.eval.json"
    assert dataset.read_bytes() == sample_path().read_bytes()
    assert (pincite.folder / "data/evaluation/answers/answers_b.jsonl").exists()
    assert pincite("data", "check", str(dataset)).code == 0
    assert pincite("agreement", "data/evaluation/ground_truth/annotations").code == 0
    assert pincite("agreement", "data/evaluation/ground_truth").code == 0


def test_what_is_there_is_not_overwritten_without_force(pincite: Runner) -> None:
    pincite.write("mine.eval.json", "mine")
    done = pincite("data", "new", "--output", "mine.eval.json")
    assert done.code == 2
    assert "--force" in done.err
    assert Path("mine.eval.json").read_text(encoding="utf-8") == "mine"
    assert pincite("data", "new", "--output", "mine.eval.json", "--force").code == 0
    assert Path("mine.eval.json").read_bytes() == sample_path().read_bytes()


def test_drafts_come_from_the_documents(pincite: Runner) -> None:
    done = pincite("data", "new", "--from", "docs", "--queries", "3", "--seed", "5")
    assert done.code == 0
    path = pincite.folder / "data/evaluation/datasets/docs_0.1.0.eval.json"
    made = json.loads(path.read_text(encoding="utf-8"))
    assert made["metadata"]["seed"] == 5
    assert (
        f"note: next: review each query of {path.relative_to(pincite.folder)}, then `pincite eval" in done.err
    )
    assert {query["metadata"]["review_status"] for query in made["queries"]} == {"unreviewed"}
    assert pincite("data", "check", str(path)).code == 0
    assert pincite("data", "check", str(path)).code == 0


def test_the_short_form_of_queries_is_n_since_q_means_quiet_elsewhere(pincite: Runner) -> None:
    assert pincite("data", "new", "--from", "docs", "-n", "1", "-o", "one.eval.json").code == 0
    assert len(json.loads(Path("one.eval.json").read_text(encoding="utf-8"))["queries"]) == 1
    assert pincite("data", "new", "--from", "docs", "-q", "1").code == 2
    assert pincite("data", "labels", "--of-run", "latest", "-q", "1").code == 2


def test_bad_requests_exit_2(pincite: Runner) -> None:
    for arguments in (
        ("--from", "nowhere"),
        ("--from", "docs", "--queries", "0"),
        ("--from", "docs", "--output", "x.csv"),
    ):
        assert pincite("data", "new", *arguments).code == 2
