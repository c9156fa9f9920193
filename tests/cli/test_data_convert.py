"""`pincite data convert` as a user runs it, and YAML without end in every command."""

from __future__ import annotations

import json

import pytest
from cli_run import Runner

LOOP = "queries: &q\n- query_id: q1\n  metadata: {loop: *q}\n"
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
)


@pytest.mark.parametrize(("text", "said"), [(LOOP, "*q is inside &q itself"), (BOMB, "grow without end")])
@pytest.mark.parametrize(
    "command",
    [
        ("data", "check", "r.eval.yaml"),
        ("data", "convert", "r.eval.yaml", "r.eval.json"),
        ("data", "check", "r.config.yaml"),
        ("data", "check", "r.results.yaml"),
        ("eval", "r.eval.yaml", "--target", "answer"),
        ("eval", "sample", "--answers", "r.results.yaml"),
        ("runs", "compare", "r.results.yaml", "r.results.yaml"),
        ("agreement", "r.gt.yaml"),
        ("eval", "sample", "--target", "answer", "--config", "r.config.yaml"),
    ],
    ids=" ".join,
)
def test_yaml_without_end_ends_every_command_in_one_line(
    pincite: Runner, command: tuple[str, ...], text: str, said: str
) -> None:
    for kind in ("eval", "config", "results", "gt"):
        pincite.write(f"r.{kind}.yaml", text)
    code, out, err = pincite(*command)
    assert code in (1, 2)
    told = [line for line in (out + err).splitlines() if said in line]
    assert len(told) == 1, out + err
    assert "line" in told[0]
    assert len(told[0]) < 300


@pytest.mark.parametrize("ending", ["eval.json.gz", "eval.yaml", "eval.csv"])
def test_a_dataset_goes_there_and_back(pincite: Runner, ending: str) -> None:
    there, back = f"there.{ending}", "back.eval.json"
    assert pincite("data", "convert", "sample", there).code == 0
    assert pincite("data", "convert", there, back).code == 0
    before, after = json.loads(pincite("data", "check", "sample", back, "-f", "json").out)["files"]
    assert {**before["statistics"], "digest": ""} == {**after["statistics"], "digest": ""}


def test_converting_what_cannot_be_converted_says_why(pincite: Runner) -> None:
    done = pincite("data", "convert", "sample", "x.gt.json")
    assert done.code == 2
    assert "cannot become a ground_truth file" in done.err
    assert pincite("data", "convert", "sample", "x.docx").code == 2
    assert (
        "FIELD=PATH"
        in pincite("data", "convert", "--from", "jsonl", "a.jsonl", "b.eval.json", "--map", "x").err
    )


def test_converting_writes_over_nothing_without_force(pincite: Runner) -> None:
    pincite.write("samples.jsonl", lines(*SAMPLES))
    pincite.write("kept.eval.json", "mine")
    pincite.write("kept.jsonl", "mine")
    an_import = ("data", "convert", "--from", "ragas", "samples.jsonl")
    for command in (
        ("data", "convert", "sample", "kept.eval.json"),
        (*an_import, "kept.eval.json"),
        (*an_import, "new.eval.json", "--answers", "kept.jsonl"),
    ):
        done = pincite(*command)
        assert done.code == 2
        assert "already exists; use --force to overwrite it" in done.err
        assert (pincite.folder / "kept.eval.json").read_text() == "mine"
        assert (pincite.folder / "kept.jsonl").read_text() == "mine"
    assert not (pincite.folder / "new.eval.json").exists()
    assert pincite("data", "convert", "sample", "kept.eval.json", "--force").code == 0
    assert pincite(*an_import, "new.eval.json", "--answers", "kept.jsonl", "--force").code == 0
    assert len((pincite.folder / "kept.jsonl").read_text().splitlines()) == 2


SAMPLES = [
    {
        "user_input": "How high is the chimney?",
        "retrieved_contexts": ["It has 212 steps.", "The chimney is 47 metres high."],
        "reference_contexts": ["The chimney is 47 metres high."],
        "response": "It is 47 metres high [2].",
    },
    {
        "user_input": "How many steps has it?",
        "retrieved_contexts": ["It has 212 steps."],
        "reference_contexts": ["It has 212 steps."],
        "response": "It has 212 steps [1].",
    },
]


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def measured(pincite: Runner, dataset: str, answers: str, *metrics: str) -> dict[str, float]:
    """The values of an evaluation."""
    asked = [part for name in metrics for part in ("-m", name)]
    done = pincite("eval", dataset, "--answers", answers, "--store", "none", "-o", "out.results.json", *asked)
    assert done.code in (0, 1), done.err
    queries = json.loads((pincite.folder / "out.results.json").read_text())["query_results"]
    found = [query["individual_metrics"] for query in queries]
    return {name: sum(one[name] for one in found) / len(found) for name in found[0]}


