from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plain_metrics import Mean, Share, item, mean

from pincite.errors import InputError
from pincite.metrics import names
from pincite.runs import (
    PairedScore,
    add_rows,
    begin,
    find_test,
    plan_test,
    rows_of_file,
    rows_of_runs,
    spread_of,
    spread_of_run,
    status_of,
)
from pincite.stats import betting, queries_needed, sequential_queries_needed
from pincite.store import open_store


class InMemory:
    """The four methods that a test needs of whatever keeps it."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], dict[str, Any]] = {}

    def keys(self, kind: str) -> list[str]:
        return sorted(key for held, key in self.kept if held == kind)

    def put(self, kind: str, key: str, value: dict[str, Any]) -> None:
        self.kept[kind, key] = value

    def get(self, kind: str, key: str) -> dict[str, Any] | None:
        return self.kept.get((kind, key))

    def update(
        self, kind: str, key: str, function: Callable[[dict[str, Any] | None], dict[str, Any]]
    ) -> dict[str, Any]:
        self.put(kind, key, function(self.get(kind, key)))
        return self.kept[kind, key]


@pytest.fixture(autouse=True)
def known_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_registered", {"mean_score": Mean, "shares": Share})


@pytest.fixture(params=["memory", "store"])
def kept(request: pytest.FixtureRequest, tmp_path: Path):
    if request.param == "memory":
        yield InMemory()
    else:
        with open_store(tmp_path / "runs.sqlite") as store:
            yield store


def rows(count: int, shift: float, seed: int = 1, first: int = 0) -> list[PairedScore]:
    chance = random.Random(seed)
    return [
        PairedScore(
            f"q{first + number}",
            a := chance.uniform(0, 0.7),
            min(1.0, max(0.0, a + chance.gauss(shift, 0.15))),
        )
        for number in range(count)
    ]


def plan(name: str = "prompts", metric: str = "mean_score", difference: float = 0.1, **more: Any):
    return plan_test(name, metric, difference, spread=0.2, spread_from="a guess", **more)


def test_a_plan_has_the_sizes_that_the_power_asks_for() -> None:
    made = plan(power=0.9)
    assert made.n_fixed == queries_needed(0.5, power=0.9)
    assert made.n_planned == sequential_queries_needed(0.1, 0.2, power=0.9)
    assert made.n_planned > made.n_fixed


def test_a_plan_without_a_spread_takes_a_large_one_and_says_so() -> None:
    made = plan_test("prompts", "mean_score", 0.05)
    assert made.spread == 0.5
    assert "nothing is known" in made.spread_from


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"difference": 0.0}, "difference to find"),
        ({"difference": float("nan")}, "difference to find"),
        ({"spread": 0.0}, "spread"),
        ({"power": 1.0}, "power lies between"),
        ({"alpha": 0.0}, "alpha lies between"),
        ({"power": 0.01}, "no more than chance"),
        ({"name": " "}, "needs a name"),
        ({"difference": 1e-9}, "too small"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(fields: dict[str, Any], message: str) -> None:
    given = {"name": "n", "metric": "mean_score", "difference": 0.1, **fields}
    with pytest.raises(InputError, match=message):
        plan_test(**given)


def test_a_clear_improvement_is_found_and_stays_found(kept: Any) -> None:
    begin(kept, plan())
    add_rows(kept, "prompts", rows(150, 0.15))
    status = status_of(find_test(kept, "prompts"))
    assert status.decision == "B better"
    assert status.decided_at is not None and status.decided_at < 150
    assert status.confidence_sequence[0] > 0
    assert status.p_value <= 0.05
    add_rows(kept, "prompts", rows(40, -0.3, seed=2, first=1000))
    later = status_of(find_test(kept, "prompts"))
    assert (later.decision, later.decided_at) == ("B better", status.decided_at)


def test_a_metric_that_should_be_low_turns_the_decision_round(kept: Any) -> None:
    begin(kept, plan(metric="shares"))
    add_rows(kept, "prompts", rows(150, 0.15))
    assert status_of(find_test(kept, "prompts")).decision == "A better"


def test_the_same_query_never_counts_twice(kept: Any) -> None:
    begin(kept, plan())
    first = add_rows(kept, "prompts", rows(30, 0.1))
    assert (first.new, first.known, first.total) == (30, 0, 30)
    again = add_rows(kept, "prompts", [*rows(40, 0.5, seed=9), PairedScore("q35", 0.1, 0.2)])
    assert (again.new, again.known, again.total) == (10, 31, 40)
    assert again.contradicted == 31 and again.example is not None
    assert again.example[0].query_id == again.example[1].query_id
    assert add_rows(kept, "prompts", rows(30, 0.1)).contradicted == 0
    scores = {row.query_id: row for row in find_test(kept, "prompts").rows}
    assert all(scores[row.query_id] == row for row in rows(30, 0.1))


def test_a_test_goes_on_until_it_is_decided_or_its_size_is_reached(kept: Any) -> None:
    begin(kept, plan(difference=0.2))
    empty = status_of(find_test(kept, "prompts"))
    assert (empty.decision, empty.n, empty.difference, empty.p_value) == ("go on", 0, None, 1.0)
    add_rows(kept, "prompts", rows(10, 0.0))
    assert status_of(find_test(kept, "prompts")).decision == "go on"
    add_rows(kept, "prompts", rows(80, 0.0, seed=3, first=100))
    done = status_of(find_test(kept, "prompts"))
    assert done.n >= done.n_planned
    assert done.decision == "planned size reached"
    assert "just as valid" in done.explanation


def test_rows_are_counted_in_an_order_that_has_nothing_to_do_with_their_scores(kept: Any) -> None:
    begin(kept, plan())
    ordered = sorted(rows(60, 0.05), key=lambda row: row.b - row.a)
    add_rows(kept, "prompts", ordered)
    found = find_test(kept, "prompts")
    assert found.rows != tuple(ordered)
    begin(kept, plan("other"))
    add_rows(kept, "other", reversed(ordered))
    differences = [row.b - row.a for row in found.rows]
    assert status_of(found).e_value == betting(differences).e_value


def test_a_test_with_rows_is_only_begun_anew_on_purpose(kept: Any) -> None:
    begin(kept, plan())
    begin(kept, plan(difference=0.2))
    add_rows(kept, "prompts", rows(3, 0.1))
    with pytest.raises(InputError, match="with 3 queries"):
        begin(kept, plan())
    begin(kept, plan(), replace=True)
    assert find_test(kept, "prompts").rows == ()


def test_what_is_not_there_is_said(kept: Any) -> None:
    with pytest.raises(InputError, match="no test 'nothing'"):
        find_test(kept, "nothing")
    with pytest.raises(InputError, match="no test 'nothing'"):
        add_rows(kept, "nothing", rows(3, 0.1))


def test_scores_outside_zero_and_one_are_refused(kept: Any) -> None:
    begin(kept, plan())
    for score in (1.5, -0.1, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            add_rows(kept, "prompts", [PairedScore("q", 0.5, score)])
    assert find_test(kept, "prompts").rows == ()


def test_a_damaged_document_is_said_and_no_crash() -> None:
    memory = InMemory()
    memory.put("ab", "x", {"plan": 3})
    with pytest.raises(InputError, match="cannot be read"):
        find_test(memory, "x")


def test_rows_of_two_runs_are_the_shared_queries_that_both_scored() -> None:
    a = [item(0, mean(0.1)), item(1, mean(None)), item(2, mean(0.3)), item(5, mean(0.5))]
    b = [item(0, mean(0.2)), item(1, mean(0.4)), item(2, mean(0.1)), item(7, mean(0.5))]
    found = rows_of_runs(a, b, "mean_score")
    assert found.rows == (PairedScore("q0", 0.1, 0.2), PairedScore("q2", 0.3, 0.1))
    assert (found.without_value, found.unpaired) == (1, 2)


def test_the_spread_is_that_of_the_differences_or_of_one_runs_scores() -> None:
    assert spread_of([PairedScore("x", 0.0, 0.1), PairedScore("y", 0.0, 0.3)]) == pytest.approx(0.02**0.5)
    assert spread_of([PairedScore("x", 0.0, 0.1)]) is None
    assert spread_of_run([item(0, mean(0.0)), item(1, mean(1.0))], "mean_score") == pytest.approx(0.5**0.5)
    assert spread_of_run([item(0, mean(0.4)), item(1, mean(0.4))], "mean_score") is None


def test_rows_are_read_from_json_lines_and_csv(tmp_path: Path) -> None:
    lines = tmp_path / "rows.jsonl"
    lines.write_text('{"query_id": "q1", "a": 0, "b": 1.0}\n\n{"query_id": 2, "a": 0.5, "b": 0.25}\n')
    table = tmp_path / "rows.csv"
    table.write_text("query_id,a,b\nq1,0,1.0\n2,0.5,0.25\n")
    expected = [PairedScore("q1", 0.0, 1.0), PairedScore("2", 0.5, 0.25)]
    assert list(rows_of_file(lines)) == list(rows_of_file(table)) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rows.jsonl", "{", r"rows.jsonl:1: not JSON"),
        ("rows.jsonl", '{"query_id": "q", "a": 1}\n', r"rows.jsonl:1: expected query_id, a and b"),
        ("rows.jsonl", "[1, 2]\n", r"rows.jsonl:1: expected"),
        ("rows.jsonl", '{"query_id": "q", "a": "x", "b": 1}\n', r"rows.jsonl:1: a is a number"),
        ("rows.jsonl", '{"query_id": "q", "a": true, "b": 1}\n', r"rows.jsonl:1: a is a number"),
        ("rows.jsonl", '{"query_id": "q", "a": NaN, "b": 1}\n', r"rows.jsonl:1: a is a number"),
        ("rows.jsonl", '{"query_id": [], "a": 1, "b": 1}\n', r"rows.jsonl:1: query_id is a text"),
        ("rows.csv", "query_id,a,b\nq,1\n", r"rows.csv:2: b is a number"),
        ("rows.csv", "id,a,b\nq,1,1\n", r"rows.csv:2: expected query_id"),
        ("rows.jsonl", "[" * 100_000, r"rows.jsonl:1: not JSON"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_by_its_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        list(rows_of_file(path))


def test_a_file_that_is_not_there_or_not_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        list(rows_of_file(tmp_path / "nothing.jsonl"))
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        list(rows_of_file(tmp_path / "bytes.jsonl"))
