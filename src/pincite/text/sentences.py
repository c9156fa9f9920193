"""Sentences with true offsets.

The boundaries come from sentencex, which knows abbreviations, initials and quotations in many languages. It
works on a copy in which every character keeps its place: markers are blanked out, because a marker after the
full stop belongs to the sentence before it, and lines that stand for themselves are given to it one by one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise

from pincite.records import Span
from pincite.text.spans import trim
from pincite.text.wordlists import LISTS

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CLOSING_EMPHASIS = re.compile(r"[*_]{1,3}+(?=[\s.,;:!?)\]]|\Z)")
_QUOTE_MARKS = re.compile(r"^[ \t]*+>[> \t]*+", re.MULTILINE)
_PREFIX = re.compile(r"\s*+(?:(?:>|[-*+•‣◦▪·–—](?=\s)|#{1,6}(?=\s)|(?:\d{1,3}|[a-zA-Z])[.)](?=\s))\s*+){1,6}")
"""What stands before the first word of a line: its full stop ends no sentence."""

_MARKER = re.compile(
    r"(?:\[\^?\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20}\]|【[^】\n]{1,80}】|[⁰¹²³⁴-⁹]{1,6}|\(\d{1,3}\)|\^\d{1,3}\^?)"
    r"(?:[ \t]?(?:\[\^?\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20}\]|【[^】\n]{1,80}】)){0,30}"
)
"""Numbered markers, which any text may hold, so that a source's sentences keep theirs too."""

_BETWEEN_MARKERS = re.compile(r"[\s,;]{0,4}(?:(?:and|&)\s{1,2})?")
_OPENING_BRACKET = re.compile(
    r"[(\[]\s{0,2}(?:(?:see(?: also)?|sources?:?|refs?:?|cf\.)\s{1,2})?\Z", re.IGNORECASE
)
_CLOSING_BRACKET = re.compile(r"\s{0,2}[)\]]")
_CLOSERS = frozenset(")]}”’»*_\"'")
_STRAY_CLOSERS = re.compile(r"[)\]}”’»*_\"']{1,4}(?=\s|\Z)")
_NO_ENDING = re.compile(rf"(?:\A|[ (\[]){LISTS.any_of('abbreviations')}\.\s*+\Z", re.IGNORECASE)
"""Abbreviations that a number or a small letter follows, beyond those that sentencex knows."""

_AFTER_UNIT = re.compile(
    r"(?:\d[ \u00a0\u202f]?+(?:[ghslm]|[mkc]?m|[mk]?g|m[lL]|min|sec|hrs?|([VWAJKFN]))|\bMay)\.\s++"
    r"(?=[\"“‘'(\[*_]{0,3}+([^\W\d_]++))"
)
"""`3 g. Stir`, `in May. Profit`: what sentencex takes for an initial or an abbreviation. `100 W. Main Street`
goes on, so after the capitals only a word that opens sentences makes an end."""

_OPENERS = frozenset(LISTS.words("sentence openers"))
_HOUR = re.compile(r"\d ?[ap]\.m\.\s*+\Z", re.IGNORECASE)
_GOES_WITH_HOUR = re.compile(rf"{LISTS.any_of('goes with an hour')}\b")
_OPENING_MARKS, _CLOSING_MARKS = "(“„«", ")”“»"

_TERMINAL = frozenset(".!?…。！？।”\"’')*_")
_NOUN_FOLLOWS = frozenset(",;:'’")

_WINDOW = 2_000
_WIDE_WINDOW = 20_000
_PAIRED = dict.fromkeys(map(ord, "\"'`“”„‟«»‹›‘’‚‛「」『』（）【】()[]{}"), " ")
Segment = Callable[[str, str], list[str]]
_LINE_ENDS = ("\n", "\r", "\f", "\v", "\x85", "\u2028", "\u2029")


def split_sentences(text: str, language: str = "en", markers: Sequence[Span] = ()) -> list[Span]:
    """The sentences of a text, in order, without the white space round them.

    Every character that is not white space lies in exactly one sentence. `markers` are the citations known to
    stand in the text, sorted and without overlap; numbered ones are recognised without being told.
    """
    from sentencex import segment

    copy = _masked(text, markers)
    marker_ends = [marker.end for marker in markers]
    spans: list[Span] = []
    for start, end in find_runs(text):
        first_word = start
        if prefix := _PREFIX.match(text, start, end):
            first_word = prefix.end()
        cuts = [start]
        for cut in _boundaries(segment, copy, first_word, end, language):
            # A window over a sentence without end may close in the middle of a marker.
            at = bisect_right(marker_ends, cut)
            inside = at < len(markers) and markers[at].start < cut
            cuts.append(min(markers[at].end, end) if inside else cut)
        if cuts[-1] < end:
            cuts.append(end)
        for left, right in pairwise(cuts):
            if sentence := trim(text, left, right):
                spans.append(sentence)
    return spans


def _boundaries(segment: Segment, copy: str, start: int, end: int, language: str) -> Iterator[int]:
    """Where a sentence ends and another begins, within `copy[start:end]`.

    sentencex takes quadratic time on a paragraph of unclosed quotation marks, so it sees a long line through
    a window that moves on to the last sentence it has begun.
    """
    while start < end:
        stop = min(start + _WINDOW, end)
        segments = _segments(segment, copy[start:stop], language)
        if stop < end and len(segments) == 1:
            stop = min(start + _WIDE_WINDOW, end)
            segments = _segments(segment, copy[start:stop].translate(_PAIRED), language)
        is_last = stop == end or len(segments) == 1
        for sentence in segments if is_last else segments[:-1]:
            start += len(sentence)
            yield start


