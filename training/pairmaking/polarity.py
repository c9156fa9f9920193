"""Negation, opposites, quantifiers and hedges."""

from __future__ import annotations

import re
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Made, Pool, Row, count_words, coverage
from pairmaking.verbs import BASE_OF_PAST, PAST_OF_BASE, gerund

_AUXILIARY = re.compile(
    r" (was|were|is|are|(?:has|had|have)(?= been | \w+ed )|can|could|will|would) (?!not\b|n't|no\b|never\b)"
)
_NEGATED = re.compile(
    r"\b(?:not|n't|never|no|none|nobody|nothing|neither|nor|without|lack\w*|fail\w*|un\w+ed|only)\b", re.I
)
_JOINED = re.compile(
    r"\b(?:and|or|but|while|although|because|which|who|that|when|if|all|every|some|most|both|each|any)\b",
    re.I,
)
_SUBJECT = re.compile(
    r"[A-Z0-9`'(:.]|(?:the|film|movie|song|album|game|band|character|of|actor|team|company|show)$"
)
_REMOVABLE = re.compile(r" (was|were|is|are|has|had|can|could|will|would|did|does|do) not (\w+)", re.I)


def negate(claim: str) -> str | None:
    """The claim denied, where one plain verb makes that safe; none where it does not."""
    if _NEGATED.search(claim) or _JOINED.search(claim) or claim[0].isdigit():
        return None
    found = list(_AUXILIARY.finditer(claim))
    if found:
        first = found[0]
        word = first[1].split()[0]
        return claim[: first.start()] + f" {word} not " + claim[first.start() + len(word) + 2 :]
    words = claim.split(" ")
    for index, word in enumerate(words[1:], 1):
        if word in BASE_OF_PAST:
            if words[index + 1 : index + 2] == ["by"] or not all(
                _SUBJECT.match(part) for part in words[:index]
            ):
                return None
            return " ".join([*words[:index], "did not", BASE_OF_PAST[word], *words[index + 1 :]])
    return None


def affirm(claim: str) -> str | None:
    """The claim without its one negation."""
    if len(_NEGATED.findall(claim)) != 1 or _JOINED.search(claim):
        return None
    match = _REMOVABLE.search(claim)
    if not match:
        return None
    if match[1].lower() == "did":
        past = PAST_OF_BASE.get(match[2])
        return claim[: match.start()] + f" {past}" + claim[match.end() :] if past else None
    if match[1].lower() in ("does", "do") or match[2] in ("yet", "until", "any", "even"):
        return None
    return claim[: match.start()] + f" {match[1]} {match[2]}" + claim[match.end() :]


def negation(row: Row, rng: Random, pool: Pool) -> Made:
    """A denied supported claim is contradicted, and a denied contradicted claim is supported."""
    # Among the rows of changed pages, `contradicted` is often no more than `something else is said`.
    if row.verdict == NOT_ENOUGH or (row.verdict == CONTRADICTED and row.page.startswith("vs-")):
        return
    said = negate(row.claim) or affirm(row.claim)
    if said:
        yield Row(said, row.evidence, SUPPORTED if row.verdict == CONTRADICTED else CONTRADICTED)


def negation_on_both(row: Row, rng: Random, pool: Pool) -> Made:
    """Evidence that denies the claim outright, with the claim as it was or denied as well."""
    if row.verdict != SUPPORTED:
        return
    denied = negate(row.claim)
    if not denied:
        return
    # The evidence here is another sentence that says the denied claim in other surroundings.
    around = [pool.any_evidence(rng) for _ in range(rng.randint(1, 3))]
    place = rng.randint(0, len(around))
    evidence = " ".join([*around[:place], denied, *around[place:]])
    yield rng.choice((Row(row.claim, evidence, CONTRADICTED), Row(denied, evidence, SUPPORTED)))


_OPPOSITES = [
    tuple(pair.split("/"))
    for pair in (
        "increased/decreased rose/fell increase/decrease higher/lower more/fewer first/last "
        "before/after won/lost north/south northern/southern east/west eastern/western "
        "northwest/southeast northeast/southwest largest/smallest larger/smaller highest/lowest "
        "oldest/youngest older/younger best/worst positive/negative positively/negatively "
        "success/failure successful/unsuccessful accepted/rejected approved/rejected opened/closed "
        "joined/left male/female man/woman father/son mother/daughter brother/sister husband/wife "
        "alive/dead early/late above/below inside/outside public/private major/minor home/away "
        "include/exclude included/excluded started/ended began/ended winner/loser winning/losing "
        "victory/defeat live-action/animated favorable/unfavorable majority/minority single/married "
        "fiction/non-fiction actor/politician sequel/prequel drama/comedy summer/winter autumn/spring "
        "left-handed/right-handed heavy/light earliest/latest longest/shortest fastest/slowest "
        "richest/poorest always/never most/least active/inactive"
    ).split()
]