def test_an_import_writes_the_dataset_and_its_answers_to_be_measured_at_once(pincite: Runner) -> None:
    pincite.write("samples.jsonl", lines(*SAMPLES, {**SAMPLES[0], "response": None}))
    done = pincite(
        "data", "convert", "--from", "ragas", "samples.jsonl", "x_2.1.0.eval.json", "--answers", "x.jsonl"
    )
    assert done.code == 0
    assert done.out.splitlines() == [
        "x_2.1.0.eval.json: written (3 queries, 2 documents)",
        "x.jsonl: written (2 answers)",
        "next: pincite eval x_2.1.0.eval.json --answers x.jsonl",
    ]
    assert done.err == "note: 1 of 3 queries have no answer: each counts as failed\n"
    head = json.loads((pincite.folder / "x_2.1.0.eval.json").read_text())
    assert (head["dataset_id"], head["version"]) == ("x", "2.1.0")
    scores = measured(pincite, "x_2.1.0.eval.json", "x.jsonl", "hit@1")
    assert scores == {"hit@1": pytest.approx(1 / 3)}


def test_the_answers_of_another_export_bring_along_what_they_cite(pincite: Runner) -> None:
    pincite.write("samples.jsonl", lines(*SAMPLES))
    other = {**SAMPLES[0], "retrieved_contexts": ["The chimney is as high as 47 metres."]}
    pincite.write("other.jsonl", lines({**other, "response": "It is 47 metres high [1]."}, SAMPLES[1]))
    assert pincite("data", "convert", "--from", "ragas", "samples.jsonl", "x.eval.json").code == 0
    done = pincite("data", "convert", "--from", "ragas", "other.jsonl", "--answers", "other_answers.jsonl")
    assert done.out == "other_answers.jsonl: written (2 answers)\n"
    scores = measured(pincite, "x.eval.json", "other_answers.jsonl", "citation_correctness")
    assert scores == {"citation_correctness": 1.0}


def test_judgements_of_beir_and_runs_of_trec_are_measured_together(pincite: Runner) -> None:
    pincite.write("tides/corpus.jsonl", lines({"_id": "d1", "text": "Up."}, {"_id": "d2", "text": "Down."}))
    pincite.write("tides/queries.jsonl", lines({"_id": "q1", "text": "Up?"}, {"_id": "q2", "text": "Down?"}))
    pincite.write("tides/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")
    pincite.write("one.run", "q1 Q0 d2 1 2.0 x\nq1 Q0 d1 2 1.0 x\nq3 Q0 d1 1 1.0 x\n")
    pincite.write("two.run", "q1 Q0 d1 1 2.0 x\nq2 Q0 d2 1 1.0 x\n")
    done = pincite(
        *("data", "convert", "--from", "beir", "tides", "tides.eval.json", "--split", "dev"),
        *("--run", "one.run", "--answers", "one.jsonl", "-f", "json"),
    )
    told = json.loads(done.out)
    assert (told["queries"], told["documents"], told["answers"]) == (2, 2, 2)
    assert (told["queries_without_answer"], told["answers_without_query"]) == (1, 1)
    assert pincite("data", "convert", "--from", "trec", "two.run", "--answers", "two.jsonl").code == 0
    assert measured(pincite, "tides.eval.json", "one.jsonl", "MRR") == {"mrr": 0.25}
    assert measured(pincite, "tides.eval.json", "two.jsonl", "MRR") == {"mrr": 1.0}


def test_an_import_that_has_answers_says_so_when_they_are_not_asked_for(pincite: Runner) -> None:
    pincite.write("samples.jsonl", lines(*SAMPLES))
    done = pincite("data", "convert", "--from", "ragas", "samples.jsonl", "x.eval.json")
    assert done.err.startswith("note: there are answers too; --answers FILE.jsonl writes them")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "ragas", "s.jsonl"), "name the file to write"),
        (("--from", "ragas", "s.jsonl", "x.jsonl"), "for the answers say --answers x.jsonl"),
        (("--from", "ragas", "s.jsonl", "x.eval.json", "--answers", "x.json"), "end the name in .jsonl"),
        (("--from", "ragas", "s.jsonl", "x.eval.json", "--split", "dev"), "--split is not for ragas"),
        (("--from", "ragas", "s.jsonl", "x.eval.json", "--map", "answer=a"), "--map is not for ragas"),
        (("--from", "trec", "s.jsonl", "x.eval.json", "--run", "r"), "--run is for --answers"),
        (
            ("--from", "trec", "s.jsonl", "--answers", "x.jsonl", "--topics", "t"),
            "--topics is for the dataset",
        ),
        (("--from", "beir", ".", "--answers", "x.jsonl"), "name a run of a system with --run"),
        (("s.jsonl", "x.eval.json", "--answers", "x.jsonl"), "--answers goes with --from"),
        (("s.jsonl", "x.eval.json", "--run", "r"), "--run goes with --from"),
        (("sample",), "name the file to write"),
    ],
)
def test_an_import_that_cannot_be_written_says_why_and_writes_nothing(
    pincite: Runner, arguments: tuple[str, ...], said: str
) -> None:
    pincite.write("s.jsonl", lines(*SAMPLES))
    done = pincite("data", "convert", *arguments)
    assert done.code == 2
    assert said in done.err
    assert not any(pincite.folder.glob("x.*"))
