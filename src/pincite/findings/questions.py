"""Pairs collected from all sides, put to the judge as one batch, and read back by their ticket."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from pincite.errors import JudgeError
from pincite.judges.judge import Judge
from pincite.records import Pair, Verdict

if TYPE_CHECKING:
    from pincite.findings.pool import Batch, CheckPool

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

    def __init__(
        self,
        judge: Judge,
        batch_size: int | None = None,
        tell: Tell | None = None,
        pool: CheckPool | None = None,
    ) -> None:
        self._judge = judge
        self._tell = tell if not judge.waits else None
        """A judge that waits for others is asked everything at once, and has nothing to report in between."""
        self._batch_size = batch_size
        """Pairs in one call of the judge; None puts all that wait into one."""
        self._pool = pool
        self._pairs: list[Pair] = []
        self._tickets: dict[Pair, int] = {}
        self._verdicts: list[Verdict] = []
        self._given = 0
        """So many of the pairs are judged, or are being judged by a worker."""
        self._elsewhere: list[tuple[int, Batch]] = []
        """What the workers have, by the place of its first pair."""

    def ask(self, pair: Pair) -> int:
        ticket = self._tickets.setdefault(pair, len(self._pairs))
        if ticket == len(self._pairs):
            self._pairs.append(pair)
            if self._pool is not None and len(self._pairs) - self._given >= self._pool.pairs:
                self._hand_out(self._pool)
        return ticket

    async def answer(self) -> None:
        """Judge every pair that was handed in since the last time."""
        if self._pool is not None:
            await self._answer_together(self._pool)
            return
        waiting = self._pairs[len(self._verdicts) :]
        size = self._batch_size or (STEP if self._tell is not None else len(waiting)) or 1
        for start in range(0, len(waiting), size):
            if self._tell is not None:
                self._tell("judging", start, len(waiting))
            self._verdicts += await self._judged(waiting[start : start + size])

    def _hand_out(self, pool: CheckPool) -> None:
        """Give the workers what they can begin soon: whole batches, so that few are left to the end."""
        while pool.hungry and len(self._pairs) - self._given >= pool.pairs:
            batch = pool.begin("pairs", self._pairs[self._given : self._given + pool.pairs])
            self._elsewhere.append((self._given, batch))
            self._given += pool.pairs

    async def _answer_together(self, pool: CheckPool) -> None:
        """The same with workers, which have had some of the pairs since they were asked about."""
        begun, total = len(self._verdicts), len(self._pairs)
        found: dict[int, list[Verdict]] = {}
        size = self._batch_size or pool.pairs
        while self._given < total:
            self._hand_out(pool)
            if self._given == total:
                break
            here, self._given = self._given, min(total, self._given + size)
            if self._tell is not None:
                self._tell("judging", here - begun, total - begun)
            found[here] = await self._judged(self._pairs[here : self._given])
        # The last ones are begun last: what no worker has come to yet is judged here.
        for first, batch in reversed(self._elsewhere):
            verdicts = pool.finish(batch)
            if verdicts is None or len(verdicts) != len(batch.work):
                verdicts = await self._judged(list(batch.work))
            found[first] = verdicts
        self._elsewhere.clear()
        for first in sorted(found):
            self._verdicts += found[first]

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
