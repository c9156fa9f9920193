"""What a judge is, and how to open one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Self

from pincite.errors import JudgeError
from pincite.records import Pair, Stage, Trace, Usage, Verdict

if TYPE_CHECKING:
    from pincite.llm import Prompt

Placement = Literal["inline", "thread", "process"]
"""Where a judge is best asked when there is much to judge."""


class Judge(ABC):
    """Answers questions about pairs. A pair it cannot decide is `unjudged`, never a low score.

    A judge needs a `name` and `judge`. Everything else has a default that is safe for any judge.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Names the judge and everything that changes its verdicts: `rules/1`."""

    @abstractmethod
    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict per pair, in order. Never raises for what a pair contains."""

    @property
    def waits(self) -> bool:
        """Whether it may wait for something, such as a network."""
        return True

    @property
    def placement(self) -> Placement:
        """Where to ask it when there is much to judge.

        `inline` is the event loop, for a judge that waits. `thread` is for one that computes on all cores by
        itself. `process` is for one that computes on a single core and depends on nothing but its name and
        the settings, so that several processes can each open one and get the same verdicts.
        """
        return "inline" if self.waits else "thread"

    @property
    def quick(self) -> bool:
        """Whether a pair takes about a millisecond and no model is loaded."""
        return False

    @property
    def computes_together(self) -> bool:
        """Whether it computes pairs together, so that the last digits of a verdict may depend on the others.

        The pairs of one answer are then never divided between processes.
        """
        return False

    @property
    def megabytes(self) -> int:
        """About how much memory each process that opens one needs for it."""
        return 0 if self.quick else 200

    @property
    def only_texts(self) -> bool:
        """Whether a verdict depends on the texts of the pair alone, so that it can be remembered."""
        return False

    @property
    def usage(self) -> Usage:
        """What it has taken since it was opened."""
        return Usage()

    def prompts(self, pairs: Sequence[Pair]) -> list[Prompt] | None:
        """The prompts it would send for these pairs, to estimate the cost; None if it cannot say."""
        return None

    def trace(self, pair: Pair) -> Trace | None:
        """How it comes to its verdict on a pair; None if the verdict says it all."""
        return None

    async def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go of connections and files."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _its_own(name: str) -> Any:
    """What the judge inside says of itself."""
    return property(attrgetter(f"_judge.{name}"))


class WrappedJudge(Judge):
    """A judge in front of another one, and like that one in everything but `judge`."""

    def __init__(self, judge: Judge) -> None:
        self._judge = as_judge(judge)

    name = _its_own("name")
    waits = _its_own("waits")
    placement = _its_own("placement")
    quick = _its_own("quick")
    computes_together = _its_own("computes_together")
    megabytes = _its_own("megabytes")
    usage = _its_own("usage")

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return await self._judge.judge(pairs)

    def prompts(self, pairs: Sequence[Pair]) -> list[Prompt] | None:
        return self._judge.prompts(pairs)

    def trace(self, pair: Pair) -> Trace | None:
        return self._judge.trace(pair)

    async def close(self) -> None:
        await self._judge.close()


class GivenJudge(WrappedJudge):
    """A judge that the caller made: it is the caller's to close, and no other process can open it."""

    @property
    def placement(self) -> Placement:
        return "thread" if self._judge.placement == "process" else self._judge.placement

    async def close(self) -> None:
        """The caller does that."""


class _PlainJudge(Judge):
    """Any object with a `name` and a `judge` method."""

    def __init__(self, given: Any) -> None:
        self._given = given

    @property
    def name(self) -> str:
        return str(self._given.name)

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        verdicts: list[Verdict] = await self._given.judge(pairs)
        return verdicts


def as_judge(given: Any) -> Judge:
    """The judge itself, or any object with a `name` and a `judge` method as one."""
    if isinstance(given, Judge):
        return given
    if hasattr(given, "name") and hasattr(given, "judge"):
        return _PlainJudge(given)
    raise JudgeError(f"a judge needs a name and a judge() method; this is a {type(given).__name__}")


def unjudged(reason: str, cause: str, judge: str) -> Verdict:
    return Verdict("unjudged", None, reason, cause, judge=judge)


def trace_verdict(judge: Judge, pair: Pair, verdict: Verdict) -> Trace:
    """How the judge came to this verdict: what its own trace says, else its score and its reason."""
    plain = Trace((Stage(verdict.judge or judge.name, verdict.score),), (verdict.reason,))
    if verdict.judge != judge.name:
        return plain  # a value in JSON, for instance, was compared without the judge
    try:
        return judge.trace(pair) or plain
    except Exception as error:
        failed = f"the judge could not say more: {type(error).__name__}"
        return Trace(plain.stages, (*plain.observations, failed))
