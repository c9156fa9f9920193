"""A dataset of any size and the recorded answers of a system, for measuring the harness."""

from __future__ import annotations

import json
from pathlib import Path

from bench._prose import Prose

DOCUMENTS = 100
SENTENCES = 12


def write_system(folder: Path, queries: int, seed: int = 3) -> tuple[Path, Path]:
    """The dataset and the answers: two cited sentences each, every fifth answer with a wrong one."""
    prose = Prose(seed=seed, vocabulary=900)
    texts = []
    places = []
    for _ in range(DOCUMENTS):
        text = ""
        spans = []
        for _ in range(SENTENCES):
            sentence = prose.sentence()
            spans.append((len(text), len(text) + len(sentence)))
            text += sentence + " "
        texts.append(text)
        places.append(spans)
    dataset, answers = folder / f"bench_{queries}.eval.json", folder / f"answers_{queries}.jsonl"
    with dataset.open("w", encoding="utf-8") as file:
        documents = [
            {"document_id": f"doc_{i}", "content": text, "file_path": f"doc_{i}.txt"}
            for i, text in enumerate(texts)
        ]
        head = {"schema_version": 1, "dataset_id": "bench", "name": "bench", "version": "1.0.0"}
        head["documents"] = documents
        file.write(json.dumps(head)[:-1] + ', "queries": [')
        for number in range(queries):
            file.write((",\n" if number else "\n") + json.dumps(_query(number, texts, places)))
        file.write("\n]}\n")
    with answers.open("w", encoding="utf-8") as file:
        for number in range(queries):
            file.write(json.dumps(_answer(number, texts, places)) + "\n")
    return dataset, answers


def _spot(number: int) -> tuple[int, int, int]:
    return number % DOCUMENTS, number % SENTENCES, (number // 7) % SENTENCES


def _query(number: int, texts: list[str], places: list[list[tuple[int, int]]]) -> dict[str, object]:
    document, first, _ = _spot(number)
    start, end = places[document][first]
    return {
        "query_id": f"q{number:07}",
        "query_text": f"What does document {document} say about {texts[document][start : start + 30]}?",
        "query_type": ("factual", "analytical", "comparative", "temporal")[number % 4],
        "difficulty": ("easy", "medium", "hard")[number % 3],
        "relevant_documents": [f"doc_{document}"],
        "citations": [{"file_name": f"doc_{document}.txt", "start_char": start, "end_char": end}],
    }


def _answer(number: int, texts: list[str], places: list[list[tuple[int, int]]]) -> dict[str, object]:
    document, *sentences = _spot(number)
    parts = []
    for sentence in sentences:
        start, end = places[document][sentence]
        cited = (document + 1) % DOCUMENTS if number % 5 == 0 else document
        said = texts[document][start : end - 1]
        parts.append(f"{said} [doc_{cited}.txt:{start}-{end}].")
    ranked = [f"doc_{(document + offset) % DOCUMENTS}" for offset in range(5)]
    return {
        "query_id": f"q{number:07}",
        "generated_answer": " ".join(parts),
        "retrieval_results": {"retrieved_docs": ranked, "relevance_scores": [0.9, 0.8, 0.5, 0.4, 0.1]},
        "latency_ms": 100 + number % 50,
    }
