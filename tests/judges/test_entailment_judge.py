"""The built-in judge from the outside: what it decides, how it explains it, and what it refuses to decide."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from ask import rows_of

from pincite.config import Settings
from pincite.judges import open_judge
from pincite.records import Pair, Passage, Verdict

PLANTED_BAR = 0.65
"""A floor, so that it does not get worse. The aim is 85%; `make bench-judge` shows how far off it is."""
TOWN = (
    "The town hall of Lunden was built in 1912 by the architect Ida Moller. "
    "It has a tower of 48 metres, from which the harbour can be seen. "
    "The council has not approved the plan to sell it."
)


def judge(*pairs: Pair) -> list[Verdict]:
    return asyncio.run(open_judge("entailment").judge(pairs))


def ask(claim: str, *evidence: str, question: Any = "support", query: str | None = None) -> Verdict:
    passages = tuple(Passage(text) for text in evidence)
    return judge(Pair(claim, passages, question, query))[0]


def pairs_of(rows: Sequence[dict[str, Any]]) -> list[Pair]:
    return [Pair(row["claim"], (Passage(row["evidence"]),)) for row in rows]


# --- what it is -----------------------------------------------------------------------------------


def test_it_is_the_default() -> None:
    assert Settings().judge == "entailment"
    assert open_judge().name == open_judge("entailment").name == "entailment/2"
    assert open_judge(None, Settings(judge="rules")).name == "rules/1"


def test_it_waits_for_nothing_and_so_needs_no_event_loop() -> None:
    assert not open_judge("entailment").waits


# --- what it decides ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("The town hall of Lunden was built in 1912 by the architect Ida Moller.", "supported"),
        ("The tower of the town hall is 48 metres high.", "supported"),
        ("The town hall was built in 1921 by the architect Ida Moller.", "contradicted"),
        ("The town hall has a tower of 84 metres.", "contradicted"),
        ("The mayor of Bergen speaks four languages and plays the cello.", "not_enough"),
    ],
)
def test_plain_pairs_are_decided_as_a_person_would(claim: str, outcome: str) -> None:
    verdict = ask(claim, TOWN)
    assert verdict.outcome == outcome, verdict
    assert verdict.judge == "entailment/2"
    assert verdict.score is not None
    assert 0 <= verdict.score <= 1
    assert (verdict.score >= 0.5) == (outcome == "supported")


def test_a_changed_number_is_named_with_both_values_and_its_place() -> None:
    verdict = ask("The town hall has a tower of 84 metres.", "It rained.", TOWN)
    assert verdict.cause == "number"
    assert (verdict.claim_text, verdict.evidence_text) == ("84 metres", "48 metres")
    assert verdict.passage == 1
    assert verdict.span is not None
    assert "48 metres" in verdict.span.of(TOWN)
    assert "84" in verdict.reason
    assert "48" in verdict.reason


def test_a_number_that_nothing_answers_to_is_not_contradicted() -> None:
    verdict = ask("It rose from 9,400 to 31,200 visitors.", "There were 31,200 visitors in 2023")
    assert (verdict.outcome, verdict.reason) == ("not_enough", "nothing in the source answers to 9,400")


def test_a_negation_is_named() -> None:
    verdict = ask("The council has approved the sale.", "The council has not approved the sale.")
    assert (verdict.outcome, verdict.cause) == ("contradicted", "negation"), verdict


def test_a_reason_without_a_sentence_to_quote_does_not_deny_itself() -> None:
    evidence = (
        "In this trial, 684 adults with hypertension were assigned to velzartan or placebo for 24 weeks. "
        "There was no significant difference in serious adverse events. Patients with renal impairment were "
        "excluded. The drug did not improve quality-of-life scores."
    )
    verdict = ask("People with kidney problems were not enrolled", evidence)
    assert "comes near" not in verdict.reason
    assert not verdict.reason.rstrip().endswith(":")


def test_a_version_that_the_source_writes_longer_is_no_number_that_differs() -> None:
    notes = (
        "# Release 4.2.0\n\n- Added support for PostgreSQL 16; PostgreSQL 11 is no longer supported.\n"
        "- The default timeout was raised from 30 to 60 seconds.\n"
    )
    verdict = ask("Version 4.2 drops PostgreSQL 11 and adds PostgreSQL 16", notes)
    assert verdict.cause != "number"
    assert verdict.outcome == "supported" or not verdict.sure


def test_two_passages_support_together_what_neither_supports_alone() -> None:
    claim = "Ida Moller designed the town hall, and Per Lund carved its doors."
    first, second = "Ida Moller designed the town hall.", "Per Lund carved the doors of the town hall."
    together, alone, other = ask(claim, first, second), ask(claim, first), ask(claim, second)
    assert together.score is not None
    assert together.score > max(alone.score or 0, other.score or 0)
    assert together.outcome == "supported"


def test_the_span_of_a_verdict_is_a_sentence_of_its_passage() -> None:
    from pincite.text import split_sentences

    rows = rows_of("planted_set")[::6]
    for row, verdict in zip(rows, judge(*pairs_of(rows)), strict=True):
        assert verdict.outcome != "unjudged", row
        assert verdict.passage == 0
        assert verdict.span in split_sentences(row["evidence"]), (row, verdict)
        assert verdict.reason == verdict.reason.strip() != ""


def test_the_planted_faults_are_told_from_what_is_true() -> None:
    rows = rows_of("planted_set")[::2]
    hits: dict[str, list[bool]] = defaultdict(list)
    for row, verdict in zip(rows, judge(*pairs_of(rows)), strict=True):
        assert verdict.outcome != "unjudged", row
        hits[row["kind"]].append((verdict.outcome == "supported") == bool(row["label"]))
    for kind, of_kind in hits.items():
        print(f"{kind}: {100 * sum(of_kind) / len(of_kind):.0f}% of {len(of_kind)}")
    right = [hit for of_kind in hits.values() for hit in of_kind]
    print(f"all: {100 * sum(right) / len(right):.1f}% of {len(right)}")
    assert sum(right) / len(right) >= PLANTED_BAR


# --- the four questions ---------------------------------------------------------------------------


def test_silence_is_consistent_and_does_not_support() -> None:
    claim = "The mayor of Bergen speaks four languages and plays the cello."
    assert ask(claim, TOWN).outcome == "not_enough"
    assert ask(claim, TOWN, question="consistency").outcome == "supported"


def test_a_contradiction_is_inconsistent() -> None:
    claim = "The town hall was built in 1921 by the architect Ida Moller."
    assert ask(claim, TOWN, question="consistency").outcome == "contradicted"


def test_grounding_is_asked_of_all_passages() -> None:
    claim = "The tower of the town hall is 48 metres high."
    assert ask(claim, "It rained.", TOWN, question="grounding").outcome == "supported"
    assert ask(claim, "It rained.", "The sun shone.", question="grounding").outcome == "not_enough"


def test_relevance_is_judged_by_the_query() -> None:
    near = ask(TOWN, question="relevance", query="When was the town hall of Lunden built?")
    far = ask(TOWN, question="relevance", query="How do penguins sleep in winter?")
    assert near.judge == far.judge == "entailment/2"
    assert near.score is not None
    assert far.score is not None
    assert near.score > far.score


# --- what it refuses ------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", ["", "   ", "…", "\x00"])
def test_a_claim_without_words_is_unjudged(claim: str) -> None:
    verdict = ask(claim, TOWN)
    assert (verdict.outcome, verdict.score, verdict.cause) == ("unjudged", None, "empty")


@pytest.mark.parametrize("evidence", [(), ("",), ("  \n", "—")])
def test_evidence_without_words_is_unjudged(evidence: tuple[str, ...]) -> None:
    verdict = ask("The hall was built.", *evidence)
    assert (verdict.outcome, verdict.score, verdict.cause) == ("unjudged", None, "empty")


def test_a_pair_in_another_language_is_unjudged_and_says_why() -> None:
    evidence = "Das Rathaus steht seit vielen Jahren am Hafen und wurde nie verkauft."
    verdict = ask("Die Stadt hat ihr Rathaus behalten.", evidence)
    assert (verdict.outcome, verdict.cause) == ("unjudged", "language")
    assert verdict.score is None
    assert "German" in verdict.reason or "English" in verdict.reason


def test_a_number_that_differs_is_contradicted_in_any_language() -> None:
    evidence = "Das Rathaus wurde im Jahr 1912 gebaut und hat einen Turm von 48 Metern."
    verdict = ask("Das Rathaus wurde im Jahr 1921 gebaut.", evidence)
    assert verdict.outcome == "contradicted"
    assert verdict.cause in ("number", "date")


def test_planted_pairs_in_other_languages_are_never_called_not_enough() -> None:
    for verdict in judge(*pairs_of(rows_of("planted_foreign"))):
        assert verdict.outcome != "not_enough", verdict


def test_text_of_unknown_signs_is_unjudged() -> None:
    verdict = ask("𒀀𒁀 𒂀𒃀 𒄀𒅀 stands here", "𒀀𒁀 𒆀𒇀 𒈀𒉀 𒊀𒋀 stands there")
    assert (verdict.outcome, verdict.cause) == ("unjudged", "language")


# --- order, repetition, company -------------------------------------------------------------------


def test_order_is_kept_over_pairs_that_are_judged_and_pairs_that_are_not() -> None:
    true = Pair("The tower of the town hall is 48 metres high.", (Passage(TOWN),))
    false = Pair("The town hall has a tower of 84 metres.", (Passage(TOWN),))
    empty = Pair("", (Passage(TOWN),))
    asked = [empty, true, false, empty, false, true] * 60  # more than are read at a time
    outcomes = [verdict.outcome for verdict in judge(*asked)]
    assert outcomes == ["unjudged", "supported", "contradicted", "unjudged", "contradicted", "supported"] * 60


def test_no_pairs_give_no_verdicts() -> None:
    assert judge() == []


def test_the_same_pairs_get_the_same_verdicts_again_and_in_any_company() -> None:
    pairs = pairs_of(rows_of("planted_set")[::16])
    first = judge(*pairs)
    assert judge(*pairs) == first
    for pair, verdict in list(zip(pairs, first, strict=True))[:4]:
        (alone,) = judge(pair)
        assert alone.outcome == verdict.outcome
        assert alone.score == pytest.approx(verdict.score, abs=2e-4)


def test_threads_that_judge_at_once_get_what_one_alone_gets() -> None:
    batches = [pairs_of(rows_of("planted_set")[start::24]) for start in range(4)]
    one_by_one = [judge(*batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda batch: judge(*batch), batches)) == one_by_one


# --- large and hostile texts ----------------------------------------------------------------------


def test_a_hundred_thousand_characters_are_judged_in_bounded_memory() -> None:
    resource = pytest.importorskip("resource")
    filler = "The committee spoke about roads, schools and the price of bread. "
    long = filler * 800 + "The tower of the town hall is 48 metres high. " + filler * 800
    assert len(long) > 100_000
    ask("The tower is high.", TOWN)  # the model is loaded
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    verdict = ask("The town hall has a tower of 48 metres.", long)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 200
    assert verdict.outcome == "supported"
    assert verdict.span is not None
    assert verdict.span.of(long) == "The tower of the town hall is 48 metres high."


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The \ud800 town hall \udfff stands.", "The town \udc00 hall stands \ud83d here."),
        ("The town\x00hall stands.", "\x00\x00The town hall stands.\x00"),
        ("The town hall 🏛️ stands 👩‍👩‍👧‍👦 here.", "🏛️🏛️ The town hall stands here. 🎉"),
        ("\u202eThe town hall stands.\u202c", "The town\u200bhall \ufeffstands."),
        ("word " * 10_000, "The town hall stands."),
        ("The town hall stands.", "word " * 10_000),
        ("The town hall stands " + "x" * 50_000, "The town hall stands " + "x" * 50_000),
        ("The town hall stands.", "The town hall, " * 5_000),
        ("The town hall stands.", "[" * 20_000 + "The town hall stands."),
        ("a\u0301" * 3000, "e\u0301" * 3000),
    ],
)
def test_hostile_texts_get_a_verdict(claim: str, evidence: str) -> None:
    verdict = ask(claim, evidence)
    assert verdict.outcome in ("supported", "contradicted", "not_enough", "unjudged")
    if verdict.span is not None:
        assert 0 <= verdict.span.start < verdict.span.end <= len(evidence)


def test_a_difference_is_reckoned_from_the_two_amounts_of_the_source() -> None:
    evidence = "Operating profit fell to €31.2 million from €36.9 million, mainly because fuel costs rose."
    right, wrong = (
        ask(f"Operating profit dropped by €{change} million because of fuel costs.", evidence)
        for change in ("5.7", "7.5")
    )
    assert right.outcome == "supported"
    assert (right.score or 0) > (wrong.score or 0)


def test_a_paraphrase_that_the_model_merely_doubts_is_not_called_contradicted() -> None:
    evidence = "Because WELCOME is never larger than HELLO, the protocol cannot be used to amplify traffic."
    verdict = ask(
        "BTP cannot be misused for traffic amplification, because WELCOME is never bigger than HELLO.",
        evidence,
    )
    assert verdict.outcome != "contradicted"
    assert "otherwise" not in verdict.reason
