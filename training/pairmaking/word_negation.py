"""Negation in its many forms: what was and was not done, what is no longer so, prefixes, neither and except."""

# ruff: noqa: E501, SIM905 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED
from pairmaking.word_events import event, gerund, past, person, two_events
from pairmaking.word_sheets import MONTHS, Sheet, when

S, C, N = SUPPORTED, CONTRADICTED, NOT_ENOUGH

_DID = (
    "{S} {p} {O}", "{O} {was} {n} by {S}", "{S} managed to {b} {O}", "{S} did in fact {b} {O}", "it was {S} that {p} {O}",
    "{S} succeeded in {g} {O}", "{S} did not fail to {b} {O}", "it is not true that {S} did not {b} {O}", "despite some doubts, {S} {p} {O}",
    "{S} was able to {b} {O} after all", "{S} did not forget to {b} {O}", "nobody but {S} {p} {O}", "{S} did not hesitate to {b} {O}",
    "{S} never regretted {g} {O}", "contrary to reports, {S} did {b} {O}",
    "there is no doubt that {S} {p} {O}", "{S}, who had not been expected to, {p} {O}", "{S} {p} {O} without asking anyone",
    "{S} wasted no time and {p} {O}", "nothing could stop {S} from {g} {O}, and so it was done",
)  # fmt: skip
_DID_NOT = (
    "{S} did not {b} {O}", "{S} never {p} {O}", "{S} failed to {b} {O}", "{O} {was} not {n} by {S}", "{O} {was} never {n} by {S}",
    "contrary to reports, {S} did not {b} {O}", "{S} has yet to {b} {O}", "{S} has not {n} {O}", "{S} decided against {g} {O}",
    "at no point did {S} {b} {O}", "{S} stopped short of {g} {O}", "{S} did not manage to {b} {O}", "it is not true that {S} {p} {O}",
    "{S} forgot to {b} {O}", "{S} neglected to {b} {O}", "{S} refrained from {g} {O}", "{S} left without {g} {O}",
    "{S} refused to {b} {O}", "{S} declined to {b} {O}", "{S} was unable to {b} {O}", "{S} could not {b} {O}",
    "{S} was kept from {g} {O}", "the report that {S} {p} {O} is false", "{S} did everything except {b} {O}",
    "nobody, and certainly not {S}, {p} {O}", "{S} had no chance to {b} {O}", "{S} did not even {b} {O}", "{S} {p} everything but {O}",
)  # fmt: skip
_CLAIM_DID = ("{S} {p} {O}", "{O} {was} {n} by {S}", "it was {S} that {p} {O}", "{S} did {b} {O}", "{S} managed to {b} {O}",
              "{S} has {n} {O}", "{O} {has} been {n} by {S}")  # fmt: skip
_CLAIM_NOT = ("{S} did not {b} {O}", "{O} {was} not {n} by {S}", "{S} never {p} {O}", "{S} has not {n} {O}",
              "it is not true that {S} {p} {O}", "{S} did not actually {b} {O}", "{O} {has} not been {n} by {S}")  # fmt: skip
_REFUSED = (
    "{S} refused to {b} {O}",
    "{S} declined to {b} {O}",
    "{S} was not willing to {b} {O}",
    "{S} would not agree to {b} {O}",
)
_UNABLE = (
    "{S} was unable to {b} {O}",
    "{S} could not {b} {O}",
    "{S} was not in a position to {b} {O}",
    "it was impossible for {S} to {b} {O}",
)
_FORGOT = ("{S} forgot to {b} {O}", "{S} did not think of {g} {O}", "{g} {O} slipped the mind of {S}")


def acts(rng: Random, count: int) -> Iterator[Sheet]:
    """Done or not done, each said in many ways."""
    for _ in range(count):
        gaps = event(rng).fields()
        tail = f" {when(rng)}" if rng.random() < 0.3 else ""
        done = rng.random() < 0.5
        text = rng.choice(_DID if done else _DID_NOT)
        if " has " in text or " is " in text or ", " in text:
            tail = ""
        claims = [(p, S if done else C) for p in _CLAIM_DID] + [(p, C if done else S) for p in _CLAIM_NOT]
        claims = [(p, v) for p, v in claims if p != text]
        yield text.format(**gaps) + tail, [(p.format(**gaps), v) for p, v in claims]


