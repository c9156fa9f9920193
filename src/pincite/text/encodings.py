"""The encodings that a file or a reply may declare for itself: those that people write text in.

Python knows codecs that are no such thing: `punycode` takes time with the square of the text, and
`unicode_escape` and `idna` turn it into something else. A declared name is only ever looked up here.
"""

from __future__ import annotations

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
    """The text in the encoding that was declared; None when that is no encoding of text, or does not fit."""
    from encodings import normalize_encoding
    from encodings.aliases import aliases

    name = normalize_encoding(declared).lower()
    name = _ON_THE_WEB.get(name) or aliases.get(name, name)
    try:
        return raw.decode(name) if name in _OF_TEXT else None
    except ValueError:
        return None
