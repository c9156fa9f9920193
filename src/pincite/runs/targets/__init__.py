"""Systems under test: recorded answers, an HTTP address, a Python function, our own answering."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pincite.config import Settings
from pincite.datasets import Dataset
from pincite.errors import InputError
from pincite.runs.targets.target import Target, TargetFailed

_HOST_AND_PORT = re.compile(r"[\w.-]+:[0-9]+(?:/|\Z)")

__all__ = ["Target", "TargetFailed", "make_target"]


def make_target(
    spec: str | Callable[[str], Any] | Target,
    dataset: Dataset,
    *,
    request_body: Path | None = None,
    answer_path: str | None = None,
    citations_path: str | None = None,
    headers: Sequence[str] = (),
    isolate: bool = False,
    processes: int | None = None,
    memory_mb: int | None = None,
    seconds: float = 30.0,
    model: str | None = None,
    settings: Settings | None = None,
) -> Target:
    """The system that `spec` names: an address, `package.module:function`, `answer`, a function.

    `headers` are `NAME=ENV` each, the value from the environment. With `isolate`, a function that is named is
    run in at most so many `processes`, each with that much memory; `seconds` are what one answer may take.
    `model` drafts for the target `answer`.
    """
    address = isinstance(spec, str) and spec.lower().startswith(("http://", "https://"))
    if not address and (request_body or answer_path or citations_path or headers):
        raise InputError("--request-body, --answer-path, --citations-path and --header are for an address")
    if memory_mb is not None and (not isolate or memory_mb < 1):
        raise InputError("--isolate-memory goes with --isolate, and is a number of megabytes")
    if isolate and (address or not isinstance(spec, str) or ":" not in spec):
        raise InputError("--isolate is for a function that is named, as in --target package.module:function")
    if model is not None and spec != "answer":
        raise InputError("--model goes with --target answer")
    if not isinstance(spec, str):
        if isinstance(spec, Target):
            return spec
        from pincite.runs.targets.function import FunctionTarget

        if not callable(spec):
            raise InputError(f"a target is a function, a name or a Target, not a {type(spec).__name__}")
        return FunctionTarget(spec)
    if address:
        from pincite.runs.targets.http import USUAL_BODY, HttpTarget, read_body, read_headers

        return HttpTarget(
            spec,
            body=read_body(request_body) if request_body else USUAL_BODY,
            answer_path=answer_path,
            citations_path=citations_path,
            headers=read_headers(headers),
        )
    if spec == "answer":
        from pincite.runs.targets.answering import AnsweringTarget

        return AnsweringTarget(dataset, model, settings or Settings())
    if "://" in spec:
        raise InputError(
            f"the target {spec.partition('://')[0][:20]}://… is not supported: use http or https"
        )
    if _HOST_AND_PORT.match(spec):
        raise InputError(f"the target {spec!r:.80} names no system; did you mean http://{spec:.80}?")
    if ":" in spec and isolate:
        from pincite.runs.targets.isolated import IsolatedTarget

        return IsolatedTarget(spec, seconds, processes, memory_mb)
    if ":" in spec:
        from pincite.base import find_function
        from pincite.runs.targets.function import FunctionTarget

        return FunctionTarget(find_function(spec), spec)
    raise InputError(
        f"the target {spec!r:.80} names no system: give an address (http://…), package.module:function, "
        "or answer"
    )
