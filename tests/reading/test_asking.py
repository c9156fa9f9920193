"""Pairs put to a judge: each once, in batches, and a verdict for each whatever the judge does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from pincite.errors import JudgeError
from pincite.judges import Judge
from pincite.reading import ask
from pincite.records import Pair, Passage, Verdict


def pairs(*claims: str) -> list[Pair]:
    return [Pair(claim, (Passage("It closed."),)) for claim in claims]


class Counting(Judge):
    """Says yes, and remembers what it was asked."""

    name = "counting/1"
    waits = False

    def __init__(self, waits: bool = False, fails: Exception | None = None, short: int = 0) -> None:
        self.waits = waits
        self.calls: list[list[str]] = []
        self.fails = fails
        self.short = short

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.calls.append([pair.claim for pair in pairs])
        if self.fails is not None:
            raise self.fails
        return [Verdict("supported", 0.9, pair.claim) for pair in pairs][: len(pairs) - self.short]


def asked(judge: Judge, given: Any, *known: Any, **how: Any) -> dict[Pair, Verdict]:
    return asyncio.run(ask(judge, given, *known, **how))


def test_the_same_pair_is_judged_once_and_what_is_known_not_at_all() -> None:
    judge = Counting()
    known = {pairs("a")[0]: Verdict("not_enough", 0.1, "known")}
    verdicts = asked(judge, pairs("a", "b", "c", "b"), known)
    assert judge.calls == [["b", "c"]]
    assert [verdict.reason for verdict in verdicts.values()] == ["known", "b", "c"]
    assert len(known) == 1


@pytest.mark.parametrize(
    ("size", "calls"), [(None, [["a", "b", "c"]]), (2, [["a", "b"], ["c"]]), (9, [["a", "b", "c"]])]
)
def test_a_batch_has_as_many_pairs_as_it_may(size: int | None, calls: list[list[str]]) -> None:
    judge = Counting()
    assert len(asked(judge, iter(pairs("a", "b", "c")), batch_size=size)) == 3
    assert judge.calls == calls


def test_no_pair_is_no_call() -> None:
    judge = Counting()
    assert asked(judge, []) == {}
    assert judge.calls == []


def test_a_judge_that_breaks_leaves_its_batch_unjudged_with_the_reason() -> None:
    verdicts = asked(Counting(fails=ValueError("no\nmodel")), pairs("a", "b"))
    assert {(one.outcome, one.reason) for one in verdicts.values()} == {
        ("unjudged", "the judge failed: ValueError: no model")
    }


def test_a_judge_that_gives_too_few_verdicts_is_believed_in_none() -> None:
    verdicts = asked(Counting(short=1), pairs("a", "b"))
    assert {one.reason for one in verdicts.values()} == {"the judge gave 1 verdicts for 2 pairs"}


def test_a_judge_that_cannot_be_started_is_an_error() -> None:
    with pytest.raises(JudgeError, match="no key"):
        asked(Counting(fails=JudgeError("no key")), pairs("a"))


@pytest.mark.parametrize("waits", [False, True])
def test_the_progress_of_a_judge_that_does_not_wait_is_told(waits: bool) -> None:
    told: list[tuple[str, int, int]] = []
    judge = Counting(waits)
    asked(judge, pairs(*map(str, range(600))), tell=lambda *step: told.append(step))
    assert told == ([] if waits else [("judging", done, 600) for done in (0, 250, 500)])
    assert len(judge.calls) == (1 if waits else 3)


class Workers:
    """Takes two batches of two pairs; the first it judges, the second it gives back."""

    pairs = 2

    def __init__(self) -> None:
        self.batches: list[Any] = []

    @property
    def hungry(self) -> bool:
        return len(self.batches) < 2

    def begin(self, kind: str, work: Sequence[Pair]) -> Any:
        self.batches.append(type("Batch", (), {"work": work})())
        return self.batches[-1]

    def finish(self, batch: Any) -> list[Verdict] | None:
        mine = batch is self.batches[0]
        return [Verdict("supported", 1.0, "elsewhere") for _ in batch.work] if mine else None


def test_workers_begin_before_all_pairs_are_known_and_what_they_leave_is_judged_here() -> None:
    judge, workers = Counting(), Workers()
    begun: list[int] = []

    def looked_up() -> Any:
        for pair in pairs("a", "b", "c", "d", "e"):
            begun.append(len(workers.batches))
            yield pair

    verdicts = asked(judge, looked_up(), workers=workers)
    assert begun == [0, 0, 1, 1, 2]
    assert judge.calls == [["e"], ["c", "d"]]
    assert {pair.claim: verdict.reason for pair, verdict in verdicts.items()} == {
        "a": "elsewhere",
        "b": "elsewhere",
        "c": "c",
        "d": "d",
        "e": "e",
    }
