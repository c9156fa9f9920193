"""Ten questions of the sample dataset, each with the passage that answers it and one that does not."""

from __future__ import annotations

import json

from pincite.answering import RetrievedPassage
from pincite.datasets import sample_path

_AROUND = 120
"""Characters around the words that answer: a small model reads slowly."""
_KEYS = (
    r"\b48\b",
    r"\b35 min",
    r"\b2\.15\b",
    r"Ostrel.*\b1712\b|\b1712\b.*Ostrel",
    r"\b14 June 2018\b",
    r"gearbox|turbine four|repair",
    r"\btwelve\b|\b12\b",
    r"\bfewer\b|\bless\b|\bfallen\b|\bfell\b",
    r"\b4 knots\b",
    r"\b1937\b",
)
"""What a right answer to each question holds."""


def ten_questions() -> list[tuple[str, str, tuple[RetrievedPassage, ...]]]:
    """The question, a pattern that a right answer has, and the passages; the second of them answers."""
    raw = sample_path().read_text(encoding="utf-8")
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
        asked.append((query["query_text"], _KEYS[len(asked)], passages))
    return asked
