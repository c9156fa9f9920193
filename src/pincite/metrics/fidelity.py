"""Citation fidelity: do path citations such as `[quote.premium]` lead to a value, and does the answer say it?

Valid citations ÷ citations. One is valid when its path leads to a value in `expected_output`, and, with
`check_values`, when the answer states that value where it cites it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from pincite.answers import straight
from pincite.citations import parse
from pincite.metrics.case import Case
from pincite.metrics.metric import Metric, Verdicts
from pincite.metrics.path_values import Likeness, MarkerPlace, ValueMatch, find_places, look_for
from pincite.records import Citation, DatasetItem, PathTarget, Result
from pincite.sources import MISSING, Library, find_path, get, parse_path

Share = Annotated[float, Meta(ge=0, le=1)]
NOT_FOUND = "path not found"
RESOLVED = "the path leads to a value"
STATED = "the answer states the value that the path leads to"
_INTO_A_LIST = re.compile(
    r"\[((?:\$?\[\d{1,9}+\]|\d{1,9}+(?=\.))(?:\.[^\W\d][\w$-]*+|\[\d{1,9}+\])*+)\](?!\()", re.UNICODE
)
"""`[[0].price]` and `[0.price]`, which are paths only where the data is a list."""
_BARE_NAME = re.compile(
    r"(?<![\]\w])\[(?!(?:sic|ibid|emphasis|notes?|sources?|citations?|todo|done|redacted)\])"
    r"([^\W\d]\w{2,63})\](?![\[(:])",
    re.IGNORECASE,
)
"""`[premium]`, which is a path only where the data is flat, and never what an editor puts in brackets."""


class FidelityVerdict(Struct, frozen=True):
    """What became of one citation."""

    citation: str
    path: str
    resolved_value: Any
    """None where the path leads nowhere, and where it leads to null."""
    status: Literal["valid", "invalid"]
    reason: str


class CitationFidelityResult(Struct, frozen=True):
    """How the score came about."""

    score: float | None
    total_citations: int
    valid_citations: int
    verdicts: tuple[FidelityVerdict, ...]


class CitationFidelity(Metric, frozen=True, kw_only=True):
    """Path citations that lead to a value, and to the value that the answer states, ÷ path citations."""

    title: ClassVar[str] = "citation_fidelity"
    place: ClassVar[str] = "citation_metrics.citation_fidelity"
    pooled: ClassVar[bool] = True
    unit: ClassVar[str] = "path citations valid"
    usual_threshold: ClassVar[float | None] = 1.0
    needs: ClassVar[tuple[str, ...]] = ("JSON values",)

    check_values: bool = False
    window_chars: Annotated[int, Meta(ge=1, le=1_000_000)] = 200
    """How far from the marker its value may be, before it or after it."""
    min_shared_tokens: Annotated[int, Meta(ge=1, le=1_000)] = 2
    """A text value is stated when the answer has this many of its words,"""
    fuzzy_threshold: Share = 0.8
    """or words that are this similar to it, 0 to 1. Either is enough."""
    numeric_tolerance: Share = 0.01
    """How far a number may be off, as a share of the value."""

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        if case.item.actual_output is None:
            return self._nothing("no answer")
        data = _CitedData(case.item.expected_output, case.library)
        if data.lacking:
            return self._nothing(data.lacking)
        text, citations = _path_citations(case.item, data)
        if not citations:
            return self._nothing("no path citations")
        told = self._verdicts(text, citations, data)
        valid = sum(verdict.status == "valid" for verdict in told)
        signals = CitationFidelityResult(valid / len(told), len(told), valid, tuple(told))
        counts = {"total_citations": len(told), "valid_citations": valid}
        return self.result(valid, len(told), counts=counts, signals=signals)

    def _nothing(self, reason: str) -> Result:
        """Nothing to score; the signals are there all the same, with nothing counted."""
        signals = CitationFidelityResult(None, 0, 0, ())
        return self.result(0, 0, not_scorable=1, reasons={reason: 1}, signals=signals)

    def _verdicts(self, text: str, citations: Sequence[Citation], data: _CitedData) -> list[FidelityVerdict]:
        values = [data.value(_path(citation)) for citation in citations]
        if not self.check_values:
            return [
                _verdict(citation, value, ValueMatch("stated", RESOLVED))
                for citation, value in zip(citations, values, strict=True)
            ]
        places = find_places(text, citations, self.window_chars)
        behind = self._behind(places, values)
        return [
            _verdict(citation, value, self._look(value, place, place.sentence in behind))
            for citation, value, place in zip(citations, values, places, strict=True)
        ]

    def _behind(self, places: Sequence[MarkerPlace], values: Sequence[Any]) -> set[int]:
        """The sentences in which values follow their markers rather than precede them.

        Where several markers share a sentence, the words between two could be of either. Figures that stand
        behind the last marker and not before the first tell; otherwise the words are read the way in
        which more of the values fit, and forwards only where the last marker has words behind it.
        """
        sentences: dict[int, list[tuple[MarkerPlace, Any]]] = {}
        for place, value in zip(places, values, strict=True):
            if not place.alone:
                sentences.setdefault(place.sentence, []).append((place, value))
        return {number for number, markers in sentences.items() if self._stand_behind(markers)}

    def _stand_behind(self, markers: Sequence[tuple[MarkerPlace, Any]]) -> bool:
        ahead, behind = markers[0][0].before, markers[-1][0].after
        if not any(character.isalnum() for character in behind):
            return False
        if _has_digit(behind) and not _has_digit(ahead):
            return True
        fitting = [
            sum(self._look(value, place, way).state == "stated" for place, value in markers)
            for way in (False, True)
        ]
        return fitting[1] > fitting[0]

    def _look(self, value: Any, place: MarkerPlace, behind: bool) -> ValueMatch:
        if value is MISSING:
            return ValueMatch("absent")
        likeness = Likeness(self.min_shared_tokens, self.fuzzy_threshold, self.numeric_tolerance)
        if not place.alone:
            text = place.after if behind else place.before
            return look_for(value, text, text if behind else place.clause, likeness)
        return look_for(value, f"{place.before} {place.after}", place.clause, likeness)


class _CitedData:
    """The data that paths lead into: what the item expects, or else the JSON sources that were given."""

    def __init__(self, given: Any, library: Library) -> None:
        self.lacking = ""
        self._roots: list[Any] = []
        self._sources = [source for source in library.sources if source.kind in ("json", "csv")]
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except (ValueError, RecursionError):
                self.lacking = "expected_output is not JSON data"
                return
        if isinstance(given, Mapping):
            self._roots = [given if isinstance(given, dict) else dict(given)]
        elif isinstance(given, list | tuple):
            # A path may begin with an index, or lead into any of the records.
            self._roots = [list(given), *(one for one in given if isinstance(one, dict))]
        elif given is not None or not self._sources:
            self.lacking = "no expected_output" if given is None else "expected_output is not JSON data"

    def citations(self, text: str) -> list[Citation]:
        found = [one for one in parse(text, self).citations if one.family == "json_path"]
        taken = {citation.start for citation in found}
        for match in self._paths_of_this_data(text):
            if match.start() not in taken:
                target = PathTarget(match[1], match[1])
                found.append(Citation("json_path", match[0], *match.span(), (target,)))
        return sorted(found, key=lambda citation: citation.start)

    def _paths_of_this_data(self, text: str) -> Iterator[re.Match[str]]:
        """Brackets that are paths because of the data's shape, whether or not they lead to a value."""
        root = self._roots[0] if self._roots else None
        if isinstance(root, list):
            yield from _INTO_A_LIST.finditer(text)
        elif isinstance(root, dict) and not any(isinstance(value, dict | list) for value in root.values()):
            yield from _BARE_NAME.finditer(text)

    def value(self, path: str) -> Any:
        """The value that the path leads to, or `MISSING`."""
        steps = parse_path(path)
        for root in self._roots:
            found = get(root, steps) if steps else MISSING
            if found is not MISSING:
                return found
        if not self._roots:
            for source in self._sources:
                true = find_path(source, path)
                if true is not None:
                    return get(source.data, true)
        return MISSING

    def has_path(self, path: str) -> bool:
        return self.value(path) is not MISSING

    def bears(self, name: str) -> bool:
        """The data is what paths lead into, not a document to be cited by its name."""
        return False


def _path_citations(item: DatasetItem, data: _CitedData) -> tuple[str, list[Citation]]:
    """The answer and its path citations: those that were given, with their offsets, or those in the text."""
    text = item.actual_output or ""
    given = [
        one for one in item.citations or () if any(isinstance(target, PathTarget) for target in one.targets)
    ]
    return (text, given) if given else (straight(text), data.citations(straight(text)))


def _path(citation: Citation) -> str:
    return next(target.path for target in citation.targets if isinstance(target, PathTarget))


def _verdict(citation: Citation, value: Any, found: ValueMatch) -> FidelityVerdict:
    path = _path(citation)
    if value is MISSING:
        return FidelityVerdict(citation.text, path, None, "invalid", NOT_FOUND)
    if found.state == "stated":
        return FidelityVerdict(citation.text, path, value, "valid", found.said or STATED)
    if found.state == "differs":
        reason = f"value differs: the answer says {found.said}, the data {_shown(value)}"
        return FidelityVerdict(citation.text, path, value, "invalid", reason)
    reason = f"value not near the marker: {_shown(value)}"
    return FidelityVerdict(citation.text, path, value, "invalid", reason)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 80 else text[:79] + "…"
