"""What a drafted sentence may be, as a terminal of a Lark grammar for llguidance.

Any language, decimals, abbreviations, quotation marks, code and emoji may be in it; a marker may not, since
the program alone places markers. A sentence is a chain of small pieces: most are one character, and a sign
that could begin a marker (`[`, `{`, `^`, a raised digit, `<sup>`, an entity, a LaTeX command, an address) is
only allowed together with what makes it harmless. Pieces keep the matcher small: to forbid phrases anywhere
in a text makes llguidance follow all of them at once, and took a hundred times as long to compile.

Not everything can be said here. A sentence may name a work that it does not cite, as in `Smith (2020) found`;
the pipeline looks for such names afterwards (`answering/markers`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_INVISIBLE = (
    r"\x00-\x1f\x7f-\xa0\u{3000}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff0}-\u{ffff}"
    r"\u{e000}-\u{f8ff}"
)
_ONLY_IN_MARKERS = "［］｛｝【】〔〕〖〗⟦⟧〚〛†‡⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾"
_SIGNS = r"\[\]\{\^&<\\:"
"""Allowed only with what follows them."""
_PLAIN = f"{_INVISIBLE}{_ONLY_IN_MARKERS}{_SIGNS}"
_NO_DIGIT = rf"[^ \p{{Nd}}{_PLAIN}]"

_NOWHERE = r"[a-z]{4}[.!?] [A-Z]|[。！？][^”’」』）\)\"]|[wW][wW]\."
"""A second sentence, which begins after a full stop, though not after a short word, which may be an
abbreviation; and an address. It is short on purpose: with the tens of thousands of tokens of a real model
llguidance gives up on a terminal that takes it too long, and then constrains nothing any more."""
_NOT_LAST = r"[\(&<:]"

FIGURE = re.compile(r"\d+(?:[.,:/'’]\d+)*")
"""A figure as it is written: `21.4`, `2,500`, `10:30`."""
_PART = re.compile(r"\d+(?:[.,]\d+)*")
_IN_FIGURES = ".,'’"
_SLASH = r"\x2f"
"""It ends a pattern in a Lark grammar."""


def sentence_terminal(name: str) -> str:
    """The terminal for one sentence. Tokens bound its length: llguidance cannot count so many words."""
    return _terminal(name, f"[^ {_PLAIN}]", "[0-9]")


def sentence_with_figures(name: str, figures: Iterable[str]) -> str:
    """The same, in which every figure is one of these, whole: of `21.4`, neither `21` nor `4` is one.

    A figure must not grow by what follows it: `2` and `5` make no `2.5`.
    """
    known = "|".join(re.escape(one).replace("/", _SLASH) for one in sorted(set(figures), reverse=True))
    if not known:
        return _terminal(name, _NO_DIGIT)
    apart = _without(_IN_FIGURES)
    figure = f"(?:{known})(?:{apart}|[{_IN_FIGURES}:]{apart})"
    return _terminal(name, f"(?:{_NO_DIGIT}|{figure})", "", f"(?:{known})[.,:;!?’'\\)]*")


def _without(signs: str) -> str:
    """A plain character, but no digit, no space and none of these."""
    return _NO_DIGIT.replace("[^", f"[^{signs}", 1)


def _terminal(name: str, plain: str, digit: str = "", last: str = "") -> str:
    """Words with single spaces between them. `last` is what a word may end with beside a plain character."""
    inside = (
        plain,
        r"\[[A-Za-z_]{1,12}\][.,;!?\)`'\"]",
        rf"\{{{_NO_DIGIT}",
        rf"\^{_NO_DIGIT}",
        f"&{_without('#')}|&&",
        f"<{_without('sS')}",
        rf":?\\{_without('cfptCFPT')}",
        f":{_without(_SLASH)}" + (f"|:{digit}" if digit else ""),
    )
    at_end = (*([last] if last else []), r"\[[A-Za-z_]{1,12}\]", "[&<:]", *([f"<{digit}"] if digit else []))
    word = f"(?:(?:{'|'.join(inside)})*(?:{'|'.join((*inside, *at_end))})|[kcdm]?m[²³][.,;!?\\)]?)"
    # One pattern for both: a second complement makes the terminal too costly, see above.
    return f"{name}: /{word}(?: {word})*/ & ~/(?s:.*)(?:(?:{_NOWHERE})(?s:.*)|{_NOT_LAST})/\n"


def figures_of(text: str) -> list[str]:
    """The figures in a text as they are written: `21.4`, `2,500`, and of `2024/05` its parts too."""
    found: dict[str, None] = {}
    for match in FIGURE.finditer(text):
        found[match[0]] = None
        found.update(dict.fromkeys(_PART.findall(match[0])))
    return list(found)
