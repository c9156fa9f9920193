"""What `pincite check` does once its options are read: load, check, fix, print, and decide the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite import doorway
from pincite.cli import fixing
from pincite.cli.inputs import Failed, Loaded, read_answers
from pincite.cli.options import source_paths
from pincite.cli.output import emit, is_terminal, note, terminal_width, wants_color, write_file
from pincite.cli.patience import patience
from pincite.config import Settings, load_settings, without_effect
from pincite.findings.catalogue import refuse_unknown_codes
from pincite.findings.check import check_answer
from pincite.findings.silence import apply_baseline, load_baseline, write_baseline
from pincite.findings.summary import combine
from pincite.judges.calibrated import calibrated
from pincite.judges.judge import Judge, make_judge, waits
from pincite.records import Report
from pincite.reports import write
from pincite.reports.totals import plural, statistics_lines
from pincite.sources.library import Library, open_sources

MANY = 10
"""From this many answers on, somebody who watches is shown how far it has got."""


class Plan(Struct, frozen=True):
    """One run of `pincite check`."""

    answers: tuple[str, ...]
    settings: Settings
    output_format: str = "full"
    output: Path | None = None
    provider: str | None = None
    fix: bool = False
    diff: bool = False
    write_baseline: Path | None = None
    statistics: bool = False
    no_color: bool = False
    quiet: bool = False


def load(config: str | None, **flags: Any) -> Settings:
    """The settings, with every code in them known."""
    settings = load_settings(config, **flags)
    refuse_unknown_codes((*settings.select, *settings.ignore))
    return settings


def run(plan: Plan) -> int:
    """Check every answer, print what was found, and give the exit code."""
    settings = plan.settings
    fixing.refuse_impossible(plan.fix or plan.diff, plan.provider)
    if not settings.enabled:
        note("checking is switched off by `enabled: false` in the configuration: nothing was checked")
        _print(plan, [])
        return 0
    known = load_baseline(Path(settings.baseline)) if settings.baseline else None
    judge = calibrated(make_judge(settings.judge, settings), settings)
    with patience("reading the sources", plan.quiet):
        library = open_sources(source_paths(settings.sources), settings.limits)
    _say_what_has_no_effect(plan, library)

    loaded, failed = _read(plan)
    if plan.fix or plan.diff:
        fixing.refuse_records(loaded)
    checked = [_check(item, library, judge, settings) for item in _with_progress(loaded, plan)]
    reports = checked
    if plan.fix or plan.diff:

        def check_again(item: Loaded, text: str) -> Report:
            return _check(fixing.with_text(item, text), library, judge, settings)

        reports = fixing.fix_all(loaded, checked, check_again, plan)
    if plan.write_baseline is not None:
        write_baseline(reports, plan.write_baseline)
        count = plural(sum(len(report.findings) for report in reports), "finding")
        _tell(plan, f"wrote {count} to {plan.write_baseline}")
        return 2 if failed else 0
    if known is not None and settings.baseline:
        reports = apply_baseline(reports, known, Path(settings.baseline).parent)
    # When no answer could be read, people have been told; machines still get a document they can read.
    if not plan.diff and (reports or plan.output_format not in ("full", "concise", "markdown")):
        _print(plan, reports)
    return _exit_code(reports, failed, plan)


def _read(plan: Plan) -> tuple[list[Loaded], int]:
    loaded, failed = [], 0
    for item in read_answers(plan.answers, plan.settings.limits, plan.provider):
        if isinstance(item, Failed):
            failed += 1
            note(item.reason, "error")
        else:
            loaded.append(item)
    return loaded, failed


def _check(item: Loaded, library: Library, judge: Judge, settings: Settings) -> Report:
    return doorway.run(check_answer(item.answer, library, judge, settings), waits(judge))


def _with_progress(loaded: Sequence[Loaded], plan: Plan) -> Iterator[Loaded]:
    """The answers one by one, with a bar on standard error when there are many and somebody is watching."""
    if len(loaded) < MANY or plan.quiet or not is_terminal(sys.stderr):
        for item in loaded:
            # The caller checks an answer while this waits for it to ask for the next.
            with patience(f"checking {item.answer.name}", plan.quiet):
                yield item
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True, no_color=not wants_color(plan.no_color, sys.stderr))
    yield from track(loaded, description="checking", console=console, transient=True)


def _print(plan: Plan, reports: Sequence[Report]) -> None:
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
    if total.unjudged and not total.judged:
        _tell(plan, "not one citation could be judged, so this says nothing about the answer", "error")
        return 2
    severities = {finding.severity for report in reports for finding in report.findings}
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
        _tell(plan, f"these settings matter for measuring a system, not for a check: {', '.join(unused)}")
    if not library.entries and plan.provider is None:
        _tell(plan, "no sources were given (--sources): only what the answers bring along can be compared")


def _tell(plan: Plan, text: str, kind: str = "note") -> None:
    if not plan.quiet or kind == "error":
        note(text, kind)
