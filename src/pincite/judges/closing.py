"""Letting go of a judge: connections and files that it holds open."""

from __future__ import annotations

from pincite.judges.judge import Judge


async def close(judge: Judge) -> None:
    """Close what a judge holds open, if it has a `close` for that."""
    ending = getattr(judge, "close", None)
    if ending is None:
        return
    closed = ending()
    if hasattr(closed, "__await__"):
        await closed
