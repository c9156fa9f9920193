"""Hedged and certain: considered, planned, tried, alleged, conditional, and what is known to be so."""

# ruff: noqa: E501 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED
from pairmaking.word_events import event, person
from pairmaking.word_sheets import MONTHS, Sheet

# Within a group every wording supports every other; between groups none does.
GROUPS: dict[str, tuple[str, ...]] = {
    "consider": ("{S} is considering {g} {O}", "{S} is reviewing whether to {b} {O}", "{S} is thinking about {g} {O}", "{S} is weighing up whether to {b} {O}", "{g} {O} is an option that {S} is looking at"),
    "plan": ("{S} plans to {b} {O}", "{S} intends to {b} {O}", "{S} has plans to {b} {O}", "it is the intention of {S} to {b} {O}", "the plan of {S} is to {b} {O}"),
    "try": ("{S} tried to {b} {O}", "{S} attempted to {b} {O}", "{S} made an attempt to {b} {O}", "{S} made an effort to {b} {O}"),
    "may": ("{S} may {b} {O}", "{S} might {b} {O}", "it is possible that {S} will {b} {O}", "{S} could well {b} {O}", "perhaps {S} will {b} {O}"),
    "expect": ("{S} is expected to {b} {O}", "observers expect {S} to {b} {O}", "the general expectation is that {S} will {b} {O}", "most people assume that {S} is going to {b} {O}"),
    "allege": ("{S} allegedly {p} {O}", "{S} is alleged to have {n} {O}", "it is alleged that {S} {p} {O}", "according to unproven allegations, {S} {p} {O}"),
    "rumour": ("rumour has it that {S} {p} {O}", "{S} is rumoured to have {n} {O}", "there are rumours that {S} {p} {O}", "people whisper that {S} {p} {O}"),
    "suspect": ("{P} suspects that {S} {p} {O}", "{P} has a suspicion that {S} {p} {O}", "{S} is suspected by {P} of having {n} {O}"),
    "propose": ("{P} proposed that {S} should {b} {O}", "{P} suggested that {S} should {b} {O}", "the proposal of {P} was for {S} to {b} {O}"),
    "hope": ("{S} hopes to {b} {O}", "{S} would like to {b} {O}", "it is the hope of {S} to {b} {O}", "{S} wishes to {b} {O}"),
    "talks": ("{S} is in talks about {g} {O}", "{S} is negotiating about {g} {O}", "{S} is holding negotiations on {g} {O}", "talks on {g} {O} are being held by {S}"),
    "preliminary": ("according to a preliminary report, {S} {p} {O}", "a preliminary report states that {S} {p} {O}", "a provisional report has it that {S} {p} {O}"),
    "promise": ("{S} promised to {b} {O}", "{S} gave a promise to {b} {O}", "{S} pledged to {b} {O}", "{S} gave an assurance of {g} {O}"),
    "ask": ("{P} asked {S} to {b} {O}", "{S} was asked by {P} to {b} {O}", "{P} sent {S} a request to {b} {O}"),
    "claim": ("{P} claims that {S} {p} {O}", "according to {P}, {S} {p} {O}", "{P} asserts that {S} {p} {O}", "in the words of {P}, {S} {p} {O}"),
    "condition": ("if {K}, {S} will {b} {O}", "{S} will {b} {O} provided that {K}", "{S} will {b} {O} on condition that {K}", "should it turn out that {K}, {S} will {b} {O}"),
    "allow": ("{S} was allowed to {b} {O}", "{S} received permission to {b} {O}", "{S} was given leave to {b} {O}", "permission to {b} {O} was given to {S}"),
    "unclear": ("it is unclear whether {S} {p} {O}", "nobody knows whether {S} {p} {O}", "whether {S} {p} {O} is not known", "it remains an open question whether {S} {p} {O}"),
    "doubt": ("{P} doubts that {S} {p} {O}", "{P} finds it hard to believe that {S} {p} {O}", "{P} is sceptical that {S} {p} {O}"),
    "draft": ("a draft provides for {S} to {b} {O}", "in a draft, {S} is given the task of {g} {O}", "under a draft text, {S} would have to {b} {O}"),
    "duty": ("{S} is obliged to {b} {O}", "{S} has a duty to {b} {O}", "{S} is required to {b} {O}", "it is the duty of {S} to {b} {O}"),
    "offer": ("{S} offered to {b} {O}", "{S} made an offer to {b} {O}", "an offer to {b} {O} came from {S}"),
    "prepare": ("{S} is preparing to {b} {O}", "{S} is making preparations for {g} {O}", "{S} is getting ready to {b} {O}"),
    "pretend": ("{S} pretended to have {n} {O}", "{S} falsely claimed to have {n} {O}", "{S} gave the false impression of having {n} {O}"),
    "almost": ("{S} almost {p} {O}", "{S} came close to {g} {O}", "{S} was on the point of {g} {O} but did not do it", "{S} nearly {p} {O}"),
    "dropped": ("{S} dropped a plan to {b} {O}", "{S} abandoned the idea of {g} {O}", "{S} gave up plans to {b} {O}"),
    "advise": ("{P} advised {S} to {b} {O}", "{S} received advice from {P} to {b} {O}", "{P} recommended that {S} should {b} {O}"),
}  # fmt: skip
# In these the deed is ruled out rather than left open.
_NOT_DONE = {"almost", "dropped", "pretend"}
# Pairs of groups where one may be taken to follow from the other, so that no row is made of them.
_TOO_NEAR = {
    frozenset(pair)
    for pair in (
        ("consider", "may"), ("plan", "expect"), ("expect", "may"), ("plan", "may"), ("hope", "plan"), ("plan", "prepare"), ("hope", "prepare"),
        ("allege", "claim"), ("allege", "rumour"), ("suspect", "allege"), ("almost", "try"), ("propose", "advise"), ("talks", "consider"),
        ("promise", "plan"), ("promise", "hope"), ("condition", "may"), ("condition", "plan"), ("draft", "duty"), ("offer", "hope"),
        ("consider", "plan"), ("prepare", "may"), ("prepare", "consider"), ("prepare", "expect"), ("hope", "may"), ("hope", "consider"),
        ("offer", "promise"), ("offer", "plan"), ("talks", "may"), ("talks", "hope"), ("talks", "plan"), ("promise", "may"), ("promise", "expect"),
        ("ask", "advise"), ("ask", "propose"), ("doubt", "unclear"), ("dropped", "almost"), ("draft", "may"), ("draft", "propose"), ("talks", "prepare"),
        ("unclear", "allege"), ("unclear", "rumour"), ("rumour", "claim"), ("suspect", "claim"), ("suspect", "rumour"), ("preliminary", "allege"),
        ("offer", "may"), ("condition", "promise"), ("condition", "offer"), ("condition", "expect"), ("condition", "prepare"), ("condition", "hope"),
        ("condition", "consider"), ("offer", "prepare"), ("offer", "consider"), ("draft", "expect"), ("draft", "plan"), ("promise", "prepare"),
        ("try", "hope"), ("try", "plan"), ("unclear", "suspect"), ("unclear", "may"), ("doubt", "suspect"), ("doubt", "claim"), ("preliminary", "claim"),
    )
}  # fmt: skip
_CERTAIN = (
    "{S} {p} {O}", "{O} {was} {n} by {S}", "{P} confirmed that {S} had {n} {O}", "{P} realised that {S} had {n} {O}", "{S} admitted having {n} {O}",
    "{S} acknowledged {g} {O}", "it emerged that {S} had {n} {O}", "{P} discovered that {S} had {n} {O}", "{P} regrets that {S} {p} {O}",
    "{S} carried out the plan and {p} {O}", "{S} did what had been expected and {p} {O}", "after long consideration, {S} {p} {O}",
    "{P} was surprised to learn that {S} had {n} {O}", "it has been proved that {S} {p} {O}", "{S} tried to {b} {O} and succeeded",
    "the suspicion was confirmed: {S} had {n} {O}", "{P} proudly announced the news, which is true: {S} {p} {O}", "{S} kept a promise and {p} {O}",
    "what had long been rumoured became a fact in {M}, when {S} {p} {O}", "the condition was met, and in {M} {S} {p} {O}", "{P} knew that {S} had {n} {O}",
)  # fmt: skip
_FACT = (
    "{S} {p} {O}",
    "{O} {was} {n} by {S}",
    "{S} has {n} {O}",
    "it is certain that {S} {p} {O}",
    "{S} did {b} {O}",
    "it is a fact that {O} {was} {n} by {S}",
)
_SOFT = (
    "{S} apparently {p} {O}",
    "it appears that {S} {p} {O}",
    "{S} may well have {n} {O}",
    "{S} seems to have {n} {O}",
    "in all likelihood {S} {p} {O}",
)
_DENIED = ("{S} did not {b} {O}", "{O} {was} not {n} by {S}", "{S} never {p} {O}")
_CONDITIONS = ("the price is right", "the council agrees", "the tests go well", "enough money is raised", "the weather holds", "nobody objects",
               "the contract is renewed", "sales recover", "the audit finds no fault", "a second site is found", "the lease runs out")  # fmt: skip


