"""Pairs collected from all sides, put to the judge as one batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from pincite.base import one_line
from pincite.errors import JudgeError
from pincite.judges import Judge, unjudged
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


class Workers(Protocol):
    """Processes that judge pairs while this one still looks up evidence."""

    pairs: int
    """How many make a batch."""

    @property
    def hungry(self) -> bool:
        """Whether a worker could begin a batch soon."""

    def begin(self, kind: Any, work: Sequence[Any]) -> Any:
        """Hand out a batch."""

    def finish(self, batch: Any) -> Any:
        """The verdicts of a batch; None where no worker has begun with it."""


class Questions:
    """Hand in pairs, and look up their verdicts once `answer` has run. The same pair is judged once."""

    def __init__(
        self,
        judge: Judge,
        batch_size: int | None = None,
        tell: Tell | None = None,
        pool: Workers | None = None,
    ) -> None:
        self._judge = judge
        self._tell = tell if not judge.waits else None
        """A judge that waits for others is asked everything at once, and has nothing to report in between."""
        self._batch_size = batch_size
        """Pairs in one call of the judge; None puts all that wait into one."""
        self._pool = pool
        self._pairs: dict[Pair, None] = {}
        self._waiting: list[Pair] = []
        """Those of the pairs that are not yet judged, nor being judged by a worker."""
        self.verdicts: dict[Pair, Verdict] = {}
        self._elsewhere: list[Any] = []
        """The batches that the workers have."""

    def ask(self, pair: Pair) -> Pair:
        """Hand in a pair; it is given back, to look up its verdict by."""
        if pair not in self._pairs:
            self._pairs[pair] = None
            self._waiting.append(pair)
            if self._pool is not None and len(self._waiting) >= self._pool.pairs:
                self._hand_out(self._pool)
        return pair

    def ask_all(self, pairs: Iterable[Pair]) -> None:
        for pair in pairs:
            self.ask(pair)

    def verdict(self, pair: Pair) -> Verdict:
        return self.verdicts[pair]

    async def answer(self) -> None:
        """Judge every pair that was handed in since the last time."""
        total = len(self._waiting)
        size = self._batch_size or (self._pool.pairs if self._pool else 0)
        size = size or (STEP if self._tell is not None else total) or 1
        while self._waiting:
            if self._pool is not None:
                self._hand_out(self._pool)
            if not self._waiting:
                break
            if self._tell is not None:
                self._tell("judging", total - len(self._waiting), total)
            batch, self._waiting = self._waiting[:size], self._waiting[size:]
            await self._judge_here(batch)
        # The last ones are begun last: what no worker has come to yet is judged here.
        for handed_out in reversed(self._elsewhere):
            assert self._pool is not None
            verdicts = self._pool.finish(handed_out)
            if verdicts is None or len(verdicts) != len(handed_out.work):
                await self._judge_here(list(handed_out.work))
            else:
                self.verdicts.update(zip(handed_out.work, verdicts, strict=True))
        self._elsewhere.clear()

    def _hand_out(self, pool: Workers) -> None:
        """Give the workers what they can begin soon: whole batches, so that few are left to the end."""
        while pool.hungry and len(self._waiting) >= pool.pairs:
            self._elsewhere.append(pool.begin("pairs", self._waiting[: pool.pairs]))
            del self._waiting[: pool.pairs]

    async def _judge_here(self, pairs: list[Pair]) -> None:
        """Get one verdict per pair, whatever the judge does: if it breaks, the other findings stay."""
        try:
            verdicts = await self._judge.judge(pairs)
        except JudgeError:
            raise  # a judge that cannot be started says nothing about any pair
        except Exception as error:
            said = one_line(error)
            reason = f"the judge failed: {type(error).__name__}" + (f": {said}" if said else "")
            verdicts = [unjudged(reason, "error", self._judge.name)] * len(pairs)
        if len(verdicts) != len(pairs):
            reason = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
            verdicts = [unjudged(reason, "error", self._judge.name)] * len(pairs)
        self.verdicts.update(zip(pairs, verdicts, strict=True))
