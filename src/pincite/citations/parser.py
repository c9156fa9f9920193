"""An answer's text to its citations, its references and what is malformed."""

from __future__ import annotations

from operator import attrgetter

from msgspec.structs import replace

from pincite.citations.formats import scan
from pincite.citations.formats.form import Context, Found, KnownSources
from pincite.citations.formats.web import link_definitions
from pincite.citations.references import read_references
from pincite.records import Citation, Malformed, Parsed, Reference, Span, WorkTarget
from pincite.text import (
    Block,
    blanked,
    find_blocks,
    inline_opaque_spans,
    may_have_code_blocks,
    may_have_references,
    merge,
)

_start = attrgetter("start")


def parse(text: str, sources: KnownSources | None = None) -> Parsed:
    """Every citation, each with its offsets, in order and never overlapping.

    What may be a name or a path is one only where a source has it: `[Annual Report 2023]` and `[premium]` are
    citations, and `[notes.log1]` is one of a document rather than of a path, if `sources` say so. With the
    same sources, such as those of `open_sources`, this finds what `check` finds.
    """
    references: tuple[Reference, ...] = ()
    hidden: list[Span] = []
    listed: list[Block] = []
    if may_have_references(text) or may_have_code_blocks(text):
        for block in find_blocks(text):
            if block.kind == "references":
                listed.append(block)
            elif block.kind == "code" or block.kind == "comment":
                hidden.append(Span(block.start, block.end))
        if listed:
            references = read_references(text, listed)
    if "`" in text or "!" in text or "<" in text:
        hidden = hidden + inline_opaque_spans(text, hidden)
    if references:
        hidden = hidden + [Span(block.start, block.end) for block in listed]
    # Line breaks hide what no citation may be found in: no marker reaches across several.
    shown = blanked(text, merge(hidden), "\n") if hidden else text
    context = Context(shown, sources=sources)
    if references:
        context.labels = frozenset([reference.label for reference in references])
        targets = [target for reference in references for target in reference.targets]
        context.listed = frozenset([target.key for target in targets if isinstance(target, WorkTarget)])
        context.numbered = _numbers_shown(text, references)
        context.definitions = link_definitions(text, references)
    found = scan(context)
    if hidden:
        found = [written for one in found if (written := _as_written(one, text)) is not None]
    citations, malformed = _without_overlaps(found)
    return Parsed(tuple(citations), references, tuple(malformed))


def _numbers_shown(text: str, references: tuple[Reference, ...]) -> frozenset[str]:
    """The numbers that entries are written with; entries without one were counted by us."""
    return frozenset(
        one.label
        for one in references
        if one.label.isdecimal()
        and (one.text.startswith("|") or one.label in text[one.start : one.end - len(one.text)])
    )


def _as_written(found: Found, text: str) -> Found | None:
    """What was found, with the answer's own words: an excerpt may hold code, which the copy hides."""
    written = text[found.start : found.end]
    if found.text == written:
        return found
    if isinstance(found, Malformed):
        return replace(found, text=written, replacement=None)
    read = (one for one in scan(Context(written)) if isinstance(one, Citation))
    again = next((one for one in read if one.text == written), None)
    return None if again is None else replace(again, start=found.start, end=found.end)


def _without_overlaps(found: list[Found]) -> tuple[list[Citation], list[Malformed]]:
    """The rule: what begins first wins; of two that begin together a citation wins, then the longer."""
    found.sort(key=_start)
    kept: list[Found] = []
    end = -1
    for candidate in found:
        if candidate.start >= end:
            kept.append(candidate)
            end = candidate.end
        elif candidate.start == kept[-1].start and _beats(candidate, kept[-1]):
            kept[-1] = candidate
            end = candidate.end
    citations = [candidate for candidate in kept if type(candidate) is Citation]
    if len(citations) == len(kept):
        return citations, []
    return citations, [candidate for candidate in kept if type(candidate) is Malformed]


def _beats(candidate: Found, other: Found) -> bool:
    if type(candidate) is not type(other):
        return type(candidate) is Citation
    return candidate.end > other.end
