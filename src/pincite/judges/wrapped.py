"""A judge that stands before another one, and is in everything else as that one is."""

from __future__ import annotations

from typing import Any

from pincite.judges.closing import close
from pincite.judges.judge import Judge, Placement, is_quick, placement, usage, waits
from pincite.records import Usage


class WrappedJudge:
    """What is the same whatever a wrapper does; `judge` is its own."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        return self._judge.name

    @property
    def waits(self) -> bool:
        return waits(self._judge)

    @property
    def placement(self) -> Placement:
        return placement(self._judge)

    @property
    def quick(self) -> bool:
        return is_quick(self._judge)

    @property
    def usage(self) -> Usage:
        return usage(self._judge)

    @property
    def prompts(self) -> Any:
        """What a judge behind that is a language model would send, so that it can be priced; else None."""
        return getattr(self._judge, "prompts", None)

    async def close(self) -> None:
        await close(self._judge)
