"""Plain text and Markdown: the file as it is, line ends kept, a byte-order mark dropped."""

from __future__ import annotations

import re

from msgspec import structs

from pincite.config import Limits
from pincite.records import Source
from pincite.sources.readers.common import Unreadable, clean_title, decode, make_source
from pincite.sources.readers.pipe_tables import find_pipe_tables

_HEADING = re.compile(r"^# ([^\r\n]{1,300})$", re.MULTILINE)


def read_text(raw: bytes, name: str, _: Limits) -> list[Source]:
    return [text_source(decode(raw), name)]


def read_markdown(raw: bytes, name: str, _: Limits) -> list[Source]:
    return [markdown_source(decode(raw), name)]


def read_unknown(raw: bytes, name: str, limits: Limits) -> list[Source]:
    """A file of no known kind: text if it is UTF-8 without NULs, otherwise not readable."""
    if b"\0" in raw[:8192] and not raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise Unreadable("not a kind of file that is read as a source, and not text (it holds NUL bytes)")
    return read_text(raw, name, limits)


def text_source(text: str, name: str, kind: str = "text") -> Source:
    """A source whose offsets count in this text, with the pipe tables in it."""
    return make_source(name, text, kind=kind, tables=find_pipe_tables(text))


def markdown_source(text: str, name: str) -> Source:
    """The same; its first heading is the title."""
    source = text_source(text, name, "markdown")
    # A heading far down is a chapter's, not the document's.
    heading = _HEADING.search(text[:4000])
    title = clean_title(heading.group(1).rstrip("#").strip("*_ ")) if heading else None
    return structs.replace(source, title=title)
