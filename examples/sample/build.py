"""Write the sample dataset from its documents and questions: `python examples/sample/build.py`.

No offset is counted by hand: every span is found by the words that it quotes, which must stand in the
document exactly once. A test says when the shipped files are not what this script writes.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from questions import QUESTIONS

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "src" / "pincite" / "datasets" / "sample"
PAGE_BREAK = "=== page ==="
CREATED = "2026-01-15T09:00:00Z"
PLACEHOLDER = re.compile(r"\{(\w+)\|([^|{}]+)(?:\|([+-]\d+))?\}")
IN_FIELDS = 5
"""Every so many answers give their citations as fields, not as markers in the text."""
ANNOTATED = 20
AGAIN = (4, 13)
"""Questions that the first person annotated twice."""


def read_document(path: Path) -> str:
    """The text with every paragraph on one line; a page break is one form feed."""
    pages = path.read_text(encoding="utf-8").split(f"{PAGE_BREAK}\n")
    return "\f".join(
        "\n\n".join(_unwrapped(block) for block in page.strip().split("\n\n")) + "\n" for page in pages
    )


def _unwrapped(block: str) -> str:
    return block if block.startswith("|") else " ".join(block.splitlines())


DOCUMENTS = {path.stem: read_document(path) for path in sorted((HERE / "documents").glob("*.md"))}


def find(document: str, words: str) -> tuple[int, int, int | None]:
    """Start, end and page of the quoted words; a document without page breaks has no pages."""
    text = DOCUMENTS[document]
    if text.count(words) != 1:
        raise SystemExit(f"{words!r} stands {text.count(words)} times in {document}")
    start = text.index(words)
    return start, start + len(words), text.count("\f", 0, start) + 1 if "\f" in text else None


def citation(document: str, words: str, shift: int = 0) -> dict[str, Any]:
    start, end, page = find(document, words)
    made: dict[str, Any] = {"file_name": f"{document}.md"}
    if page is not None:
        made["page_number"] = page
    return {**made, "start_char": start + shift, "end_char": end + shift}


def gold(document: str, words: str) -> dict[str, Any]:
    return {**citation(document, words), "context_text": words}


def marker(made: dict[str, Any]) -> str:
    page = f"{made['page_number']}:" if "page_number" in made else ""
    return f"[{made['file_name']}:{page}{made['start_char']}-{made['end_char']}]"


# --- the dataset -----------------------------------------------------------------------------------


def query(number: int, asked: dict[str, Any]) -> dict[str, Any]:
    documents = asked.get("relevant")
    if documents is None:
        documents = list(dict.fromkeys(document for document, _ in asked["gold"]))
    if isinstance(documents, dict):
        relevant: Any = {f"doc_{name}": grade for name, grade in documents.items()}
    else:
        relevant = [f"doc_{name}" for name in documents]
    made: dict[str, Any] = {
        "query_id": f"query_{number:03d}",
        "query_text": asked["text"],
        "query_type": asked["query_type"],
        "difficulty": asked["difficulty"],
        "relevant_documents": relevant,
        "ground_truth_answer": asked["truth"],
    }
    if "gold" in asked:
        made["citations"] = [gold(*words) for words in asked["gold"]]
    if "other" in asked:
        made["alternative_citations"] = [[gold(*words) for words in others] for others in asked["other"]]
    return made


def dataset() -> dict[str, Any]:
    queries = [query(number, asked) for number, asked in enumerate(QUESTIONS, start=1)]
    lengths = [len(one["query_text"]) for one in queries]
    return {
        "schema_version": 1,
        "dataset_id": "sample",
        "name": "Harrowmere, an invented town",
        "version": "1.0.0",
        "description": "Questions about the documents of an invented seaside town, to try an evaluation on.",
        "created_at": CREATED,
        "metadata": {
            "domain": "general",
            "language": "en",
            "size": len(queries),
            "avg_query_length": round(sum(lengths) / len(lengths), 1),
            "source": "written for Pincite",
        },
        "queries": queries,
        "documents": [
            {
                "document_id": f"doc_{name}",
                "title": text.splitlines()[0].removeprefix("# "),
                "content": text,
                "file_path": f"harrowmere/{name}.md",
                "metadata": {"word_count": len(text.split())},
            }
            for name, text in DOCUMENTS.items()
        ],
    }


# --- what two systems answered -------------------------------------------------------------------


def answer(number: int, asked: dict[str, Any], system: str, draw: random.Random) -> dict[str, Any] | None:
    template = asked[system]
    if template is None:
        return None
    cited: list[dict[str, Any]] = []

    def replaced(found: re.Match[str]) -> str:
        cited.append(citation(found[1], found[2], int(found[3] or 0)))
        return marker(cited[-1])

    text = PLACEHOLDER.sub(replaced, template)
    made: dict[str, Any] = {"query_id": f"query_{number:03d}", "generated_answer": text}
    if "numbered" in asked:
        made["references"] = [
            {"number": place, "source": f"{name}.md"} for place, name in enumerate(asked["numbered"], start=1)
        ]
    elif number % IN_FIELDS == 0 and cited:
        made["generated_answer"] = re.sub(r" \{[^{}]+\}", "", template)
        made["citations"] = [{**one, "confidence_score": round(draw.uniform(0.7, 0.99), 2)} for one in cited]
    made["retrieval_results"] = retrieved(asked, system, draw)
    slow = 1.6 if system == "a" else 1.0
    made["latency_ms"] = round(slow * draw.lognormvariate(6.9, 0.35))
    tokens = draw.randint(700, 1100) if system == "b" else draw.randint(1100, 1700)
    made["usage"] = {
        "total_tokens": tokens,
        "total_requests": 1,
        "estimated_cost_usd": round(tokens * 2e-6, 6),
    }
    return made


def retrieved(asked: dict[str, Any], system: str, draw: random.Random) -> dict[str, Any]:
    """Five documents with falling scores. System B finds what is relevant; A finds it late or not at all."""
    wanted = list(asked.get("relevant") or dict.fromkeys(document for document, _ in asked.get("gold", ())))
    others = [name for name in DOCUMENTS if name not in wanted]
    draw.shuffle(others)
    if system == "b":
        late = 1 if draw.random() < 0.1 else 0
    else:
        late = draw.choice([0, 1, 2, 4, 5])
    listed = [*others[:late], *wanted, *others[late:]][:5]
    scores = sorted((round(draw.uniform(0.3, 0.95), 3) for _ in listed), reverse=True)
    return {"retrieved_docs": [f"doc_{name}" for name in listed], "relevance_scores": scores}


def answers(system: str) -> list[dict[str, Any]]:
    draw = random.Random(f"answers {system}")  # noqa: S311
    made = [answer(number, asked, system, draw) for number, asked in enumerate(QUESTIONS, start=1)]
    return [one for one in made if one is not None]


# --- what two people annotated -------------------------------------------------------------------


def annotations(annotator: str) -> list[dict[str, Any]]:
    """Spans of the first questions and marks for the answers; the second person differs here and there."""
    draw = random.Random(f"annotations {annotator}")  # noqa: S311
    second = annotator == "annotator_002"
    made: list[dict[str, Any]] = []
    for number, asked in enumerate(QUESTIONS[:ANNOTATED], start=1):
        spans = [gold(*words) for words in asked["gold"]]
        if second and number % 4 == 0:
            spans = [_shortened(span) for span in spans]
        made.append(
            {
                "annotation_id": f"citation_{annotator}_{number:03d}",
                "query_id": f"query_{number:03d}",
                "annotator_id": annotator,
                "timestamp": CREATED,
                "citations": [
                    {
                        **{key: value for key, value in span.items() if key != "context_text"},
                        "text": span["context_text"],
                        "relevance_score": 1.0,
                    }
                    for span in spans
                ],
                "metadata": {"annotation_time_seconds": draw.randint(40, 180)},
            }
        )
    if not second:  # blindly, a month later
        for number in AGAIN:
            earlier = made[number - 1]
            spans = (
                earlier["citations"] if number != AGAIN[0] else [_cut(one) for one in earlier["citations"]]
            )
            made.append(
                {
                    **earlier,
                    "annotation_id": f"{earlier['annotation_id']}_again",
                    "timestamp": "2026-02-15T09:00:00Z",
                    "citations": spans,
                }
            )
    for number, asked in enumerate(QUESTIONS[:ANNOTATED], start=1):
        right = 0.9 if asked["a"] and "84" not in asked["a"] and number % 3 else 0.4
        accuracy = round(right - (0.1 if second and number % 4 == 0 else 0.0), 2)
        made.append(
            {
                "annotation_id": f"answer_{annotator}_{number:03d}",
                "query_id": f"query_{number:03d}",
                "annotator_id": annotator,
                "timestamp": CREATED,
                "answer_text": PLACEHOLDER.sub("", asked["a"] or "").replace(" .", "."),
                "quality_scores": {
                    "accuracy": accuracy,
                    "clarity": 0.6 if number % 3 == (1 if second and number < 6 else 2) else 0.9,
                },
                "overall_score": accuracy,
                "aspect_ratings": {
                    "factual_correctness": "fully_correct"
                    if accuracy > (0.85 if second and number == 8 else 0.7)
                    else "partly_correct",
                },
            }
        )
    return made


def _shortened(span: dict[str, Any]) -> dict[str, Any]:
    """Without its last words, as a second reader may mark it."""
    words = span["context_text"].rsplit(" ", 2)[0]
    return {**span, "end_char": span["start_char"] + len(words), "context_text": words}


def _cut(annotated: dict[str, Any]) -> dict[str, Any]:
    kept = annotated["text"].rpartition(" ")[0]
    return {**annotated, "end_char": annotated["start_char"] + len(kept), "text": kept}


def files() -> dict[str, str]:
    """Every file that is shipped, by its name in the package."""
    people = {name: annotations(name) for name in ("annotator_001", "annotator_002")}
    truth = {"schema_version": 1, "dataset_id": "sample", "version": "1.0.0"}
    made = {
        "sample_1.0.0.eval.json": _json(dataset()),
        "sample_1.0.0.gt.json": _json({**truth, "annotations": people["annotator_001"]}),
        "answers_a.jsonl": _lines(answers("a")),
        "answers_b.jsonl": _lines(answers("b")),
    }
    for name, written in people.items():
        made[f"annotations/{name}/sample_1.0.0.gt.json"] = _json({**truth, "annotations": written})
    return made


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    for name, text in files().items():
        target = SHIPPED / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        print(f"{len(text.encode()):>7,} bytes  {name}")
