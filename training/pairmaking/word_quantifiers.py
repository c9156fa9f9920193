"""How many: each quantifier is the set of counts that it allows, and the verdict follows from the two sets."""

# ruff: noqa: E501, SIM905 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED
from pairmaking.word_events import person
from pairmaking.word_sheets import Sheet

WORDS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
         "nineteen twenty").split()  # fmt: skip
# Group nouns in the singular and plural, and what they did or what happened to them: "past/base", or "were ...".
_GROUPS = (
    ("board member/board members; shareholder/shareholders; delegate/delegates; councillor/councillors; juror/jurors",
     "voted for the merger/vote for the merger; signed the letter/sign the letter; spoke in the debate/speak in the debate; left before noon/leave before noon; backed the amendment/back the amendment; were re-elected; read the report/read the report"),
    ("nurse/nurses; volunteer/volunteers; patient/patients; participant/participants; donor/donors",
     "were vaccinated; finished the trial/finish the trial; reported side effects/report side effects; received the placebo/receive the placebo; were discharged; gave blood/give blood; filled in the form/fill in the form"),
    ("pupil/pupils; student/students; teacher/teachers; apprentice/apprentices; candidate/candidates",
     "passed the exam/pass the exam; took the bus/take the bus; joined the choir/join the choir; handed in the essay/hand in the essay; were late; learned to swim/learn to swim; chose chemistry/choose chemistry"),
    ("flight/flights; train/trains; ferry/ferries; bus/buses; convoy/convoys",
     "were cancelled; arrived on time/arrive on time; were rerouted; left the depot/leave the depot; carried freight/carry freight; were inspected"),
    ("sample/samples; well/wells; river/rivers; specimen/specimens; probe/probes; egg/eggs",
     "contained lead/contain lead; were tested; met the limit/meet the limit; were lost in transit; showed traces of nickel/show traces of nickel; were kept cool"),
    ("pump/pumps; server/servers; printer/printers; sensor/sensors; laptop/laptops; camera/cameras",
     "failed/fail; were replaced; received the update/receive the update; were switched off; passed the check/pass the check; restarted/restart; were encrypted"),
    ("village/villages; shop/shops; branch/branches; school/schools; museum/museums; farm/farms",
     "closed/close; lost power/lose power; were flooded; reopened/reopen; accepted the offer/accept the offer; were sold; applied for aid/apply for aid"),
    ("player/players; runner/runners; club/clubs; rower/rowers; referee/referees",
     "finished the race/finish the race; were injured; signed a contract/sign a contract; wore black/wear black; trained indoors/train indoors; were fined; paid the entry fee/pay the entry fee"),
    ("painting/paintings; manuscript/manuscripts; coin/coins; photograph/photographs; letter/letters; chair/chairs",
     "were sold; survived the fire/survive the fire; were restored; bore a date/bear a date; were lent to Oslo; reached the reserve price/reach the reserve price"),
    ("tenant/tenants; customer/customers; passenger/passengers; driver/drivers; neighbour/neighbours; guest/guests",
     "complained/complain; got a refund/get a refund; were informed; paid in cash/pay in cash; signed the petition/sign the petition; went home early/go home early; were interviewed"),
)  # fmt: skip


def _said(number: int, rng: Random) -> str:
    return WORDS[number] if number <= 20 and rng.random() < 0.6 else str(number)


