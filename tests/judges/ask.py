"""Asks a judge about one pair, and reads the rows of cases that stand beside the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pincite.base import run_sync
from pincite.judges import Judge, open_judge
from pincite.records import Pair, Passage, Question, Verdict


def ask(
    judge: str | Judge,
    claim: str,
    *evidence: str,
    question: Question = "support",
    query: str | None = None,
    context: str = "",
) -> Verdict:
    """What the judge says of a claim and its passages."""
    passages = tuple(Passage(text, context=context) for text in evidence)
    opened = open_judge(judge)
    (verdict,) = run_sync(opened.judge([Pair(claim, passages, question, query)]), opened.waits)
    return verdict


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of a file `NAME.jsonl`."""
    text = Path(__file__).with_name(f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
