"""The quote grammar: before each sentence stands a verbatim quote of one passage, from which it is written.

A quote can only be words that follow each other in a passage, so it cannot be altered. Which passage it is
from, and where it stands there, follows from the quote: the model writes no marker, and can forge none.
White space in a quote is one space, whatever the source has, so that a quote stays on its line.

The quote comes before the sentence: a model that has just copied the words that matter writes what they say.
By the grammar, figures in a sentence are figures of the passages; that they are among those of its quote is
checked when the reply is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from pincite.answering.grammars.marked import HEADER
from pincite.answering.grammars.sentences import FIGURE, figures_of, sentence_terminal, sentence_with_figures
from pincite.answering.records import AnswerDraft, DraftCitation, DraftSentence, RetrievedPassage
from pincite.text import UNSPACED

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


def find_quote(quote: str, passages: Sequence[RetrievedPassage]) -> tuple[RetrievedPassage, int, int] | None:
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
    place = find_quote(quote, passages)
    if place is None:
        return f"no passage says: {quote.strip()[:200]}"
    passage, start, end = place
    words = passage.text[start - passage.start : end - passage.start]
    known = figures_of(words)
    foreign = [figure for figure in FIGURE.findall(sentence) if figure not in known]
    if foreign:
        return f"a sentence says {', '.join(foreign)}, which its quote does not say: {sentence[:200]}"
    return DraftSentence(sentence, (DraftCitation(passage.id, words, start, end),))


def split_pairs(text: str) -> list[str]:
    """The reply in pieces of two lines each; the last may not be whole."""
    lines = text.splitlines(keepends=True)
    return ["".join(lines[at : at + 2]) for at in range(0, len(lines), 2)]


def read_quoted(text: str, passages: Sequence[RetrievedPassage]) -> AnswerDraft:
    """The draft in a reply that followed the grammar, without sentences whose figures their quote lacks."""
    if text.strip() == NO_QUOTE:
        return AnswerDraft((), answerable=False, way="quote_grammar")
    read = [read_quoted_pair(pair, passages) for pair in split_pairs(text)]
    return AnswerDraft(
        tuple(one for one in read if isinstance(one, DraftSentence)),
        problems=tuple(one for one in read if isinstance(one, str)),
        way="quote_grammar",
    )
