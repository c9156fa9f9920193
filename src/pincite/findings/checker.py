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
from pincite.findings import markers, places, quotes, skipped, support, uncited, unresolved
from pincite.findings.catalogue import refuse_unknown_codes
from pincite.findings.judged import describe
from pincite.findings.pool import CheckPool, pool_for
from pincite.findings.silence import find_silencers
from pincite.findings.summary import count
from pincite.judges import Judge, open_judge
from pincite.reading import IN_NO_RATIO, Questions, Reading, Tell, Weighed, read_answer, weigh
from pincite.records import Answer, Finding, Report, Summary
from pincite.sources import Library, open_sources
from pincite.sources import contexts as open_contexts

T = TypeVar("T")


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
    place = places.Places(answer.text)

    questions = Questions(judge, settings.batch_size, tell, pool)
    pointing_nowhere = unresolved.ask(reading, questions)
    support.ask(reading, questions)
    without_citation = uncited.ask(reading, questions)
    await questions.answer()

    unresolved_found = unresolved.tell(pointing_nowhere, reading, questions, place)
    remedies = support.ask_again(reading, questions)
    await questions.answer()

    weighed = weigh(reading, questions.verdicts)
    judged = support.tell(weighed, remedies, reading, questions, place)
    no_claim = skipped.without_claim(reading)
    findings = [
        *unresolved_found,
        *quotes.tell(reading, place),
        *judged.findings,
        *skipped.tell(no_claim, reading, place),
        *uncited.tell(without_citation, reading, questions, place),
        *markers.check_markers(reading, place),
    ]
    not_given = sum(cited.evidence.status == "not_given" for cited, _ in pointing_nowhere)
    unjudged = judged.unjudged + not_given + len(no_claim)
    return _report(reading, findings, judge.name, judged, weighed, unjudged)


def _report(
    reading: Reading,
    found: Iterable[Finding],
    judge: str,
    judged: support.SupportFindings,
    weighed: Weighed,
    unjudged: int,
) -> Report:
    settings = reading.settings
    wanted = [_with_claim(finding, reading) for finding in found if _selected(finding.code, settings)]
    silencer = find_silencers(reading.answer.text)
    kept = [finding for finding in wanted if not silencer.silences(finding)]
    findings = tuple(sorted(kept, key=lambda finding: (finding.start, finding.end, finding.code)))
    summary = Summary(
        citations=len(reading.citations),
        targets=len(reading.targets),
        targets_left_out=sum(one.standing in IN_NO_RATIO for one in weighed.targets),
        claims=len(reading.claims),
        unjudged=unjudged,
        sources_failed=len(reading.library.unread),
        judged=judged.decided,
        silenced=len(wanted) - len(kept),
        judge=judge,
        skipped=skipped.count_skipped(reading),
        doubtful=len(judged.doubtful),
    )
    counted = count(summary, findings)
    whole = describe(reading, weighed, judged.doubtful)
    return Report(reading.answer, findings, counted, reading.library.unread, judged.doubtful, whole)


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
    refuse_unknown_codes((*settings.select, *settings.ignore))
    return settings
