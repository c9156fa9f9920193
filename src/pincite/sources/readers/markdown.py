"""Markdown: the text as it stands, so that offsets count in the file; its first heading is the title."""

from __future__ import annotations

import re

from msgspec import structs

from pincite.records import Source
from pincite.sources.readers.common import clean_title, decode
from pincite.sources.readers.text import text_source

_HEADING = re.compile(r"^# ([^\r\n]{1,300})$", re.MULTILINE)


def read_markdown(raw: bytes, name: str) -> list[Source]:
    return [markdown_source(decode(raw), name)]


def markdown_source(text: str, name: str) -> Source:
    source = text_source(text, name, "markdown")
    # A heading far down is a chapter's, not the document's.
    heading = _HEADING.search(text[:4000])
    title = clean_title(heading.group(1).rstrip("#").strip("*_ ")) if heading else None
    return structs.replace(source, title=title)
