"""Which lines of a text read on into the next one, and which stand for themselves.

Text that was wrapped at a fixed width (an e-mail, a PDF) breaks its sentences over lines; a list or a chat
answer ends a thought with the line. Nothing in the characters tells the two apart, so the lines between two
blank ones vote: wrapped text seldom begins a line with a capital, and its lines are as long as they can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_STRUCTURE = re.compile(
    r"[ \t]{0,12}+(?:(?:[-*+•‣◦▪·–—]|\d{1,3}[.)]|[a-zA-Z]\)|#{1,6})[ \t]|>|\||```|~~~|\[\^?[^\]\s]{1,30}\]:)"
)
"""How a line begins that never continues the one before: a bullet, a heading, a quotation, a table row."""

_BARE_NUMBER = re.compile(r"[ \t]{0,12}+(?:\d{1,3}|[a-zA-Z])[.)]\s*+\Z")
_RULE = re.compile(r"\s*+(?:-{3,}|\*{3,}|_{3,}|={3,})\s*+\Z")

_READS_ON = re.compile(
    r"(?:[,;\-–—/&(]|\b(?:a|an|the|of|in|on|at|to|by|for|from|with|and|or|but|as|that|which|is|are|was|were|its|their))\Z"
)
_ENDS = (".", "!", "?", "…", "。", "！", "？", ":", "”", '"', "]", ")")

_SHORTEST_WRAPPED_LINE = 40
_MOSTLY = 0.8
_FULL = 0.7


def find_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open stretches of lines that read as one, in order; blank lines lie between them."""
    position = 0
    block: list[tuple[int, str]] = []
    for line in text.splitlines(keepends=True):
        if line.isspace():
            yield from _runs_of_block(block)
            block = []
        else:
            block.append((position, line))
        position += len(line)
    yield from _runs_of_block(block)


def _runs_of_block(block: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    if not block:
        return
    start, line = block[0]
    end = start + len(line)
    if len(block) > 1:
        width, wrapped = max(len(line.rstrip()) for _, line in block), _looks_wrapped(block)
        for position, following in block[1:]:
            if not _continues(line, following, width, wrapped):
                yield start, end
                start = position
            line = following
            end = position + len(following)
    yield start, end


def _looks_wrapped(block: Sequence[tuple[int, str]]) -> bool:
    followers = [line.lstrip() for _, line in block[1:]]
    capitals = sum(line[:1].isupper() for line in followers)
    if capitals < _MOSTLY * len(followers):
        return True
    # Lines that each end a sentence, or none of which does, are a list; wrapped text stops only at its end.
    inner_ends = sum(line.rstrip().endswith(_ENDS) for _, line in block[:-1])
    return inner_ends == 0 and block[-1][1].rstrip().endswith(_ENDS)


def _continues(line: str, following: str, width: int, wrapped: bool) -> bool:
    if _BARE_NUMBER.match(line):
        return True
    if line.lstrip().startswith(">") and following.lstrip().startswith(">"):
        line, following = line.lstrip("> \t"), following.lstrip("> \t")
    if line.endswith(("  \n", "\\\n", "  \r\n")) or _STRUCTURE.match(following):
        return False
    if _RULE.match(line) or _RULE.match(following) or line.lstrip().startswith(("#", "|")):
        return False
    words = following.lstrip()
    line = line.rstrip()
    if words[:1].islower() or _READS_ON.search(line[-12:]):
        return True
    if not wrapped or len(line) < _SHORTEST_WRAPPED_LINE:
        return False
    first_word = words.find(" ")
    return len(line) + (first_word if first_word > 0 else len(words)) + 1 >= _FULL * width
