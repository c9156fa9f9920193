"""`pincite eval --shard` and `pincite runs merge`: what is printed, written and returned."""

from __future__ import annotations

import json

from cli_run import Runner

SAMPLE = ("eval", "sample", "--answers", "sample:a", "--resamples", "200")


def make_shards(pincite: Runner, of: int, *more: str) -> list[str]:
    files = [f"{number}.journal" for number in range(1, of + 1)]
    for number, file in enumerate(files, 1):
        done = pincite(*SAMPLE, "--shard", f"{number}/{of}", "--output", file, *more)
        assert done.code == 0  # thresholds are for the whole
        assert f"shard {number}/{of} is done" in done.err
        assert f"shard {number}/{of} of 40 queries" in done.out
    return files


def test_shards_made_elsewhere_are_merged_from_files(pincite: Runner) -> None:
    files = make_shards(pincite, 3, "--store", "none")
    merged = pincite("runs", "merge", *reversed(files), "--output", "merged.results.json")
    whole = pincite(*SAMPLE, "--store", "none", "--output", "whole.results.json")
    assert merged.code == whole.code == 1
    assert [line for line in merged.err.splitlines() if line.startswith("error")] == [
        line for line in whole.err.splitlines() if line.startswith("error")
    ]
    one, other = (
        json.loads((pincite.folder / f"{name}.results.json").read_text()) for name in ("merged", "whole")
    )
    assert one["query_results"] == other["query_results"]
    assert one["citation_metrics"] == other["citation_metrics"]
    assert one["breakdown"] == other["breakdown"]
    assert pincite("runs", "show", "latest").out.count("40 queries") == 1


def test_one_shard_of_the_history_stands_for_all_of_its_run(pincite: Runner) -> None:
    make_shards(pincite, 2, "--name", "nightly")
    done = pincite("runs", "merge", "nightly", "--output-format", "json", "--threshold", "hit@5=0.99")
    assert done.code == 1
    assert "merging 2 shards of the history" in done.err and "hit@5 is " in done.err
    assert json.loads(done.out)["name"] == "nightly"
    listed = json.loads(pincite("runs", "list", "-f", "json").out)["runs"]
    assert [run["status"] for run in listed] == ["finished", "shard", "shard"]


def test_what_cannot_be_merged_exits_2_and_leaves_the_history_as_it_was(pincite: Runner) -> None:
    one, two, _ = make_shards(pincite, 3, "--store", "none")
    done = pincite("runs", "merge", two, one, two)
    assert (done.code, done.out) == (2, "")
    assert (
        "shard 2/3 is given twice: 2.journal and 2.journal" in done.err and "shard 3/3 is missing" in done.err
    )
    assert "no runs" in pincite("runs", "list").err
    assert pincite("runs", "merge", "4.journal").code == 2
    pincite(*SAMPLE, "--store", "none", "--output", "whole.results.json", "--quiet")
    done = pincite("runs", "merge", "whole.results.json")
    assert done.code == 2 and "give a .journal file" in done.err
    assert pincite(*SAMPLE, "--shard", "9/3").code == 2


def test_an_exported_shard_merges_as_the_file_of_its_evaluation(pincite: Runner) -> None:
    make_shards(pincite, 2)
    for number in (1, 2):
        run = f"eval_run_{pincite('runs', 'list', '-f', 'json').out.split('eval_run_')[1][:8]}_00{number}"
        assert pincite("runs", "export", run, "--to", f"{number}.journal.gz").code == 0
    done = pincite("runs", "merge", "1.journal.gz", "2.journal.gz", "--store", "none")
    assert done.code == 1 and "40 queries in 13 groups" in done.out


def test_a_shard_without_queries_is_done_and_merges(pincite: Runner) -> None:
    files = [f"{number}.journal" for number in range(1, 13)]
    empty = 0
    for number, file in enumerate(files, 1):
        given = (*SAMPLE, "--limit", "3", "--shard", f"{number}/12", "--output", file, "--store", "none")
        done = pincite(*given)
        assert done.code == 0
        empty += "is done: 0 of 3 queries" in done.err
    assert empty >= 9
    done = pincite("runs", "merge", *files)
    assert "3 queries" in done.out