def hedged(rng: Random, count: int) -> Iterator[Sheet]:
    """One hedge, its other wordings, other hedges, and the bare fact."""
    names = list(GROUPS)
    for _ in range(count):
        gaps = _gaps(rng)
        mine = rng.choice(names)
        text = rng.choice(GROUPS[mine])
        claims = [(p, SUPPORTED) for p in GROUPS[mine] if p != text]
        fact = CONTRADICTED if mine in _NOT_DONE else NOT_ENOUGH
        claims += [(p, fact) for p in _FACT]
        if mine in _NOT_DONE:
            claims += [(p, SUPPORTED) for p in _DENIED]
        if mine == "condition":
            claims += [
                ("{S} will certainly {b} {O}", NOT_ENOUGH),
                ("{S} will {b} {O} whether or not {K}", CONTRADICTED),
            ]
        others = [name for name in names if name != mine and frozenset((name, mine)) not in _TOO_NEAR]
        if mine not in _NOT_DONE:
            others = [name for name in others if name not in _NOT_DONE]
            claims += [(rng.choice(_DENIED), NOT_ENOUGH)]
        claims += [(rng.choice(GROUPS[name]), NOT_ENOUGH) for name in rng.sample(others, 4)]
        yield _fill(text, gaps), [(_fill(p, gaps), v) for p, v in claims]


