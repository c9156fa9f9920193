"""Lists of runs and items, a page at a time."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from history_items import finished, new_item, new_run

from pincite.errors import InputError
from pincite.records import Alert, Failure, Run
from pincite.store import RunFilter, RunOrder, Store, open_store


def add_run(store: Store, value: float | None = 0.5, **fields: object) -> Run:
    run, _ = store.begin(new_run(**fields), resume=False)
    store.finish(finished(run, value))
    return run


def walk(
    store: Store, wanted: RunFilter | None = None, order: RunOrder | None = None, limit: int = 3
) -> list[str]:
    """The ids of all pages, forwards, having seen that the way back gives the same pages."""
    pages, after = [], None
    while True:
        page = store.browse(wanted, order, metric="nDCG@5", after=after, limit=limit)
        pages.append(page)
        if page.after is None:
            break
        after = page.after
    assert pages[0].before is None
    for earlier, later in pairwise(pages):
        back = store.browse(wanted, order, metric="nDCG@5", before=later.before, limit=limit)
        assert [one.run.run_id for one in back.runs] == [one.run.run_id for one in earlier.runs]
        assert (back.before is None) == (earlier is pages[0])
    found = [one.run.run_id for page in pages for one in page.runs]
    assert all(page.total == len(found) for page in pages)
    return found


@pytest.mark.parametrize("by", ["started", "name", "dataset", "status", "seconds", "metric"])
@pytest.mark.parametrize("descending", [True, False])
def test_pages_hold_every_run_once_in_the_order_that_was_asked_for(
    url: str, by: str, descending: bool
) -> None:
    chosen = random.Random(7)
    with open_store(url) as store:
        for number in range(11):
            add_run(
                store,
                chosen.choice([None, 0.1, 0.1, 0.9]),
                name=chosen.choice([None, "b", "a"]),
                dataset_id=chosen.choice(["x", "y"]),
                started_at=f"2026-03-{chosen.randint(1, 4):02}T10:00:00Z",
                fingerprint=str(number),
            )
        found = walk(store, order=RunOrder(by=by, descending=descending))  # type: ignore[arg-type]
        assert len(set(found)) == 11
        runs = {one.run.run_id: one for one in store.browse(metric="nDCG@5").runs}
        values = {
            "started": lambda one: one.run.started_at,
            "name": lambda one: one.run.name or "",
            "dataset": lambda one: one.run.dataset_id,
            "status": lambda one: one.run.status,
            "seconds": lambda one: one.run.seconds,
            "metric": lambda one: -1.0 if one.value is None else one.value,
        }[by]
        shown = [values(runs[run_id]) for run_id in found]
        assert shown == sorted(shown, reverse=descending)


def test_runs_are_found_by_what_is_written_anywhere_about_them(url: str) -> None:
    with open_store(url) as store:
        first = add_run(store, name="Nightly 100%", target="http://box", judge="rules 3")
        second = add_run(store, dataset_id="water_1", fingerprint="g")
        store.remark(second.run_id, ["Release Candidate", "good, really"], "Look at\nÜber_all")
        for text, expected in {
            "night": first, "100%": first, "BOX": first, "rules": first,
            "water_": second, "candidate": second, "all": second,
        }.items():  # fmt: skip
            assert [one.run.run_id for one in store.browse(RunFilter(text=text)).runs] == [expected.run_id], (
                text
            )
        assert store.browse(RunFilter(text="100_")).total == 0
        assert store.browse(RunFilter(text="'; DROP TABLE pincite_runs; --\0\ud800")).total == 0


def test_runs_are_filtered_by_each_of_their_sides(url: str) -> None:
    with open_store(url) as store:
        old = add_run(store, started_at="2026-01-01T00:00:00Z", dataset_id="x", judge="rules")
        alert = Alert(kind="threshold", metric="m", value=0.1, message="low")
        new, _ = store.begin(new_run(fingerprint="g", dataset_id="y"), resume=False)
        store.finish(finished(new, alerts=(alert,)))
        going, _ = store.begin(new_run(fingerprint="h"), resume=False)
        store.remark(new.run_id, ["kept"])
        january = 1767225600.0
        for wanted, expected in (
            (RunFilter(dataset="x"), old),
            (RunFilter(judge="rules"), old),
            (RunFilter(until=january + 1), old),
            (RunFilter(tag="kept"), new),
            (RunFilter(alerted=True), new),
            (RunFilter(status="running"), going),
            (RunFilter(since=january + 1, status="finished"), new),
        ):
            assert [one.run.run_id for one in store.browse(wanted).runs] == [expected.run_id], wanted
        assert store.browse(RunFilter(status="interrupted")).total == 0
    with open_store(url) as store:  # whoever worked on it has let go
        assert store.browse(RunFilter(status="running")).total == 0
        assert store.browse(RunFilter(status="interrupted")).total == 1


def test_tags_and_notes_are_kept_apart_and_go_with_their_run(url: str) -> None:
    with open_store(url) as store:
        run = add_run(store, started_at="2020-01-01T00:00:00Z")
        store.remark(run.run_id, [" Two  words ", "b", "B", ""], None)
        store.remark(run.run_id, note=" <b>\r\nnote \0")
        assert store.remarks(run.run_id) == (("b", "two-words"), "<b>\nnote �")
        assert store.tags() == ["b", "two-words"]
        store.remark(run.run_id, tags=[])
        assert store.remarks(run.run_id) == ((), "<b>\nnote �")
        store.remark(run.run_id, tags=["x"])
        assert store.prune(1) == 1
        assert store.tags() == []
        with pytest.raises(InputError, match="there is no run"):
            store.remark(run.run_id, note="gone")


@pytest.mark.parametrize(
    ("tags", "note"), [(["x" * 51], None), ([str(n) for n in range(21)], None), (None, "x" * 10_001)]
)
def test_what_is_too_long_to_keep_is_refused(url: str, tags: list[str] | None, note: str | None) -> None:
    with open_store(url) as store:
        run = add_run(store)
        with pytest.raises(InputError, match="at most"):
            store.remark(run.run_id, tags, note)
        assert store.remarks(run.run_id) == ((), "")


def test_a_page_that_would_continue_from_a_run_that_is_gone_is_refused(url: str) -> None:
    with open_store(url) as store, pytest.raises(InputError, match="is not in the history"):
        store.browse(after="eval_run_20260305_009")


# --- items -----------------------------------------------------------------------------------------


def add_items(store: Store) -> Run:
    run, journal = store.begin(new_run())
    wrong = [0, 2, 1, 0, 2, 5, 0, 1]
    for position, count in enumerate(wrong):
        failures = (Failure("uncited", None, "x"),) * count
        failure = "timed out" if position in (3, 6) else None
        journal.append(new_item(position, failures=failures, failure=failure))
    store.finish(finished(run))
    return store.find(run.run_id)


@pytest.mark.parametrize(
    ("which", "expected"),
    [("all", [0, 1, 2, 3, 4, 5, 6, 7]), ("wrong", [5, 1, 4, 2, 7]), ("failed", [3, 6])],
)
@pytest.mark.parametrize("limit", [1, 2, 3, 500])
def test_pages_of_items_hold_each_once_forwards_and_backwards(
    url: str, which: str, expected: list[int], limit: int
) -> None:
    with open_store(url) as store:
        run = add_items(store)
        pages, after = [], None
        while True:
            page = store.browse_items(run, which=which, after=after, limit=limit)  # type: ignore[arg-type]
            assert page.total == len(expected)
            pages.append(page)
            if page.after is None:
                break
            after = page.after
        assert [item.position for page in pages for item in page.items] == expected
        for earlier, later in pairwise(pages):
            back = store.browse_items(run, which=which, before=later.before, limit=limit)  # type: ignore[arg-type]
            assert [item.position for item in back.items] == [item.position for item in earlier.items]


def test_one_item_is_found_with_its_neighbours(url: str) -> None:
    with open_store(url) as store:
        run = add_items(store)
        found = store.item(run, 4)
        assert found is not None
        item, before, after = found
        assert (item.query_id, before, after) == ("query_4", 3, 5)
        assert store.item(run, 0) == (next(store.items(run.run_id)), None, 1)
        assert store.item(run, 99) is None
        assert store.position_of(run.run_id, "query_6") == 6
        assert store.position_of(run.run_id, "nothing") is None


@pytest.mark.parametrize("mark", ["", "1", "1.2", "a.b.c", "1.2.3.4", "-1.0.0", "9" * 30 + ".1.1", "'"])
def test_a_mark_that_no_page_gave_is_refused(url: str, mark: str) -> None:
    with open_store(url) as store:
        run = add_items(store)
        with pytest.raises(InputError, match="cannot begin at"):
            store.browse_items(run, after=mark)


def test_datasets_and_judges_are_listed_by_their_last_use(url: str) -> None:
    with open_store(url) as store:
        add_run(store, dataset_id="a", judge="j1", started_at="2026-01-01T00:00:00Z")
        add_run(store, dataset_id="b", judge="", started_at="2026-01-02T00:00:00Z", fingerprint="g")
        last = add_run(store, dataset_id="a", judge="j1", started_at="2026-01-03T00:00:00Z", fingerprint="h")
        assert next((one.name, one.runs, one.latest) for one in store.mentioned("dataset")) == (
            "a",
            2,
            last.run_id,
        )
        assert [one.name for one in store.mentioned("dataset")] == ["a", "b"]
        assert [one.name for one in store.mentioned("judge")] == ["j1"]
