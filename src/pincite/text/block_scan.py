"""Reads a text line by line into leaf blocks: the first half of `text.blocks.find_blocks`.

Enough Markdown for what answers look like, read leniently. Every decision looks at one line and a little
state, so the cost is linear and nothing nests.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from pincite.text.wordlists import LISTS

Kind = Literal[
    "paragraph", "heading", "item", "header", "row", "code", "references", "comment", "rule", "image"
]


class Block(Struct, frozen=True, gc=False):
    """A leaf block of an answer. `content_start` comes after bullets, numbers, `#` and `>` marks."""

    kind: Kind
    start: int
    end: int
    content_start: int
    level: int = 0
    """A heading's level (7 for a bold line), or how deep a list item is nested, from 0."""
    group: int = 0
    """Which list, table or paragraph it belongs to, counted from 0."""


_FENCE = re.compile(r"(`{3,}+|~{3,}+)([^\n]*+)")
_ATX = re.compile(r"(#{1,6}+)(?:[ \t]++|$)")
_BULLET = re.compile(
    r"(?:[-*+•‣◦·▪●–](?:[ \t]++|$)|\(?(\d{1,3}+|[a-z](?=\)))[.)](?:[ \t]++|$))(?:\[[ xX]\][ \t]++)?"
)
_BOLD_LINE = re.compile(r"(\*\*|__)(?![\s*_])([^*\n]{1,200}+)\1(:?)$")
_RULE = re.compile(r"(?:-[ \t]*+){3,}+$|(?:\*[ \t]*+){3,}+$|(?:_[ \t]*+){3,}+$")
_SETEXT = re.compile(r"(?:={2,}+|-{2,}+)[ \t]*+$")
_IMAGE_LINE = re.compile(r"!\[[^\]\n]{0,999}+\](?:\([^()\n]{0,1999}+\)|\[[^\]\n]{0,999}+\])$")
_DEFINITION = re.compile(r"\[(\^[^\]\s]{1,99}+|[^\]\n\[]{1,99}+)\]:[ \t]*+(?=\S)")
_LINK_START = re.compile(
    r"<?(?:https?://|www\.|doi:|(?:[\w/-]{0,100}+\.){1,20}+\w{2,5}>?[ \t]*+(?:[\"'(]|$))", re.I
)
_FRONT_MATTER = re.compile(r"---[ \t]*+\r?\n(?=[\w-]++:)")
_FRONT_MATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t\r]*+$", re.M)

_DELIMITER_ROW = frozenset("|-: \t")
# What a line must begin with (after blanks) to be anything but plain text.
_BLOCK_STARTS = frozenset("`~#-*+•‣◦·▪●–0123456789(abcdefghijklmnopqrstuvwxyz_=!<[>|")


def scan_blocks(text: str) -> list[Block]:
    """Leaf blocks in order, before reference lists are recognised (definitions already are)."""
    return _Scanner(text).run()


def front_matter_end(text: str) -> int:
    """Where the front matter ends that a text opens with; 0 without any."""
    opening = _FRONT_MATTER.match(text)
    closing = _FRONT_MATTER_END.search(text, opening.end()) if opening else None
    return closing.end() if closing else 0


def _margin(text: str) -> int:
    """How far every line is indented, where that is far enough to look like code.

    A text written inside a program is indented with it, and no answer consists of code alone.
    """
    least = lines = 0
    for line in text.split("\n") if text[:1] in " \t\n\r" else ():
        bare = line.lstrip(" \t")
        if bare.strip():
            indent = len(line[: len(line) - len(bare)].expandtabs(4))
            if indent < 4:
                return 0
            least = min(least or indent, indent)
            lines += 1
    return least if lines > 1 else 0


