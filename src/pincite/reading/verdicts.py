"""A judge asked about pairs: each once, in batches, on as many cores as help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from pincite.base import one_line
from pincite.errors import JudgeError
from pincite.judges import Judge, unjudged
from pincite.records import Pair, Verdict

T = TypeVar("T")

Verdicts = Mapping[Pair, Verdict]

Tell = Callable[[str, int, int], None]
"""Called with the progress of a long check: what is being done, how much of it is, and how much there is."""

STEP = 250
"""The progress is told after so many claims or pairs."""


def with_progress(what: str, items: Sequence[T], tell: Tell | None) -> Iterator[T]:
    """The items one by one; every now and then `tell` is called with how many were taken."""
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


async def ask(
    judge: Judge,
    pairs: Iterable[Pair],
    known: Verdicts | None = None,
    *,
    batch_size: int | None = None,
    tell: Tell | None = None,
    workers: Workers | None = None,
) -> dict[Pair, Verdict]:
    """A verdict for each of the pairs, beside those that are `known`. The same pair is judged once.

    `batch_size` is how many pairs go into one call of the judge; None puts all into one. `pairs` are taken
    one by one: the workers begin while more of them are still being looked up.
    """
    verdicts = dict(known or {})
    taken = set(verdicts)
    waiting: list[Pair] = []
    elsewhere: list[Any] = []

    def hand_out() -> None:
        """Give the workers what they can begin soon: whole batches, so that few are left to the end."""
        while workers is not None and len(waiting) >= workers.pairs and workers.hungry:
            elsewhere.append(workers.begin("pairs", waiting[: workers.pairs]))
            del waiting[: workers.pairs]

    for pair in pairs:
        if pair not in taken:
            taken.add(pair)
            waiting.append(pair)
            hand_out()
    if judge.waits:
        tell = None  # it is asked everything at once, and has nothing to report in between
    total = len(waiting)
    size = batch_size or (workers.pairs if workers else 0) or (STEP if tell is not None else total) or 1
    while waiting:
        hand_out()
        if not waiting:
            break
        if tell is not None:
            tell("judging", total - len(waiting), total)
        batch, waiting[:] = waiting[:size], waiting[size:]
        verdicts.update(zip(batch, await _judge(judge, batch), strict=True))
    # The last ones are begun last: what no worker has come to yet is judged here.
    for handed_out in reversed(elsewhere):
        assert workers is not None
        found = workers.finish(handed_out)
        if found is None or len(found) != len(handed_out.work):
            found = await _judge(judge, list(handed_out.work))
        verdicts.update(zip(handed_out.work, found, strict=True))
    return verdicts


async def _judge(judge: Judge, pairs: list[Pair]) -> list[Verdict]:
    """One verdict per pair, whatever the judge does: if it breaks, the other findings stay."""
    try:
        verdicts = await judge.judge(pairs)
    except JudgeError:
        raise  # a judge that cannot be started says nothing about any pair
    except Exception as error:
        message = one_line(error)
        reason = f"the judge failed: {type(error).__name__}" + (f": {message}" if message else "")
        return [unjudged(reason, "error", judge.name)] * len(pairs)
    if len(verdicts) != len(pairs):
        reason = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
        return [unjudged(reason, "error", judge.name)] * len(pairs)
    return verdicts
