"""BEIR: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincite.datasets.formats import EvaluationDataset, EvaluationQuery
from pincite.datasets.imports import trec
from pincite.datasets.imports.entries import make_dataset
from pincite.datasets.imports.rows import needed_text, read_lines, read_rows
from pincite.errors import InputError
from pincite.records import RecordedAnswer


def read_dataset(path: Path, *, split: str | None = None, judged_only: bool = True) -> EvaluationDataset:
    """The queries of one split, `test` where there is one, with their graded documents.

    Queries that the split does not judge are left out unless `judged_only` is false.
    """
    judged = _read_qrels(_qrels(path, split))
    queries = []
    for place, row in read_rows(_file(path, "queries")):
        query_id = needed_text(row, place, "_id", "id")
        if query_id not in judged and judged_only:
            continue
        metadata = row.get("metadata")
        queries.append(
            EvaluationQuery(
                query_id=query_id,
                query_text=needed_text(row, place, "text"),
                relevant_documents=judged.pop(query_id, {}),
                metadata=metadata if isinstance(metadata, dict) else {},
            )
        )
    if judged:
        missing = next(iter(judged))
        raise InputError(f"{path}: {len(judged)} judged queries are not in queries.jsonl, as {missing!r:.80}")
    return make_dataset(path, "beir", queries, trec.read_corpus(_file(path, "corpus")))


def read_answers(path: Path, *, run: Path | str | None = None) -> Iterator[RecordedAnswer]:
    """What a system retrieved, from a run as TREC has them."""
    if run is None:
        raise InputError(f"{path}: a BEIR folder holds no answers; name a run of a system with --run FILE")
    return trec.read_answers(Path(run))


def _file(folder: Path, name: str) -> Path:
    for ending in (".jsonl", ".jsonl.gz", ".jsonl.zst"):
        if (folder / f"{name}{ending}").is_file():
            return folder / f"{name}{ending}"
    raise InputError(f"{folder}: a BEIR folder has a file {name}.jsonl, and this one has none")


def _qrels(folder: Path, split: str | None) -> Path:
    found = sorted((folder / "qrels").glob("*.tsv*")) if (folder / "qrels").is_dir() else []
    splits = {file.name.partition(".")[0]: file for file in found}
    if split is None:
        split = "test" if "test" in splits or not splits else next(iter(splits))
    if split not in splits:
        has = f"has {', '.join(splits)}" if splits else "has none"
        raise InputError(f"{folder}: there is no qrels/{split:.40}.tsv; the folder {has}")
    return splits[split]


def _read_qrels(path: Path) -> dict[str, dict[str, float]]:
    judged: dict[str, dict[str, float]] = {}
    for number, line in read_lines(path):
        cells = line.split("\t")
        if number == 1 and cells[0] in ("query-id", "query_id", "qid"):
            continue
        if len(cells) != 3:
            raise InputError(f"{path}: line {number}: expected query, document and grade, separated by tabs")
        try:
            judged.setdefault(cells[0], {})[cells[1]] = float(int(cells[2]))
        except ValueError:
            raise InputError(f"{path}: line {number}: the grade {cells[2]!r:.40} is not an integer") from None
    return judged
