"""What the ending of a file's name says. The one table of endings: citations, sources and datasets use it."""

from __future__ import annotations

from typing import Literal


def _by_ending(table: dict[str, str]) -> dict[str, str]:
    """Each ending with its key, of a table that lists the endings of each key."""
    return {ending: key for key, endings in table.items() for ending in endings.split()}


SOURCE_KINDS = _by_ending(
    {
        "markdown": "md markdown",
        "html": "html htm xhtml",
        "pdf": "pdf",
        "docx": "docx docm",
        "json": "json",
        "jsonl": "jsonl ndjson",
        "csv": "csv tsv tab",
        "text": "txt text rst log",
    }
)
"""The kind of source that a file is read as."""

NOT_READ = _by_ending(
    {
        "an old Word file: save it as .docx": "doc",
        "an OpenDocument text: save it as .docx or PDF": "odt",
        "a rich text file: save it as .docx or text": "rtf",
        "a spreadsheet: save its sheets as CSV": "xlsx xls",
        "a presentation: save it as PDF": "ppt pptx",
        "an e-book: save it as HTML or text": "epub",
        "a packed file: unpack it first": "gz zip",
        "images are not read: add a text file that says what it shows": "png jpg jpeg gif bmp tif tiff webp"
        " heic avif ico",
    }
)
"""Files that are no source, and what to do about each."""

Form = Literal["json", "yaml", "csv", "jsonl", "parquet", "hdf5"]
DATA_FORMS: dict[str, Form] = {
    "json": "json",
    "yaml": "yaml",
    "yml": "yaml",
    "csv": "csv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "h5": "hdf5",
    "hdf5": "hdf5",
}
"""How the data of an evaluation is written."""

_OTHERS = ["mdx", "xml", "tex", "toml", "eml", "msg", "ipynb", "py", "js", "ts", "java", "srt", "vtt", "svg"]
_AMBIGUOUS = {"tab", "gz", "zip", "h5", "ico"}
"""More often the last name of a JSON path, or a file that nobody cites."""

DOCUMENT_ENDINGS = frozenset({*SOURCE_KINDS, *NOT_READ, *DATA_FORMS, *_OTHERS}) - _AMBIGUOUS
"""What ends the name of a document that an answer may cite."""
