"""`pincite data check` on sound and unsound datasets."""

from __future__ import annotations

import json

from cli_run import Runner


def test_the_sample_passes(pincite: Runner) -> None:
    done = pincite("data", "check", "sample")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "sample 1.0.0: 40 queries, 0 errors, 3 warnings, 0 notes"
    assert pincite("data", "check", "sample", "--strict").code == 1


def test_errors_exit_1_and_say_where(pincite: Runner) -> None:
    query = {"query_id": "q\x1b[31m", "query_text": "", "relevant_documents": []}
    value = {"dataset_id": "d", "name": "n", "version": "1.0.0", "queries": [query]}
    path = pincite.write("d.eval.json", json.dumps(value))
    done = pincite("data", "check", str(path))
    assert done.code == 1
    assert "/queries/0/query_text: DQ102 error" in done.out
    assert "\x1b" not in done.out
    parsed = json.loads(pincite("data", "check", str(path), "-f", "json").out)
    assert parsed["errors"] == 1
    assert parsed["issues"][1]["name"] == "empty-query"


def test_more_than_the_limit_are_counted(pincite: Runner) -> None:
    queries = [{"query_id": str(i), "query_text": "", "relevant_documents": []} for i in range(9)]
    value = {"dataset_id": "d", "name": "n", "version": "1.0.0", "queries": queries}
    path = pincite.write("d.eval.json", json.dumps(value))
    assert "DQ102: 7 more" in pincite("data", "check", str(path), "--limit", "2").out


def test_what_cannot_be_read_exits_2(pincite: Runner) -> None:
    assert pincite("data", "check", "nothing.eval.json").code == 2
    assert pincite("data", "check", str(pincite.write("x.eval.json", "[1"))).code == 2
