"""A query's own words: is there a question, and does it give its answer away?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.datasets.formats.records import EvaluationQuery
from pincite.datasets.quality.codes import QualityIssue, issue, quoted

LONG_RUN = 8
"""So many words of the answer in a row, if they are at least half of it, give it away."""
SHORTEST_ANSWER = 12
"""Characters: a shorter answer may well be one of the things that are asked about (`A or B?`)."""
MOST_WORDS = 5000
"""Of a text; no question is longer, and a document in its place would take long."""

_WORD = re.compile(r"\w+")


def word_issues(query: EvaluationQuery, pointer: str) -> Iterator[QualityIssue]:
    if not query.query_text.strip():
        yield issue("DQ102", f"{pointer}/query_text", "the query has no text", query.query_id)
        return
    answers = [query.ground_truth_answer, query.expected_output]
    for answer in dict.fromkeys(answer for answer in answers if isinstance(answer, str)):
        leaked = leaked_words(query.query_text, answer)
        if leaked:
            said = f"the query holds {quoted(leaked)} of its own answer"
            yield issue("DQ105", f"{pointer}/query_text", said, query.query_id)


def leaked_words(query: str, answer: str) -> str:
    """The part of the answer that the query contains: all of it, or a long run of words; else nothing."""
    asked, told = _words(query), _words(answer)
    if not told:
        return ""
    whole = " ".join(told)
    if len(whole) >= SHORTEST_ANSWER and f" {whole} " in f" {' '.join(asked)} ":
        return answer.strip()
    run = _longest_run(asked, told)
    return " ".join(run) if 2 * len(run) >= len(told) else ""


def _longest_run(asked: Sequence[str], told: Sequence[str]) -> Sequence[str]:
    """The longest run of at least `LONG_RUN` words that both have, found by runs of that length."""
    runs = {tuple(told[i : i + LONG_RUN]) for i in range(len(told) - LONG_RUN + 1)}
    best = (0, 0)
    begun: int | None = None
    for i in range(len(asked) - LONG_RUN + 2):
        if i + LONG_RUN <= len(asked) and tuple(asked[i : i + LONG_RUN]) in runs:
            begun = i if begun is None else begun
        elif begun is not None:
            best = max(best, (i - 1 + LONG_RUN - begun, begun))
            begun = None
    return asked[best[1] : best[1] + best[0]]


def _words(text: str) -> list[str]:
    found = []
    for match in _WORD.finditer(text.casefold()):
        found.append(match[0])
        if len(found) == MOST_WORDS:
            break
    return found
