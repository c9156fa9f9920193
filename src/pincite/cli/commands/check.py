"""`pincite check`: read the answers, check them, fix them, print what was found, and decide the exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pincite.answers import Failed, LeftOut, Loaded, left_out_line, read_answers
from pincite.cli.dry_runs import check_lines, expect, models_of, refuse_unknown_judges
from pincite.cli.fixes import fix_all, require_texts
from pincite.cli.options import (
    DRY_RUN,
    OUTPUT,
    SOURCES,
    AnswersOptions,
    CommonOptions,
    JudgeOptions,
    command,
    flag,
    formats,
    load_settings,
    open_library,
    opt,
)
from pincite.cli.output import (
    CANNOT_RUN,
    emit,
    emit_either,
    is_terminal,
    note,
    tell,
    terminal_width,
    wants_color,
    write_file,
)
from pincite.cli.progress import check_progress, patience
from pincite.config import Settings, without_effect
from pincite.errors import InputError
from pincite.findings import (
    apply_baseline,
    check_answer,
    check_answers,
    chosen_judge,
    combine,
    explain_findings,
    is_explained,
    load_baseline,
    pool_for,
    require_known_codes,
    require_known_finding,
    write_baseline,
)
from pincite.judges import Judge
from pincite.records import Answer, Report, Usage
from pincite.reports import FOR_PEOPLE, FORMATS, plural, statistics_lines, write
from pincite.sources import Library


class CheckOptions(AnswersOptions, JudgeOptions, CommonOptions):
    sources: list[str] | None = SOURCES
    fix: bool = flag("--fix", "apply safe fixes")
    unsafe_fixes: bool = flag(
        "--unsafe-fixes", "with --fix or --diff, also add the citations that PIN302 is sure of"
    )
    diff: bool = flag("--diff", "show what --fix would change without writing it")
    dry_run: bool = DRY_RUN
    output_format: str = formats(*FORMATS, help="how to print the findings")
    output: str | None = OUTPUT
    select: list[str] | None = opt(
        "--select CODE...", "report only these codes or groups: PIN203, PIN2", "select"
    )
    ignore: list[str] | None = opt("--ignore CODE...", "ignore these codes or groups", "ignore")
    strict: bool | None = flag("--strict", "exit 1 on warnings too", "strict")
    fail_under: float | None = opt(
        "--fail-under SCORE", "exit 1 when the score (0 to 1) is below this", "fail_under"
    )
    fail_on_unjudged: bool | None = flag(
        "--fail-on-unjudged", "exit 1 when a target could not be judged", "fail_on_unjudged"
    )
    baseline: str | None = opt("--baseline FILE", "ignore findings in this file", "baseline")
    write_baseline: str | None = opt("--write-baseline FILE", "record the current findings in this file")
    statistics: bool = flag("--statistics", "count findings per code")
    explain: str | None = opt(
        "--explain WHICH", "explain the verdicts of a code (PIN203), a line (3) or a place (3:42)"
    )
    verbose: bool = flag("-v, --verbose", "explain every finding, and list doubtful claims")
    quiet: bool = flag("-q, --quiet", "print findings only: no summary, no notes")


@command(
    CheckOptions,
    epilog="""\
examples:
  pincite check answer.md --sources docs/
  pincite check answers/ --sources docs/ --output-format concise
  pincite check answers/ --sources docs/ --output-format html --output report.html
  pincite check answer.md --sources docs/ --fix
  pincite check - --sources report.pdf --output-format sarif --output findings.sarif
  pincite check reply.json --from anthropic --sources docs/

