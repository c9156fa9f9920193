"""Who and what the binding rows are about: people, firms, places, roles, things, by a letter for a type."""

from __future__ import annotations

from pathlib import Path
from random import Random


def _read() -> dict[str, list[str]]:
    lines = Path(__file__).with_name("binding_words.txt").read_text(encoding="utf-8").splitlines()
    named = [line.split(": ", 1) for line in lines if not line.startswith("#")]
    return {name: words.split("|") for name, words in named}


_WORDS = _read()
# Sentences that say something else about one of the parties, by its type, or about nothing in particular.
ABOUT = {name.removeprefix("about "): words for name, words in _WORDS.items() if name.startswith("about ")}
THEN = {name.removeprefix("then "): words for name, words in _WORDS.items() if name.startswith("then ")}
AROUND, WHEN = _WORDS["around"], _WORDS["when"]
_DESCRIBED = {
    "R": "roles",
    "D": "departments",
    "S": "parts",
    "O": "things",
    "M": "molecules",
    "Z": "species",
}


class Named(str):
    """A filler that knows its type's letter, its pronoun and whether it is plural."""

    type: str
    pronoun: str
    plural: bool


def _named(text: str, kind: str, pronoun: str, plural: bool = False) -> Named:
    made = Named(text)
    made.type, made.pronoun, made.plural = kind, pronoun, plural
    return made


def draw(kind: str, rng: Random) -> Named:
    """One filler of the type that the letter names."""
    if kind == "P":
        woman = rng.random() < 0.5
        name = rng.choice(_WORDS["surnames"])
        if rng.random() < 0.75:
            name = f"{rng.choice(_WORDS['women' if woman else 'men'])} {name}"
        elif rng.random() < 0.3:
            name = f"Dr {name}"
        return _named(name, kind, "she" if woman else "he")
    if kind == "W":
        woman = rng.random() < 0.5
        return _named(rng.choice(_WORDS["women" if woman else "men"]), "P", "she" if woman else "he")
    if kind == "F":
        first = rng.choice(_WORDS["firm_first"])
        return _named(
            f"{first} {rng.choice(_WORDS['firm_last'])}" if rng.random() < 0.75 else first, kind, "it"
        )
    if kind == "K":
        return _named(f"{rng.choice(_WORDS['towns'])} {rng.choice(_WORDS['clubs'])}", kind, "the club")
    if kind in "TC":
        return _named(rng.choice(_WORDS["towns" if kind == "T" else "countries"]), kind, "it")
    if kind in _DESCRIBED:
        return _named(f"the {rng.choice(_WORDS[_DESCRIBED[kind]])}", kind, "" if kind in "RZ" else "it")
    return _named(f"the {rng.choice(_WORDS['groups'])}", kind, "they", True)


def draw_apart(kinds: list[str], rng: Random) -> list[Named]:
    """Fillers of these types that share no word beyond the article."""
    while True:
        drawn = [draw(kind, rng) for kind in kinds]
        words = [word for name in drawn for word in set(name.split()) - {"the", "Dr"}]
        if len(words) == len(set(words)):
            return drawn


def spell(text: str, rng: Random) -> str:
    """Puts numbers and towns into the gaps of a sentence from the lists above."""
    while "#" in text:
        two = rng.randint(10, 24) if "20#" in text else rng.randint(20, 99)
        two = two // 10 * 10 if "#s" in text else two
        text = text.replace("#", str(two), 1)
    while "@" in text:
        text = text.replace("@", rng.choice(_WORDS["towns"]), 1)
    return text
