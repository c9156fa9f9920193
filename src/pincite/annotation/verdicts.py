"""People's verdicts on what Pincite said, turned into labels that a judge can be measured by.

Somebody who reads a finding agrees with it or not. A finding that the cited text does not state a claim is a
statement about a claim and its evidence, so the reader's verdict is a label for that pair.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from pincite.annotation.labels import VERDICTS, fold_claim, label_of, says_yes, spans_of
from pincite.config import Settings
from pincite.datasets import Row
from pincite.errors import InputError
from pincite.reading import Reading, read_answer
from pincite.records import Answer, ItemResult, Question
from pincite.sources import Library

T = TypeVar("T")
AGREES = {"agree": True, "disagree": False, "yes": True, "no": False, "true": True, "false": False}
AGREES |= {"right": True, "wrong": False, "correct": True, "incorrect": False}

SAYS_NOT: dict[str, Question] = {
    "PIN201": "support",
    "PIN202": "support",
    "PIN203": "support",
    "PIN301": "grounding",
}
"""Findings that say that a claim is not supported: who agrees says 0, who disagrees says 1."""
SAYS_SO: dict[str, Question] = {"PIN205": "support", "PIN302": "grounding"}
"""Findings that name a place which supports the claim. Who disagrees may mean that this place does not, or
that the cited one does after all; only agreement says anything."""


KEPT = (
    "id", "query_id", "query", "claim", "evidence", "document", "documents", "spans", "question", "source",
)  # fmt: skip
"""The fields of a judged pair that its label keeps."""
LONGEST_SENTENCE = 1000


class ImportedVerdicts(Struct, frozen=True):
    """The labels that came of verdicts, and why others did not."""

    rows: tuple[dict[str, Any], ...]
    left_out: dict[str, int]


def with_verdicts(findings: list[dict[str, Any]], verdicts: Iterable[Row]) -> list[dict[str, Any]]:
    """The findings of a report with the verdicts of a separate file.

    A row names its finding by `finding`, its number in the report counted from 1, or by as many of `file`,
    `code`, `line`, `start` and `citation` as make it the only one.
    """
    judged = [dict(finding) for finding in findings]
    for place, row in verdicts:
        try:
            judged[_finding(findings, row)]["verdict"] = _verdict(row.get("verdict", row.get("label")))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    return judged


def labels_from_findings(
    findings: Iterable[Mapping[str, Any]], answers: Mapping[str, Answer], settings: Settings
) -> ImportedVerdicts:
    """Labels from the findings of a `check` report in which people wrote a `verdict` each.

    The verdict is agree or disagree, or says of the claim itself: supported, contradicted, not_enough. The
    answers are needed since a report does not repeat the claims.
    """
    said = _Claims(answers, settings)
    return _gather(enumerate(findings, start=1), lambda one: _label(*one, said))


def pairs_of_findings(
    findings: Iterable[Mapping[str, Any]], answers: Mapping[str, Answer], settings: Settings
) -> ImportedVerdicts:
    """The claims and evidence that findings speak of, for people to give verdicts on."""
    said = _Claims(answers, settings)

    def pairs(numbered: tuple[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
        number, finding = numbered
        code = str(finding.get("code"))
        question = SAYS_NOT.get(code) or SAYS_SO.get(code)
        if question is None:
            raise _LeftOut(f"{code} says nothing about support")
        shape = _told(finding) | {"question": question, "source": code, "reason": finding.get("message")}
        return _numbered(number, said.of(finding), shape)

    return _gather(enumerate(findings, start=1), pairs)


def labels_from_pairs(rows: Iterable[Row]) -> ImportedVerdicts:
    """Labels from judged pairs on which people wrote a verdict: `{query_id, claim, outcome, verdict, …}`.

    Agreeing with `supported` says 1, disagreeing with it 0, and the other way round for other outcomes. Who
    agrees says the judge's verdict; who disagrees says that another is right, not which.
    """

    def label(placed: Row) -> list[dict[str, Any]]:
        try:
            return [_label_of_pair(placed[1])]
        except InputError as error:
            raise InputError(f"{placed[0]}: {error}") from None

    return _gather(rows, label)


def _gather(given: Iterable[T], labels: Callable[[T], list[dict[str, Any]]]) -> ImportedVerdicts:
    rows: list[dict[str, Any]] = []
    left_out: Counter[str] = Counter()
    for one in given:
        try:
            rows += labels(one)
        except _LeftOut as reason:
            left_out[str(reason)] += 1
    return ImportedVerdicts(tuple(rows), dict(left_out))


def _label_of_pair(row: Mapping[str, Any]) -> dict[str, Any]:
    said, outcome = _verdict(row.get("verdict")), row.get("outcome")
    if said not in AGREES:
        label, word = label_of({**row, "verdict": said}), said
        if label is None:
            raise _LeftOut("no verdict")
    elif outcome in VERDICTS:
        label = says_yes(str(outcome), row.get("question")) == AGREES[said]
        word = str(outcome) if AGREES[said] else None
    elif outcome == "unjudged":
        raise _LeftOut("the judge said nothing that one could agree with")
    else:
        raise InputError("a verdict on a pair needs the outcome that it is about")
    if not isinstance(row.get("claim"), str):
        raise InputError("a verdict on a pair needs its claim")
    kept: dict[str, Any] = {name: row[name] for name in KEPT if row.get(name) is not None}
    # Of consistency yes and no are all there is to say.
    named = {"verdict": word} if word is not None and row.get("question") != "consistency" else {}
    return {**kept, "label": int(label), **named}


def pairs_to_judge(
    items: Iterable[ItemResult], queries: int, seed: int, settings: Settings | None = None
) -> list[dict[str, Any]]:
    """The judged pairs of so many queries of a run, drawn at random, each with an empty `verdict`.

    A row has what a person needs: the sentence of the answer, and the words that the judge was shown.
    Queries are drawn, not pairs: a query's score can only be corrected when all its pairs have labels.
    """
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    drawn: list[ItemResult] = []
    seen = 0
    for item in items:
        if not item.verdicts:
            continue
        seen += 1
        if len(drawn) < queries:
            drawn.append(item)
        elif (place := draw.randrange(seen)) < queries:
            drawn[place] = item
    rows: list[dict[str, Any]] = []
    for item in sorted(drawn, key=lambda one: one.position):
        sentences = _sentences(item, settings or Settings())
        rows += [
            {
                "query_id": item.query_id,
                "query": item.query_text,
                "question": pair.question,
                "claim": pair.claim,
                "sentence": _sentence_of(pair.claim, sentences),
                "evidence": [place.text for place in pair.evidence],
                "spans": spans_of(pair),
                "documents": list(pair.documents),
                "outcome": pair.outcome,
                "reason": pair.reason,
                "verdict": None,
            }
            for pair in item.verdicts
        ]
    return rows


def _sentences(item: ItemResult, settings: Settings) -> dict[str, str]:
    """The sentences of an answer with their markers, by the claims that were read from them."""
    if not item.answer:
        return {}
    claims = read_answer(Answer(item.answer), Library(given=False), settings).claims
    return {
        fold_claim(claim.text): item.answer[claim.start : min(claim.end, claim.start + LONGEST_SENTENCE)]
        for claim in claims
    }


def _sentence_of(claim: str, sentences: Mapping[str, str]) -> str | None:
    """The sentence that says a claim, or one of whose clauses it is."""
    folded = fold_claim(claim)
    return sentences.get(folded) or next((text for key, text in sentences.items() if folded in key), None)


def _verdict(given: Any) -> str | None:
    """A verdict as we write it; None where nobody gave one."""
    said = "" if given is None else str(given).strip().lower()
    if said in ("", "unjudged"):
        return None
    if said not in AGREES and said not in VERDICTS:
        known = ", ".join(("agree", "disagree", *VERDICTS))
        raise InputError(f"the verdict is one of {known}, not {given!r:.40}")
    return said


class _LeftOut(Exception):
    """A finding that gives no label, and why."""


def _finding(findings: list[dict[str, Any]], row: Mapping[str, Any]) -> int:
    number = row.get("finding")
    if number is not None:
        if not str(number).isdigit() or not 1 <= int(number) <= len(findings):
            raise InputError(f"there is no finding {number!r:.40}; the report has {len(findings)}")
        return int(number) - 1
    wanted = {name: row[name] for name in ("file", "code", "line", "start", "citation") if row.get(name)}
    fitting = [
        place
        for place, finding in enumerate(findings)
        if all(str(finding.get(name)) == str(value) for name, value in wanted.items())
    ]
    if not wanted or len(fitting) != 1:
        many = len(fitting) if wanted else "all"
        raise InputError(f"this fits {many} findings; name one by its number in the report, as finding")
    return fitting[0]


def _label(number: int, finding: Mapping[str, Any], claims: _Claims) -> list[dict[str, Any]]:
    code = finding.get("code")
    try:
        said = _verdict(finding.get("verdict"))
    except InputError as error:
        raise InputError(f"finding {number}: {error}") from None
    if said is None:
        raise _LeftOut("no verdict")
    question = SAYS_NOT.get(str(code)) or SAYS_SO.get(str(code)) or ("support" if said in VERDICTS else None)
    if question is None:
        raise _LeftOut(f"{code} says nothing about support")
    if said in VERDICTS:
        label = VERDICTS[said]
    elif code in SAYS_NOT:
        label = not AGREES[said]
    elif AGREES[said]:
        label = True
    else:
        raise _LeftOut(f"disagreeing with {code} does not say what is true")
    shape = {"label": int(label), "question": question, "source": str(code)} | _told(finding)
    return _numbered(number, claims.of(finding), shape)


def _told(finding: Mapping[str, Any]) -> dict[str, Any]:
    """What a finding says about its evidence."""
    source = finding.get("source")
    source = source if isinstance(source, dict) else {}
    told = {
        "evidence": source.get("text"),
        "document": source.get("document"),
        "query_id": finding.get("query_id"),
    }
    return {name: held for name, held in told.items() if isinstance(held, str)}


def _numbered(number: int, claims: list[str], shape: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each claim of a finding."""
    many = len(claims) > 1
    return [
        {"id": f"finding {number}{f'.{place}' if many else ''}", "claim": claim, **shape}
        for place, claim in enumerate(claims, start=1)
    ]


class _Claims:
    """The claims of answers, each of which is read when a finding first speaks of it."""

    def __init__(self, answers: Mapping[str, Answer], settings: Settings) -> None:
        self._answers, self._settings = answers, settings
        self._readings: dict[str, Reading] = {}

    def of(self, finding: Mapping[str, Any]) -> list[str]:
        """The claims that a finding speaks of: those of its marker, or the one at its place."""
        name, start = str(finding.get("file")), finding.get("start")
        if isinstance(finding.get("claim"), str):
            return [finding["claim"]]
        if name not in self._answers:
            raise _LeftOut("its answer was not given")
        if name not in self._readings:
            self._readings[name] = read_answer(self._answers[name], Library(given=False), self._settings)
        reading = self._readings[name]
        found = {claim for one in reading.targets if one.citation.start == start for claim in one.claims}
        if not found and isinstance(start, int):
            found = {i for i, claim in enumerate(reading.claims) if claim.start <= start < claim.end}
        if not found:
            raise _LeftOut("there is no claim there in the answer: has it changed since?")
        return [reading.claims[i].text for i in sorted(found)]
