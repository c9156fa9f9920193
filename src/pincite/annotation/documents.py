"""The documents of a dataset as an annotator sees them: listed, found by words, and read in windows."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from pincite.datasets import Dataset
from pincite.records import Source
from pincite.sources import page_of

MOST_LISTED = 200
WINDOW = 150_000
"""Characters of a document that are sent at once; the rest follows when it is wanted."""
BLOCK = 2_000
"""A window is cut into blocks of about so many characters, at ends of lines where there are any."""
LONGEST_BLOCK = 8_000
MOST_LOOKED_AT = 2_000
"""Documents of a large dataset that are listed and searched; others are found by their names."""
MOST_KEPT = 16
"""Documents of a large dataset that are kept at hand."""


class ListedDocument(Struct, frozen=True):
    """A document as the list of a task shows it."""

    name: str
    title: str
    characters: int
    pages: int | None
    found: int | None = None
    """Where the words that were looked for are first found."""


class TextBlock(Struct, frozen=True):
    """A stretch of a document, shown as one element."""

    start: int
    text: str
    page: int | None = None
    """The page that begins here."""


class DocumentWindow(Struct, frozen=True):
    """A stretch of a long document, read as an annotator scrolls."""

    name: str
    blocks: tuple[TextBlock, ...]
    next: int | None
    """Where the next window begins; None at the end."""
    characters: int


class Documents:
    """A dataset's documents by the names under which its library lists them."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._kept: OrderedDict[str, Source] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, name: str) -> Source | None:
        """A document by its listed name."""
        if self._dataset.in_memory:
            return self._dataset.library().get(name)
        with self._guard:
            if name not in self._kept:
                found = self._dataset.library_for([name]).get(name)
                if found is None:
                    return None
                self._kept[name] = found
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(name)
            return self._kept[name]

    def find(self, name: str) -> Source | None:
        """The one document that a name in an annotation or a gold citation means."""
        given = self._dataset
        found = (given.library() if given.in_memory else given.library_for([name])).find(name)
        return found[0] if len(found) == 1 else None

    def listed(self, words: str = "") -> tuple[list[ListedDocument], int | None]:
        """Documents whose name, title or text holds these words, and how many more; None if unknown."""
        wanted, more = words.casefold().strip(), 0
        found: list[ListedDocument] = []
        for source in self._sources():
            named = wanted in source.name.casefold() or wanted in (source.title or "").casefold()
            place = source.text.casefold().find(wanted) if wanted else -1
            if wanted and not named and place < 0:
                continue
            if len(found) < MOST_LISTED:
                # Folding case may change the length of a text, so that the place is looked up again.
                exact = source.text.find(words.strip()) if wanted else -1
                at = exact if exact >= 0 else place if len(source.text.casefold()) == len(source.text) else -1
                found.append(_listed(source, at if at >= 0 else None))
            else:
                more += 1
        if self._dataset.in_memory:
            return found, more
        named_so = self.find(words.strip()) if wanted else None
        if named_so is not None and all(one.name != named_so.name for one in found):
            found.insert(0, _listed(named_so, None))
        return found, None

    def nearest_first(self, question: str) -> tuple[list[ListedDocument], int | None]:
        """The documents, those first that speak most of what is asked."""
        found, more = self.listed()
        if not self._dataset.in_memory or not question.strip():
            return found, more
        from pincite.sources import locate_claims

        places = locate_claims(question[:2_000], self._dataset.library(), 20)
        near = list(dict.fromkeys(one.document for one in places))
        known = {one.name: one for one in found}
        for name in near:
            source = None if name in known else self.get(name)
            if source is not None:
                known[name] = _listed(source, None)
        first = [known[name] for name in near if name in known]
        return first + [one for one in found if one.name not in set(near)], more

    def window(self, name: str, start: int = 0) -> DocumentWindow | None:
        """A stretch of a document in blocks, from the beginning of a block."""
        source = self.get(name)
        if source is None or not 0 <= start <= len(source.text):
            return None
        end = min(len(source.text), start + WINDOW)
        blocks = tuple(_blocks(source, start, end))
        last = blocks[-1].start + len(blocks[-1].text) if blocks else end
        return DocumentWindow(name, blocks, last if last < len(source.text) else None, len(source.text))

    def _sources(self) -> Iterator[Source]:
        if self._dataset.in_memory:
            yield from self._dataset.library().sources
            return
        for document in islice(self._dataset.documents(), MOST_LOOKED_AT):
            found = self.find(document.document_id)
            if found is not None:
                yield found


def _listed(source: Source, found: int | None) -> ListedDocument:
    pages = len(source.page_starts) if source.page_starts else None
    return ListedDocument(source.name, source.title or source.name, len(source.text), pages, found)


def _blocks(source: Source, start: int, end: int) -> Iterator[TextBlock]:
    """Blocks that end with a line or a page where they can; together they are the text."""
    text, page = source.text, page_of(source, start) if start else None
    while start < end:
        feed = text.find("\f", start, start + LONGEST_BLOCK)
        line = text.find("\n", min(start + BLOCK, len(text)), start + LONGEST_BLOCK)
        ends = [place + 1 for place in (feed, line) if place >= 0] or [start + LONGEST_BLOCK]
        stop = min(*ends, len(text))
        here = page_of(source, start)
        yield TextBlock(start, text[start:stop], here if here != page else None)
        page, start = here, stop