exit codes: 0 clean, 1 errors found or a threshold missed, 2 could not run
""",
)
def run(options: CheckOptions) -> int:
    settings = load_settings(options)
    require_known_codes((*settings.select, *settings.ignore))
    if options.explain is not None:
        require_known_finding(options.explain)
    wants_fixes = options.fix or options.diff
    if options.unsafe_fixes and not wants_fixes:
        raise InputError("--unsafe-fixes needs --fix or --diff")
    if wants_fixes and options.provider is not None:
        raise InputError("--fix and --diff rewrite an answer's own markers; a provider's response has none")
    if not settings.enabled:
        note("checking is switched off by `enabled: false` in the configuration: nothing was checked")
        _print(options, settings, [], Library())
        return 0
    known = load_baseline(Path(settings.baseline)) if settings.baseline else None
    if options.dry_run:
        refuse_unknown_judges(settings)
        library = _open(options, settings)
        loaded, failed = _read(options, settings)
        expected = expect([item.answer for item in loaded], library, settings)
        emit_either(options.output_format, {"dry_run": msgspec.to_builtins(expected)}, check_lines(expected))
        return CANNOT_RUN if failed else 0
    with chosen_judge(None, settings) as (judge, run_here):
        library = _open(options, settings)
        loaded, failed = _read(options, settings)
        answers = [item.answer for item in loaded]
        if wants_fixes:
            require_texts(loaded)
        if not options.quiet and is_terminal(sys.stderr) and models_of(settings):
            # Print an upper bound of the cost before a language model is called.
            note("; ".join(check_lines(expect(answers, library, settings, judge))))
        with (
            check_progress([answer.name for answer in answers], options.quiet) as (done, step),
            pool_for(answers, library, judge, settings) as pool,
        ):
            reports = run_here(check_answers(answers, library, judge, settings, done, step, pool))
        if wants_fixes:

            def check_again(answer: Answer) -> Report:
                return run_here(check_answer(answer, library, judge, settings))

            reports = fix_all(
                loaded,
                reports,
                check_again,
                unsafe=options.unsafe_fixes,
                only_show=options.diff,
                quiet=options.quiet,
            )
        taken = judge.usage
        if options.verbose or options.explain is not None:
            reports = _explain(options, reports, judge)
    if options.write_baseline is not None:
        write_baseline(reports, Path(options.write_baseline))
        count = plural(sum(len(report.findings) for report in reports), "finding")
        tell(options, f"wrote {count} to {options.write_baseline}")
        return CANNOT_RUN if failed else 0
    if known is not None and settings.baseline:
        reports = apply_baseline(reports, known, Path(settings.baseline).parent)
    # When no answer could be read, people have seen an error; programs still get a document to read.
    if not options.diff and (reports or options.output_format not in FOR_PEOPLE):
        _print(options, settings, reports, library, taken)
    return _exit_code(options, settings, reports, failed)


def _open(options: CheckOptions, settings: Settings) -> Library:
    with patience("reading the sources", options.quiet):
        library = open_library(settings.sources, settings, tell=False)
    if unused := without_effect(settings):
        tell(options, f"these settings apply to `pincite eval`, not to a check: {', '.join(unused)}")
    if not library.entries and options.provider is None:
        missing = (
            f"there are no files in {', '.join(map(str, settings.sources))}"
            if settings.sources
            else "no sources were given (--sources)"
        )
        tell(options, f"{missing}: only what the answers themselves contain can be checked")
    return library


def _read(options: CheckOptions, settings: Settings) -> tuple[list[Loaded], int]:
    loaded, failed = [], 0
    left_out: list[LeftOut] = []
    for item in read_answers(options.answers, settings.limits, options.provider, left_out):
        if isinstance(item, Failed):
            failed += 1
            note(item.reason, "error")
            continue
        loaded.append(item)
        if not item.answer.text.strip():
            tell(options, f"{item.answer.name}: the answer is empty", "warning")
    if left_out:
        tell(options, left_out_line(left_out))
    return loaded, failed


def _explain(options: CheckOptions, reports: Sequence[Report], judge: Judge) -> list[Report]:
    which = None if options.verbose else options.explain
    told = [explain_findings(report, judge, which) for report in reports]
    everything = [finding for report in told for finding in (*report.findings, *report.doubtful)]
    if which is not None and not any(is_explained(finding) for finding in everything):
        tell(options, f"--explain {which}: no judge was asked about a finding of that kind or at that place")
    return told


def _print(
    options: CheckOptions,
    settings: Settings,
    reports: Sequence[Report],
    library: Library,
    taken: Usage | None = None,
) -> None:
    to_file = options.output is not None
    # With --fix on standard input, standard output belongs to the fixed text.
    stream = sys.stderr if options.fix and "-" in options.answers and not to_file else sys.stdout
    text = write(
        reports,
        options.output_format,
        color=not to_file and wants_color(options.no_color, stream),
        width=None if to_file else terminal_width(stream),
        settings=settings,
        quiet=options.quiet,
        usage=taken,
        library=library,
    )
    if options.output is not None:
        write_file(Path(options.output), text.encode("utf-8", "backslashreplace"))
    else:
        emit(text, stream)
    if options.statistics:
        lines = statistics_lines(reports) or ["no findings"]
        # Machines read standard output, so counts only join it where a person does.
        person = options.output_format in ("full", "concise") and not to_file
        emit("".join(f"{line}\n" for line in lines), stream if person else sys.stderr)


def _exit_code(options: CheckOptions, settings: Settings, reports: Sequence[Report], failed: int) -> int:
    total = combine(report.summary for report in reports)
    if failed:
        tell(options, f"{failed} of {failed + len(reports)} answers could not be read", "error")
        return CANNOT_RUN
    severities = {finding.severity for report in reports for finding in report.findings}
    if total.unjudged and not total.judged and "error" not in severities:
        tell(options, "no citation could be judged, so this says nothing about the answer", "error")
        return CANNOT_RUN
    failing = "error" in severities or (settings.strict and "warning" in severities)
    if settings.fail_under is not None and (total.score is None or total.score < settings.fail_under):
        score = "there is no score" if total.score is None else f"the score {total.score:.4g} is too low"
        tell(options, f"--fail-under {settings.fail_under:g} is not met: {score}", "error")
        failing = True
    if settings.fail_on_unjudged and total.unjudged:
        tell(options, f"--fail-on-unjudged: {total.unjudged} could not be judged", "error")
        failing = True
    return 1 if failing else 0