def reasons(rng: Random, count: int) -> Iterator[Sheet]:
    """Refused, unable or forgotten: none of them is another."""
    groups = (_REFUSED, _UNABLE, _FORGOT)
    for _ in range(count):
        gaps = event(rng).fields()
        mine = rng.choice(groups)
        text = rng.choice(mine)
        claims = [(p, S if group is mine else N) for group in groups for p in group if p != text]
        claims += [("{S} did not {b} {O}", S), ("{S} {p} {O}", C), ("{O} {was} {n} by {S}", C)]
        yield text.format(**gaps), [(p.format(**gaps), v) for p, v in claims]


def pairs_of(rng: Random, count: int) -> Iterator[Sheet]:
    """Neither and nor, not only, except, without, not until, thinking that not, and denial."""
    for _ in range(count):
        one, two = two_events(rng)
        a = one.fields()
        b = two.fields()
        who, other = a["S"], a["T"]
        did, did2 = f"{a['p']} {a['O']}", f"{b['p']} {b['O']}"
        do, do2 = f"{a['b']} {a['O']}", f"{b['b']} {b['O']}"
        doing, doing2 = f"{a['g']} {a['O']}", f"{b['g']} {b['O']}"
        part = f"{a['n']} {a['O']}"
        month, late = rng.sample(MONTHS, 2)
        speaker = person(rng)
        yes1, yes2 = f"{who} {did}", f"{who} {did2}"
        no1, no2 = f"{who} did not {do}", f"{who} did not {do2}"
        sheets: list[Sheet] = [
            (f"neither {who} nor {other} {did}", [(no1, S), (f"{other} did not {do}", S), (yes1, C), (f"{other} {did}", C), (f"only {who} {did}", C), (f"{a['O']} {a['was']} {a['n']} by {other}", C)]),
            (f"{who} neither {did} nor {did2}", [(no1, S), (no2, S), (yes1, C), (yes2, C), (f"{who} {did} but did not {do2}", C)]),
            (f"{who} not only {did} but also {did2}", [(yes1, S), (yes2, S), (f"{who} both {did} and {did2}", S), (no1, C), (no2, C), (f"{who} only {did2}", C)]),
            (f"{who} {did} without {doing2}", [(yes1, S), (no2, S), (f"{who} did not {do2}, but {did}", S), (no1, C), (yes2, C), (f"{who} {did} and {did2}", C), (f"{who} {did2} without {doing}", C)]),
            (f"{who} {did2} instead of {doing}", [(yes2, S), (no1, S), (yes1, C), (no2, C), (f"{who} {did} instead of {doing2}", C)]),
            (f"{who} did not {do} until {month}", [(f"{who} {did} in {month}", S), (yes1, S), (f"{who} {did}, though not before {month}", S), (f"{who} never {did}", C), (no1, C), (f"{who} {did} well before {month}", C), (f"{who} {did} in {late}", C)]),
            (f"everyone except {who} {did}", [(no1, S), (f"{who} was the only one who did not {do}", S), (f"{other} {did}", S), (yes1, C), (f"only {who} {did}", C), (f"{other} did not {do}", C)]),
            (f"nobody except {who} {did}", [(yes1, S), (f"only {who} {did}", S), (f"{other} did not {do}", S), (no1, C), (f"{other} {did}", C), (f"everyone except {who} {did}", C)]),
            (f"{speaker} does not think that {who} {did}", [(f"{speaker} thinks that {who} did not {do}", S), (f"in the view of {speaker}, {who} did not {do}", S), (f"{speaker} thinks that {who} {did}", C), (no1, N), (yes1, N)]),
            (f"{who} denied having {part}", [(f"{who} said that the claim of {doing} was untrue", S), (f"{who} did not admit to {doing}", S), (f"{who} admitted to {doing}", C), (f"{who} admitted having {part}", C), (yes1, N), (no1, N)]),
            (f"{who} is said to have {part}, but this is wrong", [(no1, S), (f"{who} never {did}", S), (yes1, C), (f"{who} {did}, as is rightly said", C)]),
            (f"{speaker} had expected {who} to {do}; instead {other} did so", [(f"{other} {did}", S), (no1, N), (f"{speaker} had thought that {who} would {do}", S), (f"{speaker} had expected {other} to {do}", N), (f"{speaker} {did}", N)]),
            (f"far from {doing}, {who} {did2}", [(yes2, S), (no1, S), (yes1, C), (no2, C)]),
            (f"{who} {did}, not {other}", [(yes1, S), (f"{other} did not {do}", S), (f"it was {who} that {did}", S), (f"{other} {did}", C), (no1, C), (f"it was {other} that {did}", C)]),
            (f"{who} was asked to {do} and to {do2}, but only did the latter", [(yes2, S), (no1, S), (yes1, C), (no2, C)]),
            (f"there is no evidence that {who} ever {did}", [(f"no proof exists of {who} {doing}", S), (f"nothing shows that {who} {did}", S), (yes1, N), (f"there is evidence that {who} {did}", C), (f"it has been proved that {who} {did}", C)]),
            (f"{who} came close to {doing} but in the end did not", [(no1, S), (f"{who} almost {did}", S), (yes1, C), (f"in the end {who} {did}", C)]),
        ]  # fmt: skip
        yield rng.choice(sheets)


