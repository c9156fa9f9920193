"""Text to LaTeX and back, as BibTeX files hold it.

What is written holds no command but the escapes below, so that a title cannot run anything in a document that
includes it. What is read loses its commands and keeps their text: `{\\"o}` is ö, `\\emph{very}` is very.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
}
_ESCAPES = str.maketrans(_ESCAPED)
_PAIR = re.compile(r"-(?=-)")
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textquotedbl": '"',
    "textasciigrave": "`", "textquotesingle": "'", "textendash": "–", "textemdash": "—",
    "textquoteright": "’",
    "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”", "ldots": "…", "dots": "…",
    "textless": "<", "textgreater": ">", "textbar": "|", "textunderscore": "_", "textdegree": "°",
    "euro": "€", "pounds": "£", "copyright": "©", "S": "§", "TeX": "TeX", "LaTeX": "LaTeX",
}  # fmt: skip
_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)[ \t\n]*|\\(?P<sign>.)|(?P<brace>[{}])|(?P<dashes>-{2,3})|(?P<quotes>``|'')"
    r"|(?P<tie>~)|(?P<math>\$)|(?P<text>[^\\{}\-`'~$]+|.)",
    re.DOTALL,
)


def to_latex(text: str) -> str:
    """The text with everything escaped that means something to LaTeX."""
    # A pair of hyphens would become a dash: an empty group keeps them apart.
    return _PAIR.sub("-{}", text.translate(_ESCAPES))


def from_latex(text: str) -> str:
    """The text that LaTeX would print: accents put on their letters, commands and groups taken away."""
    if not any(sign in text for sign in "\\{}~$-`'"):
        return text
    made: list[str] = []
    accent = ""
    for token in _TOKEN.finditer(text):
        if token["brace"]:
            continue
        piece = token["text"] or ""
        if word := token["word"]:
            if word in _ACCENTS and len(word) == 1:
                accent = _ACCENTS[word]
                continue
            piece = _LETTERS.get(word, "")
        elif sign := token["sign"]:
            if sign in _ACCENTS:
                accent = _ACCENTS[sign]
                continue
            piece = sign if sign in '{}$&#_%~^\\ ,;"' else ""
            piece = " " if sign in ", ;\\" else piece
        elif dashes := token["dashes"]:
            piece = "–" if len(dashes) == 2 else "—"
        elif quotes := token["quotes"]:
            piece = "“" if quotes == "``" else "”"
        elif token["tie"]:
            piece = " "
        elif token["math"]:
            continue
        if accent and piece.strip():
            piece = piece.lstrip()
            base = {"ı": "i", "ȷ": "j"}.get(piece[0], piece[0])
            piece = unicodedata.normalize("NFC", base + accent) + piece[1:]
            accent = ""
        made.append(piece)
    return "".join(made)
