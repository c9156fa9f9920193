"""Runs are kept and found again, in SQLite and in PostgreSQL alike."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from history_items import finished, new_item, new_run
from sqlalchemy import Engine, event

from pincite.errors import InputError, StoreError
from pincite.records import FailureCounts, Result, ResultsDocument, Run, Score
from pincite.store import Store, open_store


def keep(store: Store, value: float | None = 0.5, items: int = 0, **fields: object) -> Run:
    run, journal = store.begin(new_run(**fields), resume=False)
    for position in range(items):
        journal.append(new_item(position))
    done = finished(run, value)
    store.finish(done)
    return done


def test_a_run_comes_back_with_its_scores_its_document_and_its_items(url: str) -> None:
    with open_store(url) as store:
        kept = keep(store, items=3, name="first", parameters={"random_seed": 42})
        assert msgspec.structs.replace(store.find(kept.run_id), items=None) == kept
    with open_store(url) as store:
        assert msgspec.structs.replace(store.find(kept.run_id), items=None) == kept
        assert list(store.items(kept.run_id)) == [new_item(position) for position in range(3)]


def test_ids_hold_the_day_and_count_up(url: str) -> None:
    with open_store(url) as store:
        ids = [keep(store).run_id for _ in range(3)]
        ids.append(keep(store, started_at="2026-03-06T00:30:00+02:00").run_id)
        ids.append(keep(store, started_at="2026-03-06T00:30:00+00:00").run_id)
    assert ids == [
        "eval_run_20260305_001",
        "eval_run_20260305_002",
        "eval_run_20260305_003",
        "eval_run_20260305_004",
        "eval_run_20260306_001",
    ]


def test_a_run_without_a_beginning_begins_now(url: str) -> None:
    with open_store(url) as store:
        run, _ = store.begin(new_run(started_at=""))
        moment = datetime.fromisoformat(run.started_at)
    assert abs((datetime.now(UTC) - moment).total_seconds()) < 60
    assert run.run_id == f"eval_run_{moment:%Y%m%d}_001"


def test_items_are_read_in_the_order_of_the_dataset_however_they_came(url: str) -> None:
    with open_store(url) as store:
        run, journal = store.begin(new_run())
        for position in (*range(1, 1_300, 2), *range(0, 1_300, 2)):
            journal.append(new_item(position, verdicts=()))
        assert [item.position for item in journal.results()] == list(range(1_300))
        assert [item.position for item in store.items(run.run_id)] == list(range(1_300))


def test_two_items_at_one_place_are_both_kept(url: str) -> None:
    with open_store(url) as store:
        _, journal = store.begin(new_run())
        for number in range(1_200):
            journal.append(new_item(7, key=str(number)))
        assert sorted(int(item.key) for item in journal.results()) == list(range(1_200))


def test_the_same_key_is_kept_once(url: str) -> None:
    with open_store(url) as store:
        run, journal = store.begin(new_run())
        journal.append(new_item(0, key="same"))
        journal.flush()
        journal.append(new_item(1, key="same"))
        assert [item.position for item in journal.results()] == [0]
        assert store.verdicts(run.run_id) == {"support": {"supported": 1}}


def test_verdicts_are_counted_by_question_and_outcome(url: str) -> None:
    with open_store(url) as store:
        kept = keep(store, items=3)
        assert store.verdicts(kept.run_id) == {"support": {"supported": 3}}


def test_texts_that_a_database_cannot_hold_are_kept_all_the_same(url: str) -> None:
    strange = "a\0b\ud800"
    item = new_item(0, query_id=strange, answer=strange, query_type=strange)
    with open_store(url) as store:
        run, journal = store.begin(new_run(fingerprint=strange, name=strange, dataset_id=strange))
        journal.append(item)
        score = Score(metric=strange, value=0.5)
        document = ResultsDocument(evaluation_id=strange, failures=FailureCounts(by_kind={strange: 1}))
        store.finish(finished(run, scores=(score,), document=document))
        assert list(store.items(run.run_id)) == [item]
        assert store.find(strange).document == document
        assert store.runs(dataset=strange, metric=strange)[0].name == strange
        assert store.trend(strange)[0].value == 0.5
        store.put(strange, strange, {"a": strange})
        assert store.get(strange, strange) == {"a": strange}


def test_the_latest_is_the_newest_that_is_finished(url: str) -> None:
    with open_store(url) as store:
        ids = [keep(store).run_id for _ in range(3)]
        store.begin(new_run())
        assert store.find("latest").run_id == ids[2]
        assert store.find("latest~0").run_id == ids[2]
        assert store.find("latest~2").run_id == ids[0]
        with pytest.raises(InputError, match="the history holds 3 finished runs"):
            store.find("latest~3")


def test_a_run_is_found_by_its_name_or_the_beginning_of_its_id(url: str) -> None:
    with open_store(url) as store:
        old, new = keep(store, name="nightly"), keep(store, name="nightly")
        other = keep(store, started_at="2026-04-01T00:00:00Z")
        assert store.find("nightly").run_id == new.run_id
        assert store.find("eval_run_202604").run_id == other.run_id
        with pytest.raises(InputError, match=f"fits several runs: {new.run_id}, {old.run_id}; give more"):
            store.find("eval_run_202603")
        with pytest.raises(InputError, match=f"there is no run 'other'; the newest are {other.run_id}"):
            store.find("other")
        for wild in ("eval%", "eval_run_20260_", "EVAL_RUN_202604", "", "latest~x"):
            with pytest.raises(InputError):
                store.find(wild)


def test_two_runs_are_compared_where_they_are_kept(url: str) -> None:
    with open_store(url) as store:
        for name, score in (("old", 0.2), ("new", 0.9)):
            run, journal = store.begin(new_run(name, name=name, judge=f"judge of {name}"))
            for place in range(12):
                result = Result(metric="nDCG@5", score=score + place / 100, numerator=1, denominator=2)
                journal.append(new_item(place, results=(result,)))
            store.finish(finished(run))
        found = store.compare("latest~1", "latest")
        assert (found.a, found.b) == (store.find("old").run_id, store.find("new").run_id)
        assert found.n_paired == 12
        assert [(one.name, one.outcome) for one in found.metrics] == [("nDCG@5", "better")]
        assert any("judge of old" in note for note in found.notes)
        assert store.compare("new", "old", ["nDCG@5"]).is_worse


def test_an_empty_history_says_how_to_fill_it(url: str) -> None:
    with open_store(url) as store:
        assert store.runs() == [] and store.trend("nDCG@5") == [] and store.prune(0) == 0
        for reference in ("latest", "eval_run", "x"):
            with pytest.raises(InputError, match="`pincite eval` makes one"):
                store.find(reference)


def test_runs_are_listed_newest_first_without_their_documents(url: str) -> None:
    with open_store(url) as store:
        for day in range(1, 6):
            keep(store, started_at=f"2026-03-0{day}T10:00:00Z", dataset_id="even" if day % 2 == 0 else "odd")
        listed = store.runs()
        assert [run.started_at[8:10] for run in listed] == ["05", "04", "03", "02", "01"]
        assert all(run.document == ResultsDocument() and run.scores for run in listed)
        assert len(store.runs(limit=2)) == 2
        assert len(store.runs(dataset="even")) == 2
        assert len(store.runs(metric="nDCG@5")) == 5 and store.runs(metric="MRR") == []
        assert len(store.runs(since=datetime(2026, 3, 4, tzinfo=UTC))) == 2


def test_a_run_that_has_not_ended_is_listed_with_how_far_it_came(url: str) -> None:
    with open_store(url) as store:
        _, journal = store.begin(new_run(total=5))
        for position in range(3):
            journal.append(new_item(position, failure="no answer" if position == 1 else None))
        journal.flush()
        (run,) = store.runs()
        assert (run.status, run.successful, run.failed) == ("running", 2, 1)


def test_how_far_it_came_is_counted_without_reading_its_items(tmp_path: Path) -> None:
    asked: list[str] = []

    def listen(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    with open_store(tmp_path / "runs.sqlite") as store:
        _, journal = store.begin(new_run(total=5))
        journal.append(new_item(0))
        journal.flush()
        event.listen(Engine, "before_cursor_execute", listen)
        try:
            store.runs()
        finally:
            event.remove(Engine, "before_cursor_execute", listen)
    counted = [statement for statement in asked if "pincite_items" in statement]
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        plans = [connection.execute(f"EXPLAIN QUERY PLAN {one}", (1,)).fetchall() for one in counted]
    connection.close()
    told = [plan[0][-1] for plan in plans]
    assert "COVERING INDEX" in told[0] and "INDEX pincite_items_failed" in told[1] and len(told) == 2


def test_a_trend_goes_from_old_to_new_through_finished_runs(url: str) -> None:
    with open_store(url) as store:
        for value, day in ((0.3, 3), (0.1, 1), (None, 2)):
            keep(store, value=value, started_at=f"2026-03-0{day}T10:00:00Z")
        run, _ = store.begin(new_run())
        store.finish(msgspec.structs.replace(finished(run, 0.9), status="interrupted"))
        points = store.trend("nDCG@5")
        assert [point.value for point in points] == [0.1, None, 0.3]
        assert [point.confidence_interval for point in points] == [(0.0, 0.2), None, (0.3 - 0.1, 0.4)]
        assert all(earlier.started < later.started for earlier, later in pairwise(points))
        assert len(store.trend("nDCG@5", since=datetime(2026, 3, 2, tzinfo=UTC))) == 2
        assert store.trend("nDCG@5", dataset="another") == []


def test_finishing_again_replaces_the_scores(url: str) -> None:
    with open_store(url) as store:
        kept = keep(store)
        store.finish(finished(kept, 0.7))
        assert [point.value for point in store.trend("nDCG@5")] == [0.7]


def test_a_run_that_was_removed_meanwhile_cannot_be_finished(url: str) -> None:
    with open_store(url) as store, pytest.raises(StoreError, match="is not in the history"):
        store.finish(finished(new_run(run_id="eval_run_20260305_009")))


def test_prune_removes_old_runs_and_all_that_belongs_to_them(url: str) -> None:
    today = datetime.now(UTC)
    with open_store(url) as store:
        for days in (100, 95, 50, 0):
            began = (today - timedelta(days=days)).isoformat()
            keep(store, items=5, started_at=began, name=f"{days} days")
        keep(store, started_at=(today - timedelta(days=200)).isoformat(), name="95 days")
        store.begin(new_run(started_at=(today - timedelta(days=99)).isoformat()))  # still at work
        assert [run.name for run in store.old_runs(90, keep=["95 days"])] == ["100 days"]
        assert store.prune(90, keep=["95 days"]) == 1
        names = {run.name for run in store.runs()}
        assert names == {"95 days", "50 days", "0 days", None}
        kept = store.find("50 days").run_id
        assert store.prune(10, keep=[kept]) == 2
        assert {run.name for run in store.runs()} == {"50 days", "0 days", None}
        assert len(list(store.items(kept))) == 5
        assert len(store.trend("nDCG@5")) == 2
        with pytest.raises(InputError, match="there is no run 'nothing'"):
            store.prune(10, keep=["nothing"])


def test_pruning_gives_the_room_back(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        run, journal = store.begin(new_run())
        for position in range(500):
            journal.append(new_item(position, answer=f"{position} ".join("abcdefghijklmnop") * 40))
        store.finish(finished(run))
    before = path.stat().st_size
    with open_store(path) as store:
        assert store.prune(0) == 1
    assert path.stat().st_size < before / 2


def test_documents_are_kept_replaced_and_changed(url: str) -> None:
    with open_store(url) as store:
        assert store.get("ab", "x") is None
        store.put("ab", "x", {"n": 1})
        store.put("ab", "y", {"n": 5})
        store.put("ab", "x", {"n": 2})
        assert store.update("ab", "x", lambda found: {"n": (found or {})["n"] + 1}) == {"n": 3}
        assert store.update("ab", "new", lambda found: {"was": found}) == {"was": None}
    with open_store(url) as store:
        assert [store.get("ab", key) for key in ("x", "y", "new")] == [{"n": 3}, {"n": 5}, {"was": None}]


def test_a_change_that_fails_changes_nothing(url: str) -> None:
    with open_store(url) as store:
        store.put("ab", "x", {"n": 1})
        with pytest.raises(ZeroDivisionError):
            store.update("ab", "x", lambda found: {"n": 1 // 0})
        assert store.get("ab", "x") == {"n": 1}
        store.put("ab", "x", {"n": 2})


def test_a_results_document_that_was_kept_as_plain_values_is_read_as_a_record(tmp_path: Path) -> None:
    from pincite.store import pack

    plain = {
        "schema_version": 1,
        "evaluation_id": "eval_run_1",
        "configuration": {"judge": "rules/1", "settings": {"attach": "paragraph"}},
        "summary": {"total_queries": 4, "unjudged_pairs": 2, "average_latency_ms": None},
        "citation_metrics": {"alce": {"recall": 0.5}},
        "my_metrics": {"mine": {"value": 0.5}},
        "failures": {"by_kind": {"uncited": 3}, "by_document": [], "failed_queries": {}},
        "breakdown": {"difficulty": {"hard": {"MRR": {"value": 0.5, "n": 2}}}},
    }
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        kept = keep(store)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE pincite_runs SET document = ?", (pack(plain),))
    connection.close()
    with open_store(path) as store:
        document = store.find(kept.run_id).document
    assert (document.summary.unjudged_pairs, document.failures.by_kind) == (2, {"uncited": 3})
    assert document.breakdown["difficulty"]["hard"]["MRR"].value == 0.5
    assert document.configuration.settings == {"attach": "paragraph"}
