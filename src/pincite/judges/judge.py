"""What a judge is, and which one is the default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pincite.errors import JudgeError
from pincite.records import Pair, Verdict


@runtime_checkable
class Judge(Protocol):
    """Answers questions about pairs. A pair it cannot decide is `unjudged`, never a low score."""

    @property
    def name(self) -> str:
        """Names the judge and everything that changes its verdicts: `rules/1`."""

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair, in order. Never raises for what a pair contains."""


def waits(judge: Judge) -> bool:
    """Whether a judge may wait for something, as most do: one that never does says `waits = False`."""
    return bool(getattr(judge, "waits", True))


def make_judge(name: str | Judge | None = None) -> Judge:
    """The judge of that name (`rules`, the default), or the given one as it is."""
    if name is None or name == "rules":
        from pincite.judges.rules import RuleJudge

        return RuleJudge()
    if isinstance(name, Judge):
        return name
    raise JudgeError(f"unknown judge {name!r}: use 'rules', or an object with a name and a judge() method")
