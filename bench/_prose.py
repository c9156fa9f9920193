"""Varied prose from a seed, a long PDF made of it, and what happens to a quote on its way into an answer."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

_ONSETS = "b br c cl cr d dr f fl g gl gr h j k l m n p pl pr qu r s sc sh sl sp st str t th tr v w"
_VOWELS = "a e i o u ai ea ee io ou"
_CODAS = "b ck d ft g l ll m mp n nd ng nt p r rd rm s ss st t th x"
_FUNCTION_WORDS = (
    "the of and to in a is that for it as was with be by on not he his from are this at had which or an were "
    "but their has its they have been more after one would other than into most when only over some between"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Prose:
    """Sentences of a made-up language that looks like English: common words are short, rare ones many."""

    def __init__(self, seed: int, vocabulary: int = 4_000) -> None:
        self._random = random.Random(seed)
        words: dict[str, None] = {}
        while len(words) < vocabulary:
            words[self._word()] = None
        self._words = list(words)
        self._weights = [1.0 / (rank + 20) for rank in range(vocabulary)]

    def _word(self) -> str:
        syllables = self._random.choices((1, 2, 3, 4), (2, 5, 4, 1))[0]
        parts = [
            self._random.choice(_ONSETS.split()) + self._random.choice(_VOWELS.split())
            for _ in range(syllables)
        ]
        return "".join(parts) + self._random.choice(_CODAS.split())

    def sentence(self) -> str:
        """One sentence, some with a number, a name, a quotation, a dash or a compound in it."""
        dice = self._random
        common = _FUNCTION_WORDS.split()
        count = dice.randint(8, 26)
        rare = dice.choices(self._words, self._weights, k=count)
        words = [dice.choice(common) if dice.random() < 0.4 else word for word in rare]
        place = dice.randrange(2, count - 2)
        kind = dice.random()
        if kind < 0.15:
            words[place] = f"{dice.randrange(2, 9_999):,}"
        elif kind < 0.25:
            words[place] = f"{dice.uniform(1, 99):.1f}%"
        elif kind < 0.4:
            words[place : place + 2] = [word.capitalize() for word in words[place : place + 2]]
        elif kind < 0.5:
            words[place : place + 2] = [f"“{words[place]} {words[place + 1]}”"]
        elif kind < 0.6:
            words.insert(place, "—")
        elif kind < 0.7:
            words[place : place + 2] = [f"{words[place]}-{words[place + 1]}"]
        elif kind < 0.8:
            words[place] += ","
        text = " ".join(words)
        return text[0].upper() + text[1:] + dice.choices((".", "?", "!"), (20, 1, 1))[0]

    def text(self, length: int) -> str:
        """Sentences up to a length in characters, about."""
        sentences = []
        written = 0
        while written < length:
            sentences.append(self.sentence())
            written += len(sentences[-1]) + 1
        return " ".join(sentences)


def write_pdf(path: Path, prose: Prose, pages: int, seed: int) -> None:
    """Pages of one column, with a running head and words broken at the ends of some lines."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    dice = random.Random(seed)
    canvas = Canvas(str(path), pagesize=A4)
    for number in range(1, pages + 1):
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(72, 800, f"Annual review of made-up affairs, page {number}")
        height = 780.0
        for line in broken_lines(prose.text(3_200), dice):
            canvas.drawString(72, height, line)
            height -= 15
        canvas.showPage()
    canvas.save()


def broken_lines(text: str, dice: random.Random) -> list[str]:
    """The text in lines of a book's width; one line in eight ends inside a word."""
    lines = textwrap.wrap(text, 88, break_on_hyphens=False)
    for index in range(len(lines) - 1):
        first, _, rest = lines[index + 1].partition(" ")
        if dice.random() < 0.125 and len(first) > 7 and first.isalpha() and rest:
            lines[index] += f" {first[:4]}-"
            lines[index + 1] = f"{first[4:]} {rest}"
    return lines


def edited(text: str, share: float, dice: random.Random) -> str:
    """The text with that share of its characters changed, left out or doubled by another."""
    chars = list(text)
    for _ in range(int(len(text) * share)):
        at = dice.randrange(len(chars))
        kind = dice.random()
        if kind < 0.4:
            chars[at] = dice.choice(_LETTERS)
        elif kind < 0.7:
            chars.insert(at, dice.choice(_LETTERS))
        elif len(chars) > 1:
            del chars[at]
    return "".join(chars)


def reset(text: str, dice: random.Random) -> str:
    """The text as another hand would set it: other white space, quotes and dashes, no broken words."""
    words = text.replace("-\r\n", "").replace("-\n", "").replace("\x02", "").replace("\ufffe", "").split()
    straight = str.maketrans({"“": '"', "”": '"', "—": "–"})
    gaps = [dice.choice((" ", " ", " ", "  ", "\n", "\u00a0")) for _ in words]
    return "".join(gap + word for gap, word in zip(gaps, words, strict=True)).strip().translate(straight)
