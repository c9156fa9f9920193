"""What the ending of a file's name says. The one table of endings: citations, sources and datasets use it."""

from __future__ import annotations

from typing import Literal

SOURCE_KINDS: dict[str, str] = {
    "md": "markdown",
    "markdown": "markdown",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "pdf": "pdf",
    "docx": "docx",
    "docm": "docx",
    "json": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "csv": "csv",
    "tsv": "csv",
    "tab": "csv",
    "txt": "text",
    "text": "text",
    "rst": "text",
    "log": "text",
}
"""The kind of source that a file is read as."""

_IMAGE = "images are not read: add a text file that says what it shows"
_PACKED = "a packed file: unpack it first"
_SHEET = "a spreadsheet: save its sheets as CSV"
NOT_READ: dict[str, str] = {
    "doc": "an old Word file: save it as .docx",
    "odt": "an OpenDocument text: save it as .docx or PDF",
    "rtf": "a rich text file: save it as .docx or text",
    "xlsx": _SHEET,
    "xls": _SHEET,
    "ppt": "a presentation: save it as PDF",
    "pptx": "a presentation: save it as PDF",
    "epub": "an e-book: save it as HTML or text",
    "gz": _PACKED,
    "zip": _PACKED,
    **dict.fromkeys(
        ["png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp", "heic", "avif", "ico"], _IMAGE
    ),
}
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
