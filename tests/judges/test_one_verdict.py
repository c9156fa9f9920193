"""One decision, one answer: a check, its fixes and `report.judged` follow from what the judge decided.

A clash of numbers is worth a warning whatever else agrees; what a rule takes for a denial is an error only
where the model does not call the claim supported; a doubt is never a contradiction; and nothing is offered
that the judge has not called supported.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import pincite
from pincite.judges import (
    WEIGHTS,
    Join,
    Judge,
    Observed,
    Opinion,
    Read,
    TextCache,
    decide,
    load_join,
    open_judge,
    read_for_model,
)
from pincite.records import Pair, Passage, Report, Verdict

HERE = Path(__file__).parent
DEMO = HERE.parents[1] / "examples" / "demo"
PAGE = (
    "The rig was built in the old hall. {} The staff were told a week before. Nobody was hurt, and the hall "
    "was open again by noon."
)
OPINIONS = [
    Opinion(support, denial) for support in (-6.0, -2.0, -0.1, 0.1, 2.0, 6.0) for denial in (-3.0, 3.0)
]
CLASHES = [
    ("The engine ran for 63 s.", "The engine ran for 36 s."),
    ("The burn lasted 63 s in the second test.", "In the second test, the burn lasted 36 s."),
    ("The review is due in June.", "The review is due in May."),
    ("The mill burned down in 1910.", "The mill burned down in 1901."),
    ("The station opened in 1910.", "The station, which has two platforms, opened in 1901."),
    ("Each tablet contains 20 microgram of the substance.", "Each tablet contains 20 mg of the substance."),
    ("Patients received 20 micrograms a day.", "Patients received 20 mg a day."),
]
NOT_DENIED = [
    ("Visitors may enter only with a badge.", "No visitor may enter without a badge."),
    ("No visitor may enter without a badge.", "Visitors may enter only with a badge."),
    (
        "The door may be opened only once both lamps are green.",
        "The door must not be opened until both lamps are green.",
    ),
]


def join() -> Join:
    return load_join(WEIGHTS / "join.json")


def seen(claim: str, evidence: str) -> Observed:
    found = read_for_model(0, Pair(claim, (Passage(evidence),)), TextCache())
    assert isinstance(found, Read)
    return found.observed


def decided(claim: str, evidence: str, opinion: Opinion) -> Any:
    return decide(seen(claim, evidence), opinion, join())


def judge(*pairs: tuple[str, str]) -> list[Verdict]:
    return asyncio.run(
        open_judge("entailment").judge([Pair(claim, (Passage(text),)) for claim, text in pairs])
    )


def check(claim: str, evidence: str, by: Judge | None = None) -> Report:
    return pincite.check(
        f"{claim.rstrip('.')} [page.txt].", {"page.txt": evidence}, judge=by or open_judge("entailment")
    )


# --- numbers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claim", "evidence"), CLASHES)
def test_a_clash_of_numbers_is_at_least_a_warning(claim: str, evidence: str) -> None:
    page = PAGE.format(evidence)
    (found,) = check(claim, page).findings
    assert (found.code, found.severity in ("error", "warning")) == ("PIN203", True)
    assert check(evidence, page).findings == ()


@pytest.mark.parametrize("opinion", OPINIONS)
def test_a_clash_of_numbers_is_told_whatever_the_model_says(opinion: Opinion) -> None:
    claim, evidence = CLASHES[0]
    assert seen(claim, evidence).of("number")
    decision = decided(claim, evidence, opinion)
    assert decision.outcome == "contradicted"
    assert decision.support <= join().warn
    assert not decision.doubtful
    assert not (decision.sure and opinion.support >= 0)


# --- denials ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claim", "evidence"), NOT_DENIED)
def test_a_denial_with_an_exception_is_no_error(claim: str, evidence: str) -> None:
    for text in (evidence, PAGE.format(evidence)):
        assert check(claim, text).ok


@pytest.mark.parametrize("opinion", OPINIONS)
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The board approved the merger.", "The board did not approve the merger."),
        ("All patients recovered.", "Some patients recovered."),
        ("The tower is 48 metres high.", "The tower is 84 metres high."),
    ],
)
def test_a_rule_makes_an_error_only_where_the_model_does_not_call_it_supported(
    claim: str, evidence: str, opinion: Opinion
) -> None:
    assert seen(claim, evidence).of("number", "against")
    decision = decided(claim, evidence, opinion)
    if opinion.support >= 0:
        assert decision.outcome == "supported" or not decision.sure
    elif not decision.doubtful:
        assert decision.outcome == "contradicted"
        assert decision.sure


def test_what_stands_under_a_lead_in_that_denies_it_is_not_supported() -> None:
    listed = "The following are not eligible:\n\n- interns\n- contractors\n- visitors\n"
    page = (
        f"# Health plan\n\nAll permanent staff are covered.\n\n{listed}\nClaims are paid within ten days.\n"
    )
    for verdict in judge(("Contractors are covered too.", listed), ("Contractors are covered too.", page)):
        assert verdict.outcome != "supported"


# --- doubts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("opinion", OPINIONS)
def test_a_doubt_is_never_called_a_contradiction(opinion: Opinion) -> None:
    for claim, evidence in (
        *CLASHES,
        *NOT_DENIED,
        ("Rents rose.", "Rents fell."),
        ("All came.", "Some came."),
    ):
        decision = decided(claim, evidence, opinion)
        if decision.doubtful:
            assert (decision.outcome, decision.sure) == ("not_enough", False)
        assert (decision.outcome == "supported") == (decision.support >= 0.5)


def test_what_a_check_is_silent_about_is_not_contradicted_in_what_was_judged() -> None:
    rows = [json.loads(line) for line in (HERE / "planted_set.jsonl").read_text("utf-8").splitlines()][::3]
    sources = {f"{place}.txt": row["evidence"] for place, row in enumerate(rows)}
    answer = "\n\n".join(f"{row['claim'].rstrip('.')} [{place}.txt]." for place, row in enumerate(rows))
    report = pincite.check(answer, sources, judge=open_judge("entailment"))
    told = {target for found in report.findings for target in found.targets}
    doubted = {target for found in report.doubtful for target in found.targets}
    assert len(doubted) >= 5
    for place, citation in enumerate(report.judged.citations):
        if citation.standing == "contradicted":
            assert place in told
        if place in doubted:
            assert citation.standing == "doubtful"


class Scripted(Judge):
    """The built-in judge, with its verdicts changed before they are told."""

    name = "scripted/1"
    waits = False

    def __init__(self, **instead: object) -> None:
        self.instead = instead

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        verdicts = await open_judge("entailment").judge(pairs)
        return [
            replace(one, **self.instead) if one.outcome == "supported" else one  # type: ignore[arg-type]
            for one in verdicts
        ]


def test_a_judge_that_doubts_and_contradicts_is_taken_to_doubt() -> None:
    doubts = Scripted(outcome="contradicted", score=0.4, sure=False, doubtful=True)
    report = check("The mill burned down.", "The mill burned down.", doubts)
    assert report.findings == ()
    assert [one.standing for one in report.judged.citations] == ["doubtful"]
    assert [one.standing for one in report.judged.claims] == ["doubtful"]


# --- fixes and places -------------------------------------------------------------------------------


def test_nothing_is_offered_that_the_judge_has_not_called_supported() -> None:
    answer, sources = DEMO / "answer.md", DEMO / "sources"
    offered = {found.code: found for found in pincite.check(answer, sources).findings}
    assert offered["PIN203"].fix is not None
    assert {"PIN205", "PIN302"} <= offered.keys()
    never = Scripted(outcome="not_enough", score=0.45, sure=False, doubtful=True)
    kept = {found.code: found for found in pincite.check(answer, sources, judge=never).findings}
    assert kept["PIN203"].fix is None
    assert {"PIN205", "PIN302"}.isdisjoint(kept)


def test_the_claim_that_a_fix_makes_is_called_supported() -> None:
    offered = 0
    for claim, evidence in CLASHES:
        page = PAGE.format(evidence)
        (found,) = check(claim, page).findings
        if found.fix is not None:
            mended = claim[: found.fix.start] + found.fix.replacement + claim[found.fix.end :]
            assert judge((mended, page))[0].outcome == "supported", mended
            offered += 1
    assert offered >= len(CLASHES) // 2
