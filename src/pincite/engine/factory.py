"""Opens an engine by its name. Each is imported when it is asked for."""

from __future__ import annotations

from typing import Literal

from pincite.engine.engine import Engine, Job

EngineName = Literal["local", "ray"]


def open_engine(
    name: EngineName, job: Job, workers: int, *, address: str | None = None, expected: int | None = None
) -> Engine:
    """The engine of that name, with so many workers; `expected` says about how many tasks there will be.

    `ray` uses the cluster at `address`, where 0 workers are one a core of it.
    """
    if name == "ray":
        from pincite.engine.ray import RayEngine

        return RayEngine(job, workers, address, expected)
    from pincite.engine.local import LocalEngine

    return LocalEngine(job, workers)


def require_engine(name: EngineName) -> None:
    """Raise `MissingExtraError` where the engine needs a library that is not installed."""
    if name == "ray":
        from pincite.engine.ray import require_ray

        require_ray()
