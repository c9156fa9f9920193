"""What a file says of itself: the ending of its name, and the encoding that it declares.

The one table of endings: citations, sources and datasets use it.
"""

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
"""Files that cannot be read as sources, and what to do about each."""

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
"""More often the last name of a JSON path, or of a file that is not cited."""

DOCUMENT_ENDINGS = frozenset({*SOURCE_KINDS, *NOT_READ, *DATA_FORMS, *_OTHERS}) - _AMBIGUOUS
"""What ends the name of a document that an answer may cite."""


# --- the encodings that a file or a reply may declare for itself: those that people write text in ---
# Python has other codecs too: `punycode` takes time with the square of the text, and
# `unicode_escape` and `idna` turn it into something else. A declared name is only ever looked up here.

_OF_TEXT = frozenset(
    (
        *("utf_8", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be"),
        *("ascii", "latin_1", *(f"iso8859_{part}" for part in range(2, 17)), "mac_roman", "mac_cyrillic"),
        *("cp437", "cp850", "cp852", "cp855", "cp858", "cp866", "cp874", "tis_620", "koi8_r", "koi8_u"),
        *(f"cp{page}" for page in range(1250, 1259)),
        *("shift_jis", "cp932", "euc_jp", "iso2022_jp", "gb2312", "gbk", "gb18030"),
        *("big5", "big5hkscs", "cp950", "euc_kr", "cp949"),
    )
)
"""Python's own names."""

_ON_THE_WEB = {
    "windows_874": "cp874",
    "windows_949": "cp949",
    "x_euc_jp": "euc_jp",
    "x_gbk": "gbk",
    "x_mac_cyrillic": "mac_cyrillic",
    "x_mac_roman": "mac_roman",
    "x_sjis": "shift_jis",
}
"""Names that web pages use and Python does not know."""


def decode_declared(raw: bytes, declared: str) -> str | None:
    """The text in the encoding that was declared; None when that does not encode text, or does not fit."""
    from encodings import normalize_encoding
    from encodings.aliases import aliases

    name = normalize_encoding(declared).lower()
    name = _ON_THE_WEB.get(name) or aliases.get(name, name)
    try:
        return raw.decode(name) if name in _OF_TEXT else None
    except ValueError:
        return None
