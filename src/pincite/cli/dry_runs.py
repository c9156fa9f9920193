"""What a check or an evaluation would ask a judge, and what that may cost, without calling one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.base import run_sync
from pincite.config import Settings
from pincite.findings import check_answers
from pincite.judges import Judge, make_judge
from pincite.llm import Prompt
from pincite.records import Answer, Pair, Question, Usage, Verdict
from pincite.reports import listed, plural, usage_figures
from pincite.sources import Library

if TYPE_CHECKING:
    from pincite.runs import EvalRequest, RunPlan


class Listener(Judge):
    """Takes the judge's place: keeps what it is asked, and answers as the rules would.

    What is asked in the second round depends on the verdicts of the first, so some are needed.
    """

    waits = False

    def __init__(self, settings: Settings) -> None:
        self._judge = make_judge("rules", settings)
        self.batches: list[list[Pair]] = []

    @property
    def name(self) -> str:
        return self._judge.name

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.batches.append(list(pairs))
        return await self._judge.judge(pairs)


def expect(
    answers: Sequence[Answer], library: Library, settings: Settings, judge: Judge | None = None
) -> dict[str, Any]:
    """What a check would ask, found by going through it with the rules in the judge's place.

    A judge that is given can say which prompts it would send, and leaves out those whose reply it has kept.
    The usage is at most that, for all models together: every reply as long as it may become.
    """
    listener = Listener(settings)
    reports = run_sync(check_answers(answers, library, listener, settings), waits=False)
    models = models_of(settings)
    prompts = [prompt for batch in listener.batches for prompt in _prompts(batch, settings, judge)]
    return {
        "answers": len(answers),
        "claims": sum(report.summary.claims for report in reports),
        "pairs": sum(map(len, listener.batches)),
        "models": models,
        "usage": _estimate(prompts, models, settings),
    }


def check_lines(told: dict[str, Any]) -> list[str]:
    """What `expect` found, for a person."""
    counts = [plural(told["answers"], "answer"), plural(told["claims"], "claim"), _pairs(told["pairs"])]
    return [listed(counts), _cost(told["models"], told["usage"])]


def expect_run(request: EvalRequest) -> dict[str, Any]:
    """How many queries, judge calls and dollars an evaluation would take."""
    from pincite.cli.history import NO_STORE, RunHistory
    from pincite.runs import is_results_file, look_ahead, make_plan

    settings = request.settings
    refuse_unknown_judges(settings)
    models = models_of(settings)
    listener = Listener(settings)
    with ExitStack() as stack:
        # The judge that was asked for may need a key; nothing is asked here, so it is not made.
        plan = make_plan(msgspec.structs.replace(request, judge=listener), stack)
        store = None
        if request.baseline and not is_results_file(request.baseline) and settings.store.url != NO_STORE:
            store = RunHistory(settings, stack).store
        look_ahead(request, plan, store)
        told: dict[str, Any] = {
            "dataset_id": plan.dataset.dataset_id,
            "queries": plan.total,
            "metrics": [metric.full_name for metric in plan.metrics],
            "target": plan.target.name,
            "target_calls": plan.total if plan.target.waits else 0,
            "judge": settings.judge,
            "models": models,
            "pairs": None,
            "judge_calls": None,
            "usage": None,
        }
        return told if plan.target.waits else {**told, **_asked(plan, listener, models)}


def run_lines(told: dict[str, Any]) -> list[str]:
    """What `expect_run` found, for a person."""
    counts = [plural(told["queries"], "query", "queries"), plural(len(told["metrics"]), "metric")]
    if told["target_calls"]:
        counts.append(plural(told["target_calls"], "call") + " of the system")
    if told["pairs"] is None:
        return [listed(counts), "what there is to judge depends on the system's answers"]
    cost = _cost(told["models"], told["usage"], f"the judge ({told['judge']})")
    return [listed([*counts, _pairs(told["pairs"])]), cost]


def models_of(settings: Settings) -> tuple[str, ...]:
    """The language models that the chosen judge may ask, those of a panel too."""
    asked = (name.partition(":") for name in _members(settings))
    return tuple(model or settings.llm.model for kind, _, model in asked if kind == "llm")


def refuse_unknown_judges(settings: Settings) -> None:
    """Make what runs here, so that a run which could not begin is not announced. Models need a key: later."""
    for name in _members(settings):
        if name.partition(":")[0] != "llm":
            make_judge(name, settings)


def _members(settings: Settings) -> list[str]:
    """The names of the judges: those of a panel, or the one."""
    kind, _, rest = settings.judge.partition(":")
    if kind != "panel":
        return [settings.judge]
    from pincite.judges import read_panel

    return read_panel(rest)[1]


def _asked(plan: RunPlan, listener: Listener, models: Sequence[str]) -> dict[str, Any]:
    """Go through the run with the rules in the judge's place, one query at a time."""
    from pincite.runs import ask

    pairs = calls = 0
    taken = Usage()
    for task in plan.tasks(lambda key: False):
        if task is None:
            continue
        recorded = task.recorded
        if recorded is None:
            recorded = run_sync(ask(plan.target, task.query, plan.settings), waits=False)
        listener.batches.clear()
        run_sync(plan.measure(task, recorded), waits=False)
        for batch in listener.batches:
            prompts = _prompts(batch, plan.settings)
            pairs += len(batch)
            calls += len(prompts)
            taken += _estimate(prompts, models, plan.settings)
    return {"pairs": pairs, "judge_calls": calls if models else 0, "usage": taken}


def _prompts(batch: Sequence[Pair], settings: Settings, judge: Judge | None = None) -> list[Prompt]:
    """A prompt for as much of each question as fits into one; a judge may know better."""
    own = judge.prompts(batch) if judge is not None else None
    if own is not None:
        return own
    from pincite.judges import split_pairs, write_batch

    by_question: dict[Question, list[Pair]] = {}
    for pair in dict.fromkeys(batch):
        by_question.setdefault(pair.question, []).append(pair)
    return [
        write_batch(question, [pairs[index] for index in group]).prompt
        for question, pairs in by_question.items()
        for group in split_pairs(question, pairs, settings.llm.max_prompt_chars)
    ]


def _estimate(prompts: Sequence[Prompt], models: Sequence[str], settings: Settings) -> Usage:
    taken = Usage()
    if models:
        from pincite.llm import estimate

        for model in models:
            taken += estimate(prompts, model, settings)
    return taken


def _pairs(count: int) -> str:
    return plural(count, "pair") + " to judge"


def _cost(models: Sequence[str], usage: Usage, judge: str = "the judge") -> str:
    if not models:
        return f"{judge} runs locally: no calls, no cost"
    return f"{listed(models)}: estimated at most {', '.join(usage_figures(usage))}"
