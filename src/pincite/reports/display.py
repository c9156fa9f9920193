"""Text that came from an answer or a source, made safe to print: width, colours, JSON, phrases around it.

Quoted text must not colour, move or reverse what is around it, so control characters are shown by their
pictures (`␛`) and invisible ones by their number (`⟨U+202E⟩`). Nor must it command a CI system that
reads the log, so what would be a command gets a space (`: :error`, `# #[group]`), or an escape in JSON.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from pincite.records import Fix, SourceExcerpt
from pincite.text import break_commands, command_breaks, escape_commands, has_command

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACES = re.compile(r"\s++")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STYLES = {
    "bold": "1",
    "faint": "2",
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "safe": "32",
    "old": "31",
    "new": "32",
}
TAB = 4
JSON_ESCAPE = "\\u{:04x}"


class Paint:
    """`paint(text, "error")` colours a text when colours are on, and leaves it alone when they are not."""

    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._on and text else text

    def line(self, text: str, style: str) -> Painted:
        """A whole line of any text, for `printed`."""
        return Painted(self(safe(text), style))


class Painted(str):
    """A line that is safe already, and has its colours."""

    __slots__ = ()


def printed(lines: Iterable[str]) -> str:
    """Lines of any text as they are printed: each is made safe here, and nowhere before."""
    return "".join(f"{line if isinstance(line, Painted) else safe(line).rstrip(' ')}\n" for line in lines)


def dump(value: Any, *, indent: int | None = 2) -> str:
    """JSON that can be written as UTF-8 whatever it quotes: half a surrogate pair stays an escape."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    text = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return escape_commands(text, JSON_ESCAPE) + "\n"


def pick(record: object, *names: str) -> dict[str, Any]:
    """These fields of a record, in this order: the stable part of its shape."""
    return {name: getattr(record, name) for name in names}


def safe(text: str) -> str:
    """The text on one line, with nothing in it that a terminal or a CI log would obey or hide."""
    return break_commands(_UNSAFE.sub(_shown, text))


def visible(text: str) -> str:
    """The text for a page: lines and tabs stay, what a browser would obey or hide becomes a symbol."""
    return _UNSAFE.sub(lambda match: match[0] if match[0] in "\n\t" else _shown(match), text)


def folded(text: str) -> str:
    """The text with every run of white space as one space: a passage on one line."""
    return _SPACES.sub(" ", text).strip()


def cells(text: str) -> list[tuple[str, int]]:
    """Each character as it is shown and how many columns it takes; a tab reaches to the next stop."""
    if _is_plain(text):
        return [(character, 1) for character in text]
    shown: list[tuple[str, int]] = []
    column = 0
    breaks = command_breaks(text)
    for place, character in enumerate(text):
        if character == "\t":
            piece, wide = " " * (TAB - column % TAB), TAB - column % TAB
        else:
            piece, wide = _cell(character)
            if place in breaks:
                piece, wide = f"{piece} ", wide + 1
        shown.append((piece, wide))
        column += wide
    return shown


@lru_cache(maxsize=4096)
def _cell(character: str) -> tuple[str, int]:
    piece = safe(character)
    return piece, _width(character) if piece == character else len(piece)


def width(text: str) -> int:
    """How many columns the text takes once it is safe, where a tab is a symbol like any other."""
    return len(text) if _is_plain(text) else cells_width(text.replace("\t", " "))


def cells_width(text: str) -> int:
    """How many columns the cells of the text take, where a tab reaches to the next stop."""
    return len(text) if _is_plain(text) else sum(wide for _, wide in cells(text))


def fitting(pieces: Sequence[tuple[str, int]], room: int) -> list[tuple[str, int]]:
    """The first cells that fit into so many columns."""
    kept = []
    for piece, size in pieces:
        if size > room:
            break
        kept.append((piece, size))
        room -= size
    return kept


def fold_words(text: str, columns: int) -> list[str]:
    """The words of a text over lines of at most `columns`; a longer word keeps a line of its own."""
    return fold(text.split(" "), columns)


def fold(pieces: Iterable[str], columns: int) -> list[str]:
    """Pieces of text over lines, none of them cut in two."""
    lines: list[str] = []
    room = 0
    for piece in pieces:
        wide = width(piece)
        if lines and wide < room:
            lines[-1] += f" {piece}"
            room -= wide + 1
        else:
            lines.append(piece)
            room = columns - wide
    return lines


def hanging(text: str, columns: int, indent: int) -> list[str]:
    """A text over lines of at most `columns`, all but the first indented."""
    first, *more = fold_words(text[indent:], columns - indent)
    return [text[:indent] + first, *(f"{' ' * indent}{line}" for line in more)]


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def _is_plain(text: str) -> bool:
    """Most text is: printable ASCII needs neither care nor measuring."""
    return text.isascii() and text.isprintable() and not has_command(text)


def _width(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


# --- phrases -------------------------------------------------------------------------------------


def plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def where(source: SourceExcerpt) -> str:
    """`report.pdf, page 3, characters 120–160`."""
    parts = [source.document]
    if source.page is not None:
        parts.append(f"page {source.page}")
    if source.start is not None and source.end is not None:
        parts.append(f"characters {source.start}–{source.end}")
    return ", ".join(parts)


def kind_of(fix: Fix) -> str:
    """A fix is written when asked for; a suggestion is left to the reader."""
    return "fix" if fix.safe else "suggestion"


def says_replacement(fix: Fix) -> bool:
    """Whether the description already holds what would be written."""
    return fix.replacement.strip() in fix.description
