"""An answer's text to its citations, its references and what is malformed."""

from __future__ import annotations

from pincite.citations.formats.json_path import HasPath
from pincite.citations.references import read_references
from pincite.citations.scan import Found, scan
from pincite.records import Citation, Malformed, Parsed, Reference, Span
from pincite.text.blocks import find_blocks, inline_opaque_spans, may_have_code_blocks, may_have_references
from pincite.text.spans import merge

_MAY_BE_OPAQUE = ("`", "![", "<!--", "[ ]", "[x]", "[X]")


def parse(text: str, has_path: HasPath | None = None) -> Parsed:
    """Every citation, each with its offsets, in order and never overlapping.

    `has_path` tells whether a canonical JSON path resolves in a source: only then is `[premium]` a citation.
    """
    references: tuple[Reference, ...] = ()
    hidden: list[Span] = []
    if may_have_references(text) or may_have_code_blocks(text):
        blocks = find_blocks(text)
        hidden = [Span(b.start, b.end) for b in blocks if b.kind in ("code", "comment")]
        listed = [block for block in blocks if block.kind == "references"]
        if listed:
            references = read_references(text, listed)
    if any(sign in text for sign in _MAY_BE_OPAQUE):
        hidden = hidden + inline_opaque_spans(text, hidden)
    if references:
        hidden = hidden + [Span(block.start, block.end) for block in listed]
    labels = frozenset(reference.label for reference in references)
    found = scan(_masked(text, hidden) if hidden else text, labels, has_path)
    citations, malformed = _without_overlaps(found)
    return Parsed(tuple(citations), references, tuple(malformed))


def _masked(text: str, hidden: list[Span]) -> str:
    """The text with line breaks where no citation may be found: no marker reaches across several."""
    parts: list[str] = []
    at = 0
    for span in merge(hidden):
        parts.append(text[at : span.start])
        parts.append("\n" * (span.end - span.start))
        at = span.end
    parts.append(text[at:])
    return "".join(parts)


def _order(found: Found) -> tuple[int, bool, int]:
    return found.start, isinstance(found, Malformed), -found.end


def _without_overlaps(found: list[Found]) -> tuple[list[Citation], list[Malformed]]:
    """The rule: what begins first wins; of two that begin together a citation wins, then the longer."""
    if len(found) > 1:
        found.sort(key=_order)
    citations: list[Citation] = []
    malformed: list[Malformed] = []
    end = 0
    for candidate in found:
        if candidate.start < end:
            continue
        end = candidate.end
        if isinstance(candidate, Citation):
            citations.append(candidate)
        else:
            malformed.append(candidate)
    return citations, malformed