def _ways(total: int, m: int, rng: Random) -> list[tuple[str, set[int], str]]:
    """Quantified subjects with {s} and {p} nouns, the counts allowed, and the verb's number; "not" takes a negation."""
    every, half = set(range(total + 1)), total / 2
    n, t, rest = _said(m, rng), _said(total, rng), _said(total - m, rng)
    few, many = set(range(1, max(2, total // 5) + 1)), set(range(total // 2 + 1, total + 1))
    ways: list[tuple[str, set[int], str]] = [
        ("all of the {p}", {total}, "+"), ("every {s}", {total}, "1"), ("each of the {p}", {total}, "+"), (f"all {t} {{p}}", {total}, "+"), ("the {p}, without exception,", {total}, "+"),
        ("none of the {p}", {0}, "+"), ("not one {s}", {0}, "1"), ("not a single {s}", {0}, "1"), ("no {s}", {0}, "1"), ("not one of the {p}", {0}, "1"),
        ("some of the {p}", every - {0}, "+"), ("at least one {s}", every - {0}, "1"), ("one or more of the {p}", every - {0}, "+"), ("several {p}", set(range(3, total + 1)), "+"),
        ("not all of the {p}", every - {total}, "+"), ("not every {s}", every - {total}, "1"), ("at least one {s}", every - {total}, "not1"), ("some of the {p}", every - {total}, "not"),
        ("most of the {p}", {k for k in every if k > half}, "+"), ("the majority of the {p}", {k for k in every if k > half}, "+"), ("more than half of the {p}", {k for k in every if k > half}, "+"),
        ("most of the {p}", {k for k in every if k < half}, "not"), ("fewer than half of the {p}", {k for k in every if k < half}, "+"), ("only a minority of the {p}", {k for k in every if 0 < k < half}, "+"),
        ("few of the {p}", few, "+"), ("hardly any of the {p}", {1, 2} & few, "+"), ("only a handful of the {p}", few, "+"), ("only a few {p}", few, "+"), ("many of the {p}", many, "+"), ("almost all of the {p}", {total - 1, total - 2} & many, "+"),
        (f"only {n} of the {{p}}", {m}, "+"), (f"exactly {n} of the {t} {{p}}", {m}, "+"), (f"{n} of the {t} {{p}}", {m}, "+"), (f"{rest} of the {t} {{p}}", {m}, "not"),
        (f"all but {rest} of the {{p}}", {m}, "+") if m < total else ("every single {s}", {total}, "1"),
        (f"at least {n} of the {{p}}", {k for k in every if k >= m}, "+"), (f"at most {n} of the {{p}}", {k for k in every if k <= m}, "+"),
        (f"no more than {n} of the {{p}}", {k for k in every if k <= m}, "+"), (f"more than {n} of the {{p}}", {k for k in every if k > m}, "+"),
        (f"fewer than {n} of the {{p}}", {k for k in every if k < m}, "+"), (f"no fewer than {n} of the {{p}}", {k for k in every if k >= m}, "+"),
    ]  # fmt: skip
    if total % 2 == 0:
        ways += [
            ("half of the {p}", {total // 2}, "+"),
            ("exactly half of the {p}", {total // 2}, "+"),
            ("one in two of the {p}", {total // 2}, "+"),
        ]
    if total % 4 == 0:
        ways += [
            ("a quarter of the {p}", {total // 4}, "+"),
            ("three quarters of the {p}", {3 * total // 4}, "+"),
        ]
    if total % 3 == 0:
        ways += [("a third of the {p}", {total // 3}, "+"), ("two thirds of the {p}", {2 * total // 3}, "+")]
    return [way for way in ways if way[1]]


def _tell(way: tuple[str, set[int], str], group: str, act: str) -> str:
    one, more = group.split("/")
    subject, _, verb = way
    singular = "1" in verb
    said, base = act.split("/") if "/" in act else (act, "")
    if base:
        text = f"did not {base}" if "not" in verb else said
    else:
        text = said.replace("were ", ("was " if singular else "were ") + ("not " if "not" in verb else ""), 1)
    if (
        "{p}" in subject
        and "none" not in subject
        and "not one of" not in subject
        and subject.startswith("each")
    ):
        text = text.replace("were ", "was ", 1)
    return f"{subject.format(s=one, p=more)} {text}"


def counts(rng: Random, number: int) -> Iterator[Sheet]:
    """One quantifier against the others, over the same group and the same act."""
    for _ in range(number):
        group, act = _group(rng)
        total = rng.randint(8, 20) if rng.random() < 0.7 else rng.choice((24, 30, 36, 40, 60))
        m = rng.randint(2, total - 2)
        ways = _ways(total, m, rng) + _ways(total, rng.randint(2, total - 2), rng)
        mine = rng.choice([way for way in ways if way[1] == {0}] if rng.random() < 0.3 else ways)
        text = _tell(mine, group, act)
        more = group.split("/")[1]
        told = any(
            f"{said} {more}" in text for said in (str(total), WORDS[total] if total <= 20 else str(total))
        )
        known = told or _numeric(mine[0]) or rng.random() < 0.5
        if known and not told:
            text = f"{rng.choice(('There were', 'In all there were', 'The list names', 'We looked at'))} {_said(total, rng)} {more}. {text[0].upper() + text[1:]}"
        claims = []
        for way in ways:
            if way is mine or (_numeric(way[0]) and (not known or _vague(mine[0], total))):
                continue
            verdict = _verdict(mine, way, total)
            if not verdict:
                continue
            claims.append((_tell(way, group, act), verdict))
        yield text, list(dict.fromkeys(claims))


def _numeric(subject: str) -> bool:
    return any(word.isdigit() or word in WORDS[2:] for word in subject.split())


def _vague(subject: str, total: int) -> set[int]:
    """All the counts for which somebody might still use a vague word; empty for an exact one."""
    if "many" in subject:
        return set(range(total // 4, total + 1))
    if "several" in subject:
        return set(range(2, total + 1))
    if "almost all" in subject:
        return set(range(total * 2 // 3, total + 1))
    if "few of" in subject or "a few" in subject or "hardly" in subject or "handful" in subject:
        return set(range(total // 3 + 2))
    return set()


def _verdict(mine: tuple[str, set[int], str], way: tuple[str, set[int], str], total: int) -> str:
    """From the counts that the evidence allows and those of the claim; empty where a vague word leaves it to taste."""
    allowed = _vague(mine[0], total) or mine[1]
    if mine[1] <= way[1] and (allowed <= way[1] or way[1] != {1, 2}):
        return SUPPORTED if allowed <= way[1] or _vague(way[0], total) else ""
    wide = _vague(way[0], total)
    if wide:
        return "" if allowed & wide else CONTRADICTED
    if not allowed & way[1]:
        return CONTRADICTED
    return NOT_ENOUGH if mine[1] & way[1] or not _vague(mine[0], total) else ""


def two_acts(rng: Random, number: int) -> Iterator[Sheet]:
    """All did the one thing and only some the other; the rest; somebody who is one of them."""
    for _ in range(number):
        groups, acts = rng.choice(_GROUPS)
        group = rng.choice(groups.split("; "))
        one, more = group.split("/")
        first, second = rng.sample(acts.split("; "), 2)
        total = rng.randint(5, 20)
        m = rng.randint(2, total - 2)
        t, n, r = _said(total, rng), _said(m, rng), _said(total - m, rng)
        did, did2 = _plain(first), _plain(second)
        no, no2 = _negated(first), _negated(second)
        sheets: list[Sheet] = [
            (f"all {t} {more} {did}, but only {n} {did2}", [(f"every {one} {_single(did)}", SUPPORTED), (f"{r} {more} {no2}", SUPPORTED), (f"not all of the {more} {did2}", SUPPORTED), (f"{n} of the {more} {did2}", SUPPORTED), (f"only {n} {more} {did}", CONTRADICTED), (f"all {t} {more} {did2}", CONTRADICTED), (f"some of the {more} {no}", CONTRADICTED), (f"none of the {more} {did2}", CONTRADICTED)]),
            (f"of the {t} {more}, {n} {did}; the rest {did2}", [(f"{n} {more} {did}", SUPPORTED), (f"{r} {more} {did2}", SUPPORTED), (f"the {more} numbered {t} in all", SUPPORTED), (f"none of the {more} {did}", CONTRADICTED), (f"the {more} numbered {n} in all", CONTRADICTED), (f"not a single {one} {_single(did2)}", CONTRADICTED)]),
            (f"none of the {t} {more} {did}, although most of them {did2}", [(f"not one of the {more} {_single(did)}", SUPPORTED), (f"more than half of the {more} {did2}", SUPPORTED), (f"some of the {more} {did2}", SUPPORTED), (f"most of the {more} {did}", CONTRADICTED), (f"none of the {more} {did2}", CONTRADICTED), (f"all of the {more} {did2}", NOT_ENOUGH), (f"some of the {more} {did}", CONTRADICTED)]),
            (f"not a single one of the {t} {more} {_single(did)}; all of them {did2}", [(f"none of the {more} {did}", SUPPORTED), (f"every {one} {_single(did2)}", SUPPORTED), (f"none of the {more} {did2}", CONTRADICTED), (f"some of the {more} {did}", CONTRADICTED), (f"at least one {one} {_single(did)}", CONTRADICTED)]),
            (f"the {more} all {did2}, yet without exception they {no}", [(f"none of the {more} {did}", SUPPORTED), (f"not one {one} {_single(did)}", SUPPORTED), (f"none of the {more} {did2}", CONTRADICTED), (f"some of the {more} {did}", CONTRADICTED), (f"at least one {one} {_single(did)}", CONTRADICTED)]),
            (f"some {more} {did} and others {did2}", [(f"at least one {one} {_single(did)}", SUPPORTED), (f"some of the {more} {did2}", SUPPORTED), (f"all of the {more} {did}", NOT_ENOUGH), (f"none of the {more} {did2}", CONTRADICTED), (f"most of the {more} {did}", NOT_ENOUGH)]),
        ]  # fmt: skip
        if one in {
            "nurse",
            "volunteer",
            "juror",
            "delegate",
            "pupil",
            "teacher",
            "tenant",
            "driver",
            "player",
            "runner",
            "student",
            "guest",
        }:
            who = person(rng)
            is_one = f"{who} is one of the {more}."
            yes, nay = f"{who} {_single(did)}", f"{who} {_single(no)}"
            sheets += [
                (f"{is_one} All of them {did}", [(yes, SUPPORTED), (f"{one} {who} {_single(did)}", SUPPORTED), (nay, CONTRADICTED), (f"only {who} {_single(did)}", CONTRADICTED)]),
                (f"{is_one} None of the {more} {did}", [(nay, SUPPORTED), (yes, CONTRADICTED), (f"some of the {more} {did}", CONTRADICTED), (f"no {one} {_single(did)}", SUPPORTED)]),
                (f"{is_one} Some of the {more} {did}", [(f"at least one {one} {_single(did)}", SUPPORTED), (yes, NOT_ENOUGH), (nay, NOT_ENOUGH), (f"{who} belongs to the {more}", SUPPORTED)]),
                (f"{is_one} Only {who} {_single(did)}", [(yes, SUPPORTED), (f"the other {more} {no}", SUPPORTED), (f"all of the {more} {did}", CONTRADICTED), (nay, CONTRADICTED)]),
                (f"{is_one} Everyone but {who} {_single(did)}", [(nay, SUPPORTED), (f"the other {more} {did}", SUPPORTED), (yes, CONTRADICTED), (f"only {who} {_single(did)}", CONTRADICTED)]),
            ]  # fmt: skip
        yield rng.choice(sheets)


def _group(rng: Random) -> tuple[str, str]:
    groups, acts = rng.choice(_GROUPS)
    return rng.choice(groups.split("; ")), rng.choice(acts.split("; "))


def _plain(act: str) -> str:
    return act.split("/")[0]


def _negated(act: str) -> str:
    return f"did not {act.split('/')[1]}" if "/" in act else act.replace("were ", "were not ", 1)


def _single(act: str) -> str:
    return act.replace("were ", "was ", 1)
