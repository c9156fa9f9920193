"""From a check to labels to a calibration, by the command line alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run import WRONG, Runner

from pincite.datasets import answers_path


def checked(pincite: Runner) -> str:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md", "--sources", "docs", "-f", "json", "--judge", "rules")
    pincite.write("report.json", done.out)
    return done.out


def test_verdicts_become_labels_that_a_judge_is_measured_by(pincite: Runner) -> None:
    findings = json.loads(checked(pincite))["findings"]
    pincite.write("verdicts.csv", "finding,verdict\n1,agree\n")
    done = pincite("data", "labels", "report.json", "verdicts.csv", "-o", "labels.jsonl")
    assert done.code == 0
    (row,) = [json.loads(line) for line in Path("labels.jsonl").read_text(encoding="utf-8").splitlines()]
    assert row["claim"] == "Revenue grew by 12% in the first quarter."
    assert (row["label"], row["source"]) == (0, findings[0]["code"])
    assert pincite("judge", "calibrate", "labels.jsonl", "--judge", "rules").code == 0


def test_a_verdict_may_stand_in_the_report(pincite: Runner) -> None:
    report = json.loads(checked(pincite))
    report["findings"][0]["verdict"] = "disagree"
    pincite.write("report.json", json.dumps(report))
    done = pincite("data", "labels", "report.json")
    assert json.loads(done.out)["label"] == 1


def test_without_a_verdict_there_is_no_label(pincite: Runner) -> None:
    checked(pincite)
    done = pincite("data", "labels", "report.json")
    assert (done.code, done.out) == (1, "")
    assert "no verdict" in done.err


def test_a_report_cannot_make_a_file_elsewhere_be_read(
    pincite: Runner, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "secret.md"
    elsewhere.write_text("A secret [report.txt:0-4].", encoding="utf-8")
    found = {"code": "PIN203", "start": 9, "file": str(elsewhere), "verdict": "agree", "source": None}
    pincite.write("report.json", json.dumps({"findings": [found]}))
    done = pincite("data", "labels", "report.json")
    assert done.code == 1
    assert "its answer was not given" in done.err


def test_rows_of_pairs_are_taken_too(pincite: Runner) -> None:
    row = {"query_id": "q", "claim": "A.", "evidence": "B.", "outcome": "supported", "verdict": "disagree"}
    pincite.write("pairs.jsonl", json.dumps(row) + "\n")
    done = pincite("data", "labels", "pairs.jsonl")
    assert json.loads(done.out) == {"query_id": "q", "claim": "A.", "evidence": "B.", "label": 0}


def test_a_wrong_verdict_is_told_with_its_file_and_line_and_every_word_that_is_known(pincite: Runner) -> None:
    report = json.loads(checked(pincite))
    known = "agree, disagree, supported, contradicted, not_enough, not 'perhaps'"
    pincite.write("verdicts.csv", "finding,verdict\n1,perhaps\n")
    done = pincite("data", "labels", "report.json", "verdicts.csv")
    assert (done.code, done.err) == (2, f"error: verdicts.csv: line 2: the verdict is one of {known}\n")
    report["findings"][0]["verdict"] = "perhaps"
    pincite.write("report.json", json.dumps(report))
    done = pincite("data", "labels", "report.json")
    assert done.err == f"error: report.json: finding 1: the verdict is one of {known}\n"
    row = {"claim": "A.", "outcome": "supported", "verdict": "agree"}
    rows = (row, {**row, "verdict": "perhaps"})
    pincite.write("pairs.jsonl", "".join(json.dumps(one) + "\n" for one in rows))
    done = pincite("data", "labels", "pairs.jsonl")
    assert done.err == f"error: pairs.jsonl: line 2: the verdict is one of {known}\n"


def test_what_is_no_report_exits_2(pincite: Runner) -> None:
    assert pincite("data", "labels", "nothing.json").code == 2
    assert pincite("data", "labels", str(pincite.write("x.json", "{}"))).code == 2


@pytest.mark.thorough
def test_pairs_of_a_run_are_drawn_labelled_and_correct_it(pincite: Runner) -> None:
    history = ("--store", "h.sqlite")
    measure = ("eval", "sample", "--answers", str(answers_path("a")), "--judge", "rules", *history)
    assert pincite(*measure).code in (0, 1)
    drawn = pincite("data", "labels", "--of-run", "latest", "--queries", "12", *history, "-o", "p.jsonl")
    assert drawn.code == 0
    pairs = [json.loads(line) for line in Path("p.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({pair["query_id"] for pair in pairs}) == 12
    pincite.write("p.jsonl", "".join(json.dumps({**pair, "verdict": "agree"}) + "\n" for pair in pairs))
    assert pincite("data", "labels", "p.jsonl", "-o", "labels.jsonl").code == 0
    assert pincite(*measure, "--labels", "labels.jsonl").code in (0, 1)
    assert pincite("data", "labels", "--of-run", "nothing", *history).code == 2
    assert pincite("data", "labels").code == 2
