"""`pincite runs graph`: which documents the answers of a run cite."""

from __future__ import annotations

import json

from cli_run import Runner

DATASET = {
    "dataset_id": "numbered",
    "version": "1.0.0",
    "queries": [{"query_id": "q1", "query_text": "How fast is it?", "relevant_documents": ["b"]}],
    "documents": [
        {"document_id": "a", "file_path": "docs/a.txt", "content": "The boat is made of oak."},
        {"document_id": "b", "file_path": "docs/b.txt", "content": "The boat sails at nine knots."},
    ],
}
RECORDED = {
    "query_id": "q1",
    "answer": "The boat sails at nine knots [2].",
    "retrieval_results": {"retrieved_docs": ["a", "b"], "relevance_scores": [0.9, 0.8]},
}


def test_a_numbered_citation_counts_for_the_document_that_it_resolves_to(pincite: Runner) -> None:
    pincite.write("numbered.eval.json", json.dumps(DATASET))
    pincite.write("answers.jsonl", json.dumps(RECORDED) + "\n")
    done = pincite(
        "eval", "numbered.eval.json", "--answers", "answers.jsonl", "--output", "run.results.json", "-q"
    )
    assert done.code in (0, 1), done.err
    graph = json.loads(pincite("runs", "graph", "--output-format", "json").out)
    assert (graph["citing_answers"], graph["sources"][0]["document"]) == (1, "b")
    document = json.loads((pincite.folder / "run.results.json").read_text(encoding="utf-8"))
    assert document["query_results"][0]["citations"] == [{"text": "[2]", "file_name": "b"}]
