"""Pairs collected from all sides, put to the judge as one batch, and read back by their ticket."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pincite.errors import JudgeError
from pincite.judges.judge import Judge, waits
from pincite.records import Pair, Verdict

T = TypeVar("T")

Tell = Callable[[str, int, int], None]
"""Told how far a long check has got: what is being done, how many of them are, and how many there are."""

STEP = 250
"""After so many claims or pairs whoever wants to know is told."""


def told(what: str, items: Sequence[T], tell: Tell | None) -> Iterator[T]:
    """The items one by one, and every now and then a word about how many were taken."""
    for number, item in enumerate(items):
        if tell is not None and number % STEP == 0:
            tell(what, number, len(items))
        yield item


class Questions:
    """Hand in a pair, keep the ticket, ask for the verdict once `answer` has run.

    The same pair handed in twice is judged once.
    """

    def __init__(self, judge: Judge, batch_size: int | None = None, tell: Tell | None = None) -> None:
        self._judge = judge
        self._tell = tell if not waits(judge) else None
        """A judge that waits for others is asked everything at once, and has nothing to tell in between."""
        self._batch_size = batch_size
        """Pairs in one call of the judge; None puts all that wait into one."""
        self._pairs: list[Pair] = []
        self._tickets: dict[Pair, int] = {}
        self._verdicts: list[Verdict] = []

    def ask(self, pair: Pair) -> int:
        ticket = self._tickets.setdefault(pair, len(self._pairs))
        if ticket == len(self._pairs):
            self._pairs.append(pair)
        return ticket

    async def answer(self) -> None:
        """Judge every pair that was handed in since the last time."""
        waiting = self._pairs[len(self._verdicts) :]
        size = self._batch_size or (STEP if self._tell is not None else len(waiting)) or 1
        for start in range(0, len(waiting), size):
            if self._tell is not None:
                self._tell("judging", start, len(waiting))
            self._verdicts += await self._judged(waiting[start : start + size])

    async def _judged(self, pairs: list[Pair]) -> list[Verdict]:
        """A verdict a pair, whatever the judge does: one that breaks must not take other findings with it."""
        try:
            verdicts = await self._judge.judge(pairs)
        except JudgeError:
            raise  # a judge that cannot be started says nothing about any pair
        except Exception as error:
            said = " ".join(str(error).split())[:200]
            reason = f"the judge failed: {type(error).__name__}" + (f": {said}" if said else "")
            verdicts = [_failed(reason, self._judge.name) for _ in pairs]
        if len(verdicts) != len(pairs):
            reason = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
            verdicts = [_failed(reason, self._judge.name) for _ in pairs]
        return verdicts

    def verdict(self, ticket: int) -> Verdict:
        return self._verdicts[ticket]


def _failed(reason: str, judge: str) -> Verdict:
    return Verdict("unjudged", None, reason, cause="error", judge=judge)
