"""Grammars that hold a model to its passages while it writes, and the readers of what was written by them.

**A sentence.** Any language, decimals, abbreviations, quotation marks, code and emoji may be in it; a
marker may not, since the program alone places markers. A sentence is a chain of small pieces: most are one
character, and a sign that could begin a marker (`[`, `{`, `^`, a raised digit, `<sup>`, an entity, a LaTeX
command, an address) is only allowed together with what makes it harmless. Pieces keep the matcher small: to
forbid phrases anywhere in a text makes llguidance follow all of them at once, and took a hundred times as
long to compile. A name such as `Smith (2020)` cannot be told from words here; `markers` looks for such
names afterwards.

**The marker grammar.** Each line is a sentence and markers of passages that the model was given.

**The quote grammar.** Before each sentence stands a verbatim quote of one passage, from which it is
written: a model that has just copied the words that matter writes what they say. A quote can only be words
that follow each other in a passage, so it cannot be altered; which passage it is from, and where it stands
there, follows from the quote: the model writes no marker, and can forge none. White space in a quote is one
space, whatever the source has, so that it stays on its line. By the grammar, figures in a sentence are
figures of the passages; that they are among those of its quote is checked when the reply is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from pincite.answering.records import AnswerDraft, DraftCitation, DraftSentence, RetrievedPassage
from pincite.errors import MissingExtraError
from pincite.text import UNSPACED

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


# --- the marker grammar --------------------------------------------------------------------------


MOST_MARKERS = 3
"""Markers of one sentence."""
NO_LINE = "none"
"""What a model writes where no passage answers: one word, so that no start of a sentence is the start
of a refusal."""
HEADER = "%llguidance {}\n"
"""Tells llama.cpp that a grammar is one of llguidance, not its own."""

_LINE = re.compile(r"(.+?) ((?:\[\d{1,6}\])+)\n", re.DOTALL)
_NUMBER = re.compile(r"\d+")


def marker_grammar(ids: Sequence[int], most: int, *, exactly: bool = False) -> str:
    """The Lark grammar for a draft of at most (or exactly) so many sentences that cite these passages."""
    _refuse_nothing(ids, most)
    least = most if exactly else 1
    none = "" if exactly else "NONE | "
    return (
        f"{HEADER}start: {none}LINE{{{least},{most}}}\n"
        f'NONE: "{NO_LINE}\\n"\n'
        f'LINE: SENTENCE " " MARKER{{1,{MOST_MARKERS}}} "\\n"\n'
        f"MARKER: /\\[(?:{'|'.join(map(str, ids))})\\]/\n"
        f"{sentence_terminal('SENTENCE')}"
    )


def read_marked_line(line: str) -> DraftSentence | None:
    """The sentence of one line with its line end, or None where it is none."""
    found = _LINE.fullmatch(line)
    if found is None or "\n" in found[1]:
        return None
    numbers = dict.fromkeys(int(number) for number in _NUMBER.findall(found[2]))
    return DraftSentence(found[1], tuple(DraftCitation(number) for number in numbers))


def read_marked(text: str) -> AnswerDraft:
    """The draft in a reply that followed the grammar; a last line that was cut off is a problem."""
    if text.strip() == NO_LINE:
        return AnswerDraft((), answerable=False, grounding="marker_grammar")
    sentences: list[DraftSentence] = []
    problems: list[str] = []
    for line in text.splitlines(keepends=True):
        sentence = read_marked_line(line)
        if sentence is not None:
            sentences.append(sentence)
        elif line.strip():
            problems.append("a line of the reply was cut off, or has no marker")
    return AnswerDraft(tuple(sentences), problems=tuple(problems), grounding="marker_grammar")


def marker_gbnf(ids: Sequence[int], most: int, *, exactly: bool = False) -> str:
    """The same for a llama.cpp server without llguidance, in llama.cpp's own form (GBNF).

    It is stricter: no brackets, carets and raised digits at all, so code with brackets cannot be written.
    """
    _refuse_nothing(ids, most)
    numbers = " | ".join(f'"{number}"' for number in ids)
    more = "".join(" (line" for _ in range(most - 1)) + ")?" * (most - 1)
    root = " ".join(["line"] * most) if exactly else f'"{NO_LINE}\\n" | line{more}'
    return (
        f"root ::= {root}\n"
        f'line ::= [^\\x00-\\x20{_GBNF_OUT}] char* " " mark (mark mark?)? "\\n"\n'
        f"char ::= [^\\x00-\\x1f\\x7f{_GBNF_OUT}]\n"
        f'mark ::= "[" ({numbers}) "]"\n'
    )


_GBNF_OUT = r"\[\]{}^<&［］｛｝【】〔〕〖〗⟦⟧†‡⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾"


def _refuse_nothing(ids: Sequence[int], most: int) -> None:
    if not ids or min(ids) < 1 or most < 1:
        raise ValueError("a grammar needs at least one passage, with a number from 1, and one sentence")


# --- the quote grammar ---------------------------------------------------------------------------


NO_QUOTE = "Quote: none"
"""What a model writes where no passage answers. It begins like an answer: a model that chooses by its first
word would else refuse because `I` is a common one."""
SHORTEST_QUOTE = 8
"""Characters. A quote of a word or two says nothing."""
MOST_FIGURES = 5000
"""Figures that the grammar knows; where the passages have more, only the reading checks them."""

_PAIR = re.compile(r"Quote:([^\n]+)\nSentence: ([^\n]+)\n")
_ALONE = rf"{UNSPACED}\u3000-\u303f\uff01-\uff60"
"""Scripts without spaces between words, and their punctuation: a quote may begin and end anywhere there."""
_CHUNK = re.compile(rf"(?!\s)(?:[{_ALONE}]|[^\s{_ALONE}]+)")


def quote_grammar(passages: Sequence[RetrievedPassage], most: int, *, exactly: bool = False) -> str:
    """The Lark grammar for a draft of at most (or exactly) so many sentences, each after its quote."""
    chunks: list[str] = []
    figures: dict[str, None] = {}
    longest = 0
    for passage in passages:
        own = list(_chunks(passage.text))
        longest = max(longest, sum(map(len, own)))
        chunks += [*own, "\n"]  # no quote goes on in the next passage
        figures.update(dict.fromkeys(figures_of(passage.text)))
    if longest < SHORTEST_QUOTE or most < 1:
        raise ValueError("a grammar needs at least one passage with words in it, and one sentence")
    words = json.dumps({"substring_chunks": chunks}, ensure_ascii=False)
    known = len(figures) <= MOST_FIGURES
    rest = f"quoted pair{{{most - 1 if exactly else 0},{most - 1}}}" if most > 1 else "quoted"
    return (
        f'{HEADER}start: "Quote:" ({rest}{"" if exactly else " | NONE"})\n'
        'NONE: " none\\n"\n'
        'pair: "Quote:" quoted\n'
        'quoted: QUOTE "\\nSentence: " SENTENCE "\\n"\n'
        f'QUOTE: " "? WORDS\n'
        f"WORDS: %regex {words} & /[^\\n]{{{SHORTEST_QUOTE},}}/\n"
        + (sentence_with_figures("SENTENCE", figures) if known else sentence_terminal("SENTENCE"))
    )


def _chunks(text: str) -> Iterator[str]:
    """The words of a passage, each after one space; characters of scripts without spaces one by one."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    for found in _CHUNK.finditer(text):
        start = found.start()
        space = " " if start == 0 or text[start - 1].isspace() else ""
        yield space + found[0]


