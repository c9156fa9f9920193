"""An export turned into files: the dataset, and the recorded answers that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincite.datasets.files.kinds import FORMS, file_kind
from pincite.datasets.files.save import save
from pincite.datasets.formats.records import EvaluationDataset, SourceDocument
from pincite.datasets.imports import options_of, read_answers, read_import, write_answers
from pincite.datasets.library import source_of
from pincite.datasets.tree import SemanticVersion
from pincite.errors import InputError
from pincite.records import RecordedAnswer

DATASET, ANSWERS = "read_dataset", "read_answers"


class Imported(Struct, frozen=True):
    """What was written; None is what was not asked for."""

    queries: int | None = None
    documents: int | None = None
    answers: int | None = None
    unanswered: int | None = None
    """Queries of the dataset that have no answer."""
    unknown: int | None = None
    """Answers that belong to no query of the dataset."""


def import_files(
    kind: str, source: Path, dataset: Path | None, answers: Path | None, options: Mapping[str, Any]
) -> Imported:
    """Write the dataset, the answers, or both; each option is for the part that has it.

    Answers that are written without their dataset bring along what was retrieved for them, so that they can
    be measured on the dataset of another export.
    """
    _check_targets(dataset, answers)
    _check_options(kind, [DATASET] * (dataset is not None) + [ANSWERS] * (answers is not None), options)
    if dataset is None:
        assert answers is not None
        given = _with_sources(_answers(kind, source, options), _documents(kind, source, options))
        return Imported(answers=write_answers(given, answers))
    read = _dataset(kind, source, options)
    found = Imported(len(read.queries), len(read.documents))
    if answers is not None:
        answered: set[str] = set()
        count = write_answers(_noted(_answers(kind, source, options), answered), answers)
        asked = {query.query_id for query in read.queries}
        found = replace(found, answers=count, unanswered=len(asked - answered), unknown=len(answered - asked))
    save(_named_by(dataset, read), dataset, "dataset")
    return found


def holds_answers(kind: str, source: Path, options: Mapping[str, Any]) -> bool:
    """Whether an export has any answer beside its dataset."""
    return not _has_runs(kind) and next(_answers(kind, source, options), None) is not None


def _dataset(kind: str, source: Path, options: Mapping[str, Any]) -> EvaluationDataset:
    return read_import(kind, source, **_of(kind, DATASET, options))


def _named_by(target: Path, read: EvaluationDataset) -> EvaluationDataset:
    """The dataset with the id and the version that its file's name tells: `ID_VERSION.eval.json`."""
    name, underscore, version = target.name.partition(".eval.")[0].rpartition("_")
    try:
        SemanticVersion(version)
    except InputError:
        return read
    return replace(read, dataset_id=name, version=version) if underscore and name else read


def _answers(kind: str, source: Path, options: Mapping[str, Any]) -> Iterator[RecordedAnswer]:
    return read_answers(kind, source, **_of(kind, ANSWERS, options))


def _of(kind: str, function: str, options: Mapping[str, Any]) -> dict[str, Any]:
    known = options_of(kind, function)
    return {name: value for name, value in options.items() if name in known}


def _has_runs(kind: str) -> bool:
    """Whether a kind keeps what systems did apart from its queries, in runs that name documents by id."""
    return "run" in options_of(kind, ANSWERS)


def _documents(kind: str, source: Path, options: Mapping[str, Any]) -> dict[str, SourceDocument]:
    if _has_runs(kind):
        return {}
    return {one.document_id or "": one for one in _dataset(kind, source, options).documents}


def _with_sources(
    answers: Iterable[RecordedAnswer], documents: Mapping[str, SourceDocument]
) -> Iterator[RecordedAnswer]:
    for answer in answers:
        names = dict.fromkeys(found.document for found in answer.retrieved or ())
        found = [documents[name] for name in names if name in documents]
        yield replace(answer, sources=tuple(source_of(one, place) for place, one in enumerate(found, 1)))


def _noted(answers: Iterable[RecordedAnswer], answered: set[str]) -> Iterator[RecordedAnswer]:
    """The answers as they are; the ids of their queries are written down."""
    for answer in answers:
        answered.add(answer.query_id or "")
        yield answer


def _check_targets(dataset: Path | None, answers: Path | None) -> None:
    if dataset is None and answers is None:
        raise InputError("name the file to write: that of the dataset, or with --answers that of the answers")
    if dataset is None:
        return
    form = file_kind(dataset).form
    if form not in FORMS["dataset"]:
        hint = f"; for the answers say --answers {dataset}" if form == "jsonl" else ""
        raise InputError(f"{dataset}: a dataset is written as {', '.join(FORMS['dataset'])}{hint}")
    if answers is not None and dataset == answers:
        raise InputError(f"{dataset}: the dataset and its answers are two files")


def _check_options(kind: str, parts: list[str], options: Mapping[str, Any]) -> None:
    for name in options:
        having = [part for part in (DATASET, ANSWERS) if name in options_of(kind, part)]
        if not set(having) & set(parts):
            flag = "map" if name == "mapping" else name
            use = "the dataset" if having == [DATASET] else "--answers"
            raise InputError(f"--{flag} is for {use}" if having else f"--{flag} is not for {kind}")
