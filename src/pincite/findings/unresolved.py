"""Citations that point nowhere (PIN101 to PIN111), and the place that was meant, where one can be found."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from pincite.findings.context import Check, CheckContext, excerpt_of
from pincite.findings.relocate import SURE, marker_fix, moved_target, other_places
from pincite.reading import Assessment, CitedTarget, Reading, Verdicts, passages_for
from pincite.records import Finding, Fix, Pair, SpanTarget
from pincite.sources import locate_quote, passage, resolve

CODES = {
    "unknown_document": "PIN101",
    "ambiguous_document": "PIN102",
    "no_such_page": "PIN103",
    "page_disagrees": "PIN104",
    "out_of_bounds": "PIN105",
    "bad_span": "PIN106",
    "path_not_found": "PIN107",
    "no_entry": "PIN108",
    "unreadable": "PIN109",
    "not_given": "PIN206",
}


class Option(Struct, frozen=True):
    """What the marker may have meant."""

    target: SpanTarget
    description: str
    asked: tuple[Pair, ...] | None = None
    """What the judge is asked about it; None where it is certain, empty where there is nothing to ask."""
    suggest: bool = False
    """Worth suggesting even when nothing supports it: a name with a typing error."""
    sure: float = SURE
    """The score from which on it is written without being asked for."""


class UnresolvedTargets(Check):
    """Targets that point nowhere, each with what it may have meant."""

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._missed: list[tuple[CitedTarget, list[Option]]] = []

    def questions(self) -> Iterable[Pair]:
        for cited in self.reading.targets:
            if cited.evidence.status != "found":
                options = _options(cited, self.context)
                self._missed.append((cited, options))
                for option in options:
                    yield from option.asked or ()

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        """One finding per target, with a fix where what was meant is known."""
        context = self.context
        for cited, options in self._missed:
            evidence = cited.evidence
            shown = excerpt_of(evidence.passages[0]) if evidence.passages else None
            fix = _choose(cited, options, verdicts)
            yield context.about(cited, CODES[evidence.status], evidence.reason, source=shown, fix=fix)
        # What was found in part: the document is there, and its section or its page cannot be seen.
        for cited in self.reading.targets:
            if cited.evidence.note:
                yield context.about(cited, "PIN110", cited.evidence.note)
            if message := _page_unverified(cited):
                yield context.about(cited, "PIN111", message)


def _page_unverified(cited: CitedTarget) -> str:
    """Why the cited page cannot be verified; page 1 may be all of the text."""
    page = cited.target.page if isinstance(cited.target, SpanTarget) else None
    if cited.evidence.page_verified is not False or cited.evidence.status != "found" or page in (None, 1):
        return ""
    return f"page unverified: {cited.evidence.document} has no pages, so page {page} cannot be checked"


def _options(cited: CitedTarget, context: CheckContext) -> list[Option]:
    target, status = cited.target, cited.evidence.status
    if not isinstance(target, SpanTarget) or cited.citation.family != "span":
        return []
    if status in ("unknown_document", "ambiguous_document"):
        return _other_names(cited, target, context.reading)
    if status == "page_disagrees":
        return _true_page(cited, context.reading)
    if status in ("no_such_page", "out_of_bounds", "bad_span"):
        return _true_place(cited, context)
    return []


def _other_names(cited: CitedTarget, target: SpanTarget, reading: Reading) -> list[Option]:
    options = []
    for name in cited.evidence.candidates[:3]:
        renamed = msgspec.structs.replace(target, document=name)
        evidence = resolve(renamed, reading.library, offsets=reading.settings.offsets)
        asked: tuple[Pair, ...] = ()
        if evidence.status == "found":
            asked = _asked(msgspec.structs.replace(cited, evidence=evidence), reading)
        suggest = cited.evidence.status == "unknown_document"
        options.append(Option(renamed, "name the document", asked, suggest))
    return options


def _true_page(cited: CitedTarget, reading: Reading) -> list[Option]:
    found = cited.evidence.passages[0]
    source = reading.library.get(found.document)
    moved = moved_target(cited, reading, source, found.start, found.end) if source else None
    if moved is None:
        return []
    asked = _asked(cited, reading)
    # The characters stay the same, so any support at all shows that they were meant.
    return [Option(moved, "cite the page the characters are on", asked, suggest=True, sure=0.5)]


def _true_place(cited: CitedTarget, context: CheckContext) -> list[Option]:
    reading = context.reading
    source = reading.library.get(cited.evidence.document or "")
    if source is None:
        return []
    if cited.citation.cited_text:
        matches = locate_quote(cited.citation.cited_text, source)
        places = [match for match in matches if match.method != "fuzzy"]
        moved = moved_target(cited, reading, source, places[0].start, places[0].end) if places else None
        return [Option(moved, "cite the place where the excerpt appears")] if moved else []
    options = []
    for index in cited.claims:
        claim = reading.claims[index].text
        for match in other_places(claim, source, None, context):
            moved = moved_target(cited, reading, source, match.start, match.end)
            if moved is not None:
                asked = Pair(claim, (passage(source, match.start, match.end),))
                options.append(Option(moved, "cite the place that supports the claim", (asked,)))
    return options


def _asked(cited: CitedTarget, reading: Reading) -> tuple[Pair, ...]:
    claims = (reading.claims[index].text for index in cited.claims)
    return tuple(Pair(claim, passages_for(claim, cited, reading)) for claim in claims)


def _choose(cited: CitedTarget, options: list[Option], verdicts: Verdicts) -> Fix | None:
    """The option that the judge is surest of; failing that, the only one worth suggesting."""

    def surety(option: Option) -> float:
        if option.asked is None:
            return 1.0
        found = [verdicts[pair] for pair in option.asked]
        return min(((v.score or 0.0) if v.outcome == "supported" else 0.0 for v in found), default=0.0)

    best = max(options, key=surety, default=None)
    if best is not None and surety(best) >= best.sure:
        return marker_fix(cited, best.target, True, best.description)
    suggestions = [option for option in options if option.suggest]
    if suggestions:
        return marker_fix(cited, suggestions[0].target, False, suggestions[0].description)
    return marker_fix(cited, best.target, False, best.description) if best and surety(best) > 0 else None
