"""The citation record of the citation accuracy document, and how other shapes become one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from pincite.errors import InputError
from pincite.metrics.spans.records import ScoredSpan


@dataclasses.dataclass(frozen=True)
class CitationSpan:
    """One cited stretch of a document: half-open offsets, in code points of the document's text.

    `page_number` counts from 1 and is None where the citation gives no page.
    """

    file_name: str
    page_number: int | None
    start_char: int
    end_char: int
    confidence_score: float = 1.0
    extraction_method: str = "llm"
    """llm, regex or hybrid."""
    context_text: str = ""
    relevance_score: float = 1.0


_FIELDS = tuple(field.name for field in dataclasses.fields(CitationSpan))
_REQUIRED = ("file_name", "start_char", "end_char")


def citation_spans(given: Iterable[Any], what: str) -> list[CitationSpan]:
    """Citations as `CitationSpan`: from records, from dicts, or from objects with the same attributes."""
    if isinstance(given, (str, bytes, Mapping)):
        raise InputError(f"{what} must be a list of citations, not one {type(given).__name__}")
    citations = [_citation_span(one, what, index) for index, one in enumerate(given)]
    for index, citation in enumerate(citations):
        if not isinstance(citation.file_name, str):
            raise InputError(f"{what}[{index}].file_name is {citation.file_name!r}: it must be text")
        for name in ("page_number", "start_char", "end_char"):
            value = getattr(citation, name)
            if type(value) is not int and not (name == "page_number" and value is None):
                raise InputError(f"{what}[{index}].{name} is {value!r}: it must be a whole number")
    return citations


def scored_span(citation: CitationSpan) -> ScoredSpan:
    return ScoredSpan(citation.file_name, citation.page_number, citation.start_char, citation.end_char)


def _citation_span(given: Any, what: str, index: int) -> CitationSpan:
    if isinstance(given, CitationSpan):
        return given
    if isinstance(given, Mapping):
        known = {name: given[name] for name in _FIELDS if name in given}
    else:
        known = {name: getattr(given, name) for name in _FIELDS if hasattr(given, name)}
    missing = [name for name in _REQUIRED if name not in known]
    if missing:
        raise InputError(
            f"{what}[{index}] has no {', '.join(missing)}: "
            "give a CitationSpan, or a dict with file_name, start_char and end_char"
        )
    known.setdefault("page_number", None)
    return CitationSpan(**known)
