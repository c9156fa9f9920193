"""What the rule judge reads, and how often: a sentence that many claims are compared with is read once."""

from __future__ import annotations

import asyncio
import gc
from weakref import ref

import pytest

import pincite
from pincite.answers import to_answer
from pincite.config import Limits, Settings
from pincite.findings import check_answer
from pincite.judges import NumberRules, ReadText, TextCache
from pincite.records import Pair, Passage
from pincite.reports import write
from pincite.sources import open_sources


@pytest.fixture
def read_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is read from now on, as often as it is."""
    seen: list[str] = []
    read = ReadText.__init__

    def counted(self: ReadText, text: str) -> None:
        seen.append(text)
        read(self, text)

    monkeypatch.setattr(ReadText, "__init__", counted)
    return seen


def sentences(count: int) -> list[str]:
    return [
        f"The office of town {number} sold {number * 7} tickets in {1900 + number}."
        for number in range(count)
    ]


def test_a_sentence_is_read_once_for_all_claims_however_many_lie_between(read_texts: list[str]) -> None:
    shown = [Passage(text) for text in sentences(300)]
    pairs = [
        Pair(f"Town {number} sold {number} tickets in round {turn}.", (passage,))
        for turn in range(2)
        for number, passage in enumerate(shown)
    ]
    asyncio.run(NumberRules().judge(pairs))
    assert len(read_texts) == len(set(read_texts)) == len(pairs) + len(shown)


def test_twice_as_many_claims_about_the_same_source_read_no_sentence_again(read_texts: list[str]) -> None:
    lines = sentences(60)
    source = {"towns.txt": " ".join(lines)}

    def passages_read(claims: int) -> int:
        read_texts.clear()
        answer = " ".join(f"{lines[n % 60][:-1]} in week {n} [towns.txt]." for n in range(claims))
        pincite.check(answer, source, judge="rules")
        return sum("week" not in text for text in read_texts)

    few = passages_read(120)
    assert passages_read(240) <= few * 1.2


def test_what_stays_open_has_a_bound_in_characters() -> None:
    cache = TextCache()
    first, second = cache.read("." * 200_000), cache.read("," * 200_000)
    for number in range(20):
        cache.read(f"{number}" + "-" * 100_000)
        cache.read(first.text)  # what is asked for again stays
    assert cache.read(first.text) is first
    assert cache.read(second.text) is not second


def test_a_text_that_is_no_longer_open_is_freed_at_once() -> None:
    reading = ReadText("It rose. It fell by 12%. Nobody knew.")
    assert [len(sentence.quantities) for sentence in reading.read_sentences] == [0, 1, 0]
    gone = ref(reading)
    gc.disable()
    try:
        del reading
        assert gone() is None
    finally:
        gc.enable()


def test_the_progress_of_a_check_is_told_and_the_report_is_the_same() -> None:
    lines = sentences(50)
    cited = " ".join(f"{lines[n % 50][:-1]} in week {n} [1]." for n in range(100))
    uncited = " ".join(f"The museum of town {n} closed." for n in range(10))
    library = open_sources({"towns.txt": " ".join(lines)})
    answer = to_answer(f"{cited}\n\n{uncited}", Limits())
    told: list[tuple[str, int, int]] = []

    def report(tell: bool) -> str:
        heard = (lambda *step: told.append(step)) if tell else None
        return write([asyncio.run(check_answer(answer, library, NumberRules(), Settings(), heard))], "json")

    assert report(tell=True) == report(tell=False)
    assert {what for what, _, _ in told} >= {"looking up what is cited", "judging"}
    assert all(0 <= done < total for _, done, total in told)