class _Scanner:
    """The state of one pass over the lines: the open block, the open list, the open table."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.margin = _margin(text)
        self.blocks: list[Block] = []
        self.group = -1
        # The open block that following lines may continue, as (kind, start, end, content_start, level).
        self.kind: Kind | None = None
        self.start = self.end = self.content = self.level = 0
        self.lines_in_block = 0
        # One (indent of the bullet, indent of the content) per nesting level; empty outside a list.
        self.list_indents: list[tuple[int, int]] = []
        self.in_table = False
        self.after_blank = True
        self.quote_depth = 0
        self.no_comment_end = False

    def run(self) -> list[Block]:
        at = self._front_matter()
        while at < len(self.text):
            at = self._line(at, self._line_end(at))
        self._close()
        return self.blocks

    # --- one line --------------------------------------------------------------------------------

    def _line(self, start: int, stop: int) -> int:
        """Read the line `[start, stop)` and return where the next one begins."""
        if start == stop:  # every other line of most answers
            self._blank()
            self.quote_depth = 0
            return stop + 1
        line = self.text[start:stop]
        stripped = line.lstrip(" \t")
        first = start + len(line) - len(stripped)
        stripped = stripped.rstrip(" \t\r\f")
        depth = 0
        if stripped.startswith(">"):
            first, stripped, depth = self._quote(first, stripped)
        if not stripped:
            self._blank()
            self.quote_depth = depth
            return stop + 1
        if depth != self.quote_depth:
            self._leave()
            self.quote_depth = depth
        indent = self._indent(start, first) if first > start and not depth else 0
        end = first + len(stripped)
        begin = first if not depth else start + len(line) - len(line.lstrip(" \t"))
        if self.in_table:
            if "|" in stripped:
                self._add("row", begin, end, first)
                return stop + 1
            self.in_table = False
        if stripped[0] in _BLOCK_STARTS or "|" in stripped or indent:
            following = self._special(start, stop, begin, first, end, indent, stripped)
            if following is not None:
                self.after_blank = False
                return following
        if self.kind in ("paragraph", "item") and opens_reference_line(stripped):
            self._leave()
        self._text_line(begin, first, end, indent)
        return stop + 1

    def _special(
        self, start: int, stop: int, begin: int, first: int, end: int, indent: int, line: str
    ) -> int | None:
        """Everything but plain text. None when the line is plain text after all."""
        in_list = bool(self.list_indents)
        code_indent = (self.list_indents[-1][1] if in_list else 0) + 4
        may_be_code = indent >= code_indent and (self.kind is None or (in_list and self.after_blank))
        if may_be_code and not (in_list and _BULLET.match(line)):
            return self._indented_code(start, code_indent)
        char = line[0]
        if char in "`~":
            fence = _FENCE.match(line)
            if fence and not (char == "`" and "`" in fence[2]):
                return self._fenced_code(first, stop, fence[1])
        elif char == "#":
            atx = _ATX.match(line)
            if atx:
                self._leave()
                self.group += 1
                self._add("heading", begin, end, min(first + atx.end(), end), level=len(atx[1]))
                return stop + 1
        elif char == "<" and line.startswith("<!--"):
            closing = self._comment_end(first)
            if closing >= 0:
                self._close()
                self._add("comment", first, closing, first)
                return closing if self.text[closing : closing + 1] != "\n" else closing + 1
        elif char == "!" and _IMAGE_LINE.match(line):
            self._close()
            self._add("image", begin, end, first)
            return stop + 1
        elif char == "[":
            if self._definition(begin, first, end, line):
                return stop + 1
        elif char in "=-" and self._setext(line):
            return stop + 1
        if char in "-*_":
            if _RULE.match(line):
                self._leave()
                self._add("rule", begin, end, first)
                return stop + 1
            bold = _BOLD_LINE.match(line) if line.startswith(("**", "__")) else None
            if bold and not in_list and bold[2][-1] not in ".!?" and (self.kind is None or self.after_blank):
                self._close()
                self.group += 1
                self._add("heading", begin, end, first + 2, level=7)
                return stop + 1
        if "|" in line and self._table_header(stop, begin, first, end):
            return self._line_end(stop + 1) + 1
        bullet = _BULLET.match(line)
        # Inside a paragraph only a bullet or the first number opens a list: `in\n1999. It …` does not.
        free = self.kind != "paragraph" or self.after_blank
        if bullet and (free or bullet[1] in (None, "1", "a")):
            self._open_item(begin, first, end, indent, bullet)
            return stop + 1
        return None

    def _text_line(self, begin: int, first: int, end: int, indent: int) -> None:
        """A line of prose: it continues the open block or opens a paragraph."""
        if self.kind == "item" and self.after_blank and indent < 2:
            self._leave()
        if self.kind in ("paragraph", "item", "references"):
            self.end = end
            self.lines_in_block += 1
        else:
            if self.list_indents and indent < 2 and self.after_blank:
                self.list_indents = []
            if not self.list_indents:
                self.group += 1
            self._open("paragraph", begin, end, first)
        self.after_blank = False

    def _blank(self) -> None:
        self.in_table = False
        if self.kind != "item":  # an item may go on after a blank line, if what follows is indented
            self._close()
        self.after_blank = True

    # --- kinds of line ---------------------------------------------------------------------------

    def _front_matter(self) -> int:
        end = front_matter_end(self.text)
        if end:
            self._add("code", 0, end, 0)
        return min(end + 1, len(self.text)) if end else 0

    def _quote(self, first: int, line: str) -> tuple[int, str, int]:
        """Take off the `>` marks: where the content begins, the content, how many marks."""
        rest = line.lstrip("> \t")
        taken = len(line) - len(rest)
        return first + taken, rest, line.count(">", 0, taken)

    def _indent(self, start: int, first: int) -> int:
        white = self.text[start:first]
        return (first - start if "\t" not in white else len(white.expandtabs(4))) - self.margin

    def _indented_code(self, start: int, code_indent: int) -> int:
        """Lines indented at least as far, and the blank lines between them."""
        self._close()
        text, size = self.text, len(self.text)
        at = end = start
        while at < size:
            stop = self._line_end(at)
            line = text[at:stop]
            bare = line.strip()
            if bare:
                white = line[: len(line) - len(line.lstrip(" \t"))]
                if len(white.expandtabs(4)) < code_indent + self.margin:
                    break
                end = stop
            at = stop + 1
        self._add("code", start, end, start)
        return min(end + 1, size)

    def _fenced_code(self, first: int, stop: int, fence: str) -> int:
        """From the opening fence to its closing one, or to the end of the text."""
        self._close()
        text, size = self.text, len(self.text)
        at = stop + 1
        while at < size:
            stop = self._line_end(at)
            line = text[at:stop].strip(" \t\r>")
            if line.startswith(fence) and not line.strip(fence[0]):
                self._add("code", first, stop, first)
                return stop + 1
            at = stop + 1
        self._add("code", first, size, first)
        return size

    def _comment_end(self, first: int) -> int:
        closing = -1 if self.no_comment_end else self.text.find("-->", first + 4)
        self.no_comment_end = closing < 0
        return -1 if closing < 0 else closing + 3

    def _definition(self, begin: int, first: int, end: int, line: str) -> bool:
        """`[^1]: …`, `[1]: …` and `[name]: https://…` define an entry of the answer's references."""
        found = _DEFINITION.match(line)
        if not found:
            return False
        label = found[1]
        if label[0] != "^" and not label.isdecimal() and not _LINK_START.match(line, found.end()):
            return False
        self._leave()
        self._open("references", begin, end, first)
        return True

    def _setext(self, line: str) -> bool:
        """An underline makes the short line above it a heading; below a sentence `---` is a rule."""
        if self.kind != "paragraph" or self.lines_in_block != 1 or not _SETEXT.match(line):
            return False
        above = self.text[self.content : self.end]
        if len(above) > 120 or above[-1] in ".!?:;])】":
            return False
        level = 1 if line[0] == "=" else 2
        self._add("heading", self.start, self.end, self.content, level=level)
        self.kind = None
        return True

    def _table_header(self, stop: int, begin: int, first: int, end: int) -> bool:
        """A line with a pipe above a row of dashes heads a table."""
        below_end = self._line_end(stop + 1)
        below = self.text[stop + 1 : below_end].strip(" \t\r>")
        if "-" not in below or not _DELIMITER_ROW.issuperset(below) or "|" not in below:
            return False
        self._leave()
        self.group += 1
        self._add("header", begin, end, first)
        offset = self.text.index(below, stop + 1)
        self._add("rule", offset, offset + len(below), offset)
        self.in_table = True
        return True

    def _open_item(self, begin: int, first: int, end: int, indent: int, bullet: re.Match[str]) -> None:
        self._close()
        indents = self.list_indents
        while len(indents) > 1 and indent < indents[-1][0]:
            indents.pop()
        here = (indent, indent + min(bullet.end(), 4))
        if indents and indent < indents[-1][0] + 2:
            indents[-1] = here
        else:
            self.group += not indents
            indents.append(here)
        content = min(first + bullet.end(), end)
        self._open("item", begin, end, content, level=len(indents) - 1)

    # --- small steps -----------------------------------------------------------------------------

    def _line_end(self, start: int) -> int:
        stop = self.text.find("\n", start)
        return len(self.text) if stop < 0 else stop

    def _leave(self) -> None:
        """Close the open block and the open list."""
        self._close()
        self.list_indents = []

    def _open(self, kind: Kind, start: int, end: int, content: int, level: int = 0) -> None:
        self.kind, self.start, self.end, self.content, self.level = kind, start, end, content, level
        self.lines_in_block = 1

    def _close(self) -> None:
        if self.kind is not None:
            self._add(self.kind, self.start, self.end, self.content, self.level)
            self.kind = None

    def _add(self, kind: Kind, start: int, end: int, content: int, level: int = 0) -> None:
        self.blocks.append(Block(kind, start, end, content, level, max(self.group, 0)))


