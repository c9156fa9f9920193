"""DOCX: paragraphs on lines of their own, table cells divided by bars, footnotes after the text.

Where pages end is decided when a document is printed. Word leaves marks where they ended last, and those are
used; without them, page breaks that the author set make pages as long as none is longer than a printed page
can be. Otherwise the source has no pages, and a cited page is unverified.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from xml.parsers import expat

from pincite.config import Limits
from pincite.records import Source
from pincite.sources.passages import page_starts_of
from pincite.sources.readers.common import Unreadable, make_source, most_unpacked, spend
from pincite.sources.readers.flow import Flow
from pincite.text import trimmed

_LONGEST_PAGE = 8000
_CHUNK = 1 << 20
"""Bytes unpacked at once. An older expat reads an unfinished tag from its start again with each chunk."""
_MOST_ABOUT = 1 << 20
"""Bytes of the part that holds the title."""
_METHODS = {9: "deflate64", zipfile.ZIP_BZIP2: "bzip2", zipfile.ZIP_LZMA: "lzma", 93: "zstd", 95: "xz"}
_MOST_MEMBERS = 20_000
_DEEPEST = 100_000
_LONGEST_NAMESPACE = 1000
_WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_HEADING_STYLES = ("Heading", "heading")
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"


def read_docx(raw: bytes, name: str, limits: Limits) -> list[Source]:
    if raw.startswith(b"\xd0\xcf\x11\xe0"):
        raise Unreadable(
            "encrypted, or an old .doc file: save it as .docx without a password and check again"
        )
    try:
        # Each member of the package becomes a record as soon as it is opened.
        if raw.count(b"PK\x01\x02") > _MOST_MEMBERS:
            raise Unreadable(f"a DOCX of more than {_MOST_MEMBERS:,} parts is not read")
        with zipfile.ZipFile(io.BytesIO(raw)) as package:
            body = _Body()
            unpacking = _Unpacking(package, min(limits.source_bytes, most_unpacked(len(raw))))
            for part in _parts(package):
                try:
                    _parse(unpacking.chunks(part), body)
                except expat.ExpatError as error:
                    raise Unreadable(f"a broken DOCX: {part}: {error}") from None
            title = _read_title(package)
    except Unreadable:
        raise
    except Exception as error:  # a damaged package makes zipfile raise almost anything
        raise Unreadable(f"a broken DOCX: {error or type(error).__name__}") from None
    text, tables = body.flow.finish()
    starts = page_starts_of(text)
    if starts is not None and not body.has_printed_pages:
        longest = max(end - start for start, end in pairwise((*starts, len(text))))
        if longest > _LONGEST_PAGE:
            text, starts = text.replace("\f", "\n"), None
    found = {"tables": tables, "headings": tuple(trimmed(body.flow.headings, text))}
    return [make_source(name, text, kind="docx", title=title, page_starts=starts, **found)]


def _parts(package: zipfile.ZipFile) -> list[str]:
    names = set(package.namelist())
    main = "word/document.xml"
    if main not in names:
        others = sorted(n for n in names if n.startswith("word/document") and n.endswith(".xml"))
        if not others:
            raise Unreadable("not a DOCX: it contains no word/document.xml")
        main = others[0]
    return [main, *(n for n in ("word/footnotes.xml", "word/endnotes.xml") if n in names)]


class _Unpacking:
    """The parts of a package as they are unpacked, which together may not be more than they should.

    What is unpacked is counted, as the sizes that a package states may be wrong. Only deflate can be unpacked
    bit by bit here; other methods give all that they hold at once, and Word never uses them.
    """

    def __init__(self, package: zipfile.ZipFile, most_bytes: int) -> None:
        self._package = package
        self._left = most_bytes

    def chunks(self, part: str) -> Iterator[bytes]:
        method = self._package.getinfo(part).compress_type
        if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            named = _METHODS.get(method, f"method {method}")
            raise Unreadable(f"{part} is packed with {named}, which no DOCX is: only deflate is read")
        with self._package.open(part) as stream:
            while chunk := stream.read(_CHUNK):
                self._left -= len(chunk)
                if self._left < 0:
                    raise Unreadable(f"{part} unpacks to far more than its size: refused as a zip bomb")
                spend()
                yield chunk


def _parse(chunks: Iterator[bytes], handler: _Body | _Title) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = handler.open
    parser.EndElementHandler = handler.close
    parser.CharacterDataHandler = handler.characters
    # No document type: without one there are no entities to expand, and Word never writes one.
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartNamespaceDeclHandler = _check_namespace
    for chunk in chunks:
        parser.Parse(chunk, False)
    parser.Parse(b"", True)


def _refuse_doctype(*_: object) -> None:
    raise Unreadable("its XML declares a document type with entities: refused, as Word never writes one")


def _check_namespace(_: str | None, namespace: str | None) -> None:
    # Each tag comes with its namespace in full.
    if namespace is not None and len(namespace) > _LONGEST_NAMESPACE:
        raise Unreadable(f"its XML has a namespace of more than {_LONGEST_NAMESPACE:,} characters: refused")


class _Body:
    """Takes the XML's events and writes the text."""

    def __init__(self) -> None:
        self.flow = Flow()
        self.has_printed_pages = False
        self._in_text = False
        self._depth = 0
        self._skipping = 0
        self._broken_here = True
        self._rows: list[int] = []
        self._heading_start: int | None = None

    def open(self, qualified: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unreadable(f"its XML is nested more than {_DEEPEST:,} levels deep: refused")
        if self._skipping or qualified == _FALLBACK:
            self._skipping += 1
            return
        namespace, _, name = qualified.rpartition(" ")
        if namespace not in _WORD:
            return
        flow = self.flow
        if name == "t":
            self._in_text = True
        elif name == "p":
            flow.end_block()
            self._heading_start = None
        elif name == "pStyle" and attributes.get(f"{namespace} val", "").startswith(_HEADING_STYLES):
            self._heading_start = len(flow)
        elif name == "tab":
            flow.add(" ")
        elif name == "cr" or (name == "br" and attributes.get(f"{namespace} type") not in ("page", "column")):
            flow.end_block()
        elif name == "br" and attributes.get(f"{namespace} type") == "page":
            self._page_break()
        elif name == "lastRenderedPageBreak":
            self.has_printed_pages = True
            self._page_break()
        elif name == "noBreakHyphen":
            flow.add("\u2011")
        elif name == "tbl":
            flow.open_table()
            self._rows.append(0)
        elif name == "tr" and self._rows:
            self._rows[-1] += 1
            flow.open_row()
        elif name == "tc" and self._rows:
            flow.open_cell(is_header=self._rows[-1] == 1)

    def close(self, qualified: str) -> None:
        self._depth -= 1
        if self._skipping:
            self._skipping -= 1
            return
        namespace, _, name = qualified.rpartition(" ")
        if namespace not in _WORD:
            return
        if name == "t":
            self._in_text = False
        elif name == "p":
            self.flow.end_block()
            if self._heading_start is not None:
                self.flow.mark(self.flow.headings, self._heading_start)
                self._heading_start = None
        elif name == "tc" and self._rows:
            self.flow.close_cell()
        elif name == "tr" and self._rows:
            self.flow.close_row()
        elif name == "tbl" and self._rows:
            self._rows.pop()
            self.flow.close_table()

    def characters(self, text: str) -> None:
        if self._in_text and not self._skipping:
            self.flow.add(text)
            self._broken_here = self._broken_here and not text.strip()

    def _page_break(self) -> None:
        # Word marks the page's end again after a break that the author set: one break, not two. In a table a
        # page may end in the middle of a row, which a form feed would tear apart.
        if not self._broken_here and not self._rows:
            self.flow.page_break()
            self._broken_here = True


class _Title:
    """Takes the XML's events and keeps the title."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._inside = False

    def open(self, name: str, _: dict[str, str]) -> None:
        self._inside = name.endswith(" title")

    def close(self, _: str) -> None:
        self._inside = False

    def characters(self, text: str) -> None:
        if self._inside:
            self.pieces.append(text)


def _read_title(package: zipfile.ZipFile) -> str | None:
    if "docProps/core.xml" not in package.namelist():
        return None
    title = _Title()
    try:
        _parse(_Unpacking(package, _MOST_ABOUT).chunks("docProps/core.xml"), title)
    except (expat.ExpatError, Unreadable):
        return None
    return "".join(title.pieces) or None
