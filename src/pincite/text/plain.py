"""A sentence of an answer as a judge should read it: without markers and without Markdown.

A marker that is taken out leaves a gap, and words that only led to it ("according to", "see", a pair of
brackets) go with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pincite.text.blocks import comment_spans
from pincite.text.spans import blanked
from pincite.text.wordlists import LISTS

GAP = "\ufdd0"
"""Stands where a marker was taken out. A code point that Unicode reserves for such private use."""

_IMAGE_OR_LINK = re.compile(
    r"(!?)\[([^\[\]\n]{0,999}+)\](?:\((?:[^()\n]|\([^()\n]{0,300}+\)){0,1999}+\)|\[[^\[\]\n]{0,99}+\])"
)
_TAG = re.compile(
    r"</?(?:b|i|u|s|em|strong|sup|sub|span|a|code|small|mark|del|ins|cite|q|kbd)(?:\s[^<>=]{0,300}+=[^<>]{0,300}+)?/?>"
    r"|(</?(?:br|p|div|li|ul|ol|td|tr|th|table|hr)\s?/?>)",
    re.IGNORECASE,
)
_INLINE = re.compile(r"\\([!-/:-@\[-`{-~])|\*{1,3}+|_{1,3}+|~~|`++")
_QUOTE_MARKS = re.compile(r"^[ \t]*+>[> \t]*+", re.MULTILINE)

_CITING, _SAYS, _SOURCE = LISTS.any_of("citing"), LISTS.any_of("says"), LISTS.any_of("source")
_LABEL = r"(?:(?:sources?|refs?\.?|references?|citations?|from) ?:? ?)"
_NOUN = r"(?:(?:the )?(?:sources?|documents?|docs?|references?|refs?\.?|passages?|footnotes?|articles?) )?"
_SOURCE_FRAME = re.compile(
    rf"^(?:(?:the|this|that|its|their|your|our) (?:[\w'’-]{{1,30}} ){{0,3}}?{_SOURCE} "
    rf"(?:also |further |clearly )?{_SAYS}(?:,? that\b[ ,]*+|[:,]? (?=[\"“«„]))"
    rf"|(?:according to|as (?:stated|reported|noted|described) in) (?:the|this|that|its|their|your|our) "
    rf"(?:[\w'’-]{{1,30}} ){{0,3}}?{_SOURCE} ?, )",
    re.IGNORECASE,
)
"""`The report says that …` in a cited sentence speaks of the source, which does not speak of itself."""
_SEVERAL_GAPS = re.compile(rf"{GAP}(?:[ ,;]{{0,3}}(?:(?:and|or|&|–|-) ?)?{GAP})++", re.IGNORECASE)
_BRACKETED_GAP = re.compile(
    rf" ?[(\[{{] ?(?:{_CITING} |e\.g\.,? |{_LABEL})?{_NOUN}{GAP} ?[)\]}}]", re.IGNORECASE
)
_OPENING_GAP = re.compile(
    rf"^(?:(?:{_CITING}|in) {_NOUN}{GAP} ?, ?|{_NOUN}{GAP} {_SAYS} that |{_LABEL}{GAP}[ .]*+$)", re.IGNORECASE
)
_SUBJECT_GAP = re.compile(
    rf"(^|[,;:–—] |\b(?:while|whereas|that|but|and|although|because|as) ){GAP} "
    rf"(?={_SAYS}\b|(?:dis)?agrees?\b|also\b|is\b|has\b|provides\b|gives\b|lists\b)"
)
_CLOSED_GAPS = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (rf", ?{_CITING} {_NOUN}{GAP} ?(?:,|(?=[.;:!?)]|$))", ""),
        (rf" {_CITING} {_NOUN}{GAP}(?= ?[.,;:!?)]| ?$)", ""),
        (rf"(?:(?<=[.!?]) )?\b{_LABEL}{GAP} ?\.?$", ""),
        (rf"([.!?…]) ?{GAP} ?\.", r"\1"),
        (rf" ?(?:[,;–—-] ?{GAP} ?(?=[.,;:!?]|$)|: ?{GAP} ?(?=[.,;!?]))", ""),
        (rf" ?{GAP} ?(?=[.,;:!?…)\]}}”»]|$)", ""),
        (rf"(?<=[(\[“«]) ?{GAP} ?", ""),
    )
)
"""What takes a gap out with the words and signs that only led to it, in this order."""


def plain_text(text: str, start: int, end: int, gaps: Iterable[tuple[int, int, str]] = ()) -> str:
    """`text[start:end]` with each gap replaced by its words, Markdown taken off and white space folded.

    `gaps` are `(start, end, words)` in order; an empty string takes the marker out.
    """
    pieces: list[str] = []
    done = start
    for gap_start, gap_end, words in gaps:
        if gap_end <= done or gap_start >= end:
            continue
        pieces.append(text[done : max(done, gap_start)].replace(GAP, " "))
        pieces.append(words or GAP)
        done = min(gap_end, end)
    pieces.append(text[done:end].replace(GAP, " "))
    return close_gaps(_without_markdown("".join(pieces)))


def close_gaps(text: str) -> str:
    """Take out the gaps, and what makes no sense without the marker that was there."""
    text = " ".join(text.split())
    if GAP not in text:
        return text
    text = _SEVERAL_GAPS.sub(GAP, text)
    text = _BRACKETED_GAP.sub(GAP, text)
    opened = _OPENING_GAP.sub("", text)
    if opened != text:
        text = opened[:1].upper() + opened[1:]
    text = _SUBJECT_GAP.sub(lambda gap: f"{gap[1]}the source " if gap[1] else "The source ", text)
    for pattern, put in _CLOSED_GAPS:
        text = pattern.sub(put, text)
    text = " ".join(text.replace(GAP, " ").split())
    framed = _SOURCE_FRAME.sub("", text)
    return framed[:1].upper() + framed[1:] if framed and framed != text else text


def _without_markdown(text: str) -> str:
    if "<!--" in text:
        text = blanked(text, comment_spans(text), "")
    if ">" in text:
        text = _QUOTE_MARKS.sub("", text)
        text = _TAG.sub(lambda tag: " " if tag[1] else "", text)
    if "](" in text or "][" in text:
        text = _IMAGE_OR_LINK.sub(lambda link: "" if link[1] else link[2], text)
    if "&" in text and ";" in text:
        from html import unescape

        text = unescape(text)
    return _INLINE.sub(_without_mark, text)


def _without_mark(mark: re.Match[str]) -> str:
    """Nothing, unless the sentence means the character: `5 * 3`, `snake_case`, an escaped one."""
    if mark[1]:
        return mark[1]
    text, (start, end) = mark.string, mark.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    if text[start] == "*":
        is_sign = (before.isspace() and after.isspace()) or (before.isdigit() and after.isdigit())
        return mark.group() if is_sign else ""
    if text[start] == "_":
        inside_word = (before.isalnum() and after.isalnum()) or (before.isspace() and after.isspace())
        return mark.group() if inside_word else ""
    return ""