# --- the headings under which answers list their sources ---

HEADINGS = frozenset(LISTS.items("reference headings", ","))
WEAK_HEADINGS = frozenset(LISTS.items("weak reference headings", ","))
"""Under these every entry must look like one."""

_ANY_HEADING = "|".join(map(re.escape, sorted(HEADINGS | WEAK_HEADINGS)))
_FIRST_LETTERS = "".join(sorted({heading[0] for heading in HEADINGS | WEAK_HEADINGS}))
_LISTING_LINE = re.compile(
    rf"\n(?:[^\w\n]{{0,8}}+(?:\d{{1,2}}[.)]?[ ])?(?i:(?=[{_FIRST_LETTERS}])(?:{_ANY_HEADING}))"
    r"|[> ]{0,6}+\|[ *]{0,4}+(?:[Nn][or]|[Nn]um|I[Dd]|id|[Ii]ndex|[Mm]arker|[#№])"
    r"|[> ]{0,6}+(?:\[(?:\^|[^\]\n]{1,99}+\]:|\d{1,4}+\][ ])|[¹²³⁴-⁹【]))"
)
"""A search for it stops only at the starts of lines."""
_NUMBERING = re.compile(r"\d{1,2}[.)]?[ \t]+")


def may_have_references(text: str) -> bool:
    """False only when no reference list and no definition can stand in the text. Runs at C speed."""
    return _LISTING_LINE.search(text) is not None or _LISTING_LINE.match("\n" + text[:200]) is not None


def heading_words(text: str) -> str:
    """What a heading says: no marks, no colon, no numbering, small letters."""
    words = text.strip(" \t#*_=:：.-–—").casefold()
    numbering = _NUMBERING.match(words)
    return words[numbering.end() :].strip() if numbering else words


def opens_reference_line(line: str) -> bool:
    """Whether a line begins with such a heading and a colon: `Sources: …` inside a paragraph."""
    colon = line.find(":", 0, 34)
    if colon < 0:
        colon = line.find("：", 0, 34)
    if colon < 0:
        return False
    words = heading_words(line[:colon])
    return words in HEADINGS or words in WEAK_HEADINGS
