"""Plain text: the file as it stands, line ends kept, a byte-order mark dropped."""

from __future__ import annotations

from pincite.records import Source
from pincite.sources.readers.common import Unreadable, decode, make_source
from pincite.sources.readers.pipe_tables import find_pipe_tables


def read_text(raw: bytes, name: str) -> list[Source]:
    return [text_source(decode(raw), name)]


def read_unknown(raw: bytes, name: str) -> list[Source]:
    """A file of no known kind: text if it is UTF-8 without NULs, otherwise not readable."""
    if b"\0" in raw[:8192] and not raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise Unreadable("not a kind of file that is read as a source, and not text (it holds NUL bytes)")
    return read_text(raw, name)


def text_source(text: str, name: str, kind: str = "text") -> Source:
    """A source whose offsets count in this text, with the pipe tables that stand in it."""
    return make_source(name, text, kind=kind, tables=find_pipe_tables(text))
