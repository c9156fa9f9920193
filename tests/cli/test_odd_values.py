"""Values that JSON can write and few programs take: a run carries them or names them, and goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cli_run import Done, Runner

HALF = "a\ud800b"
BIG = 2**64
TEXT = "The ferry carries 84 cars. It leaves at nine."


def dataset(**query: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "dataset_id": "odd",
        "name": "odd",
        "version": "1.0.0",
        "queries": [
            {
                "query_id": "q1",
                "query_text": "How many cars?",
                "relevant_documents": ["ferry"],
                "citations": [{"file_name": "ferry", "start_char": 0, "end_char": 26}],
                **query,
            },
            {"query_id": "q2", "query_text": "When does it leave?", "relevant_documents": ["ferry"]},
        ],
        "documents": [{"document_id": "ferry", "content": TEXT}],
    }


def answer(query_id: str, **more: Any) -> dict[str, Any]:
    return {"query_id": query_id, "generated_answer": "The ferry carries 84 cars [ferry:0-26].", **more}


def evaluate(pincite: Runner, value: dict[str, Any], answers: list[Any], *more: str) -> Done:
    pincite.write("odd_1.0.0.eval.json", json.dumps(value))
    lines = [line if isinstance(line, str) else json.dumps(line) for line in answers]
    pincite.write("answers.jsonl", "\n".join(lines))
    given = (
        "--answers",
        "answers.jsonl",
        "--store",
        "runs.sqlite",
        "--set",
        "evaluation.resamples=100",
        *more,
    )
    return pincite("eval", "odd_1.0.0.eval.json", *given)


def successful(pincite: Runner) -> int:
    document = json.loads((pincite.folder / "r.results.json").read_bytes())
    return int(document["summary"]["successful_queries"])


ODD_QUERIES = [
    {"query_text": HALF},
    {"query_id": HALF},
    {"ground_truth_answer": HALF},
    {HALF: 1},
    {"metadata": {HALF: [HALF], "n": BIG, "d": {"n": -BIG}, "l": 10**400}},
    {"relevant_documents": {HALF: 1, "ferry": 2}},
    {"relevant_documents": [HALF, "ferry"]},
    {"citations": [{"file_name": HALF, "start_char": 0, "end_char": 3, HALF: BIG}]},
    {"citations": [{"file_name": "ferry", "start_char": BIG, "end_char": BIG + 9, "page_number": BIG}]},
    {"citations": [{"file_name": "ferry", "start_char": 0.0, "end_char": 26.0}]},
    {"conversation": [{"role": "user", "content": HALF}], "references": [HALF], "expected_output": BIG},
]


@pytest.mark.parametrize("odd", ODD_QUERIES, ids=[str(number) for number in range(len(ODD_QUERIES))])
def test_a_dataset_that_is_valid_is_measured_whole(pincite: Runner, odd: dict[str, Any]) -> None:
    value = dataset(**odd)
    done = evaluate(pincite, value, [answer(odd.get("query_id", "q1")), answer("q2")], "-o", "r.results.json")
    assert done.code in (0, 1), done.err  # 1 where the odd place is not the one that the answer cites
    assert successful(pincite) == 2
    assert pincite("data", "check", "odd_1.0.0.eval.json").out.startswith("odd_1.0.0.eval.json: valid\n")


def test_half_a_character_may_stand_in_a_dataset_anywhere(pincite: Runner) -> None:
    value = dataset() | {
        "dataset_id": HALF,
        "name": HALF,
        "description": HALF,
        "metadata": {HALF: HALF},
        HALF: 1,
    }
    value["documents"] += [
        {"document_id": HALF, "content": HALF, "title": HALF, "file_path": HALF, HALF: HALF}
    ]
    done = evaluate(pincite, value, [answer("q1"), answer("q2")], "-o", "r.results.json", "--name", HALF)
    assert done.code == 0, done.err
    assert successful(pincite) == 2
    (pincite.folder / "r.results.json").read_bytes().decode("utf-8")
    for command in (("runs", "list"), ("runs", "show", "latest")):
        shown = pincite(*command, "--store", "runs.sqlite")
        assert shown.code == 0, shown.err
    assert (
        "odd_1.0.0.eval.json: valid\n" in pincite("data", "check", "odd_1.0.0.eval.json", "--statistics").out
    )


@pytest.mark.parametrize(
    "odd",
    [
        {"citations": [{"file_name": "ferry", "start_char": 1e308, "end_char": 1e308}]},
        {"relevant_documents": {"ferry": 10**400}},
        {"relevant_documents": [{"document_id": "ferry", "relevance": HALF}]},
    ],
)
def test_what_eval_refuses_is_no_valid_dataset(pincite: Runner, odd: dict[str, Any]) -> None:
    refused = evaluate(pincite, dataset(**odd), [answer("q1")])
    assert refused.code == 2
    assert "/queries/0" in refused.err
    assert "bug" not in refused.err
    valid = pincite("data", "check", "odd_1.0.0.eval.json")
    assert valid.code == 1
    assert "/queries/0" in valid.out


ODD_ANSWERS = [
    ({"usage": {"total_tokens": BIG}}, "usage.total_tokens as a count below 2^63"),
    ({"usage": {"total_tokens": -1}}, "usage.total_tokens as a number, 0 or more"),
    ({"usage": {"total_tokens": True}}, "usage.total_tokens as a number, 0 or more"),
    ({"usage": {"prompt_tokens": 10**400}}, "usage.prompt_tokens as a number, 0 or more"),
    ({"total_requests": 1e300}, "total_requests as a count below 2^63"),
    ({"latency_ms": 10**400}, "latency_ms as a number, 0 or more"),
]


@pytest.mark.parametrize(("odd", "named"), ODD_ANSWERS)
def test_a_count_that_is_none_is_named_and_counts_as_not_given(
    pincite: Runner, odd: dict[str, Any], named: str
) -> None:
    done = evaluate(pincite, dataset(), [answer("q1", **odd), answer("q2")], "-o", "r.results.json")
    assert done.code == 0, done.err
    assert named in done.err
    assert successful(pincite) == 2
    assert named in pincite("data", "check", "answers.jsonl").out


def test_answers_are_kept_whatever_else_they_hold(pincite: Runner) -> None:
    odd = answer("q1", metadata={HALF: [BIG, HALF]}, conversation=[{"role": "user", "content": HALF}])
    odd["generated_answer"] += HALF
    too_large = json.dumps(answer("q2"))[:-1] + ', "usage": {"x": 1e400}, "extra": 1e400}'
    done = evaluate(pincite, dataset(), [odd, too_large], "-o", "r.results.json")
    assert done.code == 0, done.err
    assert "one too large" in done.err
    assert successful(pincite) == 2
    for ending in ("csv", "yaml", "parquet", "json"):
        exported = pincite(
            "runs", "export", "latest", "--store", "runs.sqlite", "--output", f"x.results.{ending}"
        )
        assert exported.code == 0, exported.err


def test_check_reads_answers_with_half_a_character(pincite: Runner) -> None:
    record = {
        "id": HALF,
        "answer": f"Revenue grew by 21% in the first quarter [report.txt:0-41]. {HALF}",
        "n": BIG,
    }
    pincite.write("answers.jsonl", json.dumps(record))
    pincite.write("answer.json", json.dumps(record))
    for name in ("answers.jsonl", "answer.json"):
        done = pincite("check", name, "--sources", "docs", "-f", "json")
        assert done.code == 0, done.err
        assert json.loads(done.out)


def test_a_saved_report_with_half_a_character_is_a_baseline(pincite: Runner) -> None:
    answer = f"Revenue grew by 12% {HALF} in the first quarter [nowhere.txt:0-41]."
    pincite.write("answers.jsonl", json.dumps({"id": HALF, "answer": answer}))
    found = pincite("check", "answers.jsonl", "--sources", "docs", "-f", "json")
    assert found.code == 1
    pincite.write("known.json", found.out)
    assert pincite("check", "answers.jsonl", "--sources", "docs", "--baseline", "known.json").code == 0
    assert pincite("check", "answers.jsonl", "--sources", "docs", "--write-baseline", "b.json").code in (0, 1)
    assert pincite("check", "answers.jsonl", "--sources", "docs", "--baseline", "b.json").code == 0


@pytest.mark.parametrize(
    "content", [b"\xff", b'{"findings": ["\xff"]}', b'{"findings": {"\\ud800": 1}}', b"[1e400]"]
)
def test_a_baseline_that_is_none_is_named(pincite: Runner, content: bytes) -> None:
    pincite.write("known.json", content)
    pincite.write("answer.md", "Revenue grew [report.txt:0-41].")
    done = pincite("check", "answer.md", "--sources", "docs", "--baseline", "known.json")
    assert done.code == 2
    assert "known.json is not a baseline file" in done.err
