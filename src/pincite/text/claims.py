"""What an answer asserts: its sentences, list items and table rows, as a judge should read them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pincite.records import Claim, Span
from pincite.text.assertions import Role, introduces, role_of
from pincite.text.block_scan import Block
from pincite.text.blocks import find_blocks, inline_opaque_spans
from pincite.text.plain import plain_text
from pincite.text.sentences import split_sentences
from pincite.text.spans import SpanIndex

_PIPE = re.compile(r"\\.|\|")
_OVERRULED = ("courtesy", "refusal", "pointer")
"""What a citation makes a claim of. A label stays one where a provider's citation covers it with the rest."""
_OPENED_BY_COLON = ("item", "header", "row", "code", "image")


class Statement(Struct, frozen=True):
    """A sentence, list item, table row, table header or heading, and what it does in the answer."""

    role: Role | Literal["lead_in", "header", "heading"]
    text: str
    start: int
    end: int
    kind: Literal["sentence", "item", "row"]
    block: Block


def split_claims(
    text: str, markers: Sequence[Span], language: str = "en", keep: Mapping[Span, str] | None = None
) -> tuple[Claim, ...]:
    """Everything that the text asserts, in order and without overlap.

    `markers` are the citations in the text; they are taken out of a claim's text, or replaced by the words
    that `keep` gives for them (`Smith` for `Smith (2020)`). A claim's span still covers its markers.
    """
    return claims_among(find_statements(text, markers, language, keep))


def claims_among(statements: Iterable[Statement]) -> tuple[Claim, ...]:
    """Those of the statements that assert something."""
    return tuple(
        Claim(statement.text, statement.start, statement.end, statement.kind, statement.block.group)
        for statement in statements
        if statement.role == "claim"
    )


def find_statements(
    text: str,
    markers: Sequence[Span],
    language: str = "en",
    keep: Mapping[Span, str] | None = None,
    covered: Sequence[Span] = (),
) -> Iterator[Statement]:
    """Claims, and what stands between them: questions, small talk, labels, headings, lead-ins.

    `covered` is the text that a provider's citations speak for: it is cited without a marker in it.
    """
    blocks = find_blocks(text)
    gaps = _Gaps(text, markers, keep or {}, blocks, covered)
    header: list[str] = []
    for number, block in enumerate(blocks):
        if block.kind in ("paragraph", "item"):
            following = next((b for b in blocks[number + 1 : number + 3] if b.kind != "comment"), None)
            yield from _of_text(block, gaps, language, following)
        elif block.kind == "header":
            header = _cells(text, block, gaps)
            yield Statement("header", " ".join(header), block.start, block.end, "row", block)
        elif block.kind == "row":
            yield _of_row(text, block, gaps, header)
        elif block.kind == "heading":
            yield Statement("heading", "", block.start, block.end, "sentence", block)


class _Gaps:
    """The markers of a text, and the images and comments that no judge should read either."""

    def __init__(
        self,
        text: str,
        markers: Sequence[Span],
        keep: Mapping[Span, str],
        blocks: Sequence[Block],
        covered: Sequence[Span],
    ) -> None:
        self.text = text
        self.markers = _apart(markers)
        self.keep = keep
        code = [Span(block.start, block.end) for block in blocks if block.kind in ("code", "comment")]
        opaque = inline_opaque_spans(text, code)
        self.silent = {span for span in opaque if text.startswith(("![", "<!--"), span.start)}
        inline = [span for span in opaque if text[span.start] != "["]
        self.all = _apart([*self.markers, *inline]) if inline else self.markers
        self._marker_starts = [span.start for span in self.markers]
        self.covered = SpanIndex(covered)
        self._all_starts = [span.start for span in self.all]

    def cited(self, start: int, end: int) -> bool:
        at = bisect_left(self._marker_starts, start)
        return at < len(self._marker_starts) and self._marker_starts[at] < end

    def within(self, start: int, end: int) -> list[Span]:
        """Markers, images, comments and inline code that begin in `[start, end)`, counted from `start`."""
        first, last = bisect_left(self._all_starts, start), bisect_left(self._all_starts, end)
        return [Span(span.start - start, min(span.end, end) - start) for span in self.all[first:last]]

    def plain(self, start: int, end: int) -> str:
        first, last = bisect_left(self._all_starts, start), bisect_left(self._all_starts, end)
        gaps: list[tuple[int, int, str]] = []
        for span in self.all[first:last]:
            if span in self.silent:
                gaps.append((span.start, span.end, " "))
            elif self.text[span.start] != "`":
                gaps.append((span.start, span.end, self.keep.get(span, "")))
        return plain_text(self.text, start, end, gaps)


