"""`pincite data check` on sound and unsound files of every kind."""

from __future__ import annotations

import json

from cli_run import Runner

from pincite.datasets import answers_path

BAD = json.dumps({"dataset_id": "d", "name": "n\x1b[31m", "version": "one", "queries": [{}] * 40})


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
    (parsed,) = json.loads(pincite("data", "check", str(path), "-f", "json").out)["files"]
    assert parsed["valid"]
    assert parsed["errors"] == 1
    assert parsed["issues"][1]["name"] == "empty-query"


def test_more_than_the_limit_are_counted(pincite: Runner) -> None:
    queries = [{"query_id": str(i), "query_text": "", "relevant_documents": []} for i in range(9)]
    value = {"dataset_id": "d", "name": "n", "version": "1.0.0", "queries": queries}
    path = pincite.write("d.eval.json", json.dumps(value))
    assert "DQ102: 7 more" in pincite("data", "check", str(path), "--limit", "2").out


def test_what_cannot_be_opened_exits_2_and_what_cannot_be_read_is_a_problem(pincite: Runner) -> None:
    assert pincite("data", "check", "nothing.eval.json").code == 2
    assert pincite("data", "check", str(pincite.write("x.eval.json", "[1"))).code == 1


# --- validity --------------------------------------------------------------------------------------


def test_the_sample_is_valid(pincite: Runner) -> None:
    done = pincite("data", "check", "sample", str(answers_path("a")))
    assert done.code == 0
    assert done.out.count(": valid\n") == 2
    assert done.out.count(" 0 errors, 3 warnings, 0 notes\n") == 1


def test_problems_are_printed_and_counted(pincite: Runner) -> None:
    path = pincite.write("bad.eval.json", BAD)
    done = pincite("data", "check", str(path), "--limit", "3")
    assert done.code == 1
    assert "/queries/0/query_id: expected this field, found nothing" in done.out
    assert done.out.splitlines()[3:5] == [
        f"{path}: 118 more; --limit lists more of them",
        f"{path}: 121 problems",
    ]


def test_problems_as_json(pincite: Runner) -> None:
    path = pincite.write("bad.eval.json", BAD)
    done = pincite("data", "check", str(path), "--output-format", "json")
    (file,) = json.loads(done.out)["files"]
    assert done.code == 1
    assert (file["valid"], file["problem_count"], len(file["problems"])) == (False, 121, 50)
    assert set(file["problems"][0]) == {"pointer", "expected", "found"}


def test_a_file_that_is_missing_does_not_hide_the_others(pincite: Runner) -> None:
    done = pincite("data", "check", "none.eval.json", "sample")
    assert done.code == 2
    assert "none.eval.json" in done.err
    assert ": valid\n" in done.out


def test_nothing_in_a_file_moves_the_terminal(pincite: Runner) -> None:
    value = json.dumps(
        {"dataset_id": "d", "name": "n", "version": "\x1b[2J", "queries": [], "created_at": "\x07"}
    )
    done = pincite("data", "check", str(pincite.write("x.eval.json", value)))
    assert done.code == 1
    assert "\x1b" not in done.out and "\x07" not in done.out


# --- what a dataset holds --------------------------------------------------------------------------


def test_statistics_count_what_is_there(pincite: Runner) -> None:
    assert "citations:" not in pincite("data", "check", "sample").out
    done = pincite("data", "check", "sample", "--statistics")
    assert done.code == 0
    assert "queries: 40\n" in done.out
    assert "  queries with nothing to cite " in done.out


def test_statistics_of_nothing_have_no_means(pincite: Runner) -> None:
    path = pincite.write("x.eval.json", '{"dataset_id": "d", "name": "n", "version": "1.0.0", "queries": []}')
    (found,) = json.loads(pincite("data", "check", str(path), "-f", "json").out)["files"]
    assert found["statistics"]["queries"]["mean_length"] is None
    assert found["statistics"]["citations"]["total"] == 0


def test_a_dataset_that_cannot_be_opened_has_problems_and_no_statistics(pincite: Runner) -> None:
    path = pincite.write("x.eval.json", '{"dataset_id": "d", "queries": [{"query_id": "q", "citations": 4}]}')
    done = pincite("data", "check", str(path), "-f", "json")
    (found,) = json.loads(done.out)["files"]
    assert (done.code, found["valid"]) == (1, False)
    assert "statistics" not in found
