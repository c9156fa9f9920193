"""Carries out many tasks, whatever they are: rooms below say what a task is, an engine where it is done.

`local` does it in processes of this machine, `ray` on a cluster. Another engine needs the methods of `Engine`
and nothing else, and is opened by its name in `opening`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.engine.alongside import Alongside, Inline, InThread
    from pincite.engine.engine import Engine, EngineMissing, EngineUnavailable, HelpingEngine, Job
    from pincite.engine.local import LocalEngine
    from pincite.engine.opening import open_engine, refuse_missing
    from pincite.engine.processes import MOST_MODELS, cores, free_megabytes, keep_to_one_core
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "alongside": "Alongside InThread Inline",
            "engine": "Engine EngineMissing EngineUnavailable HelpingEngine Job",
            "local": "LocalEngine",
            "opening": "open_engine refuse_missing",
            "processes": "MOST_MODELS cores free_megabytes keep_to_one_core",
        },
    )
