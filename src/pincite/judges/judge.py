"""What a judge is, and which one is the default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from pincite.config import Settings
from pincite.errors import JudgeError
from pincite.records import Pair, Stage, Trace, Usage, Verdict

Placement = Literal["inline", "thread", "process"]
"""Where a judge is best asked when there is much to judge."""


@runtime_checkable
class Judge(Protocol):
    """Answers questions about pairs. A pair it cannot decide is `unjudged`, never a low score."""

    @property
    def name(self) -> str:
        """Names the judge and everything that changes its verdicts: `rules/1`."""

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair, in order. Never raises for what a pair contains."""


def waits(judge: Judge) -> bool:
    """Whether a judge may wait for something, as most do: one that never does says `waits = False`."""
    return bool(getattr(judge, "waits", True))


def placement(judge: Judge) -> Placement:
    """Where a judge is best asked when there is much to judge, which it says as `placement`.

    `inline` is the event loop, for one that waits for somebody else. `thread` is for one that computes on all
    cores by itself. `process` is for one that computes on a single core and depends on nothing but its name
    and the settings, so that several processes can each make one and give the same verdicts.
    """
    if waits(judge):
        return "inline"
    said: Placement = getattr(judge, "placement", "thread")
    return said


def is_quick(judge: Judge) -> bool:
    """Whether a pair takes about a millisecond and no model is loaded; such a judge says `quick = True`."""
    return bool(getattr(judge, "quick", False))


def usage(judge: Judge) -> Usage:
    """What a judge has taken since it was made; a judge that keeps no count took nothing."""
    taken = getattr(judge, "usage", None)
    return taken if isinstance(taken, Usage) else Usage()


def trace(judge: Judge, pair: Pair, verdict: Verdict) -> Trace:
    """How the judge came to this verdict: what its own `trace(pair)` says, else its score and its reason."""
    own = getattr(judge, "trace", None)
    plain = Trace((Stage(verdict.judge or judge.name, verdict.score),), (verdict.reason,))
    if own is None or verdict.judge != judge.name:
        return plain  # a value in JSON, for instance, was compared without the judge
    try:
        found = own(pair)
    except Exception as error:
        failed = f"the judge could not say more: {type(error).__name__}"
        return Trace(plain.stages, (*plain.observations, failed))
    return found if isinstance(found, Trace) else plain


def make_judge(name: str | Judge | None = None, settings: Settings | None = None) -> Judge:
    """The judge of that name, or the given one as it is; without a name the configured one.

    `entailment` (the default), `rules`, `nli:FOLDER_OR_NAME`, `llm:MODEL` (or `llm`, the configured model),
    and `panel:majority:JUDGE,JUDGE`, `panel:mean:…`, `panel:cascade:…`.
    """
    if name is not None and not isinstance(name, str):
        if isinstance(name, Judge):
            return name
        raise JudgeError(f"a judge needs a name and a judge() method; this is a {type(name).__name__}")
    settings = settings or Settings()
    name = name or settings.judge
    kind, _, rest = name.partition(":")
    if kind == "entailment" and not rest:
        from pincite.judges.entailment.judge import EntailmentJudge

        return EntailmentJudge()
    if kind == "rules" and not rest:
        from pincite.judges.rules.judge import RuleJudge

        return RuleJudge()
    if kind == "nli":
        from pincite.judges.nli.judge import make_nli_judge

        return make_nli_judge(rest, settings)
    if kind == "llm":
        from pincite.judges.llm.judge import make_llm_judge

        return make_llm_judge(rest or settings.llm.model, settings)
    if kind == "panel":
        from pincite.judges.panel import make_panel

        return make_panel(rest, settings)
    known = "entailment, rules, nli:FOLDER, llm:MODEL or panel:WAY:JUDGES"
    raise JudgeError(f"unknown judge {name!r}: use {known}")