def certain(rng: Random, count: int) -> Iterator[Sheet]:
    """A fact, told as one: it supports the bare and the softened claim, and no denial."""
    wrong = ("allege", "unclear", "rumour", "doubt", "almost", "dropped", "pretend")
    for _ in range(count):
        gaps = _gaps(rng)
        text = rng.choice(_CERTAIN)
        claims = [(p, SUPPORTED) for p in (*_FACT, *_FACT, *_SOFT) if p != text]
        claims += [(p, CONTRADICTED) for p in _DENIED]
        claims += [
            (rng.choice(GROUPS[name]), CONTRADICTED) for name in (*rng.sample(wrong[4:], 2), "unclear")
        ]
        claims += [(rng.choice(GROUPS[name]), NOT_ENOUGH) for name in ("propose", "ask", "advise")]
        if "{P}" not in text:
            claims.append((rng.choice(GROUPS["doubt"]), NOT_ENOUGH))
        claims += [
            ("{T} {p} {O}", NOT_ENOUGH),
            ("{O} {was} {n} by {T}", NOT_ENOUGH),
            ("{S} has yet to {b} {O}", CONTRADICTED),
        ]
        yield _fill(text, gaps), [(_fill(p, gaps), v) for p, v in dict.fromkeys(claims)]


def _gaps(rng: Random) -> dict[str, str]:
    return {**event(rng).fields(), "P": person(rng), "K": rng.choice(_CONDITIONS), "M": rng.choice(MONTHS)}


def _fill(pattern: str, gaps: dict[str, str]) -> str:
    return pattern.format(**gaps)
