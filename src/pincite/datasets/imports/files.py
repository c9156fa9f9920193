"""An export turned into files: the dataset, and the recorded answers that belong to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincite.datasets.documents import source_of
from pincite.datasets.files.plain import save
from pincite.datasets.files.streams import written_whole
from pincite.datasets.formats import FORMATS, EvaluationDataset, SourceDocument
from pincite.datasets.imports import IMPORTS, Part, import_answers, import_dataset
from pincite.datasets.imports.entries import answer_record
from pincite.datasets.paths import file_kind, version_key
from pincite.errors import InputError
from pincite.records import RecordedAnswer


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

    Answers that are written without their dataset come with what was retrieved for them, so that they can
    be measured on the dataset of another export.
    """
    _check_targets(dataset, answers)
    _check_options(kind, dataset is not None, answers is not None, options)
    if dataset is None:
        assert answers is not None
        documents: dict[str, SourceDocument] = {}
        if not _has_runs(kind):
            read = import_dataset(kind, source, **_of(kind, "dataset", options))
            documents = {one.document_id: one for one in read.documents}
        given = _with_sources(_answers(kind, source, options), documents)
        return Imported(answers=write_answers(given, answers))
    read = import_dataset(kind, source, **_of(kind, "dataset", options))
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


def write_answers(answers: Iterable[RecordedAnswer], path: Path | str) -> int:
    """Write recorded answers as JSON Lines, as `pincite eval --answers` reads them. Gives their number."""
    target = Path(path)
    found = file_kind(target)
    if found.form != "jsonl":
        raise InputError(f"{target}: answers are lines of JSON; end the name in .jsonl")
    count = 0
    with written_whole(target, found.compression) as file:
        for answer in answers:
            try:
                line = json.dumps(answer_record(answer), allow_nan=False)
            except (TypeError, ValueError, RecursionError) as error:
                raise InputError(
                    f"{target}: the answer to {answer.query_id!r:.80} has no form in JSON: {error}"
                ) from None
            file.write(line.encode() + b"\n")
            count += 1
    return count


def _named_by(target: Path, read: EvaluationDataset) -> EvaluationDataset:
    """The dataset with the id and the version of its file's name: `ID_VERSION.eval.json`."""
    name, underscore, version = target.name.partition(".eval.")[0].rpartition("_")
    if not underscore or not name or version_key(version) is None:
        return read
    return replace(read, dataset_id=name, version=version)


def _answers(kind: str, source: Path, options: Mapping[str, Any]) -> Iterator[RecordedAnswer]:
    return import_answers(kind, source, **_of(kind, "answers", options))


def _of(kind: str, part: Part, options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in getattr(IMPORTS[kind], part) if name in options}


def _has_runs(kind: str) -> bool:
    """Whether a kind keeps what systems did apart from its queries, in runs that name documents by id."""
    return "run" in IMPORTS[kind].answers


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
    form, forms = file_kind(dataset).form, FORMATS["dataset"].forms
    if form not in forms:
        hint = f"; for the answers say --answers {dataset}" if form == "jsonl" else ""
        raise InputError(f"{dataset}: a dataset is written as {', '.join(forms)}{hint}")
    if dataset == answers:
        raise InputError(f"{dataset}: the dataset and its answers are two files")


def _check_options(kind: str, dataset: bool, answers: bool, options: Mapping[str, Any]) -> None:
    for name in options:
        of_dataset, of_answers = name in IMPORTS[kind].dataset, name in IMPORTS[kind].answers
        if not ((dataset and of_dataset) or (answers and of_answers)):
            flag = "map" if name == "mapping" else name
            use = f"for {'the dataset' if of_dataset else '--answers'}"
            raise InputError(f"--{flag} is {use if of_dataset or of_answers else f'not for {kind}'}")
