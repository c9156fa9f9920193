"""How a judge came to its verdict on a finding, as people and as programs read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pincite.records import Explanation, Passage, Stage

MOST_QUOTED = 600


def explanation_lines(found: Explanation) -> Iterator[tuple[int, str]]:
    """Each line with how far it is set in: what was shown, each stage's number, what was noticed."""
    verdict = found.verdict
    yield 0, f"asked: {found.pair.claim}"
    yield 0, f"shown to {verdict.judge or 'the judge'}:"
    for number, passage in enumerate(found.pair.passages, 1):
        yield 1, f"{number}. {_where(passage)}"
        yield 2, _shortened(passage.text)
        if passage.context:
            yield 2, f"read with: {_shortened(passage.context)}"
    score = "" if verdict.score is None else f" with a score of {verdict.score:.2f}"
    yield 0, f"verdict: {verdict.outcome.replace('_', ' ')}{score}, {_level(found)}"
    if found.trace is None:
        return
    yield 0, "scores:"
    for stage in found.trace.stages:
        yield 1, _stage_line(stage)
    yield 0, "seen:" if found.trace.observations else "seen: nothing to note"
    for seen in found.trace.observations:
        yield 1, seen


def explanation_dict(found: Explanation) -> dict[str, Any]:
    """The same for programs. Offsets count in the document, as those of a finding's `source` do."""
    verdict, trace = found.verdict, found.trace
    return {
        "claim": found.pair.claim,
        "passages": [
            {
                "document": passage.document,
                "page": passage.page,
                "start": passage.start,
                "end": passage.end,
                "text": passage.text,
                "context": passage.context,
            }
            for passage in found.pair.passages
        ],
        "judge": verdict.judge,
        "outcome": verdict.outcome,
        "score": verdict.score,
        "level": _level(found),
        "cause": verdict.cause,
        "reason": verdict.reason,
        "stages": [
            {"name": stage.name, "score": stage.score, "note": stage.note}
            for stage in (trace.stages if trace else ())
        ],
        "observations": list(trace.observations) if trace else [],
    }


def _level(found: Explanation) -> str:
    verdict = found.verdict
    if verdict.outcome in ("supported", "unjudged"):
        return "nothing to report"
    return "doubtful" if verdict.doubtful else "error" if verdict.sure else "warning"


def _where(passage: Passage) -> str:
    page = f", page {passage.page}" if passage.page is not None else ""
    return f"{passage.document or 'a text without a name'}{page}, characters {passage.start}–{passage.end}"


def _shortened(text: str) -> str:
    line = " ".join(text[: 4 * MOST_QUOTED].split())
    return line if len(line) <= MOST_QUOTED else line[: MOST_QUOTED - 1] + "…"


def _stage_line(stage: Stage) -> str:
    score = "–" if stage.score is None else f"{stage.score:.2f}"
    return f"{score}  {stage.name}" + (f" ({stage.note})" if stage.note else "")
