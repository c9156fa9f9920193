"""The blocks of an answer, its own list of references among them, and where in it no citation can stand."""

from __future__ import annotations

import re

from pincite.records import Span
from pincite.text.block_scan import (
    HEADINGS,
    WEAK_HEADINGS,
    Block,
    heading_words,
    may_have_references,
    scan_blocks,
)
from pincite.text.spans import merge

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


# --- the answer's own list of references ---

_LABEL = r"(?:\[\^?[\w.-]{1,40}+\]:?|【\d{1,4}+】|\(?\d{1,4}+[.)]|\^\d{1,4}+\^?|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}+)"
LABELLED = re.compile(_LABEL + r"[ \t]*+(?=\S)")
_BRACKET_LABELLED = re.compile(
    r"(?:[-*+•][ \t]++)?(?:\[\^?\d{1,4}+\]:?|【\d{1,4}+】|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}+)[ \t]++(?=[^\s\[【])"
)
_SIGN = re.compile(
    r"https?://|www\.|\bdoi\b|\b10\.\d{4,9}/|arxiv|\bpmid\b|\bisbn\b"
    r"|[\w)]\.(?:pdf|txt|md|html?|docx?|jsonl?|csv|tsv|xlsx?|pptx?|xml|rst|tex|epub)\b"
    r"|\((?:1[5-9]|20)\d\d[a-z]?[),]|[.,] (?:1[5-9]|20)\d\d[.,;]|\bpp?\. ?\d",
    re.I,
)
_INLINE = re.compile(r"(?:\*\*|__)?([^\W\d_][^\n:：*]{1,28})(?:\*\*|__)?[ \t]?[:：](?:\*\*|__)?[ \t]*+(?=\S)")
_SOURCE_TABLE = re.compile(
    r"\|?[ \t]*+\**+(?:#|№|no\.?|nr\.?|num(?:ber)?|id|ref(?:erence)?|citation|marker|index)?+\**+[ \t]*+\|"
    r"[^\n]{0,80}?\b(?:sources?|documents?|references?|files?|titles?|urls?|links?)\b",
    re.I,
)
"""The header of a table of sources: `| # | Source |`."""
_NUMBERED_ROW = re.compile(r"\|?[ \t]*+\**+\[?\^?\d{1,4}+\]?\**+[ \t]*+\|")
_FIRST_MARKER = re.compile(r"[\[(【]\^?\d|[¹²³⁴⁵⁶⁷⁸⁹]")
_ENDS_WITH_MARKER = re.compile(r"(?:\[\d[\d, –-]{0,20}\]|【\d[^】]{0,30}】|\[\^\w{1,20}\])[.!?]?$")


def join_reference_lists(text: str, blocks: list[Block]) -> tuple[Block, ...]:
    """Replace the blocks of each reference list, its heading included, by one block `references`."""
    joined: list[Block] = []
    at = 0
    while at < len(blocks):
        stop = _list_end(text, blocks, at)
        if stop == at:
            joined.append(blocks[at])
            at += 1
        else:
            first, last = blocks[at], blocks[stop - 1]
            joined.append(Block("references", first.start, last.end, first.content_start, 0, first.group))
            at = stop
    return tuple(joined)


def _list_end(text: str, blocks: list[Block], at: int) -> int:
    """The index after the last block of the list that begins at `at`, or `at` when none begins there."""
    block = blocks[at]
    if block.kind == "heading":
        words = heading_words(text[block.content_start : min(block.end, block.content_start + 60)])
        if words in HEADINGS or words in WEAK_HEADINGS:
            return _entries_end(text, blocks, at, words in WEAK_HEADINGS)
    elif block.kind == "paragraph" or block.kind == "item":
        return _paragraph_list_end(text, blocks, at)
    elif block.kind == "header" and _SOURCE_TABLE.match(text, block.content_start, block.end):
        return _table_end(text, blocks, at)
    return at


def _table_end(text: str, blocks: list[Block], at: int) -> int:
    """The index after a table of numbered sources that closes the answer; `at` when it is another table.

    Each row has a number and something to look up, and a marker in the text says that numbers are cited.
    """
    stop = at + 1
    while (
        stop < len(blocks) and blocks[stop].kind in ("rule", "row") and blocks[stop].group == blocks[at].group
    ):
        row = text[blocks[stop].content_start : blocks[stop].end]
        if blocks[stop].kind == "row" and not (_NUMBERED_ROW.match(row) and _SIGN.search(row)):
            return at
        stop += 1
    closes = stop > at + 2 and all(
        blocks[later].kind in ("comment", "rule") for later in range(stop, len(blocks))
    )
    return stop if closes and _FIRST_MARKER.search(text, 0, blocks[at].start) else at