_HABITS = (
    "accept: cash|sell: printed tickets|run: night trains|offer: free delivery|employ: apprentices|stock: spare parts|"
    "publish: a print edition|support: the old file format|teach: Latin|grow: tobacco|charge: a booking fee|"
    "require: a deposit|serve: breakfast|use: pesticides|produce: steam engines|host: the film festival|import: timber|"
    "print: banknotes|keep: paper records|repair: pianos|train: guide dogs|allow: dogs in the garden|store: card numbers|"
    "send: reminders by post|own: the quarry|sponsor: the cycling team|prescribe: the older drug|provide: childcare|"
    "include: a charger with each phone|levy: a road toll|recognise: foreign diplomas|test: cosmetics on animals"
)
_OWNERS = ("the co-operative; the museum shop; the ferry company; the hotel; the university; the agency; the bakery; the mill; the club; "
           "the hospital; the regional railway; the foundation; the city; the manufacturer; the platform; the embassy").split("; ")  # fmt: skip


def habits(rng: Random, count: int) -> Iterator[Sheet]:
    """What is still so, no longer so, not yet so, always or never so."""
    lines = [line.split(": ") for line in _HABITS.split("|")]
    for _ in range(count):
        base, thing = rng.choice(lines)
        w = rng.choice(_OWNERS)
        before, part = past(base)
        does, do, ing = f"{base}s {thing}", f"{base} {thing}", f"{gerund(base)} {thing}"
        if base.endswith(("sh", "ss", "ch")):
            does = f"{base}es {thing}"
        if base == "levy":
            does = f"levies {thing}"
        did = f"{before} {thing}"
        now_yes = [f"{w} {does}", f"{w} currently {does}", f"at {w}, {ing} is current practice"]
        now_no = [
            f"{w} does not {do}",
            f"{w} does not currently {do}",
            f"{ing} is not something that {w} does today",
        ]
        once_yes = [f"{w} used to {do}", f"in the past, {w} {did}", f"there was a time when {w} {did}"]
        once_no = [
            f"{w} never {did} in the past",
            f"{w} has never {part} {thing}",
            f"{w} did not {do} in earlier days",
        ]
        cases: list[tuple[list[str], list[str], list[str], list[str]]] = [
            ([f"{w} no longer {does}", f"{w} has stopped {ing}", f"{w} does not {do} any more", f"{w} gave up {ing} years ago", f"{w} used to {do} but has ceased to do so"], now_no + once_yes, now_yes + once_no, []),
            ([f"{w} still {does}", f"{w} continues to {do}", f"{w} has not stopped {ing}", f"{w} {does}, as it always has"], [*now_yes, *once_yes[1:]], now_no + once_no, []),
            ([f"{w} has never {part} {thing} and does not do so today", f"{w} does not {do} and never has"], now_no + once_no, now_yes + once_yes, []),
            ([f"{w} does not yet {do}", f"{w} has yet to start {ing}", f"{w} has so far not {part} {thing}"], [*now_no, once_no[1]], [*now_yes, *once_yes], [f"{w} will {do} from next year"]),
            ([f"{w} has begun {ing}, which it never did before", f"for the first time in its history, {w} {does}"], [*now_yes, f"{w} did not {do} in earlier days"], [*now_no, *once_yes], []),
            ([f"until ten years ago, {w} {did}", f"{w} {did} for decades"], once_yes, once_no, [f"{w} will always {do}"]),
        ]  # fmt: skip
        texts, yes, no, open_ = rng.choice(cases)
        yield rng.choice(texts), [(c, S) for c in yes] + [(c, C) for c in no] + [(c, N) for c in open_]