def opposite(row: Row, rng: Random, pool: Pool) -> Made:
    """A word that both sides share turned into its opposite, in one or in both."""
    if row.verdict != SUPPORTED:
        return
    choices = []
    for one, two in _OPPOSITES:
        for old, new in ((one, two), (two, one)):
            shared = count_words(row.claim, old) == 1 and count_words(row.evidence, old) == 1
            if shared and not count_words(row.evidence, new) and not count_words(row.claim, new):
                choices.append((old, new))
    if not choices:
        return
    old, new = rng.choice(choices)
    spot = re.compile(rf"(?<![\w-]){old}(?![\w-])")
    claim, evidence = spot.sub(new, row.claim), spot.sub(new, row.evidence)
    yield Row(claim, row.evidence, CONTRADICTED)
    yield Row(claim, evidence, SUPPORTED)


# The word that both sides share, its replacement, and the verdict of the new claim. Determiners (all, some)
# change too much of a sentence to be exchanged blindly; `frames` has those.
_QUANTIFIERS = [
    ("mostly", "entirely", NOT_ENOUGH),
    ("mainly", "only", NOT_ENOUGH),
    ("primarily", "exclusively", NOT_ENOUGH),
    ("often", "always", NOT_ENOUGH),
    ("sometimes", "never", CONTRADICTED),
    ("usually", "always", NOT_ENOUGH),
    ("often", "never", CONTRADICTED),
]


def quantifier(row: Row, rng: Random, pool: Pool) -> Made:
    """Often, mostly, mainly: changed in the claim alone, or in both."""
    if row.verdict != SUPPORTED:
        return
    choices = [
        (old, new, verdict)
        for old, new, verdict in _QUANTIFIERS
        if count_words(row.claim, old) == 1
        and count_words(row.evidence, old) == 1
        and not re.search(
            rf"\b{old} (?:of|time|the|known|over|more|recent|notabl\w+)\b"
            rf"|\b(?:at|as|so|not) {old}\b|-{old}\b",
            row.claim,
        )
    ]
    if not choices or _NEGATED.search(row.claim):
        return
    old, new, verdict = rng.choice(choices)
    spot = re.compile(rf"(?<![\w-]){old}(?![\w-])")
    claim = spot.sub(new, row.claim)
    yield Row(claim, row.evidence, verdict)
    yield Row(claim, spot.sub(new, row.evidence), SUPPORTED)


_TENTATIVE = (
    "planned to {base}",
    "considered {ing}",
    "was expected to {base}",
    "hoped to {base}",
    "reportedly {past}",
    "was in talks to {base}",
    "may have {participle}",
    "denied rumours of {ing}",
    "proposed {ing}",
    "intended to {base}",
    "allegedly {past}",
    "tried to {base}",
)


_DOERS = frozenset(
    "he she it they who which company team band film club group album song singer actor".split()
)


def hedge(row: Row, rng: Random, pool: Pool) -> Made:
    """Evidence that only plans or reports what the claim states; on both sides it stays supported."""
    if row.verdict != SUPPORTED or _NEGATED.search(row.claim):
        return
    from pairmaking.verbs import PARTICIPLE_OF_PAST

    words = row.claim.split(" ")
    for index, word in enumerate(words[1:], 1):
        base = BASE_OF_PAST.get(word)
        if base in (
            None,
            "have",
            "make",
            "get",
            "become",
            "see",
            "beat",
            "contain",
            "include",
            "die",
            "hold",
        ):
            continue
        before = words[index - 1]
        if before in (
            "was",
            "were",
            "is",
            "are",
            "been",
            "be",
            "has",
            "had",
            "have",
            "to",
            "a",
            "the",
            "an",
            ",",
        ):
            return
        clause = re.compile(
            rf"(?<!was )(?<!were )(?<!is )(?<!been )(?<!had )(?<!has )(?<!, )(?<!and )\b{word}\b(?! by\b)"
        )
        if len(clause.findall(row.evidence)) != 1:
            return
        form = rng.choice(_TENTATIVE)
        said = form.format(base=base, past=word, ing=gerund(base), participle=PARTICIPLE_OF_PAST[word])
        match = clause.search(row.evidence)
        lead = row.evidence[: match.start()].split()[-1:] if match else []
        if not lead or not (lead[0][0].isupper() or lead[0] in _DOERS):
            return
        evidence = clause.sub(said, row.evidence)
        yield Row(row.claim, evidence, NOT_ENOUGH)
        if "denied" not in form:
            yield Row(" ".join([*words[:index], said, *words[index + 1 :]]), evidence, SUPPORTED)
        return
    for old, new in (
        (" is ", " may be "),
        (" was ", " was reportedly "),
        (" are ", " could be "),
        (" will ", " might "),
    ):
        if row.claim.count(old) == 1 and row.evidence.count(old) == 1:
            stated = " ".join(row.evidence.split(old)[1].split()[:10])
            if coverage(row.claim.split(old)[1], stated) < 0.6:
                continue
            evidence = row.evidence.replace(old, new)
            yield Row(row.claim, evidence, NOT_ENOUGH)
            yield Row(row.claim.replace(old, new), evidence, SUPPORTED)
            return
