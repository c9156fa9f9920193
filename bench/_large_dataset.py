"""Makes a large dataset or file of answers, and in a process of its own reads one and tells the cost."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from bench.figures import peak_megabytes


def write_dataset(path: Path, queries: int, padding: int) -> None:
    """A dataset of so many queries, each with so many characters of padding, and a document for every ten."""
    answer = "It is said that this is so. " * (padding // 28 + 1)
    with path.open("w", encoding="utf-8") as file:
        head = {"schema_version": 1, "dataset_id": "large", "name": "Large", "version": "1.0.0"}
        file.write(json.dumps(head)[:-1] + ',\n"documents": [')
        for i in range(queries // 10):
            document = {
                "document_id": f"doc_{i}",
                "title": f"Document {i}",
                "content": f"Document {i} says this. " + answer[: padding * 2],
                "file_path": f"docs/{i}.md",
            }
            file.write(("," if i else "") + "\n" + json.dumps(document))
        file.write('],\n"queries": [')
        for i in range(queries):
            query = {
                "query_id": f"query_{i:07}",
                "query_text": f"What does document {i // 10} say in its sentence {i % 10}?",
                "query_type": "factual",
                "difficulty": "easy",
                "relevant_documents": [f"doc_{i // 10}"],
                "ground_truth_answer": answer[:padding],
                "citations": [{"file_name": f"{i // 10}.md", "start_char": 0, "end_char": 20}],
                "metadata": {"number": i},
            }
            file.write(("," if i else "") + "\n" + json.dumps(query))
        file.write("]}\n")


def write_answers(path: Path, lines: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for i in range(lines):
            record = {
                "query_id": f"query_{i:07}",
                "generated_answer": f"It says number {i} [{i // 10}.md:0-20].",
                "retrieval_results": {"retrieved_docs": [f"doc_{i // 10}"], "relevance_scores": [0.9]},
                "latency_ms": 12.5,
            }
            file.write(json.dumps(record) + "\n")


def evaluate_large(path: Path) -> tuple[int, float]:
    """Evaluate the answers that lie beside the dataset, and keep the run; its queries and megabytes."""
    from bench._tree_memory import TreeMemory
    from pincite.config import load_settings
    from pincite.runs import evaluate
    from pincite.store import open_store

    with TreeMemory() as memory, open_store(path.with_name("runs.sqlite")) as store:
        run = evaluate(
            path,
            answers=path.with_name("answers.jsonl"),
            judge="rules",
            metrics=["hit@1", "span_f1", "citation_correctness"],
            settings=load_settings(environment={}, folder=path.parent),
            store=store,
        )
    return run.successful, memory.megabytes


def main(work: str, name: str) -> None:
    """Do one thing with a file and print its seconds, its megabytes and what was counted."""
    start = time.perf_counter()
    path = Path(name)
    if work == "validate":
        from pincite.datasets import validate_file

        counted = sum(1 for _ in validate_file(path))
    elif work == "read":
        from pincite.datasets import open_dataset

        with open_dataset(path) as dataset:
            for place, query in enumerate(dataset.queries()):
                if place % 1000 == 0:
                    assert len(dataset.library_for(query.relevant or ())) == 1
            counted = place + 1
    elif work == "evaluate":
        counted, megabytes = evaluate_large(path)
        print(json.dumps([time.perf_counter() - start, megabytes, counted]))
        return
    else:
        from pincite.datasets import open_answers

        with open_answers(path) as answers:
            counted = len(answers)
            for i in range(0, counted, 100):
                assert answers.get(f"query_{i:07}") is not None
    print(json.dumps([time.perf_counter() - start, peak_megabytes(), counted]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
