"""The built-in judge on planted faults, kind by kind: a floor for each, so that no kind gets lost unseen.

A single sentence may go either way with the next weights, so only the shares of a kind are held. Every row is
asked alone and among other sentences.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest
from planted import PLANTED
from planted_doubts import DOUBTFUL

from pincite.judges.entailment.judge import EntailmentJudge
from pincite.records import Pair, Passage, Verdict

AROUND = "The weather was mild that week. {} Visitors were asked to book a place in advance."
TABLES = PLANTED | DOUBTFUL


class Floor(NamedTuple):
    """The least share of right claims that are supported, and of wrong ones that are not, and are told."""

    right: float
    wrong: float
    told: float = 0.0


FLOORS = {
    # What the rules see is told whatever the model thinks of it.
    "number": Floor(0.9, 0.9, 0.9),
    "unit": Floor(0.9, 0.9, 0.9),
    "date": Floor(0.8, 0.9, 0.9),
    "rate": Floor(0.9, 0.9, 0.9),
    "rounding": Floor(0.4, 0.9, 0.9),
    "interval": Floor(0.6, 0.9, 0.9),
    "paraphrased number": Floor(0.6, 0.9, 0.9),
    "shares in words": Floor(0.9, 0.9, 0.9),
    "when it began and ended": Floor(0.9, 0.9, 0.9),
    "negation": Floor(0.9, 0.9, 0.9),
    "negation about a stand-in": Floor(0.9, 0.9, 0.9),
    "quantifier": Floor(0.9, 0.9, 0.4),
    # What is left to the model.
    "antonym": Floor(0.9, 0.85, 0.2),
    "entity": Floor(0.9, 0.85, 0.4),
    "name with a shared word": Floor(0.7, 0.8, 0.25),
    "office": Floor(0.8, 0.8),
    "direction": Floor(0.9, 0.7, 0.6),
    "direction in numbers": Floor(0.6, 0.4),
    "another subject": Floor(0.9, 0.7, 0.1),
    "another noun beside the number": Floor(0.9, 0.4),
    "table rows": Floor(0.85, 0.6, 0.1),
    "other words for the same": Floor(0.75, 0.85, 0.6),
    "a number that nothing answers to": Floor(0.85, 0.5, 0.25),
    "intervals that overlap": Floor(0.85, 0.75, 0.3),
    "more digits than the source has": Floor(0.85, 0.65, 0.4),
    "changes in percent": Floor(0.4, 0.4),
}


def ask(*pairs: tuple[str, str]) -> list[Verdict]:
    asked = [Pair(claim, (Passage(evidence),)) for claim, evidence in pairs]
    return asyncio.run(EntailmentJudge().judge(asked))


def asked_of(kind: str) -> tuple[list[Verdict], list[Verdict]]:
    """The verdicts on the right claims of a kind, and on the wrong ones."""
    rows = [
        (frame.format(source), right, wrong)
        for frame in ("{}", AROUND)
        for source, right, wrong in TABLES[kind]
    ]
    found = ask(*((claim, text) for text, right, wrong in rows for claim in (right, wrong)))
    return found[::2], found[1::2]


def test_every_kind_has_a_floor() -> None:
    assert FLOORS.keys() == TABLES.keys()


@pytest.mark.parametrize("kind", sorted(FLOORS))
def test_planted_faults_of_every_kind_are_told_from_what_is_true(kind: str) -> None:
    floor = FLOORS[kind]
    right, wrong = asked_of(kind)
    supported = sum(verdict.outcome == "supported" for verdict in right) / len(right)
    refused = sum(verdict.outcome != "supported" for verdict in wrong) / len(wrong)
    told = sum(verdict.outcome != "supported" and not verdict.doubtful for verdict in wrong) / len(wrong)
    print(f"{kind}: supported {supported:.0%}, refused {refused:.0%}, told {told:.0%}")
    assert supported >= floor.right
    assert refused >= floor.wrong
    assert told >= floor.told
    # False alarms cost most.
    assert sum(verdict.outcome != "supported" and not verdict.doubtful for verdict in right) <= 0.1 * len(
        right
    )
    assert not any(verdict.sure for verdict in right if verdict.outcome != "supported")


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("The summit was held in Lisbon.", "The summit was held in Madrid."),
        ("The novel was written by Clara Denholm.", "The novel was written by Peter Marsh."),
        ("The board rejected the merger.", "The board approved the merger."),
        ("The new rule allows street vendors.", "The new rule bans street vendors."),
        ("Rents fell across the city.", "Rents rose across the city."),
        ("Krell sued Dunmore over the patent.", "Dunmore sued Krell over the patent."),
        ("The show was hosted by Kiel.", "Rome hosted the show."),
        ("The board reported a profit.", "The board reported a loss."),
        ("Acme sells bikes.", "Acme sells bikes and cars."),
        ("Exports to the United States grew by 5%.", "Exports to the EU grew by 5%."),
        ("Sales rose in May. Profit fell in May.", "Profit rose in May."),
    ],
)
def test_what_plainly_says_something_else_does_not_support(evidence: str, claim: str) -> None:
    verdict, right = ask((claim, evidence), (evidence, evidence))
    assert verdict.outcome in ("contradicted", "not_enough"), verdict
    assert right.outcome == "supported"