def _paragraph_list_end(text: str, blocks: list[Block], at: int) -> int:
    block = blocks[at]
    content = text[block.content_start : block.end]
    first_line, _, rest = content.partition("\n")
    words = heading_words(first_line) if len(first_line) <= 60 else ""
    if words and (words in HEADINGS or words in WEAK_HEADINGS) and block.kind == "paragraph":
        weak = words in WEAK_HEADINGS
        if rest.strip():  # the entries follow on the next lines of the same paragraph
            return at + all(_is_entry(line.strip(), True) for line in rest.split("\n"))
        if first_line.rstrip(" *_")[-1:] in (":", "：") or first_line.isupper() or not weak:
            return _entries_end(text, blocks, at, weak)
        return at
    # The colon of `Sources: …` stands near the beginning: most paragraphs have no colon there.
    inline = _INLINE.match(content) if ":" in content[:40] or "：" in content[:40] else None
    if inline and heading_words(inline[1]) in HEADINGS | WEAK_HEADINGS:
        return at + _is_inline_list(content[inline.end() :], text, block.start)
    if block.kind == "paragraph" and _BRACKET_LABELLED.match(content):
        # Lines `[1] …` without a heading, each with something that can be looked up.
        lines = content.split("\n")
        return at + all(_BRACKET_LABELLED.match(line.strip()) and _SIGN.search(line) for line in lines)
    return at


def _is_inline_list(rest: str, text: str, start: int) -> bool:
    """`[1] a.txt, [2] b.txt` is a list; `[1], [2]` and a lone link are citations."""
    if _BRACKET_LABELLED.match(rest):
        return True
    if rest[:1] in "[【(":
        return False
    if "http" in rest or "www." in rest:
        numbered = text.find("[1]", 0, start) >= 0 or text.find("¹", 0, start) >= 0
        sentence = rest.rstrip().endswith((".", "!")) or rest.count(" ") > 2 * rest.count("http")
        return numbered and not sentence
    names = re.split(r"[,;\n]", rest)
    return all(_SIGN.search(name) and len(name) <= 120 for name in names)


def _entries_end(text: str, blocks: list[Block], heading: int, weak: bool) -> int:
    """The index after the last entry under a heading, or the heading's own index without entries."""
    at = heading + 1
    kind = ""
    while at < len(blocks):
        block = blocks[at]
        content = text[block.content_start : min(block.end, block.content_start + 2000)]
        if block.kind == "references" or (block.kind in ("comment", "rule", "header", "row") and kind):
            # A rule ends the list, unless it is a table's or stands between two definitions.
            listed_below = at + 1 < len(blocks) and blocks[at + 1].kind == "references"
            if block.kind == "rule" and not listed_below and blocks[at - 1].kind != "header":
                break
        elif block.kind == "header" and not weak:
            pass
        elif block.kind == "item":
            if not _is_entry(content, weak):
                break
        elif block.kind == "paragraph":
            strict = weak or bool(kind)
            if not _is_entry(content.split("\n", 1)[0].strip(), strict):
                break
            first_line = content.split("\n", 1)[0].rstrip()
            is_short = len(first_line) <= 100 and first_line[-1:] not in ".!?:"
            if not strict and not is_short and not _is_entry(content, True):
                break
        else:
            break
        kind = kind or block.kind
        at += 1
    while at - 1 > heading and blocks[at - 1].kind in ("comment", "rule"):
        at -= 1
    return at if at > heading + 1 else heading


def _is_entry(content: str, strict: bool) -> bool:
    """Whether a line or list item names a source. Under a weak heading it must show it."""
    if not content:
        return True
    if LABELLED.match(content) or _SIGN.search(content):
        return not (_ENDS_WITH_MARKER.search(content) and not _SIGN.search(content))
    return not strict and not _ENDS_WITH_MARKER.search(content)


# --- where no citation can stand ---


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
    """The HTML comments of a text that are closed."""
    spans: list[Span] = []
    at = text.find("<!--")
    while at >= 0:
        closing = text.find("-->", at + 4)
        if closing < 0:
            break
        spans.append(Span(at, closing + 3))
        at = text.find("<!--", closing + 3)
    return spans
