"""The same thing said in other words, with words left out, or as a chat model would put it."""

from __future__ import annotations

import re
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Made, Pool, Row, coverage

_SAME = [
    tuple(pair.split("/"))
    for pair in (
        "bought/acquired|began/started|approximately/about|film/movie|movie/film|released/put out|"
        "received/got|"
        "earned/made|starred in/had a role in|located in/situated in|"
        "more than/over|over/more than|less than/under|fewer than/under|at least/no fewer than|"
        "died/passed away|wrote/authored|created/made|won/took|founded/set up|also known as/also called|"
        "purchased/bought|children/kids|several/a number of|many/numerous|large/big|"
        "nearly/almost|almost/nearly|around/about|approximately/roughly|"
        "ended/finished|finished/ended|joined/became a member of|published/brought out|"
        "as of/by|stated/said|said/stated|announced/made public|total of/sum of|"
        "deaths/fatalities|fatalities/deaths|confirmed cases/verified cases|prior to/before|"
        "in total/altogether|features/includes|begins/starts|allows/lets|requires/needs|helped/assisted|"
        "attempted/tried|residents/inhabitants|town/municipality|company/firm|firm/company|"
        "author/writer|attorney/lawyer|physician/doctor|automobile/car|couple/pair|"
        "increased/went up|decreased/went down|rose/climbed|fell/dropped|directed/was the director of|"
        "produced/was the producer of|grossed/took in|has been/has so far been|because of/due to|"
        "performed/sang|debuted/premiered|premiered/debuted|replaced/took over from|"
        "defeated/beat|beat/defeated|obtained/got|consists of/is made up of|approval rating/approval score"
    ).split("|")
]


def synonym(row: Row, rng: Random, pool: Pool) -> Made:
    """One or two words of the claim said in others; the verdict stays."""
    fitting = [(old, new) for old, new in _SAME if re.search(rf"(?<!\w){old}(?!\w)", row.claim)]
    fitting = [pair for pair in fitting if not _wrong_here(pair[0], pair[1], row.claim)]
    if not fitting:
        return
    claim = row.claim
    for old, new in rng.sample(fitting, min(len(fitting), rng.choice((1, 1, 2)))):
        claim = re.sub(rf"(?<!\w){old}(?!\w)", new, claim, count=1)
    yield Row(claim, row.evidence, row.verdict)


def _wrong_here(old: str, new: str, claim: str) -> bool:
    """Whether the word is used in another sense or another form, or within a name."""
    if old in (
        "wrote",
        "created",
        "made",
        "released",
        "founded",
        "directed",
        "produced",
        "published",
        "performed",
    ):
        return bool(
            re.search(rf"\b(?:was|were|been|is|are|be|being|has|have|had|for) (?:\w+ )?{old}\b", claim)
        )
    if old in (
        "over",
        "more than",
        "less than",
        "fewer than",
        "at least",
        "around",
        "nearly",
        "almost",
        "as of",
    ):
        return not re.search(rf"\b{old} (?:[$€£] ?)?\d", claim)
    if old in (
        "won",
        "bought",
        "purchased",
        "received",
        "earned",
        "beat",
        "defeated",
        "replaced",
        "joined",
        "ended",
        "finished",
        "announced",
        "grossed",
        "debuted",
        "premiered",
        "began",
        "said",
        "stated",
        "helped",
    ):
        return bool(re.search(rf"\b(?:was|were|been|is|are|be|being|has|have|had) (?:\w+ )?{old}\b", claim))
    return False


_LEAD = re.compile(
    r"^(?:According to [^,]{3,40}|As of [^,]{3,30}(?: , \d{4})?|In [^,]{3,30}|On [^,]{3,30}(?: , \d{4})?) , "
)
_TAIL = re.compile(
    r" (?:in|on|at|during|with|for|from) (?:the )?(?:[A-Z0-9][\w.'-]*)"
    r"(?: (?:[A-Z0-9,][\w.'-]*|of|the)){0,4} ?\.?$"
)


