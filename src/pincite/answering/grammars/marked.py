"""The marker grammar: free sentences, one on each line, each ended by markers of passages that exist."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answering.grammars.sentences import sentence_terminal
from pincite.answering.records import AnswerDraft, DraftCitation, DraftSentence

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
        return AnswerDraft((), answerable=False, way="marker_grammar")
    sentences: list[DraftSentence] = []
    problems: list[str] = []
    for line in text.splitlines(keepends=True):
        sentence = read_marked_line(line)
        if sentence is not None:
            sentences.append(sentence)
        elif line.strip():
            problems.append("a line of the reply was cut off, or has no marker")
    return AnswerDraft(tuple(sentences), problems=tuple(problems), way="marker_grammar")


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
