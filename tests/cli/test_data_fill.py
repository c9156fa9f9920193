"""`pincite data fill`: from questions with quoted words, and a folder, to a dataset that validates."""

from __future__ import annotations

import json

from cli_run import Runner

QUERY = {
    "query_id": "q1",
    "query_text": "How much did revenue grow?",
    "query_type": "factual",
    "difficulty": "easy",
    "relevant_documents": ["report.txt"],
}


def write_own(pincite: Runner, words: str) -> None:
    pincite.write("docs2/report.txt", "Costs fell. Revenue grew by 12% in spring.")
    citations = [{"file_name": "report.txt", "context_text": words}]
    own = {
        "dataset_id": "own",
        "name": "own",
        "version": "1.0.0",
        "queries": [{**QUERY, "citations": citations}],
    }
    pincite.write("own.eval.json", json.dumps(own))


def test_a_dataset_of_words_alone_becomes_one_that_validates(pincite: Runner) -> None:
    write_own(pincite, "Revenue grew by 12%")
    done = pincite("data", "fill", "own.eval.json", "own_1.0.0.eval.json", "--sources", "docs2")
    assert (done.code, done.out, done.err) == (
        0,
        "wrote own_1.0.0.eval.json: 1 document added, 1 citation filled in\n",
        "",
    )
    made = json.loads((pincite.folder / "own_1.0.0.eval.json").read_text(encoding="utf-8"))
    span = made["queries"][0]["citations"][0]
    assert (span["start_char"], span["end_char"]) == (12, 31)
    assert pincite("data", "check", "own_1.0.0.eval.json").code == 0


def test_words_that_stand_nowhere_are_named_and_exit_1(pincite: Runner) -> None:
    write_own(pincite, "Revenue fell by 12%")
    done = pincite("data", "fill", "own.eval.json", "out.eval.json", "--sources", "docs2")
    assert done.code == 1
    assert done.err == "error: q1: “Revenue fell by 12%” is not in report.txt\n"
    assert (pincite.folder / "out.eval.json").exists()


def test_a_file_that_is_there_is_kept_without_force(pincite: Runner) -> None:
    write_own(pincite, "Revenue grew by 12%")
    assert pincite("data", "fill", "own.eval.json", "own.eval.json", "--sources", "docs2").code == 2
    assert (
        pincite("data", "fill", "own.eval.json", "own.eval.json", "--sources", "docs2", "--force").code == 0
    )
    assert pincite("data", "check", "own.eval.json").code == 0


def annotation(who: str, query: str, *spans: tuple[int, int]) -> dict[str, object]:
    return {
        "annotation_id": f"{who}-{query}",
        "query_id": query,
        "annotator_id": who,
        "citations": [
            {"file_name": "report.txt", "start_char": start, "end_char": end} for start, end in spans
        ],
    }


def test_annotations_are_merged_into_the_citations_that_most_people_marked(pincite: Runner) -> None:
    write_own(pincite, "Costs fell.")
    own = json.loads((pincite.folder / "own.eval.json").read_text(encoding="utf-8"))
    own["queries"] += [{**QUERY, "query_id": "q2"}, {**QUERY, "query_id": "q3"}]
    pincite.write("own.eval.json", json.dumps(own))
    marked = [
        annotation("x", "q1", (0, 5)),
        annotation("y", "q1", (0, 5)),
        annotation("x", "q2", (0, 11)),
        annotation("y", "q2", (0, 20)),
        annotation("z", "q2", (12, 31)),
        annotation("x", "q3", (0, 11)),
        annotation("x", "q9", (0, 11)),
    ]
    pincite.write("marks.gt.json", json.dumps({"annotations": marked}))
    filled = ("data", "fill", "own.eval.json", "new_1.0.0.eval.json", "--sources", "docs2")
    done = pincite(*filled, "--annotations", "marks.gt.json")
    assert done.code == 0
    queries = json.loads((pincite.folder / "new_1.0.0.eval.json").read_text(encoding="utf-8"))["queries"]
    first, second, third = queries
    assert first["citations"][0]["context_text"] == "Costs fell."
    spans = [(one["start_char"], one["end_char"], one["context_text"]) for one in second["citations"]]
    assert spans == [(0, 11, "Costs fell."), (12, 20, "Revenue ")]
    assert third.get("citations") is None
    assert "merged the annotations of 1 query" in done.err
    assert "1 query already had citations" in done.err
    assert "1 query had fewer annotators than min_annotators (2)" in done.err
    assert "1 query annotated, but not in the dataset" in done.err
