"""Relevance by meaning: what shares no words with a query may bear on it all the same."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pincite.judges import open_judge
from pincite.records import Pair, Passage, Verdict


def judge(query: str, text: str, context: str = "", claim: str = "") -> Verdict:
    pair = Pair(claim, (Passage(text, context=context),) if text else (), "relevance", query)
    return asyncio.run(open_judge("entailment").judge([pair]))[0]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Why did the Roman Empire fall?", "Barbarian invasions weakened the western provinces."),
        ("What are treatments for high blood pressure?", "Doctors prescribe drugs against hypertension."),
        ("How does machine learning work?", "Neural networks are trained on large datasets."),
    ],
)
def test_what_says_it_in_other_words_is_relevant(query: str, text: str) -> None:
    verdict = judge(query, text)
    assert (verdict.outcome, verdict.cause) == ("supported", "meaning")
    assert verdict.score is not None and verdict.score >= 0.5
    assert "near to the query in meaning" in verdict.reason


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("How can I lower my carbon footprint?", "The museum shows paintings of the Dutch masters."),
        ("What are treatments for high blood pressure?", "Buy cheap flights to the sun."),
        ("How does machine learning work?", "Best coffee of the town, with reviews."),
    ],
)
def test_another_matter_is_not(query: str, text: str) -> None:
    verdict = judge(query, text)
    assert verdict.outcome == "not_enough"
    assert verdict.score is not None and verdict.score < 0.5


def test_what_stands_round_a_passage_is_read_with_it() -> None:
    query = "What are the health benefits of green tea?"
    alone = judge(query, "(Smith et al., 2020)")
    cited = judge(
        query, "(Smith et al., 2020)", context="The drink may protect the heart and lower cholesterol."
    )
    assert alone.outcome == "not_enough"
    assert cited.outcome == "supported"


def test_without_passages_the_claim_is_read() -> None:
    assert (
        judge("How do I sleep better?", "", claim="Rest at night improves without screens.").cause
        == "meaning"
    )


def test_where_words_decide_meaning_is_not_asked() -> None:
    verdict = judge("When was the town hall built?", "The town hall was built in 1880.")
    assert (verdict.outcome, verdict.cause) == ("supported", "coverage")


@pytest.mark.parametrize(("query", "text"), [("", "Tea."), ("Why?", ""), ("???", "Tea."), ("Tea?", "!!!")])
def test_nothing_to_compare_breaks_nothing(query: str, text: str) -> None:
    assert judge(query, text).outcome in ("unjudged", "not_enough")


def test_in_another_language_only_the_words_count() -> None:
    query = "Wie senke ich meinen Blutdruck ohne Tabletten?"
    unlike = judge(query, "Regelmäßige Bewegung und weniger Salz.")
    assert (unlike.outcome, unlike.cause) == ("unjudged", "language")
    assert judge(query, "Wie ich meinen Blutdruck ohne Tabletten senke").outcome == "supported"


def test_questions_are_told_from_texts_about_another_matter() -> None:
    """Thirty questions, each beside one text that answers it in other words and three that do not."""
    lines = (Path(__file__).parent / "planted_relevance.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    pairs = [Pair("", (Passage(row["text"]),), "relevance", row["query"]) for row in rows]
    verdicts = asyncio.run(open_judge("entailment").judge(pairs))
    right = {0: [], 1: []}
    for row, verdict in zip(rows, verdicts, strict=True):
        right[row["relevant"]].append((verdict.outcome == "supported") == bool(row["relevant"]))
    shares = {label: sum(found) / len(found) for label, found in right.items()}
    assert min(shares.values()) >= 0.8, shares


def test_a_batch_gives_each_pair_its_own_verdict() -> None:
    query = "How does machine learning work?"
    texts = ["Neural networks are trained on large datasets.", "Best coffee of the town.", ""]
    pairs = [Pair("", (Passage(text),), "relevance", query) for text in texts]
    pairs.insert(1, Pair("Tea is green.", (Passage("Tea is green."),)))
    together = asyncio.run(open_judge("entailment").judge(pairs))
    alone = [asyncio.run(open_judge("entailment").judge([pair]))[0] for pair in pairs]
    assert together == alone
    assert [verdict.outcome for verdict in together] == ["supported", "supported", "not_enough", "unjudged"]
