"""Lists of references: what is known of each cited source, as CSL-JSON inside, in a CSL style or as data."""

from pincite.answering.bibliography.cited_entries import KnownItems, gather, read_references
from pincite.answering.bibliography.item import Item
from pincite.answering.bibliography.online import RESOLVER, DoiResolver
from pincite.answering.bibliography.source import item_of_source
from pincite.answering.bibliography.style import (
    FORMATS,
    STYLES,
    check_style,
    rendered_entries,
    write_bibliography,
)

__all__ = [
    "FORMATS",
    "RESOLVER",
    "STYLES",
    "DoiResolver",
    "Item",
    "KnownItems",
    "check_style",
    "gather",
    "item_of_source",
    "read_references",
    "rendered_entries",
    "write_bibliography",
]
