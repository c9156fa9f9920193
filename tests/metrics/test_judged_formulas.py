"""Correctness and hallucination against the formulas of docs/metrics.md, written down again."""

from __future__ import annotations

import asyncio
import random

import pytest
from scripted import DOCUMENTS, SOURCES, RandomTable, ScriptedJudge, claim_key, claim_text, write_answer

from pincite.config import Settings
from pincite.metrics import parse_metric
from pincite.records import DatasetItem

KNOWN = ("supported", "supported", "not_enough", "contradicted")


def units(name: str, answer: str, table: RandomTable, sources: dict[str, str]) -> list[float | None]:
    item = DatasetItem(query="How many engines?", actual_output=answer)
    judge = ScriptedJudge(table)
    settings = Settings(attach="paragraph")
    result = asyncio.run(parse_metric(name).execute(item, sources, judge=judge, settings=settings))
    return [unit.worth for unit in result.signals["units"]]


def supports(table: RandomTable, claim: str, name: str, names: list[str]) -> bool:
    alone = table[claim, frozenset([name])]
    if alone.outcome != "not_enough" or len(names) == 1:
        return alone.outcome == "supported"
    together, others = table[claim, frozenset(names)], table[claim, frozenset(names) - {name}]
    suffice = others.outcome == "supported" and others.score >= together.score - 0.1
    return together.outcome == "supported" and not suffice


@pytest.mark.parametrize("seed", range(150))
def test_a_target_of_one_claim_is_correct_as_the_formula_says(seed: int) -> None:
    draw = random.Random(seed)
    table, names = RandomTable(draw, KNOWN), draw.sample(DOCUMENTS, draw.randint(1, 4))
    claim = claim_key(claim_text(0))
    expected = [float(supports(table, claim, name, names)) for name in names]
    assert units("citation_correctness", write_answer([names]), table, SOURCES) == expected


@pytest.mark.parametrize("seed", range(150))
def test_markers_that_close_a_paragraph_are_correct_as_the_formula_says(seed: int) -> None:
    table, names = RandomTable(random.Random(seed), KNOWN), list(DOCUMENTS[:2])
    markers = "".join(f" [{name}:1:0-{len(SOURCES[name])}]" for name in names)
    answer = f"The mill made flour here. The forge made nails there{markers}."
    claims = ["The mill made flour here", "The forge made nails there"]
    found = units("citation_correctness", answer, table, SOURCES)
    assert len(table) == len(claims) * 3
    expected = []
    for name in names:
        bears = any(supports(table, claim, name, names) for claim in claims)
        right = []
        for claim in claims:
            sets = [frozenset([one]) for one in names] + [frozenset(names)]
            borne = any(table[claim, one].outcome == "supported" for one in sets)
            silent = table[claim, frozenset([name])].outcome == "not_enough"
            right.append(supports(table, claim, name, names) or (silent and bears and borne))
        expected.append(float(all(right)))
    assert found == expected


@pytest.mark.parametrize("seed", range(150))
def test_a_claim_is_grounded_as_the_formula_says(seed: int) -> None:
    draw = random.Random(seed)
    names = draw.sample(DOCUMENTS, draw.randint(1, 3))
    table = RandomTable(draw, KNOWN)
    found = units("hallucination_rate", write_answer([names]), table, {n: SOURCES[n] for n in names})
    claim = claim_key(claim_text(0))
    each = [table[claim, frozenset([name])] for name in names]
    stated = any(one.outcome == "supported" for one in (*each, table[claim, frozenset(names)]))
    surely = len(names) > 1 and any(one.outcome == "supported" and one.score >= 0.8 for one in each)
    denied = len(names) > 1 and any(one.outcome == "contradicted" for one in each)
    assert found == [float(not (surely or (stated and not denied)))]
