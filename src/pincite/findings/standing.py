"""Does a quote stand in the place that is cited for it, and where else? Each question is answered once."""

from __future__ import annotations

from functools import lru_cache

from pincite.findings.reading import CitedTarget, Reading
from pincite.records import Match, Passage, Source
from pincite.sources.locate import locate_quote
from pincite.text.normalise import normalise, without_dashes

LONG = 20_000
"""A cited place of more characters is looked at through the index of its source, not read anew."""
_MOST_PLACES = 1_000


class Standing:
    """The quotes of one answer against its sources: what was found is kept, as answers repeat themselves."""

    def __init__(self, reading: Reading) -> None:
        self._library = reading.library
        self._tolerance = reading.settings.tolerance_chars
        self._enough = reading.settings.min_overlap_threshold
        self._places: dict[tuple[str, str, int], list[Match]] = {}
        self._cleaned = lru_cache(maxsize=256)(self._clean)

    def source_of(self, cited: CitedTarget) -> Source | None:
        return self._library.get(cited.evidence.document or "")

    def places(self, quote: str, source: Source, limit: int = 20) -> list[Match]:
        """Where the quote stands in a source, as `locate_quote` says."""
        key = (quote, source.name, limit)
        if key not in self._places:
            self._places[key] = locate_quote(quote, source, limit)
        return self._places[key]

    def holds(self, quote: str, cited: CitedTarget) -> bool:
        """Whether the quote stands inside the cited place, give or take the tolerance at its ends."""
        source = self.source_of(cited)
        wanted = _wanted(quote)
        for found in cited.evidence.passages:
            if source is None:
                if wanted in _compared(found.text):
                    return True
            elif found.end - found.start > LONG:
                if self._indexed(quote, source, found):
                    return True
            elif wanted in self._cleaned(source.name, found.start, found.end) or (
                not cited.evidence.whole and self._overlaps(quote, source, found)
            ):
                return True
        return False

    def _clean(self, document: str, start: int, end: int) -> str:
        source = self._library.get(document)
        text = source.text if source is not None else ""
        around = text[max(0, start - self._tolerance) : end + self._tolerance]
        return _compared(around)

    def _overlaps(self, quote: str, source: Source, found: Passage) -> bool:
        return any(
            match.method != "fuzzy" and _overlap(match, found.start, found.end) >= self._enough
            for match in self.places(quote, source)
        )

    def _indexed(self, quote: str, source: Source, found: Passage) -> bool:
        start, end = found.start - self._tolerance, found.end + self._tolerance
        few = self.places(quote, source)
        matches = few if len(few) < 20 else self.places(quote, source, _MOST_PLACES)
        return any(m.method != "fuzzy" and start <= m.start and m.end <= end for m in matches)


@lru_cache(maxsize=64)
def _wanted(quote: str) -> str:
    return _compared(quote).strip()


def _compared(text: str) -> str:
    """A text without the differences of setting, dashes and hyphens included."""
    return without_dashes(normalise(text, fold_case=True).text)[0]


def _overlap(match: Match, start: int, end: int) -> float:
    """Shared characters ÷ all characters of the two places together."""
    shared = min(match.end, end) - max(match.start, start)
    joined = max(match.end, end) - min(match.start, start)
    return shared / joined if shared > 0 and joined > 0 else 0.0
