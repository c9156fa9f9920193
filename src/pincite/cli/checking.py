"""What `pincite check` does once its options are read: load, check, fix, print, and decide the exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.answers.read import Failed, LeftOut, Loaded, left_out_line, read_answers
from pincite.cli import fixing
from pincite.cli.commands.settings import load_settings
from pincite.cli.expected import as_json, as_lines, expect, models_of, refuse_unknown_judges
from pincite.cli.options import source_paths
from pincite.cli.output import emit, is_terminal, note, terminal_width, wants_color, write_file
from pincite.cli.patience import patience, progress
from pincite.config import Settings, without_effect
from pincite.findings.catalogue import refuse_unknown_codes
from pincite.findings.check import check_answer, chosen_judge
from pincite.findings.explaining import explain_findings, is_explained, refuse_unknown_finding
from pincite.findings.many import check_answers
from pincite.findings.pool import pool_for
from pincite.findings.silence import apply_baseline, load_baseline, write_baseline
from pincite.findings.summary import combine
from pincite.judges.judge import Judge
from pincite.records import Report, Usage
from pincite.reports import write
from pincite.reports.findings.totals import plural, statistics_lines
from pincite.sources.library import Library, open_sources


class Plan(Struct, frozen=True):
    """One run of `pincite check`."""

    answers: tuple[str, ...]
    settings: Settings
    output_format: str = "full"
    output: Path | None = None
    provider: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    write_baseline: Path | None = None
    statistics: bool = False
    no_color: bool = False
    quiet: bool = False
    dry_run: bool = False
    verbose: bool = False
    explain: str | None = None
    """Which findings to explain; `verbose` explains them all."""


def load(config: str | None, **flags: Any) -> Settings:
    """The settings, with every code in them known."""
    settings = load_settings(config, **flags)
    refuse_unknown_codes((*settings.select, *settings.ignore))
    return settings


def run(plan: Plan) -> int:
    """Check every answer, print what was found, and give the exit code."""
    settings = plan.settings
    if plan.explain is not None:
        refuse_unknown_finding(plan.explain)
    fixing.refuse_impossible(plan.fix or plan.diff, plan.provider, plan.unsafe_fixes)
    if not settings.enabled:
        note("checking is switched off by `enabled: false` in the configuration: nothing was checked")
        _print(plan, [])
        return 0
    known = load_baseline(Path(settings.baseline)) if settings.baseline else None
    if plan.dry_run:
        return _dry_run(plan)
    with chosen_judge(None, settings) as (judge, run_here):
        library = _open(plan)
        loaded, failed = _read(plan)
        if plan.fix or plan.diff:
            fixing.refuse_records(loaded)
        _say_what_it_may_take(plan, library, loaded, judge)
        with progress([item.answer.name for item in loaded], plan.quiet, plan.no_color) as (done, tell):
            answers = [item.answer for item in loaded]
            with pool_for(answers, library, judge, settings) as pool:
                checked = run_here(check_answers(answers, library, judge, settings, done, tell, pool))
        reports = checked
        if plan.fix or plan.diff:

            def check_again(item: Loaded, text: str) -> Report:
                return run_here(check_answer(fixing.with_text(item, text).answer, library, judge, settings))

            reports = fixing.fix_all(loaded, checked, check_again, plan)
        taken = judge.usage
        if plan.verbose or plan.explain is not None:
            reports = _explain(plan, reports, judge)
    if plan.write_baseline is not None:
        write_baseline(reports, plan.write_baseline)
        count = plural(sum(len(report.findings) for report in reports), "finding")
        _tell(plan, f"wrote {count} to {plan.write_baseline}")
        return 2 if failed else 0
    if known is not None and settings.baseline:
        reports = apply_baseline(reports, known, Path(settings.baseline).parent)
    # When no answer could be read, people have been told; machines still get a document they can read.
    if not plan.diff and (reports or plan.output_format not in ("full", "concise", "markdown")):
        _print(plan, reports, taken)
    return _exit_code(reports, failed, plan)


def _explain(plan: Plan, reports: Sequence[Report], judge: Judge) -> list[Report]:
    which = None if plan.verbose else plan.explain
    told = [explain_findings(report, judge, which) for report in reports]
    everything = [finding for report in told for finding in (*report.findings, *report.doubtful)]
    if which is not None and not any(is_explained(finding) for finding in everything):
        _tell(plan, f"--explain {which}: no judge was asked about a finding of that kind or at that place")
    return told


def _read(plan: Plan) -> tuple[list[Loaded], int]:
    loaded, failed = [], 0
    left_out: list[LeftOut] = []
    for item in read_answers(plan.answers, plan.settings.limits, plan.provider, left_out):
        if isinstance(item, Failed):
            failed += 1
            note(item.reason, "error")
            continue
        loaded.append(item)
        if not item.answer.text.strip():
            _tell(plan, f"{item.answer.name}: the answer is empty", "warning")
    if left_out:
        _tell(plan, left_out_line(left_out))
    return loaded, failed


def _open(plan: Plan) -> Library:
    settings = plan.settings
    with patience("reading the sources", plan.quiet):
        library = open_sources(source_paths(settings.sources), settings.limits)
    _say_what_has_no_effect(plan, library)
    return library


def _dry_run(plan: Plan) -> int:
    """Say what a run would take, and ask nobody."""
    refuse_unknown_judges(plan.settings)
    library = _open(plan)
    loaded, failed = _read(plan)
    expected = expect([item.answer for item in loaded], library, plan.settings)
    emit(as_json(expected) if plan.output_format == "json" else "".join(f"{x}\n" for x in as_lines(expected)))
    return 2 if failed else 0


def _say_what_it_may_take(plan: Plan, library: Library, loaded: Sequence[Loaded], judge: Judge) -> None:
    """Before a language model is asked, tell somebody who watches what that may cost."""
    if plan.quiet or not is_terminal(sys.stderr) or not models_of(plan.settings):
        return
    expected = expect([item.answer for item in loaded], library, plan.settings, judge)
    note("; ".join(as_lines(expected)))


def _print(plan: Plan, reports: Sequence[Report], taken: Usage | None = None) -> None:
    to_file = plan.output is not None
    # With --fix on standard input, standard output belongs to the fixed text.
    stream = sys.stderr if plan.fix and "-" in plan.answers and not to_file else sys.stdout
    text = write(
        reports,
        plan.output_format,
        color=not to_file and wants_color(plan.no_color, stream),
        width=None if to_file else terminal_width(stream),
        settings=plan.settings,
        quiet=plan.quiet,
        usage=taken,
    )
    if plan.output is not None:
        write_file(plan.output, text.encode("utf-8", "backslashreplace"))
    else:
        emit(text, stream)
    if plan.statistics:
        lines = statistics_lines(reports) or ["no findings"]
        # Machines read standard output, so counts only join it where a person does.
        person = plan.output_format in ("full", "concise") and not to_file
        emit("".join(f"{line}\n" for line in lines), stream if person else sys.stderr)


def _exit_code(reports: Sequence[Report], failed: int, plan: Plan) -> int:
    settings = plan.settings
    total = combine(report.summary for report in reports)
    if failed:
        _tell(plan, f"{failed} of {failed + len(reports)} answers could not be read", "error")
        return 2
    severities = {finding.severity for report in reports for finding in report.findings}
    if total.unjudged and not total.judged and "error" not in severities:
        _tell(plan, "no citation could be judged, so this says nothing about the answer", "error")
        return 2
    failing = "error" in severities or (settings.strict and "warning" in severities)
    if settings.fail_under is not None and (total.score is None or total.score < settings.fail_under):
        score = "there is no score" if total.score is None else f"the score {total.score:.4g} is too low"
        _tell(plan, f"--fail-under {settings.fail_under:g} is not met: {score}", "error")
        failing = True
    if settings.fail_on_unjudged and total.unjudged:
        _tell(plan, f"--fail-on-unjudged: {total.unjudged} could not be judged", "error")
        failing = True
    return 1 if failing else 0


def _say_what_has_no_effect(plan: Plan, library: Library) -> None:
    unused = without_effect(plan.settings)
    if unused:
        _tell(plan, f"these settings apply to `pincite eval`, not to a check: {', '.join(unused)}")
    if not library.entries and plan.provider is None:
        _tell(
            plan, "no sources were given (--sources): only what the answers themselves contain can be checked"
        )


def _tell(plan: Plan, text: str, kind: str = "note") -> None:
    if not plan.quiet or kind == "error":
        note(text, kind)
