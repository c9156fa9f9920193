"""The blocks of an answer, and the places in it where no citation can stand."""

from __future__ import annotations

import re

from pincite.records import Span
from pincite.text.block_scan import Block, Kind, scan_blocks
from pincite.text.reference_headings import may_have_references
from pincite.text.reference_lists import join_reference_lists
from pincite.text.spans import merge

__all__ = ["Block", "Kind", "find_blocks", "inline_opaque_spans", "may_have_references"]

_IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,999}+(?:\[[^\[\]\n]{0,999}+\][^\[\]\n]{0,999}+)?+\](?:\((?:[^()\n]|\([^()\n]{0,999}+\)){0,1999}+\)|\[[^\[\]\n]{0,999}+\])?+"
)
_CODE_TAG = re.compile(r"<(/?)(code|pre|kbd|samp|script|style)(?:[\s/][^<>]{0,999}+)?+>", re.I)
_BACKTICKS = re.compile(r"`++")


def find_blocks(text: str) -> tuple[Block, ...]:
    """Leaf blocks in order: they never overlap, and every character but white space and marks is in one."""
    blocks = scan_blocks(text)
    if may_have_references(text):
        return join_reference_lists(text, blocks)
    return tuple(blocks)


def may_have_code_blocks(text: str) -> bool:
    """False only when the text can hold no code block. Runs at C speed."""
    return (
        ("`" in text and "```" in text)
        or ("~" in text and "~~~" in text)
        or "\t" in text
        or "\n    " in text
        or text.startswith(("    ", "---"))
    )


def inline_opaque_spans(text: str, blocks: list[Span]) -> list[Span]:
    """Inline code, elements of code, images and comments outside the given code blocks (in order)."""
    spans: list[Span] = []
    if "`" in text:
        spans += _inline_code(text, blocks)
    if "<" in text and "</" in text:
        spans += _code_elements(text, merge([*blocks, *spans]) if spans else blocks)
    if "!" in text and "![" in text:
        spans += [Span(found.start(), found.end()) for found in _IMAGE.finditer(text)]
    if "<" in text and "<!--" in text:
        spans += comment_spans(text)
    return spans


def _inline_code(text: str, blocks: list[Span]) -> list[Span]:
    """A run of backticks is closed by the next run of the same length in the same paragraph."""
    runs = _outside([(found.start(), found.end()) for found in _BACKTICKS.finditer(text)], blocks)
    lengths = [str(end - start) for start, end in runs]
    spans: list[Span] = []
    done = paragraph_end = -1
    for (start, end), closing in zip(runs, _closings(lengths, lengths), strict=True):
        if closing < 0 or start < done:
            continue
        if paragraph_end < end:
            paragraph_end = text.find("\n\n", end)
            paragraph_end = len(text) if paragraph_end < 0 else paragraph_end
        if runs[closing][0] <= paragraph_end:
            done = runs[closing][1]
            spans.append(Span(start, done))
    return spans


def _code_elements(text: str, hidden: list[Span]) -> list[Span]:
    """`<code>…</code>`, `<pre>…</pre>` and their like; a tag that is quoted as code itself opens nothing."""
    tags = _outside([(found.start(), found.end()) for found in _CODE_TAG.finditer(text)], hidden)
    names = [text[start + 1 : end - 1].split()[0].rstrip("/").lower() for start, end in tags]
    spans: list[Span] = []
    done = 0
    for (start, _), closing in zip(tags, _closings(["/" + name for name in names], names), strict=True):
        if closing >= 0 and start >= done:
            done = tags[closing][1]
            spans.append(Span(start, done))
    return spans


def _closings(wanted: list[str], names: list[str]) -> list[int]:
    """For each place the next later one that has the wanted name, or -1: one pass from the back."""
    closings = [-1] * len(names)
    last: dict[str, int] = {}
    for at in range(len(names) - 1, -1, -1):
        closings[at] = last.get(wanted[at], -1)
        last[names[at]] = at
    return closings


def _outside(runs: list[tuple[int, int]], blocks: list[Span]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    block = 0
    for start, end in runs:
        while block < len(blocks) and blocks[block].end <= start:
            block += 1
        if block == len(blocks) or end <= blocks[block].start:
            kept.append((start, end))
    return kept


def comment_spans(text: str) -> list[Span]:
    """The HTML comments of a text; one that is not closed is none."""
    spans: list[Span] = []
    at = text.find("<!--")
    while at >= 0:
        closing = text.find("-->", at + 4)
        if closing < 0:
            break
        spans.append(Span(at, closing + 3))
        at = text.find("<!--", closing + 3)
    return spans
