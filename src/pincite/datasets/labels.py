"""What people said about claims: read from a file, and matched to the pairs that a run's judge decided.

A row has `claim` and `label` (1 or 0, true or false) or `verdict` (supported, contradicted, not_enough), and
may have `query_id`, `question` (support unless it says otherwise), `document` (or `documents`, judged
together) and `evidence`. It is what `pincite judge calibrate` reads and `pincite data labels` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct

from pincite.errors import InputError
from pincite.measured import ItemResult, JudgedPair
from pincite.records import Question
from pincite.sources.names import file_name, fold
from pincite.text.normalise import normalise

VERDICTS = {"supported": True, "contradicted": False, "not_enough": False}
LARGEST = 256 * 1024 * 1024
"""Bytes of a file of labels: people do not write more."""


class LabelKey(NamedTuple):
    """What a label is about. None stands for any query and for any document."""

    query_id: str | None
    question: str
    claim: str
    """Folded: case, white space and the full stop do not matter."""
    document: str | None
    """The file name; those of several that were judged together are joined."""


class LabelledPair(Struct, frozen=True):
    """A pair that was judged in a run, and what people say about it; None where they said nothing."""

    query_id: str
    pair: JudgedPair
    label: bool | None


def read_labels(path: Path) -> dict[LabelKey, bool]:
    """The labels of a file of JSON Lines or CSV. Where people differ the majority counts; a tie is left out.

    Rows without a label are passed over, so that a file of pairs may be labelled in part.
    """
    votes: dict[LabelKey, list[bool]] = {}
    for line, row in read_rows(path):
        try:
            label = label_of(row)
            if label is not None:
                votes.setdefault(_key(row), []).append(label)
        except InputError as error:
            raise InputError(f"{path}: line {line}: {error}") from None
    return {key: 2 * sum(said) > len(said) for key, said in votes.items() if 2 * sum(said) != len(said)}


def labels_for(items: Iterable[ItemResult], labels: Mapping[LabelKey, bool]) -> Iterator[LabelledPair]:
    """Every judged pair of a run with its label, item by item. The label that says most decides."""
    for item in items:
        for pair in item.verdicts:
            yield LabelledPair(item.query_id, pair, label_for(item.query_id, pair, labels))


def label_for(query_id: str, pair: JudgedPair, labels: Mapping[LabelKey, bool]) -> bool | None:
    """What people say about one pair."""
    claim, documents = fold_claim(pair.claim), _names(pair.documents)
    for query in (query_id, None):
        label = labels.get(LabelKey(query, pair.question, claim, _together(documents)))
        if label is None and len(documents) > 1:
            # What one document states, several state together; what one lacks, another may have.
            alone = (labels.get(LabelKey(query, pair.question, claim, one)) for one in documents)
            label = True if any(alone) else None
        if label is None:
            label = labels.get(LabelKey(query, pair.question, claim, None))
        if label is not None:
            return label
    return None


def says_yes(verdict: str, question: Any) -> bool:
    """Whether a verdict answers its question with yes. A text that says nothing contradicts nothing."""
    return verdict != "contradicted" if question == "consistency" else VERDICTS[verdict]


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


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file with their line: JSON Lines, a JSON list, or CSV with a header."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path}: a file of labels has at most {LARGEST // 2**20} MB")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot read the labels: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None
    if path.suffix.lower() == ".csv":
        yield from _csv_rows(text, path)
    elif text.lstrip()[:1] == "[":
        yield from enumerate(_objects(_decoded(text, path, 1), path), start=1)
    else:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield number, _objects([_decoded(line, path, number)], path)[0]


def _decoded(text: str, path: Path, line: int) -> Any:
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: line {line}: not JSON: {error}") from None


def _objects(rows: Any, path: Path) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: expected an object for each row")
    return rows


def _csv_rows(text: str, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    import csv
    import io

    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            kept = {key: value for key, value in row.items() if key is not None and value not in (None, "")}
            if kept:
                yield reader.line_num, kept
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: not CSV: {error}") from None


def _key(row: Mapping[str, Any]) -> LabelKey:
    claim, query, document = (row.get(name) for name in ("claim", "query_id", "document"))
    if not isinstance(claim, str) or not claim.strip():
        raise InputError("a label needs the claim that it is about")
    question = row.get("question") or "support"
    if question not in get_args(Question):
        raise InputError(f"the question is one of {', '.join(get_args(Question))}, not {question!r:.60}")
    named = row.get("documents")
    listed = [document] if isinstance(document, str) else named if isinstance(named, list) else []
    documents = _names(str(one) for one in listed)
    return LabelKey(
        str(query) if query is not None else None, str(question), fold_claim(claim), _together(documents)
    )


def _names(documents: Iterable[str]) -> tuple[str, ...]:
    """Documents as labels know them: by their file names, each once."""
    return tuple(sorted({fold(file_name(document)) for document in documents}))


def _together(documents: tuple[str, ...]) -> str | None:
    """One name for several documents that were judged as one."""
    return "\n".join(documents) or None