def _apart(spans: Sequence[Span]) -> list[Span]:
    """The spans in order, without empty ones and without any that begins inside the one before."""
    kept: list[Span] = []
    for span in sorted(spans):
        if span.end > span.start and (not kept or span.start >= kept[-1].end):
            kept.append(span)
    return kept


def _sentences(block: Block, gaps: _Gaps, language: str) -> list[Span]:
    # With its first `>` a quotation looks the same on each line, so that a wrapped one is read on.
    text, start = gaps.text, block.start if block.kind == "paragraph" else block.content_start
    sentences: list[Span] = []
    for found in split_sentences(text[start : block.end], language, gaps.within(start, block.end)):
        first, end = start + found.start, start + found.end
        if text[first] == ">":  # a sentence on a further line of a quotation begins after that line's mark
            first += len(text[first:end]) - len(text[first:end].lstrip("> \t"))
        sentences.append(Span(first, max(first, end)))
    return sentences


def _of_text(block: Block, gaps: _Gaps, language: str, following: Block | None) -> Iterator[Statement]:
    """One statement per sentence, or per list item.

    A marker speaks for all of an item, unless several of its sentences are cited.
    """
    sentences = _sentences(block, gaps, language)
    if block.kind == "item" and following and following.kind == "item" and following.level <= block.level:
        following = None
    if block.kind == "paragraph" or sum(gaps.cited(span.start, span.end) for span in sentences) > 1:
        for span in sentences:
            yield _statement(span, block, gaps, following if span is sentences[-1] else None)
        return
    if not sentences:
        return
    whole = Span(sentences[0].start, sentences[-1].end)
    statement = _statement(whole, block, gaps, following, single=len(sentences) == 1)
    if len(sentences) > 1:
        roles = [_statement(span, block, gaps, None, single=False).role for span in sentences]
        statement = replace(statement, role="claim" if "claim" in roles else roles[0])
    yield statement


def _statement(
    span: Span, block: Block, gaps: _Gaps, following: Block | None, single: bool = True
) -> Statement:
    text = gaps.plain(span.start, span.end)
    kind: Literal["sentence", "item"] = "item" if block.kind == "item" else "sentence"
    role: Role | Literal["lead_in"]
    if following and following.kind in _OPENED_BY_COLON and introduces(text):
        role = "lead_in"
    else:
        item = single and kind == "item"
        role = role_of(text, gaps.cited(span.start, span.end), item)
        if role in _OVERRULED and gaps.covered.overlaps(span.start, span.end):
            role = role_of(text, True, item)
    return Statement(role, text, span.start, span.end, kind, block)


# --- tables --------------------------------------------------------------------------------------


def _of_row(text: str, block: Block, gaps: _Gaps, header: list[str]) -> Statement:
    """`Company: Acme; Revenue: $10M`: a row says of each column's name what stands in its cell."""
    cells = _cells(text, block, gaps)
    said: list[str] = []
    for column, cell in enumerate(cells):
        if any(character.isalnum() for character in cell):
            name = header[column] if column < len(header) else ""
            said.append(f"{name.rstrip(':')}: {cell}" if name else cell)
    role: Role = "claim"
    if not said:
        role = "empty"
    elif len(said) == 1 and len(cells) > 1 and not gaps.cited(block.start, block.end):
        role = "label"
    return Statement(role, "; ".join(said), block.start, block.end, "row", block)


def _cells(text: str, block: Block, gaps: _Gaps) -> list[str]:
    start, end = block.content_start, block.end
    inside = [Span(span.start + start, span.end + start) for span in gaps.within(start, end)]
    cells: list[Span] = []
    left = start
    marker = 0
    for found in _PIPE.finditer(text, start, end):
        if found.group() != "|":
            continue
        at = found.start()
        while marker < len(inside) and inside[marker].end <= at:
            marker += 1
        if marker < len(inside) and inside[marker].start <= at:
            continue
        cells.append(Span(left, at))
        left = at + 1
    cells.append(Span(left, end))
    if len(cells) > 1 and not cells[0].of(text).strip():
        del cells[0]
    if len(cells) > 1 and not cells[-1].of(text).strip():
        del cells[-1]
    return [gaps.plain(cell.start, cell.end).replace("\\|", "|") for cell in cells]