def find_verbatim(
    quote: str, passages: Sequence[RetrievedPassage]
) -> tuple[RetrievedPassage, int, int] | None:
    """The first passage that has these words in this order, and where in the source they stand."""
    words = quote.split()
    if not words:
        return None
    wanted = re.compile(r"\s++".join(map(re.escape, words)))
    for passage in passages:
        place = wanted.search(passage.text)
        if place is not None:
            return passage, passage.start + place.start(), passage.start + place.end()
    return None


def read_quoted_pair(text: str, passages: Sequence[RetrievedPassage]) -> DraftSentence | str:
    """The sentence of one whole pair of lines, or what is wrong with it."""
    found = _PAIR.fullmatch(text)
    if found is None:
        return "a quote or its sentence was cut off"
    quote, sentence = found[1], found[2]
    place = find_verbatim(quote, passages)
    if place is None:
        return f"no passage says: {quote.strip()[:200]}"
    passage, start, end = place
    words = passage.text[start - passage.start : end - passage.start]
    known = figures_of(words)
    foreign = [figure for figure in FIGURE.findall(sentence) if figure not in known]
    if foreign:
        return f"a sentence says {', '.join(foreign)}, which its quote does not say: {sentence[:200]}"
    return DraftSentence(sentence, (DraftCitation(passage.id, words, start, end),))


def split_quoted(text: str) -> list[str]:
    """The reply in pieces of two lines each; the last may not be whole."""
    lines = text.splitlines(keepends=True)
    return ["".join(lines[at : at + 2]) for at in range(0, len(lines), 2)]


def read_quoted(text: str, passages: Sequence[RetrievedPassage]) -> AnswerDraft:
    """The draft in a reply that followed the grammar, without sentences whose figures their quote lacks."""
    if text.strip() == NO_QUOTE:
        return AnswerDraft((), answerable=False, grounding="quote_grammar")
    read = [read_quoted_pair(pair, passages) for pair in split_quoted(text)]
    return AnswerDraft(
        tuple(one for one in read if isinstance(one, DraftSentence)),
        problems=tuple(one for one in read if isinstance(one, str)),
        grounding="quote_grammar",
    )


# --- matching, without a model -------------------------------------------------------------------


_END = 256
"""The token after the 256 bytes, which ends a text."""


class GrammarError(ValueError):
    """A grammar that llguidance refuses; the message is its own."""


class GrammarMatcher:
    """A compiled grammar over plain bytes."""

    def __init__(self, grammar: str) -> None:
        if find_spec("llguidance") is None:
            raise MissingExtraError("matching needs the llguidance library: pip install 'pincite[grammars]'")
        from llguidance import LLMatcher

        self._matcher: Any = LLMatcher(_bytes(), LLMatcher.grammar_from_lark(grammar), log_level=0)
        if self._matcher.is_error():
            raise GrammarError(self._matcher.get_error().partition("\n")[0])

    def accepts(self, text: str) -> bool:
        """Whether the whole text follows the grammar."""
        tokens = [*text.encode("utf-8", "surrogatepass"), _END]
        return self._taken(tokens) == len(tokens)

    def prefix(self, text: str) -> int:
        """How many bytes of the text could begin a text that follows the grammar."""
        return self._taken([*text.encode("utf-8", "surrogatepass")])

    def _taken(self, tokens: list[int]) -> int:
        return int(self._matcher.validate_tokens(tokens))


@cache
def _bytes() -> Any:
    from llguidance import LLTokenizer, TokenizerWrapper

    return LLTokenizer(TokenizerWrapper(_ByteVocabulary()), n_vocab=_END + 1, eos_token=_END)


class _ByteVocabulary:
    """One token for each byte, as llguidance asks for a vocabulary."""

    eos_token_id = _END
    bos_token_id = None
    tokens = (*(bytes([byte]) for byte in range(_END)), b"<end>")
    special_token_ids = (_END,)

    def __call__(self, text: str | bytes) -> list[int]:
        return list(text.encode() if isinstance(text, str) else text)
