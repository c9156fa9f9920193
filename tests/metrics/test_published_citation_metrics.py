"""ALCE, TREC-RAG and LongCite against their definitions, written down again by brute force."""

from __future__ import annotations

import asyncio
import random

import pytest
from scripted import (
    BROKEN,
    DOCUMENTS,
    ELSEWHERE,
    SOURCES,
    RandomTable,
    ScriptedJudge,
    claim_key,
    claim_text,
    write_answer,
)

from pincite.metrics import parse_metric
from pincite.records import DatasetItem, Result

UNKNOWN = object()


def measure(name: str, cited: list[list[str]], table: RandomTable) -> Result:
    item = DatasetItem(query="How many engines?", actual_output=write_answer(cited))
    metric = parse_metric(name)
    return asyncio.run(metric.execute(item, SOURCES, judge=ScriptedJudge(table)))


def random_case(seed: int) -> tuple[list[list[str]], RandomTable]:
    draw = random.Random(seed)
    names = [*DOCUMENTS, BROKEN, ELSEWHERE] if seed % 2 else list(DOCUMENTS)
    cited = [draw.sample(names, draw.randint(0, 4)) for _ in range(draw.randint(1, 6))]
    outcomes = (
        ("supported", "not_enough", "contradicted", "unjudged") if seed % 3 else ("supported", "not_enough")
    )
    return cited, RandomTable(draw, outcomes)


def look_up(table: RandomTable, number: int, names: list[str]):
    return table[claim_key(claim_text(number)), frozenset(names)]


def entails(table: RandomTable, number: int, names: list[str]):
    """True, False, or UNKNOWN where what is cited is out of sight or the judge failed."""
    seen = [name for name in names if name in SOURCES]
    outcome = look_up(table, number, seen).outcome if seen else "not_enough"
    if outcome == "supported":
        return True
    return UNKNOWN if outcome == "unjudged" or ELSEWHERE in names else False


def mean(values: list[object]) -> tuple[float | None, int]:
    known = [value for value in values if value is not UNKNOWN]
    return (sum(known) / len(known) if known else None), len(values) - len(known)  # type: ignore[arg-type]


def alce_recall(cited, table):
    return mean([entails(table, number, names) for number, names in enumerate(cited)])


def ways(truth) -> tuple[bool, ...]:
    """All that an unknown may turn out to be."""
    return (True, False) if truth is UNKNOWN else (truth,)


def alce_precision(cited, table):
    values = []
    for number, names in enumerate(cited):
        whole = entails(table, number, names)
        for name in names:
            if name == BROKEN or not whole:
                values.append(0.0)
            elif name == ELSEWHERE:
                values.append(UNKNOWN)
            else:
                rest = [other for other in names if other != name and other in SOURCES]
                alone, others = entails(table, number, [name]), entails(table, number, rest)
                worth = {
                    float(w and (a or not o)) for w in ways(whole) for a in ways(alone) for o in ways(others)
                }
                values.append(worth.pop() if len(worth) == 1 else UNKNOWN)
    return mean(values)


def level(verdict):
    if verdict.outcome == "unjudged":
        return UNKNOWN
    if verdict.outcome == "contradicted" or verdict.score < 0.4:
        return 0.0
    return 1.0 if verdict.score >= 0.7 else 0.5


def trec(cited, table, uncited: bool):
    values = []
    for number, names in enumerate(cited):
        if not names:
            values += [0.0] if uncited else []
        elif names[0] == ELSEWHERE:
            values.append(UNKNOWN)
        elif names[0] == BROKEN:
            values.append(0.0)
        else:
            values.append(level(look_up(table, number, names[:1])))
    return mean(values)


def longcite_recall(cited, table):
    values = []
    for number, names in enumerate(cited):
        seen = [name for name in names if name in SOURCES]
        value = level(look_up(table, number, seen)) if seen else 0.0
        values.append(UNKNOWN if ELSEWHERE in names and value != 1.0 else value)
    return mean(values)


def longcite_precision(cited, table):
    values = []
    for number, names in enumerate(cited):
        for name in names:
            if name == ELSEWHERE:
                values.append(UNKNOWN)
            elif name == BROKEN:
                values.append(0.0)
            else:
                value = level(look_up(table, number, [name]))
                values.append(value if value is UNKNOWN else float(value > 0))
    return mean(values)


ORACLES = {
    "alce_recall": alce_recall,
    "alce_precision": alce_precision,
    "trec_rag_precision": lambda cited, table: trec(cited, table, uncited=False),
    "trec_rag_recall": lambda cited, table: trec(cited, table, uncited=True),
    "longcite_recall": longcite_recall,
    "longcite_precision": longcite_precision,
}


@pytest.mark.parametrize("name", ORACLES)
def test_the_figure_is_that_of_brute_force_on_random_tables_of_verdicts(name):
    scored = 0
    for seed in range(120):
        cited, table = random_case(seed)
        result = measure(name, cited, table)
        value, unjudged = ORACLES[name](cited, table)
        assert result.score == (None if value is None else pytest.approx(value)), (seed, cited)
        assert result.unjudged == unjudged, (seed, cited)
        scored += value is not None
    assert scored > 60


@pytest.mark.parametrize("family", ["alce", "longcite"])
def test_the_f1_is_the_harmonic_mean_of_an_answers_two_figures(family):
    for seed in range(60):
        cited, table = random_case(seed)
        f1, precision, recall = (
            measure(f"{family}_{n}", cited, table) for n in ("f1", "precision", "recall")
        )
        if precision.score and recall.score:
            expected = 2 * precision.score * recall.score / (precision.score + recall.score)
            assert f1.score == pytest.approx(expected)
        elif f1.score is not None:
            assert f1.score == 0.0 and 0.0 in (precision.score, recall.score)


def test_an_answer_that_cites_nothing_has_no_precision_a_recall_and_an_f1_of_zero():
    table = RandomTable(random.Random(1))
    for family in ("alce", "longcite"):
        assert measure(f"{family}_precision", [[], []], table).score is None
        assert measure(f"{family}_precision", [[], []], table).reasons == {"no citations": 1}
        assert measure(f"{family}_recall", [[], []], table).score == 0.0
        assert measure(f"{family}_f1", [[], []], table).score == 0.0


def test_all_questions_about_an_answer_go_out_as_one_batch_and_none_twice():
    judge = ScriptedJudge(RandomTable(random.Random(3)))
    item = DatasetItem(
        query="How many?", actual_output=write_answer([["d0.txt", "d1.txt", "d2.txt"], ["d0.txt"]])
    )
    asyncio.run(parse_metric("alce_precision").execute(item, SOURCES, judge=judge))
    assert len(judge.batches) == 1
    asked = judge.batches[0]
    assert len(asked) == len(set(asked)) == 3 + 1 + 3 + 1  # alone, together, each left out, the single one


def test_the_levels_of_support_are_parameters_that_the_name_shows():
    metric = parse_metric("longcite_recall(full=0.9, partial=0.6)")
    assert str(metric) == "longcite_recall(full=0.9, partial=0.6)"
