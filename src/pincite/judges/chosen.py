"""The judge that was chosen, calibrated as the settings say, and closed when it is no longer needed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pincite.config import Settings
from pincite.judges.calibrated import calibrated
from pincite.judges.closing import close
from pincite.judges.judge import Judge, make_judge


def measuring_judge(settings: Settings) -> Judge:
    """The judge that the settings name, for measuring many answers: it judges nothing twice."""
    from pincite.judges.remembered import remembered

    return calibrated(remembered(make_judge(settings.judge, settings)), settings)


@asynccontextmanager
async def judge_for(judge: str | Judge | None, settings: Settings) -> AsyncIterator[Judge]:
    """A judge to ask; one that was only named is closed at the end, one that was given is the caller's."""
    chosen = calibrated(make_judge(judge or settings.judge, settings), settings)
    try:
        yield chosen
    finally:
        if judge is None or isinstance(judge, str):
            await close(chosen)
