"""What a check is going to ask and what that may cost, found out without asking anybody."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite import doorway
from pincite.config import Settings
from pincite.findings.many import check_answers
from pincite.judges.judge import Judge, Prompt
from pincite.judges.opening import make_judge
from pincite.records import SCHEMA_VERSION, Answer, Pair, Question, Usage, Verdict
from pincite.reports.findings.json_report import dump, usage_dict
from pincite.reports.findings.totals import listed, plural, usage_figures
from pincite.sources.library import Library


class Expected(Struct, frozen=True):
    """What a run would ask."""

    answers: int
    claims: int
    pairs: int
    models: tuple[str, ...]
    usage: Usage
    """At most, for all models together: every reply as long as it may become."""


class Listener(Judge):
    """Stands in for a judge: notes what it is asked, and answers as the rules would.

    What is asked in the second round depends on the verdicts of the first, so some are needed.
    """

    waits = False

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.batches: list[list[Pair]] = []

    @property
    def name(self) -> str:
        return self._judge.name

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.batches.append(list(pairs))
        return await self._judge.judge(pairs)


def expect(
    answers: Sequence[Answer], library: Library, settings: Settings, judge: Judge | None = None
) -> Expected:
    """Go through a check with the rules in the judge's place.

    A judge that is given can say which prompts it would send, and leaves out those whose reply it has kept.
    """
    listener = Listener(make_judge("rules", settings))
    reports = doorway.run(check_answers(answers, library, listener, settings), waits=False)
    models = models_of(settings)
    taken = Usage()
    if models:
        from pincite.judges.llm.transport import estimate
    for model in models:
        prompts = [prompt for batch in listener.batches for prompt in _prompts(batch, judge, settings)]
        taken += estimate(prompts, model, settings)
    return Expected(
        answers=len(answers),
        claims=sum(report.summary.claims for report in reports),
        pairs=sum(map(len, listener.batches)),
        models=models,
        usage=taken,
    )


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
    from pincite.judges.panel import read_panel

    return read_panel(rest)[1]


def as_lines(expected: Expected) -> list[str]:
    """For a person."""
    counts = listed(
        [
            plural(expected.answers, "answer"),
            plural(expected.claims, "claim"),
            plural(expected.pairs, "pair") + " to judge",
        ]
    )
    if not expected.models:
        return [counts, "the judge runs locally: no calls, no cost"]
    figures = ", ".join(usage_figures(expected.usage))
    return [counts, f"{listed(list(expected.models))}: estimated at most {figures}"]


def as_json(expected: Expected) -> str:
    """For a program."""
    shape = {
        "answers": expected.answers,
        "claims": expected.claims,
        "pairs": expected.pairs,
        "models": list(expected.models),
        "usage": usage_dict(expected.usage),
    }
    return dump({"schema_version": SCHEMA_VERSION, "dry_run": shape})


def _prompts(batch: Sequence[Pair], judge: Judge | None, settings: Settings) -> list[Prompt]:
    own = judge.prompts(batch) if judge is not None else None
    return prompts_of(batch, settings) if own is None else own


def prompts_of(batch: Sequence[Pair], settings: Settings) -> list[Prompt]:
    """A prompt for as much of each question as fits into one."""
    from pincite.judges.llm.prompting import split_pairs, write_sheet

    by_question: dict[Question, list[Pair]] = {}
    for pair in dict.fromkeys(batch):
        by_question.setdefault(pair.question, []).append(pair)
    return [
        write_sheet(question, [pairs[index] for index in group]).prompt
        for question, pairs in by_question.items()
        for group in split_pairs(question, pairs, settings.llm.max_prompt_chars)
    ]
