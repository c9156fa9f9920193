"""A judge with a memory: the same verdicts, and nothing judged twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite.base import run_sync
from pincite.judges import Judge, NumberRules, open_judge
from pincite.records import Pair, Passage, Verdict

FERRY = "The ferry carries 84 cars. It leaves at nine and returns at noon. Dogs travel free."
GERMAN = "Die Fähre befördert 84 Autos. Sie legt um neun Uhr ab und kehrt am Mittag zurück."
CLAIMS = ("The ferry carries 84 cars.", "The ferry carries 48 cars.", "Cats pay half the fare.", "", "…")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Pair]:
    """Every pair that the rules are asked about from now on."""
    seen: list[Pair] = []
    judge = NumberRules.judge

    async def counted(self: NumberRules, pairs: Sequence[Pair]) -> list[Verdict]:
        seen.extend(pairs)
        return await judge(self, pairs)

    monkeypatch.setattr(NumberRules, "judge", counted)
    return seen


def remembering() -> Judge:
    return open_judge("rules", remember=True)


def ask(judge: Judge, *pairs: Pair) -> list[Verdict]:
    return run_sync(judge.judge(pairs), waits=False)


def passage(text: str = FERRY, start: int = 0, document: str = "ferry.txt") -> Passage:
    return Passage(text, document, start, start + len(text))


def test_a_pair_is_judged_once_however_often_and_wherever_it_is_shown(asked: list[Pair]) -> None:
    judge = remembering()
    first = ask(judge, Pair(CLAIMS[0], (passage(),)), Pair(CLAIMS[1], (passage(),)))
    again = ask(
        judge,
        Pair(CLAIMS[1], (passage(start=700, document="copy.txt"),)),
        Pair(CLAIMS[0], (passage(),), "support", "What does the ferry carry?"),
        Pair(CLAIMS[0], (passage(),)),
    )
    assert again == [first[1], first[0], first[0]]
    assert len(asked) == 2


def test_support_grounding_and_consistency_come_from_one_reading(asked: list[Pair]) -> None:
    questions = ("consistency", "grounding", "support")
    pairs = [Pair(claim, (passage(),), question) for claim in CLAIMS for question in questions]
    found = ask(remembering(), *pairs)
    assert len(asked) == len(CLAIMS)
    assert found == ask(NumberRules(), *pairs)


def test_what_changes_a_verdict_is_judged_apart(asked: list[Pair]) -> None:
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
    found = ask(remembering(), *pairs)
    assert len(asked) == len(pairs)
    assert found == ask(NumberRules(), *pairs)


@pytest.mark.parametrize("name", ["rules", "entailment"])
def test_a_judge_says_the_same_with_a_memory_as_without(name: str) -> None:
    pairs = [
        Pair(claim, (passage(text),), question, "What about the ferry?")
        for claim in (*CLAIMS, "Die Fähre befördert 48 Autos.")
        for text in (FERRY, GERMAN)
        for question in ("support", "grounding", "consistency", "relevance")
    ]
    judge = open_judge(name, remember=True)
    plain = ask(open_judge(name), *pairs)
    assert ask(judge, *pairs) == plain
    assert ask(judge, *reversed(pairs)) == plain[::-1]


def test_what_failed_is_tried_again_and_what_is_not_one_verdict_a_pair_is_passed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Pair] = []

    async def failing(self: NumberRules, pairs: Sequence[Pair]) -> list[Verdict]:
        asked.extend(pairs)
        return [Verdict("unjudged", None, "no luck", "error") for _ in pairs]

    async def short(self: NumberRules, pairs: Sequence[Pair]) -> list[Verdict]:
        return []

    monkeypatch.setattr(NumberRules, "judge", failing)
    judge = remembering()
    for _ in range(2):
        assert ask(judge, Pair("It is so.", (passage(),)))[0].cause == "error"
    assert len(asked) == 2
    monkeypatch.setattr(NumberRules, "judge", short)
    assert ask(remembering(), Pair("It is so.", (passage(),))) == []


def test_only_so_many_verdicts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Pair] = []

    async def quick(self: NumberRules, pairs: Sequence[Pair]) -> list[Verdict]:
        asked.extend(pairs)
        return [Verdict("supported", 1.0, "so it is") for _ in pairs]

    monkeypatch.setattr(NumberRules, "judge", quick)
    judge = remembering()
    for number in range(25_000):
        ask(judge, Pair(f"{number}", (Passage("1"),)))
    assert len(asked) == 25_000
    ask(judge, Pair("24999", (Passage("1"),)))
    assert len(asked) == 25_000
    ask(judge, Pair("0", (Passage("1"),)))
    assert len(asked) == 25_001


def test_a_judge_that_may_read_more_than_texts_gets_no_memory() -> None:
    asked: list[Pair] = []

    class Own(Judge):
        name = "own/1"
        waits = False

        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            asked.extend(pairs)
            return [Verdict("supported", 1.0, "so it is") for _ in pairs]

    judge = open_judge(Own(), remember=True)
    for _ in range(2):
        ask(judge, Pair("It is so.", (passage(),)))
    assert len(asked) == 2
