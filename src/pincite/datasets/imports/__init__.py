"""What other tools wrote, read as a dataset and as recorded answers.

`docs/imports.md` says which fields of each kind are read and what becomes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from pincite.base import did_you_mean
from pincite.datasets.formats import EvaluationDataset
from pincite.datasets.imports.entries import ImportedEntry, answers_of, dataset_of
from pincite.datasets.imports.exports import alce_entries, deepeval_entries, hagrid_entries, ragas_entries
from pincite.datasets.imports.jsonl import jsonl_entries
from pincite.datasets.imports.langsmith import langsmith_entries
from pincite.datasets.imports.rows import Row, read_rows
from pincite.datasets.imports.trec import read_beir, read_beir_run, read_trec, read_trec_run
from pincite.errors import InputError
from pincite.records import RecordedAnswer

Part = Literal["dataset", "answers"]


class Import(Struct, frozen=True):
    """How one kind of export is read: by its rows, or where it is several files by two readers."""

    entries: Callable[..., Iterator[ImportedEntry]] | None = None
    read_dataset: Callable[..., EvaluationDataset] | None = None
    read_answers: Callable[..., Iterator[RecordedAnswer]] | None = None
    dataset: tuple[str, ...] = ()
    """The options of its dataset."""
    answers: tuple[str, ...] = ()
    """The options of its answers."""


IMPORTS: dict[str, Import] = {
    "beir": Import(None, read_beir, read_beir_run, ("split", "judged_only"), ("run",)),
    "trec": Import(None, read_trec, read_trec_run, ("topics", "corpus"), ("run",)),
    "alce": Import(alce_entries),
    "hagrid": Import(hagrid_entries),
    "ragas": Import(ragas_entries),
    "deepeval": Import(deepeval_entries),
    "langsmith": Import(langsmith_entries),
    "jsonl": Import(jsonl_entries, dataset=("mapping",), answers=("mapping",)),
}
"""Every kind of export."""


def import_dataset(kind: str, path: Path | str, **options: Any) -> EvaluationDataset:
    """The dataset of an export.

    Options: `split` and `judged_only` of `beir`, `topics` and `corpus` of `trec`, and for `jsonl` a `mapping`
    (our name → a dotted path in a row).
    """
    found = _import_of(kind, "dataset", options)
    if found.read_dataset is not None:
        return found.read_dataset(Path(path), **options)
    return dataset_of(entries_in(kind, read_rows(Path(path)), **options), Path(path), kind)


def import_answers(kind: str, path: Path | str, **options: Any) -> Iterator[RecordedAnswer]:
    """The answers of an export, one by one, with the ids that `import_dataset` gives their queries.

    Options: `run`, a TREC run file, of `beir` and `trec`, and the `mapping` of `jsonl`.
    """
    found = _import_of(kind, "answers", options)
    if found.read_answers is not None:
        return found.read_answers(Path(path), **options)
    return answers_of(entries_in(kind, read_rows(Path(path)), **options))


def entries_in(kind: str, rows: Iterable[Row], **options: Any) -> Iterator[ImportedEntry]:
    """The entries of rows, which a file or a frame holds."""
    found = _import_of(kind, "dataset", options)
    if found.entries is None:
        raise InputError(f"{kind} is not read from a frame: it is several files")
    return found.entries(rows, **options)


def _import_of(kind: str, part: Part, options: Iterable[str]) -> Import:
    if kind not in IMPORTS:
        hint = did_you_mean(kind, IMPORTS, f"; there are {', '.join(IMPORTS)}")
        raise InputError(f"nothing is known of exports of the kind {kind!r:.40}{hint}")
    known = getattr(IMPORTS[kind], part)
    for name in options:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{kind}: there is no such option: {name!r:.40}; {has}")
    return IMPORTS[kind]
