"""Opens a judge by its name, calibrated as the settings say. Each kind is imported when it is asked for."""

from __future__ import annotations

from pathlib import Path

from pincite.config import Settings
from pincite.errors import JudgeError
from pincite.judges.judge import GivenJudge, Judge, as_judge


def open_judge(
    judge: str | Judge | None = None, settings: Settings | None = None, *, remember: bool = False
) -> Judge:
    """The judge of that name, calibrated as the settings say; without a name the configured one.

    `entailment` (the default), `rules`, `nli:FOLDER_OR_NAME`, `llm:MODEL` (or `llm`, the configured model),
    and `panel:majority:JUDGE,JUDGE`, `panel:mean:…`, `panel:cascade:…`.

    The result is to be closed (`await judge.close()`, or `async with`). A judge that is given as an object
    stays open. `remember` keeps verdicts, so that no claim is judged twice by the same evidence.
    """
    settings = settings or Settings()
    if judge is not None and not isinstance(judge, str):
        opened: Judge = GivenJudge(as_judge(judge))
    else:
        opened = make_judge(judge or settings.judge, settings)
    if remember and opened.only_texts:
        from pincite.judges.memo import RememberingJudge

        opened = RememberingJudge(opened)
    if settings.calibration is not None:
        from pincite.judges.calibration import CalibratedJudge, load_calibration

        opened = CalibratedJudge(opened, load_calibration(Path(settings.calibration)))
    return opened


def make_judge(name: str, settings: Settings) -> Judge:
    """The judge of that name as it is, without calibration."""
    kind, _, rest = name.partition(":")
    if kind == "entailment" and not rest:
        from pincite.judges.entailment.judge import EntailmentJudge

        return EntailmentJudge()
    if kind == "rules" and not rest:
        from pincite.judges.rules.judge import NumberRules

        return NumberRules()
    if kind == "nli":
        from pincite.judges.nli.judge import make_model_judge

        return make_model_judge(rest, settings)
    if kind == "llm":
        from pincite.judges.llm.judge import make_llm_judge

        return make_llm_judge(rest or settings.llm.model, settings)
    if kind == "panel":
        from pincite.judges.panel import make_panel, read_panel

        way, names = read_panel(rest)
        return make_panel(way, [make_judge(member, settings) for member in names], settings.panel)
    known = "entailment, rules, nli:FOLDER, llm:MODEL or panel:WAY:JUDGES"
    raise JudgeError(f"unknown judge {name!r}: use {known}")
