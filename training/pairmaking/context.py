"""What stands round the evidence: other passages, added details, copies, and long texts."""

from __future__ import annotations

import re
from random import Random

from pairmaking.names import FIRST_NAMES, PLACES
from pairmaking.polarity import negate
from pairmaking.quantities import MONTHS
from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Made, Pool, Row, content_words, coverage


def other_passage(row: Row, rng: Random, pool: Pool) -> Made:
    """A supported claim beside another page's text about the same thing, which does not say it."""
    if row.verdict != SUPPORTED:
        return
    for other in pool.similar(row, rng, 3):
        shared = coverage(row.claim, other.evidence)
        if 0.25 <= shared <= 0.55 and len(content_words(row.claim) - content_words(other.evidence)) >= 2:
            yield Row(row.claim, other.evidence, NOT_ENOUGH)
            yield Row(row.claim, _mixed([row.evidence, other.evidence], rng), SUPPORTED)
            return


def _mixed(parts: list[str], rng: Random) -> str:
    rng.shuffle(parts)
    return rng.choice((" ", " ", "\n")).join(parts)


_LAST_NAMES = (
    "Hollis Marchetti Oduya Lindqvist Petrov Tanaka Whitlock Ferreira Novak Okafor Brandt Castellan "
    "Dray Ellingham Farrow Grieve Haddad Iversen Jansen Kowalski Laurent Mbeki Nakamura Ostrander "
    "Pelletier Quigley Rasmussen Sato"
).split()


def _detail(rng: Random) -> tuple[str, str, str]:
    """A clause for the claim, the sentence that supports it, and one that says otherwise."""
    person = f"{rng.choice(FIRST_NAMES)} {rng.choice(_LAST_NAMES)}"
    other = f"{rng.choice(FIRST_NAMES)} {rng.choice(_LAST_NAMES)}"
    year, wrong_year = rng.sample(range(1950, 2022), 2)
    place, wrong_place = rng.sample(PLACES, 2)
    month, wrong_month = rng.sample(MONTHS, 2)
    many, wrong_many = rng.sample(range(3, 90), 2)
    return rng.choice(
        (
            (
                f"and {person} was in charge of it",
                f"{person} was in charge of it .",
                f"{other} was in charge of it .",
            ),
            (
                f"which was confirmed in {year}",
                f"This was confirmed in {year} .",
                f"This was confirmed in {wrong_year} .",
            ),
            (
                f"a fact first reported in {place}",
                f"It was first reported in {place} .",
                f"It was first reported in {wrong_place} .",
            ),
            (
                f"and it cost {many} million dollars",
                f"The cost was $ {many} million .",
                f"The cost was $ {wrong_many} million .",
            ),
            (
                f"and {person} called it a mistake",
                f"{person} said that it had been a mistake .",
                f"{person} said that it had been the right decision .",
            ),
            (
                f"and {many} people were involved",
                f"{many} people were involved .",
                f"Only {wrong_many} people were involved .",
            ),
            (
                f"as {person} announced in {month}",
                f"{person} announced it in {month} .",
                f"{person} announced it in {wrong_month} .",
            ),
            (
                "despite strong protests",
                "There were strong protests against it .",
                "Nobody protested against it .",
            ),
            (
                f"and {person} agreed with that",
                f"{person} agreed with that .",
                f"{person} disagreed with that .",
            ),
            (
                f"and this was widely reported in {place}",
                f"This was widely reported in {place} .",
                f"This was hardly reported in {place} .",
            ),
            (
                f"and the {place} office closed afterwards",
                f"The {place} office closed afterwards .",
                f"The {place} office remained open afterwards .",
            ),
        )
    )


