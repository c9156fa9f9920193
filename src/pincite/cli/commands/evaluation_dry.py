"""What `pincite eval` would ask and what that may cost, found out without asking anybody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import msgspec

from pincite import doorway
from pincite.cli.diverted import stdout_diverted
from pincite.cli.expected import Listener, models_of, prompts_of, refuse_unknown_judges
from pincite.cli.history import NO_STORE, is_begun, no_runs_in
from pincite.cli.output import emit
from pincite.errors import InputError
from pincite.judges.opening import make_judge
from pincite.records import SCHEMA_VERSION, Usage
from pincite.reports.findings.json_report import dump, usage_dict
from pincite.reports.findings.totals import listed, plural, usage_figures
from pincite.runs.evaluation import Request, look_ahead, make_plan
from pincite.runs.plan import Plan, measure
from pincite.runs.results.items import is_results_file
from pincite.runs.targets.target import ask


def dry_run(request: Request, output_format: str) -> int:
    """Say how many queries, judge calls and dollars a run would take."""
    settings = request.settings
    refuse_unknown_judges(settings)
    models = models_of(settings)
    listener = Listener(make_judge("rules", settings))
    with ExitStack() as stack, stdout_diverted():
        # The judge that was asked for may need a key; nothing is asked here, so it is not made.
        plan = make_plan(msgspec.structs.replace(request, judge=listener), stack)
        look_ahead(request, plan, stack.enter_context(_history(request)))
        told: dict[str, Any] = {
            "dataset_id": plan.dataset.dataset_id,
            "queries": plan.total,
            "metrics": [str(metric) for metric in plan.metrics],
            "target": plan.target.name,
            "target_calls": plan.total if plan.target.waits else 0,
            "judge": settings.judge,
            "models": list(models),
            "pairs": None,
            "judge_calls": None,
            "usage": None,
        }
        if not plan.target.waits:
            told |= _asked(plan, listener, models)
    taken = told.pop("taken", Usage())
    if output_format == "json":
        emit(dump({"schema_version": SCHEMA_VERSION, "dry_run": told}))
    else:
        emit("".join(f"{line}\n" for line in _lines(told, taken)))
    return 0


@contextmanager
def _history(request: Request) -> Iterator[Any]:
    """The history that a baseline is to be found in; where there is none yet, none is made."""
    url = request.settings.store.url
    if not request.baseline or is_results_file(request.baseline) or url == NO_STORE:
        yield None
        return
    if not is_begun(url):
        raise InputError(no_runs_in(url))
    from pincite.store import open_store

    with open_store(url) as store:
        yield store


def _asked(plan: Plan, listener: Listener, models: tuple[str, ...]) -> dict[str, Any]:
    """Go through the run with the rules in the judge's place, one query at a time."""
    if models:
        from pincite.judges.llm.transport import estimate
    pairs = calls = 0
    taken = Usage()
    for task in plan.tasks(lambda key: False):
        if task is None:
            continue
        recorded = task.recorded
        if recorded is None:
            recorded = doorway.run(ask(plan.target, task.query, plan.settings), waits=False)
        listener.batches.clear()
        doorway.run(measure(plan, task, recorded), waits=False)
        for batch in listener.batches:
            prompts = prompts_of(batch, plan.settings)
            pairs += len(batch)
            calls += len(prompts)
            for model in models:
                taken += estimate(prompts, model, plan.settings)
    return {
        "pairs": pairs,
        "judge_calls": calls if models else 0,
        "usage": usage_dict(taken),
        "taken": taken,
    }


def _lines(told: dict[str, Any], taken: Usage) -> list[str]:
    counts = [plural(told["queries"], "query", "queries"), plural(len(told["metrics"]), "metric")]
    if told["target_calls"]:
        counts.append(plural(told["target_calls"], "call") + " of the system")
    if told["pairs"] is None:
        return [listed(counts), "what there is to judge depends on the system's answers"]
    counts.append(plural(told["pairs"], "pair") + " to judge")
    if not told["models"]:
        return [listed(counts), f"the judge ({told['judge']}) runs locally: no calls, no cost"]
    figures = ", ".join(usage_figures(taken))
    return [listed(counts), f"{listed(told['models'])}: estimated at most {figures}"]
