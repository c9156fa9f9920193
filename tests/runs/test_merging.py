"""Shards merged are the run made in one piece, and what are not the shards of one run is said."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings, strategies
from small_system import answer, dataset, write_answers, write_dataset

from pincite.config import Settings, load_settings
from pincite.datasets import EvaluationQuery
from pincite.errors import InputError
from pincite.records import ItemResult, Run
from pincite.runs import encode, evaluate, merge_runs, plain_document, read_run_file
from pincite.runs.merging import sort_shards
from pincite.runs.plan import in_shard, read_shard
from pincite.runs.results.files import write_run_file
from pincite.store import open_store

MERGEABLE = (1, 2, 3, 5, 8)
BY_RULES = load_settings(environment={}, folder=Path("/"), judge="rules", evaluation_resamples=200)


def made(
    folder: Path, of: int, data: Path | str = "sample", ending: str = "journal", **more: Any
) -> list[Path]:
    """The files of all shards of a run."""
    given = {"answers": "sample:a", "settings": BY_RULES, **more}
    paths = [folder / f"{number}-of-{of}.{ending}" for number in range(1, of + 1)]
    for number, path in enumerate(paths, 1):
        evaluate(data, shard=f"{number}/{of}", output=path, **given)
    return paths


@pytest.fixture(scope="module")
def whole() -> Run:
    return evaluate("sample", answers="sample:a", settings=BY_RULES)


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Path]]:
    folder = tmp_path_factory.mktemp("shards")
    return {of: made(folder, of) for of in MERGEABLE}


def said(run: Run) -> dict[str, Any]:
    """All that a run says, but for when, where and how long."""
    document: dict[str, Any] = json.loads(json.dumps(plain_document(run.document)))
    for name in ("evaluation_id", "timestamp", "finished_at"):
        del document[name]
    del document["summary"]["total_evaluation_time_seconds"]
    del document["performance_metrics"]["resource_usage"]
    del document["metadata"]["evaluation_environment"]
    return document


def merged(runs: Sequence[Run], mine: Settings = BY_RULES, **more: Any) -> tuple[Run, list[bytes]]:
    with merge_runs(runs, mine, **more) as done:
        return done.run, [encode(item) for item in done.items()]


@pytest.mark.thorough
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=strategies.data())
def test_shards_in_any_order_make_the_run_that_was_made_in_one_piece(
    data: strategies.DataObject, whole: Run, shards: dict[int, list[Path]]
) -> None:
    of = data.draw(strategies.sampled_from(MERGEABLE))
    order = data.draw(strategies.permutations(range(of)))
    run, items = merged([read_run_file(shards[of][place]) for place in order])
    assert msgspec.to_builtins(run.scores) == msgspec.to_builtins(whole.scores)
    assert said(run) == said(whole)
    assert items == [encode(item) for item in whole.items()]
    assert (run.status, run.shard, run.fingerprint) == ("finished", None, whole.fingerprint)
    assert run.alerts == whole.alerts != ()


def test_what_only_some_shards_have_is_measured_as_in_one_piece(tmp_path: Path) -> None:
    """Of a run with few retrieval results, many shards have none."""
    path = write_dataset(tmp_path, 12)
    answers = tmp_path / "answers.jsonl"
    lines = []
    for number in range(12):
        record = answer(number)
        if number != 5:
            del record["retrieval_results"]
        lines.append(json.dumps(record) + "\n")
    answers.write_text("".join(lines), encoding="utf-8")
    given: dict[str, Any] = {"answers": answers, "settings": BY_RULES}
    files = made(tmp_path, 4, path, **given)
    run, _ = merged([read_run_file(file) for file in files])
    assert said(run) == said(evaluate(path, **given))
    assert "hit@5" in run.metrics


def test_a_query_that_is_there_twice_is_measured_twice(tmp_path: Path) -> None:
    doubled = dataset(6)
    doubled["queries"] += doubled["queries"][:3]
    path = tmp_path / "twice_1.0.0.eval.json"
    path.write_text(json.dumps(doubled), encoding="utf-8")
    given: dict[str, Any] = {"answers": write_answers(tmp_path), "settings": BY_RULES}
    files = made(tmp_path, 3, path, "journal.gz", **given)
    run, items = merged([read_run_file(file) for file in files])
    one_piece = evaluate(path, **given)
    assert run.total == 9
    assert said(run) == said(one_piece)
    assert items == [encode(item) for item in one_piece.items()]


def test_a_sample_of_the_dataset_can_be_sharded(tmp_path: Path) -> None:
    given: dict[str, Any] = {"answers": "sample:a", "settings": BY_RULES, "limit": 11, "seed": 3}
    files = made(tmp_path, 2, **given)
    run, _ = merged([read_run_file(file) for file in reversed(files)])
    assert said(run) == said(evaluate("sample", **given))
    assert run.total == 11


# --- which query belongs where -----------------------------------------------------------------------


def queries(count: int) -> list[EvaluationQuery]:
    return [
        EvaluationQuery(query_id=f"q{number}", query_text=f"What is {number}?") for number in range(count)
    ]


@given(of=strategies.integers(1, 40), seed=strategies.integers(0, 99))
@settings(deadline=None, max_examples=30)
def test_each_query_is_in_one_shard_wherever_it_is_in_the_dataset(of: int, seed: int) -> None:
    asked = queries(60)
    home = {
        query.query_id: [number for number in range(1, of + 1) if in_shard(query, number, of)]
        for query in asked
    }
    assert all(len(numbers) == 1 for numbers in home.values())
    random.Random(seed).shuffle(asked)
    assert all(in_shard(query, home[query.query_id][0], of) for query in asked)


@pytest.mark.parametrize("of", [2, 8, 50])
def test_shards_have_about_as_many_queries_each(of: int) -> None:
    sizes = Counter(
        next(number for number in range(1, of + 1) if in_shard(query, number, of))
        for query in queries(20_000)
    )
    fair = 20_000 / of
    assert len(sizes) == of
    assert all(abs(size - fair) < 5 * fair**0.5 for size in sizes.values())


@pytest.mark.parametrize(
    "given", ["0/3", "4/3", "2", "/", "2/", "a/b", "1/0", "-1/3", "1/999999999", "½/2", ""]
)
def test_what_is_no_shard_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="such as 2/8"):
        read_shard(given)


# --- what cannot be merged -----------------------------------------------------------------------------


def refused(runs: Sequence[Run]) -> str:
    with pytest.raises(InputError) as problem:
        sort_shards(runs)
    return str(problem.value)


def test_missing_and_doubled_shards_are_named(shards: dict[int, list[Path]], whole: Run) -> None:
    runs = [read_run_file(path) for path in shards[5]]
    assert refused(runs[:2] + runs[3:]) == "the shards cannot be merged: shard 3/5 is missing"
    assert "shards 1/5, 3/5, 5/5 are missing" in refused([runs[1], runs[3]])
    assert "shard 2/5 is given twice" in refused([*runs, runs[1]])
    assert "is no shard" in refused([*runs, whole])
    assert refused([whole]).endswith("makes one")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"answers": "sample:b"}, "system recorded:"),
        ({"judge": "entailment"}, "judge entailment/2, not rules/1"),
        ({"seed": 7}, "random_seed 7, not 42"),
        ({"metrics": ("hit@5",)}, "metrics hit@5, not hit@1"),
        ({"thresholds": {"hit@5": 0.5}}, "thresholds {'hit@5': 0.5}, not {}"),
    ],
    ids=["answers", "judge", "seed", "metrics", "thresholds"],
)
def test_a_shard_of_another_run_is_told_with_what_differs(
    shards: dict[int, list[Path]], tmp_path: Path, more: dict[str, Any], told: str
) -> None:
    path = tmp_path / "other.journal"
    given = {"answers": "sample:a", "settings": BY_RULES, **more}
    evaluate("sample", shard="2/3", output=path, **given)
    first, _, third = (read_run_file(one) for one in shards[3])
    message = refused([read_run_file(path), third, first])
    assert "shard 2/3 (" in message and "is of another run" in message
    assert told in message and "shard 2/3 is missing" in message


def test_shards_of_another_dataset_number_or_version_are_told(
    shards: dict[int, list[Path]], tmp_path: Path
) -> None:
    first, second, third = (read_run_file(one) for one in shards[3])
    path = tmp_path / "small.journal"
    answers = write_answers(tmp_path)
    evaluate(write_dataset(tmp_path), answers=answers, settings=BY_RULES, shard="2/3", output=path)
    assert "dataset small 1.0.0, not sample" in refused([first, read_run_file(path), third])
    assert "one of 5, not 3" in refused([first, second, third, read_run_file(shards[5][3])])
    older = msgspec.structs.replace(second, environment={**second.environment, "pincite": "0.0.1"})
    assert "Pincite 0.0.1, not " in refused([first, older, third])
    unfinished = msgspec.structs.replace(second, status="interrupted")
    assert "is interrupted, not finished: run its command again" in refused([first, unfinished, third])


def test_a_shard_is_neither_compared_nor_corrected_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="merge the shards first"):
        evaluate("sample", answers="sample:a", settings=BY_RULES, shard="1/2", baseline="latest")


def test_items_that_were_changed_or_taken_away_are_noticed_before_anything_is_kept(
    shards: dict[int, list[Path]], tmp_path: Path
) -> None:
    first, second = (read_run_file(one) for one in shards[2])
    held: list[ItemResult] = list(second.items())
    fewer = msgspec.structs.replace(second, items=lambda: iter(held[:-1]))
    moved = [msgspec.structs.replace(held[0], position=next(first.items()).position), *held[1:]]
    twice = msgspec.structs.replace(second, items=lambda: iter(sorted(moved, key=lambda one: one.position)))
    with open_store(tmp_path / "runs.sqlite") as store:
        for changed, told in (
            (fewer, "hold 39 queries together, and the run has 40"),
            (twice, "in two shards"),
        ):
            with pytest.raises(InputError, match=told), merge_runs([first, changed], BY_RULES, store):
                pass
        assert store.runs() == []


# --- as files ------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=strategies.data())
def test_a_file_that_was_cut_or_changed_is_refused(
    data: strategies.DataObject, shards: dict[int, list[Path]], tmp_path: Path
) -> None:
    content = bytearray(shards[8][0].read_bytes())
    if data.draw(strategies.booleans()):
        del content[data.draw(strategies.integers(0, len(content) - 1)) :]
    else:
        content[data.draw(strategies.integers(0, len(content) - 1))] ^= data.draw(strategies.integers(1, 255))
    path = tmp_path / "damaged.journal"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged\.journal"):
        list(read_run_file(path).items())


def test_a_file_holds_what_no_text_can(tmp_path: Path) -> None:
    odd = ItemResult(key="k", position=0, query_id="\ud800", answer="\0", usage={"n": 2**70})
    path = tmp_path / "odd.journal"
    write_run_file(Run(run_id="r", name="\udfff"), [odd], path)
    (item,) = read_run_file(path).items()
    assert (item.query_id, item.answer, item.usage) == ("\\ud800", "\0", {"n": str(2**70)})


# --- in the history ------------------------------------------------------------------------------------


def stop_after(count: int) -> Callable[[Any], None]:
    def tell(progress: Any) -> None:
        if progress.done - progress.resumed >= count:
            raise KeyboardInterrupt

    return tell


def test_an_interrupted_shard_resumes_and_the_merged_run_joins_the_history(
    tmp_path: Path, whole: Run
) -> None:
    given: dict[str, Any] = {"answers": "sample:a", "settings": BY_RULES}
    with open_store(tmp_path / "runs.sqlite") as store:
        evaluate("sample", store=store, shard="1/2", **given)
        stopped = evaluate("sample", store=store, shard="2/2", on_progress=stop_after(4), **given)
        assert (stopped.status, stopped.shard is not None) == ("interrupted", True)
        assert "is interrupted" in refused(store.shards(store.find(stopped.run_id)))
        resumed = evaluate("sample", store=store, shard="2/2", **given)
        assert (resumed.run_id, resumed.status) == (stopped.run_id, "shard")
        with pytest.raises(InputError, match="no finished run"):
            store.find("latest")
        assert store.trend("hit@5") == []
        run, _ = merged(store.shards(store.find(resumed.run_id)), store=store)
        assert said(run) == said(whole)
        assert store.find("latest").run_id == run.run_id
        assert [point.run_id for point in store.trend("hit@5")] == [run.run_id]
        assert [encode(one) for one in store.items(run.run_id)] == [encode(one) for one in whole.items()]
        assert store.shards(run) == []
