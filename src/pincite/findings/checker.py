"""Check one answer: every citation and every claim gets a finding when something is wrong with it.

Two rounds go to the judge, each as one batch. The first asks whether what is cited supports what is claimed,
and whether any source supports what is not cited. The second asks, only about what failed, whether another
place of the same source would do.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from pincite.answers import to_answer
from pincite.base import event_loop
from pincite.config import Settings, with_overrides
from pincite.findings.catalogue import RULES, require_known_codes
from pincite.findings.context import Check, CheckContext
from pincite.findings.markers import Markers, Quotes
from pincite.findings.pool import CheckPool, pool_for
from pincite.findings.report import count, describe
from pincite.findings.support import Support
from pincite.findings.suppress import find_suppressions
from pincite.findings.uncited import UncitedClaims, WithoutClaim, count_skipped
from pincite.findings.unresolved import UnresolvedTargets
from pincite.judges import Judge, open_judge
from pincite.reading import IN_NO_RATIO, Assessment, Reading, Tell, Verdicts, ask, assess, read_answer
from pincite.records import Answer, Finding, Pair, Report, Summary
from pincite.sources import Library, open_sources
from pincite.sources import contexts as open_contexts

T = TypeVar("T")

CHECKS: tuple[type[Check], ...] = (UnresolvedTargets, Quotes, Support, WithoutClaim, UncitedClaims, Markers)
"""What is looked for in an answer: each asks its questions, and then reports its findings."""


def check(
    answer: Any,
    sources: Any = None,
    *,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    provider: str | None = None,
    **overrides: Any,
) -> Report:
    """Check the citations of one answer against its sources.

    `answer` is the text itself, a `pathlib.Path` to a file, an `Answer`, or a provider's response (an SDK's
    object or its JSON as a dict). `sources` is a path to a file or folder, several of them, a dict of name to
    text, a list of documents, or an opened `Library`. `overrides` are fields of `Settings`:
    `check(…, offsets="page")`.
    """
    settings = with_given(settings or Settings(), overrides, judge)
    library = open_sources(sources, settings.limits)
    read = to_answer(answer, settings.limits, provider)
    with chosen_judge(judge, settings) as (chosen, run), pool_for([read], library, chosen, settings) as pool:
        return run(check_answer(read, library, chosen, settings, pool=pool))


def check_contexts(
    answer: Any,
    contexts: Iterable[Any],
    *,
    ids: Iterable[str | int] | None = None,
    query: str | None = None,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    provider: str | None = None,
    **overrides: Any,
) -> Report:
    """Check the citations of one answer against a list of texts, as `check` does against files.

    `contexts` and `ids` are what `pincite.contexts` takes: `[2]` cites the second text, and `[doc-7]` the one
    with that id. `query` is the question that was answered. The rest is as for `check`.
    """
    chosen = with_given(settings or Settings(), overrides, judge)
    library = open_contexts(contexts, ids=ids, limits=chosen.limits)
    read = to_answer(answer, chosen.limits, provider)
    if query is not None:
        read = msgspec.structs.replace(read, query=query)
    return check(read, library, judge=judge, settings=chosen)


@contextmanager
def chosen_judge(
    judge: str | Judge | None, settings: Settings
) -> Iterator[tuple[Judge, Callable[[Coroutine[Any, Any, T]], T]]]:
    """The judge that was chosen, and the way to run what asks it.

    One that was only named is closed at the end, in the event loop in which it was asked. One that was given
    is the caller's.
    """
    chosen = open_judge(judge, settings)
    with event_loop(chosen.waits) as run:
        try:
            yield chosen, run
        finally:
            run(chosen.close())


async def check_answer(
    answer: Answer,
    library: Library,
    judge: Judge,
    settings: Settings,
    tell: Tell | None = None,
    pool: CheckPool | None = None,
) -> Report:
    """The same, asynchronous, with everything already opened. `tell` is called with the progress."""
    if not settings.enabled:
        return Report(answer, (), Summary(judge=judge.name))
    if answer.sources:
        library = library.extended(answer.sources)
    reading = read_answer(answer, library, settings, tell)
    context = CheckContext(reading, tell)
    checks = [kind(context) for kind in CHECKS]

    async def judged(pairs: Iterable[Pair], known: Verdicts) -> Verdicts:
        return await ask(judge, pairs, known, batch_size=settings.batch_size, tell=tell, workers=pool)

    verdicts = await judged((pair for one in checks for pair in one.questions()), {})
    verdicts = await judged((pair for one in checks for pair in one.remedies(verdicts)), verdicts)
    assessment = assess(reading, verdicts)
    findings = [finding for one in checks for finding in one.findings(assessment, verdicts)]
    return _report(reading, assessment, findings, judge.name)


def _report(reading: Reading, assessment: Assessment, found: Iterable[Finding], judge: str) -> Report:
    """The findings that were asked for and are not suppressed, and the counts over all of them."""
    told: list[Finding] = []
    doubtful: list[Finding] = []
    for finding in found:
        # One that has become a note by its small doubt is counted, and not reported.
        lowered = finding.severity == "note" != RULES[finding.code].severity
        (doubtful if lowered else told).append(finding)
    settings = reading.settings
    wanted = [_with_claim(finding, reading) for finding in told if _selected(finding.code, settings)]
    suppressions = find_suppressions(reading.answer.text)
    kept = [finding for finding in wanted if not suppressions.cover(finding)]
    findings = tuple(sorted(kept, key=lambda finding: (finding.start, finding.end, finding.code)))
    summary = Summary(
        citations=len(reading.citations),
        targets=len(reading.targets),
        targets_left_out=sum(one.standing in IN_NO_RATIO for one in assessment.targets),
        claims=len(reading.claims),
        unjudged=sum(finding.code == "PIN206" for finding in told),
        sources_failed=len(reading.library.unread),
        judged=sum(one.standing != "unjudged" for one in assessment.claim_targets),
        silenced=len(wanted) - len(kept),
        judge=judge,
        skipped=count_skipped(reading),
        doubtful=len(doubtful),
    )
    counted = count(summary, findings)
    whole = describe(reading, assessment, doubtful)
    return Report(reading.answer, findings, counted, reading.library.unread, tuple(doubtful), whole)


def _with_claim(finding: Finding, reading: Reading) -> Finding:
    """The finding with the claim that its marker speaks for, where it does not say which was judged."""
    claims = reading.targets[finding.targets[0]].claims if finding.targets else ()
    if finding.claim is not None or not claims:
        return finding
    before = [index for index in claims if reading.claims[index].start <= finding.start]
    return msgspec.structs.replace(finding, claim=reading.claims[before[-1] if before else claims[0]].span)


def _selected(code: str, settings: Settings) -> bool:
    chosen = not settings.select or any(code.startswith(prefix) for prefix in settings.select)
    return chosen and not any(code.startswith(prefix) for prefix in settings.ignore)


def with_given(settings: Settings, overrides: dict[str, Any], judge: str | Judge | None = None) -> Settings:
    """The settings with what was given by name, every code in them known."""
    if judge and isinstance(judge, str):
        settings = msgspec.structs.replace(settings, judge=judge)
    settings = with_overrides(settings, overrides)
    require_known_codes((*settings.select, *settings.ignore))
    return settings