def shorter(row: Row, rng: Random, pool: Pool) -> Made:
    """A supported claim without its opening or closing phrase."""
    if row.verdict != SUPPORTED or re.search(
        r"\b(?:not|no|never|only|first|last|most|less|fewer|under)\b", row.claim
    ):
        return
    claim = ""
    lead, tail = _LEAD.match(row.claim), _TAIL.search(row.claim)
    if lead and lead.end() < len(row.claim) - 15:
        rest = row.claim[lead.end() :]
        claim = rest[0].upper() + rest[1:]
    elif tail and tail.start() > 22 and len(row.claim[: tail.start()].split()) > 4:
        rest = row.claim[: tail.start()]
        if rest.split()[-1] not in (
            "is",
            "was",
            "were",
            "are",
            "be",
            "and",
            "of",
            "born",
            "located",
            "released",
            "known",
        ):
            claim = rest + " ."
    if claim:
        yield Row(claim, row.evidence, SUPPORTED)
        for other in pool.similar(row, rng, 1):
            if coverage(claim, other.evidence) <= 0.55:
                yield Row(claim, other.evidence, NOT_ENOUGH)


_OPENINGS = (
    "According to the report, ",
    "In summary, ",
    "Based on the source, ",
    "As the document notes, ",
    "Overall, ",
    "According to the provided text, ",
    "The source states that ",
    "It is worth noting that ",
    "Notably, ",
    "To answer your question, ",
    "Yes, ",
    "In short, ",
    "The article says that ",
    "Key point: ",
    "Additionally, ",
    "Furthermore, ",
    "Here is what I found: ",
    "- ",
    "* ",
    "1. ",
    "• ",
    "> ",
    "Sure! ",
    "However, ",
    "Specifically, ",
)


def chat_style(row: Row, rng: Random, pool: Pool) -> Made:
    """A claim in the dress of a chat answer; the verdict stays."""
    claim = row.claim
    way = rng.random()
    if way < 0.65:
        opening = rng.choice(_OPENINGS)
        if opening.rstrip()[-1] in ",t" and claim.split()[0] in (
            "The",
            "A",
            "An",
            "In",
            "It",
            "He",
            "She",
            "There",
            "As",
        ):
            claim = claim[0].lower() + claim[1:]
        claim = opening + claim
    elif way < 0.85:
        words = claim.split(" ")
        many = rng.randint(1, min(3, len(words)))
        start = rng.randint(0, len(words) - many)
        claim = " ".join(
            [*words[:start], "**" + " ".join(words[start : start + many]) + "**", *words[start + many :]]
        )
    else:
        claim = re.sub(r" ?\.$", "", claim)
        claim = rng.choice((f"**{claim}**", f"- {claim}", claim.lower(), f"{claim} (see source)"))
    yield Row(claim, row.evidence, row.verdict)


def joined(row: Row, rng: Random, pool: Pool) -> Made:
    """Two claims about the same evidence in one sentence: as true as the worse of the two."""
    others = pool.same_evidence(row)
    if not others or re.search(r"\band\b", row.claim):
        return
    other = rng.choice(others)
    verdicts = {row.verdict, other.verdict}
    if NOT_ENOUGH in verdicts and CONTRADICTED in verdicts:
        return
    worst = SUPPORTED
    for verdict in (NOT_ENOUGH, CONTRADICTED):
        if verdict in verdicts:
            worst = verdict
    if coverage(row.claim, other.claim) > 0.8:
        return
    first = re.sub(r" ?\.$", "", row.claim)
    second = other.claim
    if second.split()[0] in ("The", "A", "An", "In", "It", "He", "She", "There", "As", "This"):
        second = second[0].lower() + second[1:]
    yield Row(
        first + rng.choice((" , and ", " , while ", " and ", " ; ", " . In addition , ")) + second,
        row.evidence,
        worst,
    )
