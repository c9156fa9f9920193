"""Lists of references: what is known of each cited source, in a CSL style or as data."""

from pincite.answering.bibliography.entry import BibEntry, PartialDate, PersonName
from pincite.answering.bibliography.gather import KnownEntries, gather, read_references_file
from pincite.answering.bibliography.writing import FORMATS, NumberedEntry, write_bibliography

__all__ = [
    "FORMATS",
    "BibEntry",
    "KnownEntries",
    "NumberedEntry",
    "PartialDate",
    "PersonName",
    "gather",
    "read_references_file",
    "write_bibliography",
]
