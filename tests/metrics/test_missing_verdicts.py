"""A verdict that is missing makes a unit unjudged where it would decide it, and changes nothing elsewhere."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any

import pytest
from scripted import BROKEN, DOCUMENTS, SOURCES, RandomTable, ScriptedJudge, claim_text, write_answer

from pincite.config import Settings
from pincite.judges import Judge
from pincite.metrics import parse_metric
from pincite.records import DatasetItem, Pair, Result, Verdict

FILLED = (
    Verdict("supported", 0.95, "filled in"),
    Verdict("supported", 0.55, "filled in"),
    Verdict("not_enough", 0.2, "filled in"),
    Verdict("contradicted", 0.1, "filled in"),
)
"""Every way in which the rules tell verdicts apart: sure or not, full or partial, silent, against."""
METRICS = (
    "citation_correctness",
    "hallucination_rate",
    "alce_recall",
    "alce_precision",
    "longcite_recall",
    "longcite_precision",
    "trec_rag_precision",
    "trec_rag_recall",
)
Table = dict[Any, Verdict]


def measure(name: str, answer: str, table: Table, sources: dict[str, str] = SOURCES) -> Result:
    item = DatasetItem(query="How many engines?", actual_output=answer)
    judge = ScriptedJudge(table)
    settings = Settings(attach="paragraph")
    return asyncio.run(parse_metric(name).execute(item, sources, judge=judge, settings=settings))


def worths(result: Result) -> list[float | None]:
    return [unit.worth for unit in result.signals["units"]]


def common(name: str, answer: str, table: Table, sources: dict[str, str] = SOURCES) -> list[float | None]:
    """What each unit is worth however the missing verdicts are filled in; None where that differs."""
    missing = [key for key, verdict in table.items() if verdict.outcome == "unjudged"]
    ways = [
        worths(measure(name, answer, {**table, **dict(zip(missing, filled, strict=True))}, sources))
        for filled in itertools.product(FILLED, repeat=len(missing))
    ]
    return [unit[0] if len(set(unit)) == 1 else None for unit in zip(*ways, strict=True)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", METRICS)
def test_a_unit_is_what_every_way_to_fill_in_the_missing_verdicts_makes_of_it(name: str) -> None:
    seen: set[float | None] = set()
    for seed in range(150):
        draw = random.Random(seed)
        names = draw.sample([*DOCUMENTS[:3], BROKEN], draw.randint(1, 3))
        answer, table = write_answer([names]), RandomTable(draw)
        found = worths(measure(name, answer, table))
        if sum(verdict.outcome == "unjudged" for verdict in table.values()) <= 4:
            assert found == common(name, answer, dict(table)), (seed, names, dict(table))
            seen.update(found)
    assert seen >= {None, 0.0, 1.0}


PARAGRAPH = "The mill made flour here. The forge made nails there"


@pytest.mark.parametrize("seed", range(120))
def test_markers_that_share_a_paragraph_out_are_decided_as_far_as_verdicts_go(seed: int) -> None:
    draw = random.Random(seed)
    sources = {name: SOURCES[name] for name in DOCUMENTS[:2]}
    answer = PARAGRAPH + "".join(f" [{name}:1:0-{len(text)}]" for name, text in sources.items()) + "."
    table = RandomTable(draw)
    found = worths(measure("citation_correctness", answer, table, sources))
    assert len(table) == 6
    missing = sum(verdict.outcome == "unjudged" for verdict in table.values())
    if missing <= 4:
        assert found == common("citation_correctness", answer, dict(table), sources)


CLAUSES = "The Oak mill made 20 engines, and the Elm mill made 30 engines"
MILLS = {
    "oak.txt": "The Oak mill made engines, and other mills made engines.",
    "elm.txt": "Elm mill engines.",
}


@pytest.mark.parametrize("seed", range(150))
def test_a_claim_of_several_clauses_is_decided_as_far_as_verdicts_go(seed: int) -> None:
    table = RandomTable(random.Random(seed), ("supported", "not_enough", "contradicted", "unjudged"))
    answer = f"{CLAUSES} [oak.txt:1:0-56] [elm.txt:1:0-17]."
    found = worths(measure("hallucination_rate", answer, table, MILLS))
    if sum(verdict.outcome == "unjudged" for verdict in table.values()) <= 4:
        assert found == common("hallucination_rate", answer, dict(table), MILLS)


class Failing(Judge):
    """Fails on the pairs that show so many passages, and finds nothing in the others."""

    name = "failing/1"
    waits = False

    def __init__(self, passages: int) -> None:
        self.passages = passages

    async def judge(self, pairs: list[Pair]) -> list[Verdict]:
        failed, silent = Verdict("unjudged", None, "time is up"), Verdict("not_enough", 0.1, "silent")
        return [failed if len(pair.passages) == self.passages else silent for pair in pairs]


@pytest.mark.parametrize("passages", [1, 2])
@pytest.mark.parametrize("name", ["citation_correctness", "hallucination_rate"])
def test_a_judge_that_fails_on_what_would_decide_makes_nothing_wrong(name: str, passages: int) -> None:
    item = DatasetItem(query="How many?", actual_output=write_answer([DOCUMENTS[:2]]))
    sources = {key: SOURCES[key] for key in DOCUMENTS[:2]}
    result = asyncio.run(parse_metric(name).execute(item, sources, judge=Failing(passages)))
    assert result.score is None and result.unjudged
    assert result.reasons == {"time is up": result.unjudged}


def test_a_heap_of_citations_with_a_missing_verdict_is_not_held_to_be_unsupported() -> None:
    sources = {f"s{n}.txt": f"Paragraph {n} speaks of mills." for n in range(32)}
    markers = "".join(f" [{name}:1:0-{len(text)}]" for name, text in sources.items())

    class One:
        name, waits = "one/1", False

        async def judge(self, pairs: list[Pair]) -> list[Verdict]:
            failed, silent = Verdict("unjudged", None, "time is up"), Verdict("not_enough", 0.1, "silent")
            return [failed if pair.passages[0].document == "s3.txt" else silent for pair in pairs]

    item = DatasetItem(query="How many?", actual_output=f"{claim_text(1)[:-1]}{markers}.")
    scores = {
        name: asyncio.run(parse_metric(name).execute(item, sources, judge=One()))
        for name in ("alce_recall", "longcite_recall", "alce_precision")
    }
    assert [(one.denominator, one.unjudged) for one in scores.values()] == [(0, 1), (0, 1), (31, 1)]
