"""A record is read alike by the library, the command line and the metrics."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.cli import main
from pincite.datasets import open_answers
from pincite.metrics import parse_metric
from pincite.records import DatasetItem

pytest_plugins = ["pytester"]
LOADED = ("-p", "no:pincite", "-p", "pincite.integrations.pytest_plugin", "--pincite-judge", "rules")
MILL = "The mill closed in 1999."
RECORD = {"id": "q1", "answer": "The mill closed in 1999 [1].", "sources": {"mill.txt": MILL}}


def test_check_uses_the_sources_of_a_record_as_the_command_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = pincite.check(RECORD)
    assert (report.findings, report.summary.score, report.answer.name) == ((), 1.0, "q1")
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(RECORD))
    assert main(["check", str(path), "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["score"] == 1.0


def test_a_record_may_not_name_files_to_be_read() -> None:
    with pytest.raises(pincite.InputError, match="not paths"):
        pincite.check({**RECORD, "sources": ["/etc/passwd"]})


def test_check_counts_numbers_in_the_references_of_a_record() -> None:
    sources = {"oak.txt": "Oaks are trees.", "mill.txt": MILL}
    record = {"answer": "The mill closed in 1999 [1].", "sources": sources}
    assert not pincite.check(record).ok or pincite.check(record).doubtful
    assert pincite.check({**record, "references": ["mill.txt"]}).findings == ()


@pytest.mark.parametrize(
    ("references", "known"),
    [
        (["[3] mill.txt"], True),
        ([{"id": 3, "title": "mill.txt"}], True),
        ([{"number": 3.0, "source": "mill.txt"}], True),
        ([{"number": "[3]", "document": "mill.txt"}], True),
        (["mill.txt"], False),
    ],
)
def test_accuracy_and_fabrication_read_the_same_list(references: list[Any], known: bool) -> None:
    item = DatasetItem(actual_output="The mill closed in 1999 [3].", references=tuple(references))
    sources = {"mill.txt": MILL}
    accuracy, fabrication = (
        asyncio.run(parse_metric(name).execute(item, sources, judge="rules")).score
        for name in ("citation_accuracy", "fabrication_rate")
    )
    assert (accuracy, fabrication) == (float(known), float(not known))


CITING = {
    "query_id": "q1",
    "generated_answer": "The mill closed in 1999. The mill made 300 loaves [2]. Oaks grow to 90 metres [1].",
    "sources": [
        {"document_id": "mill", "content": f"{MILL} The mill made 500 loaves."},
        {"id": "oak", "text": "Oaks grow to 40 metres."},
    ],
    "citations": [{"document_id": "mill", "start_char": 0, "end_char": 24}, {"number": 2}, {"number": 1}],
    "retrieved_docs": ["oak", "mill"],
}
"""One citation without a marker, and two numbers that count in what was retrieved."""


def test_a_record_means_the_same_in_check_command_eval_and_pytest(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, dataset = tmp_path / "rec.jsonl", tmp_path / "mills_1.0.0.eval.json"
    path.write_text(json.dumps(CITING))
    query = {"query_id": "q1", "query_text": "When did it close?", "relevant_documents": ["mill"]}
    dataset.write_text(
        json.dumps({"dataset_id": "mills", "name": "Mills", "version": "1.0.0", "queries": [query]})
    )
    report = pincite.check(CITING, judge="rules")
    wrong, targets = report.summary.targets_with_error, report.summary.targets
    assert (targets, wrong) == (3, 2)
    assert [(one.citation, one.source and one.source.document) for one in report.findings] == [
        ("[2]", "mill"),
        ("[1]", "oak"),
    ]

    (many,) = pincite.check_many([path], judge="rules")
    for again in (pincite.check(path, judge="rules"), many):
        assert (again.summary, again.findings) == (report.summary, report.findings)
    main(["check", str(path), "--judge", "rules", "--output-format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["score"] == report.summary.score
    run = pincite.evaluate(dataset, answers=path, metrics=["citation_correctness"], judge="rules")
    assert run.scores[0].value == pytest.approx(1 - wrong / targets)

    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(
        f"""
        import pathlib, pytest
        PATH = pathlib.Path({str(path)!r})
        def test_answer(pincite):
            assert pincite.check(PATH).summary.targets_with_error == {wrong}
        @pytest.mark.pincite({str(dataset)!r}, answers=PATH, thresholds={{"citation_correctness": 0.3}})
        def test_system(pincite_run):
            assert pincite_run.scores[0].value == pytest.approx({1 - wrong / targets})
        """
    )
    pytester.runpytest_inprocess(*LOADED).assert_outcomes(passed=2)


def test_what_a_record_says_and_nobody_can_read_is_told_by_check_and_by_eval(tmp_path: Path) -> None:
    record = {**RECORD, "query_id": "q1", "citations": [{"file_name": "mill.txt"}, 5], "latency_ms": "soon"}
    (finding,) = pincite.check(record, judge="rules").findings
    assert finding.code == "PIN401"
    assert "expected citations that name a file, document, url or number, found" in finding.message
    path = tmp_path / "rec.jsonl"
    path.write_text(json.dumps(record))
    with open_answers(path) as answers:
        assert next(one.expected for one in answers.problems) in finding.message


def test_a_file_of_several_answers_is_for_check_many(tmp_path: Path) -> None:
    path = tmp_path / "rec.jsonl"
    path.write_text(json.dumps(RECORD) + "\n" + json.dumps({**RECORD, "id": "q2"}))
    with pytest.raises(pincite.InputError, match="2 answers here"):
        pincite.check(path)
    names = [report.answer.name for report in pincite.check_many([path, "One.", RECORD], judge="rules")]
    assert names == [f"{path}#q1", f"{path}#q2", "<answer>", "q1"]


def test_an_item_to_measure_may_have_its_citations_as_fields() -> None:
    item = {"actual_output": "The mill closed in 1999.", "citations": [{"file_name": "mill.txt"}]}
    metric = parse_metric("citation_correctness")
    assert asyncio.run(metric.execute(item, {"mill.txt": MILL}, judge="rules")).score == 1.0
