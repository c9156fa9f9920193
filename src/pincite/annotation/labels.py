"""What people said about claims: read from a file, and matched to the pairs that a run's judge decided.

A row has `claim` and `label` (1 or 0, true or false) or `verdict` (supported, contradicted, not_enough), and
may have `query_id`, `question` (support unless it says otherwise), `document` (or `documents`, judged
together), `spans` (the places that were judged, as `notes.txt:0-35`) and `evidence`. It is
what `pincite judge calibrate` reads and `pincite data labels` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

from pincite.datasets import read_rows
from pincite.errors import InputError
from pincite.records import JudgedPair, Question
from pincite.sources import file_name, fold
from pincite.text import normalise

VERDICTS = {"supported": True, "contradicted": False, "not_enough": False}
Said = Literal["yes", "no", "supported", "contradicted", "not_enough"]
"""What people said about a pair: a verdict, or only whether the answer to its question is yes or no."""
Labels = Mapping["LabelKey", Said]


class LabelKey(NamedTuple):
    """What a label is about. None means any query, or any document."""

    query_id: str | None
    question: str
    claim: str
    """Folded: case, white space and the full stop do not matter."""
    document: str | None
    """The file name; those of several that were judged together are joined."""
    places: str | None = None
    """Which places of the documents were judged; None for any."""


def read_labels(path: Path) -> dict[LabelKey, Said]:
    """The labels of a file of JSON Lines or CSV. Where people differ the majority counts; a tie is left out.

    Rows without a label are passed over, so that a file of pairs may be labelled in part.
    """
    votes: dict[LabelKey, list[Said]] = {}
    for place, row in read_rows(path):
        try:
            told = _said(row)
            if told is not None:
                votes.setdefault(_key(row), []).append(told)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    counted = ((key, _majority(said, key.question)) for key, said in votes.items())
    return {key: said for key, said in counted if said is not None}


def said_of(query_id: str, pair: JudgedPair, labels: Labels) -> Said | None:
    """What people say about one pair. The label that says most decides."""
    claim, documents = fold_claim(pair.claim), _names(pair.documents)
    # What one document states, several state together; what one lacks, another may have.
    parts = [(one,) for one in documents] if len(documents) > 1 else []
    for query in (query_id, None):
        for group in (documents, *parts):
            for places in (_places_of(pair, group), None):
                said = labels.get(LabelKey(query, pair.question, claim, _together(group), places))
                if said is not None and (group == documents or says_yes(said, pair.question)):
                    return said
        said = labels.get(LabelKey(query, pair.question, claim, None))
        if said is not None:
            return said
    return None


def says_yes(verdict: str, question: Any) -> bool:
    """Whether a verdict answers its question with yes. A text that says nothing contradicts nothing."""
    if verdict in ("yes", "no"):
        return verdict == "yes"
    return verdict != "contradicted" if question == "consistency" else VERDICTS[verdict]


def _said(row: Mapping[str, Any]) -> Said | None:
    label, verdict = label_of(row), row.get("verdict")
    if label is None or verdict in VERDICTS:
        return None if label is None else cast("Said", verdict)
    return "yes" if label else "no"


def _majority(said: list[Said], question: str) -> Said | None:
    """What most say; those who are of one mind and name a verdict say it for those who name none."""
    yes = sum(says_yes(one, question) for one in said)
    if 2 * yes == len(said):
        return None
    agreed = [one for one in said if says_yes(one, question) == (2 * yes > len(said))]
    named = [one for one in agreed if one in VERDICTS]
    return named[0] if len(set(named)) == 1 else "yes" if 2 * yes > len(said) else "no"


def label_of(row: Mapping[str, Any]) -> bool | None:
    """What a row says: its `label`, or its `verdict`; None when it says nothing."""
    label, verdict = row.get("label"), row.get("verdict")
    if isinstance(label, str):
        label = {"1": 1, "0": 0, "true": 1, "false": 0, "": None}.get(label.strip().lower(), label)
    if label is not None and (isinstance(label, str | list | dict) or label not in (0, 1)):
        raise InputError(f"the label is 1, 0, true or false, not {label!r:.60}")
    if verdict in (None, "", "unjudged"):
        return None if label is None else bool(label)
    if not isinstance(verdict, str) or verdict not in VERDICTS:
        raise InputError(f"the verdict is one of {', '.join(VERDICTS)}, not {verdict!r:.60}")
    told = says_yes(verdict, row.get("question"))
    if label is not None and bool(label) != told:
        raise InputError(f"the label {label!r} and the verdict {verdict!r} contradict each other")
    return told


def fold_claim(claim: str) -> str:
    """A claim as labels are compared by: people copy it with other spaces, quotes and ends."""
    return normalise(claim, fold_case=True).text.strip().rstrip(".!?;: ")


def _key(row: Mapping[str, Any]) -> LabelKey:
    claim, query, document = (row.get(name) for name in ("claim", "query_id", "document"))
    question = row.get("question") or "support"
    if question not in get_args(Question):
        raise InputError(f"the question is one of {', '.join(get_args(Question))}, not {question!r:.60}")
    if question == "relevance" and claim is None:
        claim = ""  # it is asked of the query, not of a claim
    if not isinstance(claim, str) or not (claim.strip() or question == "relevance"):
        raise InputError("a label needs the claim that it is about")
    named = row.get("documents")
    listed = [document] if isinstance(document, str) else named if isinstance(named, list) else []
    documents = _names(str(one) for one in listed)
    spans = row.get("spans")
    return LabelKey(
        str(query) if query is not None else None,
        str(question),
        fold_claim(claim),
        _together(documents),
        _joined(str(one) for one in spans) if isinstance(spans, list) and spans else None,
    )


def _names(documents: Iterable[str]) -> tuple[str, ...]:
    """Documents as labels know them: by their file names, each once."""
    return tuple(sorted({fold(file_name(document)) for document in documents}))


def _together(documents: tuple[str, ...]) -> str | None:
    """One name for several documents that were judged as one."""
    return "\n".join(documents) or None


def spans_of(pair: JudgedPair) -> list[str]:
    """The places that a judge was shown, as `notes.txt:0-35`."""
    return [f"{one.document}:{one.start}-{one.end}" for one in pair.evidence]


def _places_of(pair: JudgedPair, documents: tuple[str, ...]) -> str | None:
    found = [one for one in pair.evidence if fold(file_name(one.document)) in documents]
    return _joined(f"{one.document}:{one.start}-{one.end}" for one in found) or None


def _joined(places: Iterable[str]) -> str:
    return "\n".join(sorted({fold(file_name(one)) for one in places}))