def detail(row: Row, rng: Random, pool: Pool) -> Made:
    """A detail added to a supported claim: in the evidence too, missing there, or otherwise there."""
    if row.verdict != SUPPORTED or len(row.claim) > 160:
        return
    clause, supporting, opposing = _detail(rng)
    stem = re.sub(r" ?\.$", "", row.claim)
    comma = "" if clause.startswith(("for", "with", "despite")) else " ,"
    claim = f"{stem}{comma} {clause} ."
    evidence = row.evidence if row.evidence.endswith(".") else row.evidence + " ."
    yield Row(claim, f"{evidence} {supporting}", SUPPORTED)
    way = rng.random()
    if way < 0.45:
        yield Row(claim, f"{evidence} {opposing}", CONTRADICTED)
    elif way < 0.8:
        yield Row(claim, evidence, NOT_ENOUGH)
    else:
        yield Row(claim, f"{evidence} {_detail(rng)[1]}", NOT_ENOUGH)
    yield Row(row.claim, f"{evidence} {rng.choice((supporting, opposing))}", SUPPORTED)


_SENTENCE_END = re.compile(r"(?<=[a-z0-9)] \.) (?=[A-Z])|(?<=[a-z)]\.) (?=[A-Z])|\n")


def split_sentences(text: str) -> list[str]:
    """Sentences of tokenised or plain text, roughly."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def _stands_alone(clause: str) -> bool:
    """Whether the words before the first comma are a sentence by themselves."""
    if len(clause.split()) < 6 or re.match(
        r"(?:In|On|After|As|When|While|Although|If|During|Born|With|For) ", clause
    ):
        return False
    if (
        clause.count("(") != clause.count(")")
        or clause.split()[-1].isdigit()
        or clause.count("``") != clause.count("''")
    ):
        return False
    return bool(re.search(r" (?:is|was|were|are|has|had|will|can|\w+ed) (?!by\b)", clause))


def copy(row: Row, rng: Random, pool: Pool) -> Made:
    """A sentence of the evidence, or a clause of it, as the claim; or the same with one thing changed."""
    lines = [line for line in split_sentences(row.evidence) if 30 <= len(line) <= 260]
    if not lines:
        return
    line = rng.choice(lines)
    if line.startswith(("He ", "She ", "It ", "They ", "This ", "His ", "Her ", "#", "(")):
        return
    parts = line.split(" , ")
    if len(parts) > 1 and rng.random() < 0.5 and _stands_alone(parts[0]):
        yield Row(parts[0] + " .", row.evidence, SUPPORTED)
    else:
        yield Row(line, row.evidence, SUPPORTED)
    changed = negate(line)
    if changed and rng.random() < 0.35:
        yield Row(changed, row.evidence, CONTRADICTED)
        return
    numbers = re.findall(r"(?<![\w.,-])\d+(?![\w.,–-])", line)
    if numbers:
        old = rng.choice(numbers)
        new = str(int(old) + rng.choice((-3, -1, 1, 2, 5, 10)))
        if int(new) > 0 and new not in row.evidence:
            yield Row(re.sub(rf"(?<![\w.,-]){old}(?![\w.,–-])", new, line), row.evidence, CONTRADICTED)
    for other in pool.similar(Row(line, row.evidence, SUPPORTED, row.page), rng, 1):
        if rng.random() < 0.3 and coverage(other.evidence, row.evidence) < 0.6:
            yield Row(split_sentences(other.evidence)[0], row.evidence, NOT_ENOUGH)


def long_evidence(row: Row, rng: Random, pool: Pool) -> Made:
    """The evidence among 3 to 12 other sentences; without its own sentence, support is not enough."""
    many = rng.randint(3, 12)
    near = [other.evidence for other in pool.similar(row, rng, many // 2)]
    if row.verdict:
        # A sentence about the same thing may decide the claim by itself; keep those that hardly share it.
        near = [text for text in near if coverage(row.claim, text) < 0.45]
    around = near + [pool.any_evidence(rng) for _ in range(many - len(near))]
    rng.shuffle(around)
    place = rng.randint(0, len(around))
    joiner = rng.choice((" ", " ", "\n"))
    whole = joiner.join([*around[:place], row.evidence, *around[place:]])
    if row.verdict == SUPPORTED and rng.random() < 0.5:
        yield Row(row.claim, joiner.join(around), NOT_ENOUGH)
        if rng.random() < 0.5:
            return
    yield Row(row.claim, whole, row.verdict)


def plain_spacing(row: Row, rng: Random, pool: Pool) -> Made:
    """The row as it is; the writer gives it natural spacing."""
    yield row
