from __future__ import annotations

import json
import shlex

from cli_run import Runner
from compared_runs import items, keep_runs
from msgspec import structs

from pincite.records import ItemResult, Result


def test_a_test_is_planned_fed_and_decided(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    planned = pincite(
        "ab", "plan", "--name", "retriever", "--metric", "nDCG@5", "--difference", "0.1", "--sd", "0.1"
    )
    assert planned.code == 0
    assert "queries, looked at whenever you like" in planned.out
    assert "next: pincite ab add retriever" in planned.out
    empty = pincite("ab", "status", "retriever")
    assert empty.code == 0
    assert "go on" in empty.out
    added = pincite("ab", "add", "retriever", "--a", "before", "--b", "after")
    assert added.code == 0
    assert "40 new, 0 counted before, 40 in all" in added.err
    assert "B better" in added.out
    again = pincite("ab", "add", "retriever", "--a", "before", "--b", "after")
    assert "0 new, 40 counted before, 40 in all" in again.err
    told = json.loads(pincite("ab", "status", "retriever", "-f", "json").out)
    assert (told["decision"], told["n"], told["metric"]) == ("B better", 40, "nDCG@5")
    assert told["p_value"] <= 0.05
    assert told["confidence_sequence"][0] > 0


def test_the_status_fits_eighty_columns_and_says_why_looking_is_fine(pincite: Runner) -> None:
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    done = pincite("ab", "status", "n")
    assert max(len(line) for line in done.out.splitlines()) <= 80
    assert "as often as you like" in " ".join(done.out.split())


def test_rows_come_from_a_file_too(pincite: Runner) -> None:
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    pincite.write("rows.csv", "query_id,a,b\nq1,0.5,0.6\nq2,0.1,0.4\nq1,0,1\n")
    done = pincite("ab", "add", "n", "--rows", "rows.csv", "-f", "json")
    assert "2 new, 1 counted before, 2 in all" in done.err
    assert json.loads(done.out)["n"] == 2


def test_scores_that_contradict_the_ones_that_count_are_told(pincite: Runner) -> None:
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    pincite.write("rows.csv", "query_id,a,b\nq1,0.5,0.6\nq2,0.1,0.4\nq1,0,1\n")
    first = pincite("ab", "add", "n", "--rows", "rows.csv")
    assert "warning: 1 were added before with other scores; the first ones stay: 'q1'" in first.err
    assert "swapped" not in first.err
    pincite.write("swapped.csv", "query_id,a,b\nq1,0.6,0.5\nq2,0.4,0.1\n")
    second = pincite("ab", "add", "n", "--rows", "swapped.csv")
    assert "warning: 2 were added before" in second.err and "are A and B swapped?" in second.err
    pincite.write("same.csv", "query_id,a,b\nq1,0.5,0.6\n")
    assert "warning" not in pincite("ab", "add", "n", "--rows", "same.csv").err


def test_two_runs_that_share_no_query_add_nothing(pincite: Runner) -> None:
    elsewhere = [structs.replace(item, query_id=f"other {item.query_id}") for item in items(0.1, 2)]
    keep_runs(pincite.folder, lambda: {"before": items(0.0, 1), "elsewhere": elsewhere})
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    done = pincite("ab", "add", "n", "--a", "before", "--b", "elsewhere")
    assert (done.code, "A and B share no query: they have 40 and 40 queries" in done.err) == (2, True)


def test_answers_without_citations_that_drop_out_are_told_with_the_metrics_that_count_them(
    pincite: Runner,
) -> None:
    def uncited(most: int) -> list[ItemResult]:
        return [
            structs.replace(
                item,
                results=(Result(metric="citation_correctness", score=None if item.position < most else 1.0),),
            )
            for item in items(0.0, 1, 20)
        ]

    keep_runs(pincite.folder, lambda: {"cited": uncited(0), "few": uncited(1), "many": uncited(7)})
    pincite("ab", "plan", "--name", "n", "--metric", "citation_correctness")
    done = pincite("ab", "add", "n", "--a", "cited", "--b", "many")
    assert (
        "warning: 7 of 20 queries are left out, without a value in B; alce_recall and citation_completeness "
        "count them" in done.err
    )
    few = pincite("ab", "add", "n", "--a", "few", "--b", "cited")
    assert "note: paired queries without a score in one of the runs: 1" in few.err


def test_the_spread_comes_from_one_run_or_from_two(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    one = json.loads(
        pincite("ab", "plan", "--name", "one", "-m", "nDCG@5", "--from", "before", "-f", "json").out
    )
    assert 0.03 < one["spread"] < 0.09
    assert one["spread_from"].startswith("that of the scores in eval_run_")
    two = json.loads(
        pincite(
            "ab", "plan", "--name", "two", "-m", "nDCG@5", "--from", "before", "--from", "after", "-f", "json"
        ).out
    )
    assert two["spread_from"].startswith("measured between eval_run_")
    assert two["n_planned"] > 0


def test_without_a_name_the_tests_are_listed(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    assert "there are no tests yet" in pincite("ab", "status").out
    for name in ("second", "first"):
        pincite("ab", "plan", "--name", name, "--metric", "nDCG@5", "--sd", "0.1")
    pincite("ab", "add", "first", "--a", "before", "--b", "after")
    lines = pincite("ab", "status").out.splitlines()
    assert [line.split()[-1] for line in lines] == ["test", "first", "second"]
    assert "B better" in lines[1] and "go on" in lines[2]
    tests = json.loads(pincite("ab", "status", "-f", "json").out)["tests"]
    assert [(one["name"], one["n"]) for one in tests] == [("first", 40), ("second", 0)]


def test_what_makes_no_sense_is_said_in_a_line(pincite: Runner) -> None:
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    pincite.write("rows.jsonl", '{"query_id": "q", "a": 0.1, "b": 1.2}\n')
    for arguments, said in (
        (["ab", "status", "nothing"], "there is no test 'nothing'"),
        (["ab", "add", "n"], "give two runs"),
        (["ab", "add", "n", "--a", "before"], "give two runs"),
        (["ab", "add", "n", "--a", "x", "--b", "y", "--rows", "rows.jsonl"], "give two runs"),
        (["ab", "add", "n", "--rows", "rows.jsonl"], "between 0 and 1"),
        (["ab", "plan", "--name", "x", "--metric", "no_such_metric"], "there is no metric"),
        (["ab", "plan", "--name", "x", "--metric", "nDCG@5", "--difference", "2"], "at most 1"),
        (["ab", "plan", "--name", "x", "--sd", "0.1", "--from", "before"], "not both"),
        (["ab", "plan", "--metric", "nDCG@5"], "--name"),
    ):
        done = pincite(*arguments)
        assert done.code == 2, arguments
        assert said in done.err, arguments
        assert "Traceback" not in done.err


def test_looking_for_a_test_makes_no_history(pincite: Runner) -> None:
    for arguments in (
        ("ab", "status", "n"),
        ("ab", "add", "n", "--rows", "x.csv"),
        ("runs", "compare", "a", "b"),
    ):
        done = pincite(*arguments)
        assert (done.code, done.err.count("there are no runs in")) == (2, 1), arguments
    assert not (pincite.folder / "data").exists()


def test_a_file_without_rows_is_a_mistake(pincite: Runner) -> None:
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    pincite.write("rows.csv", "query_id,a,b\n")
    done = pincite("ab", "add", "n", "--rows", "rows.csv")
    assert (done.code, "rows.csv has no rows" in done.err) == (2, True)


def test_a_metric_without_a_direction_cannot_be_tested(pincite: Runner) -> None:
    done = pincite("ab", "plan", "--name", "n", "--metric", "citation_density")
    assert (done.code, "has no better direction" in done.err) == (2, True)


def test_the_next_command_can_be_copied_whatever_the_name(pincite: Runner) -> None:
    done = pincite("ab", "plan", "--name", "it's new", "--metric", "nDCG@5")
    command = done.out.splitlines()[-1].removeprefix("next: ")
    assert shlex.split(command)[:4] == ["pincite", "ab", "add", "it's new"]


def test_adding_runs_that_differ_beside_the_system_says_so(pincite: Runner) -> None:
    keep_runs(pincite.folder)
    pincite("ab", "plan", "--name", "n", "--metric", "nDCG@5")
    assert "note: A and B are the same run" in pincite("ab", "add", "n", "--a", "after", "--b", "after").err