_PREFIXES = (
    "safe/unsafe: bridge,ladder,wiring|legal/illegal: levy,landfill,strike|valid/invalid: ticket,permit,signature|complete/incomplete: form,skeleton,file|"
    "accurate/inaccurate: map,forecast,translation|eligible/ineligible: applicant,project|reversible/irreversible: change,damage|compatible/incompatible: adapter,plug-in|"
    "registered/unregistered: boat,trademark|paid/unpaid: bill,internship|signed/unsigned: letter,painting|occupied/unoccupied: flat,house|available/unavailable: part,recording|"
    "authorised/unauthorised: payment,copy|soluble in water/insoluble in water: powder,salt|reliable/unreliable: witness,sensor|resolved/unresolved: dispute,ticket|"
    "damaged/undamaged: parcel,altar|encrypted/unencrypted: disk,channel|finished/unfinished: symphony,chapel|insured/uninsured: van,collection|tested/untested: vaccine,backup|"
    "edible/inedible: mushroom,berry|relevant/irrelevant: clause,letter|necessary/unnecessary: second dose,restart|refundable/non-refundable: deposit,fare|"
    "transferable/non-transferable: licence,voucher|published/unpublished: diary,study|dated/undated: print,contract|furnished/unfurnished: room,flat|heated/unheated: pool,hall|"
    "treated/untreated: timber,wound|supported/unsupported: version,browser|toxic/non-toxic: glue,dye|mandatory/optional: course,field|closed/open: gate,account|dead/alive: tree,patient|"
    "present/absent: treasurer,witness|guilty/innocent: accused,clerk|full/not full: tank,train|empty/not empty: cellar,queue|married/unmarried: tenant,poet|true/false: rumour,statement|"
    "sterile/non-sterile: dressing,syringe|binding/non-binding: vote,offer|profitable/unprofitable: branch,route|sufficient/insufficient: evidence,supply|fair/unfair: ruling,contract|"
    "successful/unsuccessful: appeal,launch|harmful/harmless: bacterium,snake|active/inactive: volcano,account|secure/insecure: lock,connection|visible/invisible: comet,scar"
)  # fmt: skip
_HEAVY = ("{f} the inspection, the {n} is {a}", "the {n} is {a}", "experts call the {n} {a}, and they are right", "the {n} was found to be {a}",
          "it turned out that the {n} is {a}", "as it stands, the {n} is {a}")  # fmt: skip


def prefixes(rng: Random, count: int) -> Iterator[Sheet]:
    """Safe and unsafe, not safe and not unsafe."""
    lines = [line.split(": ") for line in _PREFIXES.split("|")]
    for _ in range(count):
        both, nouns = rng.choice(lines)
        good, bad = both.split("/")
        noun = rng.choice(nouns.split(","))
        if rng.random() < 0.5:
            good, bad = bad, good
        mine = (
            [good]
            if good.startswith("not ")
            else [good, f"not {bad}" if not bad.startswith("not ") else good]
        )
        theirs = (
            [bad] if bad.startswith("not ") else [bad, f"not {good}" if not good.startswith("not ") else bad]
        )
        text = rng.choice(_HEAVY).format(
            n=noun, a=rng.choice(mine), f=rng.choice(("according to", "as shown by"))
        )
        ways = (
            "the {n} is {a}",
            "it is a fact that the {n} is {a}",
            "the {n} can be described as {a}",
            "the {n} turns out to be {a}",
        )
        claims = [(way.format(n=noun, a=a), S) for way in ways for a in mine] + [
            (way.format(n=noun, a=a), C) for way in ways for a in theirs
        ]
        yield text, list(dict.fromkeys(claims))
