"""A judge with a memory: the same verdicts, and nothing judged twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite.base import run_sync
from pincite.judges import Judge, NumberRules, open_judge
from pincite.judges.memo import RememberingJudge
from pincite.records import Pair, Passage, Verdict

FERRY = "The ferry carries 84 cars. It leaves at nine and returns at noon. Dogs travel free."
GERMAN = "Die Fähre befördert 84 Autos. Sie legt um neun Uhr ab und kehrt am Mittag zurück."
CLAIMS = ("The ferry carries 84 cars.", "The ferry carries 48 cars.", "Cats pay half the fare.", "", "…")


class Counting(NumberRules):
    """The rules, with every pair that they were asked kept."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Pair] = []

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.asked += pairs
        return await super().judge(pairs)


def ask(judge: Judge, *pairs: Pair) -> list[Verdict]:
    return run_sync(judge.judge(pairs), waits=False)


def passage(text: str = FERRY, start: int = 0, document: str = "ferry.txt") -> Passage:
    return Passage(text, document, start, start + len(text))


def test_a_pair_is_judged_once_however_often_and_wherever_it_is_shown() -> None:
    counting = Counting()
    judge = RememberingJudge(counting)
    first = ask(judge, Pair(CLAIMS[0], (passage(),)), Pair(CLAIMS[1], (passage(),)))
    again = ask(
        judge,
        Pair(CLAIMS[1], (passage(start=700, document="copy.txt"),)),
        Pair(CLAIMS[0], (passage(),), "support", "What does the ferry carry?"),
        Pair(CLAIMS[0], (passage(),)),
    )
    assert again == [first[1], first[0], first[0]]
    assert len(counting.asked) == 2


def test_support_grounding_and_consistency_come_from_one_reading() -> None:
    counting = Counting()
    judge = RememberingJudge(counting)
    questions = ("consistency", "grounding", "support")
    pairs = [Pair(claim, (passage(),), question) for claim in CLAIMS for question in questions]
    assert ask(judge, *pairs) == ask(NumberRules(), *pairs)
    assert len(counting.asked) == len(CLAIMS)


def test_what_changes_a_verdict_is_judged_apart() -> None:
    counting = Counting()
    table = Passage("84", "cars.csv", 0, 2, context="cars on the ferry")
    pairs = [
        Pair(CLAIMS[0], (passage(),)),
        Pair(CLAIMS[0], (passage(), passage(GERMAN))),
        Pair(CLAIMS[0], (passage(GERMAN), passage())),
        Pair(CLAIMS[0], (table,)),
        Pair(CLAIMS[0], (Passage("84", "cars.csv", 0, 2),)),
        Pair(CLAIMS[0], (passage(),), "relevance", "How many cars?"),
        Pair(CLAIMS[0], (passage(),), "relevance", "When does it leave?"),
        Pair("", (Passage("cars", ""),), "relevance", "How many cars?"),
        Pair("", (Passage("cars", "a.txt"),), "relevance", "How many cars?"),
    ]
    assert ask(RememberingJudge(counting), *pairs) == ask(NumberRules(), *pairs)
    assert len(counting.asked) == len(pairs)


@pytest.mark.parametrize("name", ["rules", "entailment"])
def test_a_judge_says_the_same_with_a_memory_as_without(name: str) -> None:
    pairs = [
        Pair(claim, (passage(text),), question, "What about the ferry?")
        for claim in (*CLAIMS, "Die Fähre befördert 48 Autos.")
        for text in (FERRY, GERMAN)
        for question in ("support", "grounding", "consistency", "relevance")
    ]
    judge = open_judge(name, remember=True)
    assert isinstance(judge, RememberingJudge)
    plain = ask(open_judge(name), *pairs)
    assert ask(judge, *pairs) == plain
    assert ask(judge, *reversed(pairs)) == plain[::-1]


def test_what_failed_is_tried_again_and_what_is_not_one_verdict_a_pair_is_passed_on() -> None:
    class Failing(Counting):
        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            self.asked += pairs
            return [Verdict("unjudged", None, "no luck", "error") for _ in pairs]

    class Short(Counting):
        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            return []

    failing = Failing()
    judge = RememberingJudge(failing)
    for _ in range(2):
        assert ask(judge, Pair("It is so.", (passage(),)))[0].cause == "error"
    assert len(failing.asked) == 2
    assert ask(RememberingJudge(Short()), Pair("It is so.", (passage(),))) == []


def test_only_so_many_verdicts_are_kept() -> None:
    counting = Counting()
    judge = RememberingJudge(counting, most_kept=2)
    for number in (1, 2, 3, 3, 2, 1):
        ask(judge, Pair(f"The ferry carries {number} cars.", (passage(),)))
    assert len(counting.asked) == 4


def test_a_judge_that_may_read_more_than_texts_gets_no_memory_and_stays_in_this_process() -> None:
    class Own(Judge):
        name = "own/1"
        waits = False

        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            return []

    own = Own()
    assert not isinstance(open_judge(own, remember=True), RememberingJudge)
    assert own.placement == "thread"
    for name in ("rules", "entailment", "panel:mean:rules,entailment"):
        assert open_judge(name).placement == "process"
