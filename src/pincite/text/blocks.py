"""The blocks of an answer, and the places in it where no citation can stand."""

from __future__ import annotations

import re

from pincite.records import Span
from pincite.text.block_scan import Block, Kind, scan_blocks
from pincite.text.reference_headings import may_have_references
from pincite.text.reference_lists import join_reference_lists
from pincite.text.spans import merge

__all__ = ["Block", "Kind", "find_blocks", "inline_opaque_spans", "may_have_references", "opaque_spans"]

_TASK_BOX = re.compile(r"^[ \t>]*+(?:[-*+•]|\d{1,3}[.)])[ \t]++(\[[ xX]\])(?=\s|$)", re.M)
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


def opaque_spans(text: str) -> list[Span]:
    """Where no citation may be found: code, images, comments and task boxes. Sorted and merged."""
    spans = []
    if may_have_code_blocks(text):
        spans = [Span(b.start, b.end) for b in scan_blocks(text) if b.kind in ("code", "comment")]
    boxes = [Span(found.start(1), found.end(1)) for found in _TASK_BOX.finditer(text)]
    return merge([*spans, *inline_opaque_spans(text, spans), *boxes])


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
        spans += _comments(text)
    return spans


def _inline_code(text: str, blocks: list[Span]) -> list[Span]:
    """A run of backticks is closed by the next run of the same length in the same paragraph."""
    spans: list[Span] = []
    runs = [(found.start(), found.end()) for found in _BACKTICKS.finditer(text)]
    if blocks:
        runs = _outside(runs, blocks)
    # For each run the next one of its length: one pass from the back, so never quadratic.
    next_same: list[int] = [-1] * len(runs)
    last: dict[int, int] = {}
    for at in range(len(runs) - 1, -1, -1):
        length = runs[at][1] - runs[at][0]
        next_same[at] = last.get(length, -1)
        last[length] = at
    paragraph_end = -1
    at = 0
    while at < len(runs):
        closing = next_same[at]
        start, end = runs[at]
        if closing < 0:
            at += 1
            continue
        if paragraph_end < end:
            paragraph_end = text.find("\n\n", end)
            if paragraph_end < 0:
                paragraph_end = len(text)
        if runs[closing][0] > paragraph_end:
            at += 1
            continue
        spans.append(Span(start, runs[closing][1]))
        at = closing + 1
    return spans


def _code_elements(text: str, hidden: list[Span]) -> list[Span]:
    """`<code>…</code>`, `<pre>…</pre>` and their like; a tag that is quoted as code itself opens nothing."""
    tags = [(found.start(), found.end()) for found in _CODE_TAG.finditer(text)]
    if hidden:
        tags = _outside(tags, hidden)
    names = [text[start + 1 : end - 1].split()[0].rstrip("/").lower() for start, end in tags]
    # For each opening tag the next closing one of its name: one pass from the back, so never quadratic.
    closing_of: list[int] = [-1] * len(tags)
    last: dict[str, int] = {}
    for at in range(len(tags) - 1, -1, -1):
        if names[at].startswith("/"):
            last[names[at][1:]] = at
        else:
            closing_of[at] = last.get(names[at], -1)
    spans: list[Span] = []
    end = 0
    for (start, _), closing in zip(tags, closing_of, strict=True):
        if closing >= 0 and start >= end:
            end = tags[closing][1]
            spans.append(Span(start, end))
    return spans


def _outside(runs: list[tuple[int, int]], blocks: list[Span]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    block = 0
    for start, end in runs:
        while block < len(blocks) and blocks[block].end <= start:
            block += 1
        if block == len(blocks) or end <= blocks[block].start:
            kept.append((start, end))
    return kept


def _comments(text: str) -> list[Span]:
    spans: list[Span] = []
    at = text.find("<!--")
    while at >= 0:
        closing = text.find("-->", at + 4)
        if closing < 0:
            break
        spans.append(Span(at, closing + 3))
        at = text.find("<!--", closing + 3)
    return spans
