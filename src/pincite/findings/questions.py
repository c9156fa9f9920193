"""Pairs collected from all sides, put to the judge as one batch, and read back by their ticket."""

from __future__ import annotations

from pincite.judges.judge import Judge
from pincite.records import Pair, Verdict


class Questions:
    """Hand in a pair, keep the ticket, ask for the verdict once `answer` has run.

    The same pair handed in twice is judged once.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._pairs: list[Pair] = []
        self._tickets: dict[Pair, int] = {}
        self._verdicts: list[Verdict] = []

    def ask(self, pair: Pair) -> int:
        if pair not in self._tickets:
            self._tickets[pair] = len(self._pairs)
            self._pairs.append(pair)
        return self._tickets[pair]

    async def answer(self) -> None:
        """Judge every pair that was handed in since the last time."""
        waiting = self._pairs[len(self._verdicts) :]
        if not waiting:
            return
        try:
            verdicts = await self._judge.judge(waiting)
        except Exception as error:  # a judge that breaks must not take the other findings with it
            verdicts = [
                _failed(f"the judge failed: {type(error).__name__}", self._judge.name) for _ in waiting
            ]
        if len(verdicts) != len(waiting):
            reason = f"the judge gave {len(verdicts)} verdicts for {len(waiting)} pairs"
            verdicts = [_failed(reason, self._judge.name) for _ in waiting]
        self._verdicts += verdicts

    def verdict(self, ticket: int) -> Verdict:
        return self._verdicts[ticket]

    def pair(self, ticket: int) -> Pair:
        return self._pairs[ticket]


def _failed(reason: str, judge: str) -> Verdict:
    return Verdict("unjudged", None, reason, cause="error", judge=judge)
