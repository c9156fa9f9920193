"""Carries out many tasks, whatever they are: rooms below say what a task is, an engine where it is done.

`open_engine(name, job, workers)` gives one that maps tasks to outcomes: `local` in processes of this machine,
`ray` on a cluster. Another engine needs the methods of `Engine` and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.engine.alongside import Alongside, Inline, InThread
    from pincite.engine.engine import (
        MOST_MODELS,
        Engine,
        EngineUnavailable,
        Job,
        SubmittingEngine,
    )
    from pincite.engine.factory import open_engine, require_engine
    from pincite.engine.local import LocalEngine
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "alongside": "Alongside InThread Inline",
            "engine": "Engine EngineUnavailable Job MOST_MODELS SubmittingEngine",
            "factory": "open_engine require_engine",
            "local": "LocalEngine",
        },
    )
