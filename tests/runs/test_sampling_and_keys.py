"""Samples that can be drawn again, and keys that know an item by what decides its result."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Settings, with_overrides
from pincite.datasets import EvaluationQuery
from pincite.records import RecordedAnswer
from pincite.runs.plan import ItemKeys, chosen_positions, fingerprint, sampled


def queries(ids: list[int]) -> list[EvaluationQuery]:
    return [EvaluationQuery(query_id=f"q{number}", query_text="What?") for number in ids]


@given(st.lists(st.integers(0, 1000), unique=True), st.integers(1, 50), st.integers(0, 5))
def test_a_sample_has_the_asked_size_and_the_order_of_the_dataset(
    ids: list[int], limit: int, seed: int
) -> None:
    all_of_them = queries(ids)
    positions = chosen_positions(all_of_them, limit, seed)
    assert len(positions) == min(limit, len(ids))
    assert positions == sorted(set(positions))
    drawn = list(sampled(all_of_them, positions))
    assert drawn == [(place, all_of_them[place]) for place in positions]


@given(st.lists(st.integers(0, 1000), unique=True, min_size=1), st.integers(1, 20), st.randoms())
def test_which_queries_are_drawn_does_not_depend_on_their_order(
    ids: list[int], limit: int, dice: object
) -> None:
    turned = list(ids)
    dice.shuffle(turned)  # type: ignore[attr-defined]
    one, other = (
        {all_of_them[place].query_id for place in chosen_positions(all_of_them, limit, 7)}
        for all_of_them in (queries(ids), queries(turned))
    )
    assert one == other


def test_another_answer_query_or_run_is_another_key() -> None:
    query = EvaluationQuery(query_id="q", query_text="What?")
    answer = RecordedAnswer(answer="This.")
    keys = {
        ItemKeys("run").key(query, answer),
        ItemKeys("run").key(query, None),
        ItemKeys("other").key(query, answer),
        ItemKeys("run").key(EvaluationQuery(query_id="q", query_text="Who?"), answer),
        ItemKeys("run").key(query, RecordedAnswer(answer="That.")),
    }
    assert len(keys) == 5
    assert ItemKeys("run").key(query, answer) in keys
    twice = ItemKeys("run")
    assert twice.key(query, answer) != twice.key(query, answer)


def test_a_fingerprint_changes_with_what_changes_results_and_with_nothing_else() -> None:
    def of(**changed: object) -> str:
        return fingerprint("digest", "target", "rules/1", ["hit@1"], with_overrides(Settings(), changed))

    assert of() == of(store_url="elsewhere.sqlite") == of(evaluation_max_in_flight=3)
    assert of() != of(evaluation_random_seed=1)
    assert of() != of(offsets="page")