def _segments(segment: Segment, text: str, language: str) -> list[str]:
    """The text cut into sentences, nothing lost: the pieces joined are the text."""
    pieces: list[str] = []
    for piece in chain.from_iterable(map(_cut_after_units, segment(language, text))):
        if pieces and piece[0].isspace():
            # It looks past thirty blanks at most; a long marker leaves more of them behind a full stop.
            words = piece.lstrip()
            pieces[-1] += piece[: len(piece) - len(words)]
            piece = words
            if not piece:
                continue
        if pieces and piece[0] in _CLOSERS and (stray := _STRAY_CLOSERS.match(piece)):
            pieces[-1] += stray.group()
            piece = piece[stray.end() :]
            if not piece:
                continue
        if pieces and (not pieces[-1].strip() or _is_abbreviated(pieces[-1], piece)):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def _cut_after_units(piece: str) -> Iterator[str]:
    """The piece, cut where a unit ends a sentence; never inside brackets or a quotation."""
    done = 0
    for found in _AFTER_UNIT.finditer(piece):
        symbol, word = found.groups()
        if not word[0].isupper() or (symbol and word not in _OPENERS):
            continue
        before = piece[done : found.end()]
        pairs = zip(_OPENING_MARKS, _CLOSING_MARKS, strict=True)
        in_brackets = any(before.count(left) > before.count(right) for left, right in pairs)
        if in_brackets or before.count('"') % 2 == 1:
            continue
        yield before
        done = found.end()
    if done < len(piece):
        yield piece[done:]


def _is_abbreviated(before: str, after: str) -> bool:
    if after[:1].isupper():
        return _HOUR.search(before[-12:]) is not None and _GOES_WITH_HOUR.match(after) is not None
    return _NO_ENDING.search(before[-12:]) is not None


# --- the copy that sentencex sees ----------------------------------------------------------------


def _masked(text: str, markers: Sequence[Span]) -> str:
    """A copy of the same length without lone surrogates, line ends, markers and closing emphasis."""
    copy = text
    if not copy.isascii():
        copy = _SURROGATE.sub("\ufffd", copy)
    if ">" in copy:
        copy = _QUOTE_MARKS.sub(_blank, copy)
    for line_end in _LINE_ENDS:
        copy = copy.replace(line_end, " ")
    if markers:
        copy = "".join(_without_markers(copy, markers))
    if "*" in copy or "_" in copy:
        copy = _CLOSING_EMPHASIS.sub(_blank, copy)
    return _MARKER.sub(_blank_if_trailing(text), copy)


def _blank(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())


def _without_markers(copy: str, markers: Sequence[Span]) -> Iterator[str]:
    done = 0
    for start, end in _joined(copy, markers):
        if start < done:
            continue
        yield copy[done:start]
        yield _mask_for(copy, start, end)
        done = end
    yield copy[done:]


def _joined(copy: str, markers: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Neighbouring markers as one stretch, with the brackets round them: they stand or fall together."""
    start = end = -1
    for marker in markers:
        if end >= 0 and (marker.start <= end or _BETWEEN_MARKERS.fullmatch(copy, end, marker.start)):
            end = max(end, marker.end)
            continue
        if end >= 0:
            yield _with_brackets(copy, start, end)
        start, end = marker.start, marker.end
    if end >= 0:
        yield _with_brackets(copy, start, end)


def _with_brackets(copy: str, start: int, end: int) -> tuple[int, int]:
    opening = _OPENING_BRACKET.search(copy, max(0, start - 16), start)
    closing = _CLOSING_BRACKET.match(copy, end)
    return (opening.start(), closing.end()) if opening and closing else (start, end)


def _mask_for(copy: str, start: int, end: int) -> str:
    """Blanks, which leave a marker with the sentence before it; or a word, where the marker is a noun.

    `It rose. [1] says that …`: a small letter or a comma after the marker shows that it opens a sentence.
    """
    glued = start > 0 and not copy[start - 1].isspace()
    follower = copy[end : end + 4].lstrip()[:1]
    is_noun = not glued and (follower.islower() or follower in _NOUN_FOLLOWS) and follower != ""
    return ("x" if is_noun else " ") * (end - start)


def _blank_if_trailing(text: str) -> Callable[[re.Match[str]], str]:
    """What becomes of a numbered marker: it is blanked after a full stop, and left alone elsewhere."""

    def replacement(match: re.Match[str]) -> str:
        start, end = match.span()
        before = text[max(0, start - 4) : start].rstrip()[-1:]
        if before not in _TERMINAL or before == "":
            return match.group()
        if match.group()[0] == "(" and _is_enumerated(text, start):
            return match.group()
        return _mask_for(text, start, end)

    return replacement


def _is_enumerated(text: str, start: int) -> bool:
    """True for `(2)` in `two ways: (1) by land. (2) by sea.`, which counts points and cites nothing."""
    line = text[max(0, start - 500) : start]
    line = line[line.rfind("\n") + 1 :]
    first = line.find("(1)")
    return first >= 0 and (first == 0 or line[:first].rstrip().endswith((":", ",", ";")))


# --- which lines read on into the next one ---
# Text that was wrapped at a fixed width (an e-mail, a PDF) breaks its sentences over lines; a list or a chat
# answer ends a thought with the line. Nothing in the characters tells the two apart, so the lines between two
# blank ones vote: wrapped text seldom begins a line with a capital, and its lines are as long as they can be.

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
    # Lines that all end a sentence, or that all do not, are a list; wrapped text stops only at its end.
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
