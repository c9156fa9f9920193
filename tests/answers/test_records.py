"""A record is read alike by the library, the command line and the metrics."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.cli import main
from pincite.metrics.names import parse_metric
from pincite.records import DatasetItem

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
