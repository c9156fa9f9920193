"""Ten questions of the sample dataset, each with the passage that answers it and one that does not."""

from __future__ import annotations

import json
from importlib.resources import files

from pincite.answering.records import RetrievedPassage

_AROUND = 120
"""Characters around the words that answer: a small model reads slowly."""


def ten_questions() -> list[tuple[str, str, tuple[RetrievedPassage, ...]]]:
    """The question, the words of the source that answer it, and the passages."""
    raw = files("pincite.datasets.sample").joinpath("sample_1.0.0.eval.json").read_text(encoding="utf-8")
    data = json.loads(raw)
    texts = {document["file_path"].rpartition("/")[2]: document["content"] for document in data["documents"]}
    asked: list[tuple[str, str, tuple[RetrievedPassage, ...]]] = []
    for query in data["queries"]:
        cited = query.get("citations") or []
        if len(cited) != 1 or len(asked) == 10:
            continue
        name, start, end = cited[0]["file_name"], cited[0]["start_char"], cited[0]["end_char"]
        text = texts[name]
        other = next(key for key in texts if key != name)
        first = text.rfind(" ", 0, max(start - _AROUND, 0)) + 1
        last = text.find(" ", min(end + _AROUND, len(text) - 1))
        last = len(text) if last < 0 else last
        passages = (
            RetrievedPassage(1, other, texts[other][:200], 0, 200),
            RetrievedPassage(2, name, text[first:last], first, last),
        )
        asked.append((query["query_text"], text[start:end], passages))
    return asked
