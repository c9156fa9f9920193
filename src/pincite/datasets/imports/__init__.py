"""What other tools wrote, read as a dataset and as recorded answers: one file per kind.

`docs/imports.md` says which fields of each kind are read and what becomes of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pincite.base import did_you_mean
from pincite.datasets.formats import EvaluationDataset
from pincite.datasets.imports.entries import ImportedEntry, answers_of, dataset_of
from pincite.datasets.imports.rows import Row, read_rows
from pincite.errors import InputError
from pincite.records import RecordedAnswer

Part = Literal["dataset", "answers"]


class ImportOptions(NamedTuple):
    """The options of a kind: of its dataset, and of its answers."""

    dataset: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


IMPORTS: dict[str, ImportOptions] = {
    "beir": ImportOptions(("split", "judged_only"), ("run",)),
    "trec": ImportOptions(("topics", "corpus"), ("run",)),
    "alce": ImportOptions(),
    "hagrid": ImportOptions(),
    "ragas": ImportOptions(),
    "deepeval": ImportOptions(),
    "langsmith": ImportOptions(),
    "jsonl": ImportOptions(("mapping",), ("mapping",)),
}
"""Every kind. A module of that name has `entries_of(rows)`, or `read_dataset` and `read_answers`."""


def import_dataset(kind: str, path: Path | str, **options: Any) -> EvaluationDataset:
    """The dataset of an export.

    Options: `split` and `judged_only` of `beir`, `topics` and `corpus` of `trec`, and for `jsonl` a `mapping`
    (our name → a dotted path in a row).
    """
    module = _module(kind, "dataset", options)
    if hasattr(module, "entries_of"):
        return dataset_of(module.entries_of(read_rows(Path(path)), **options), Path(path), kind)
    return module.read_dataset(Path(path), **options)  # type: ignore[no-any-return]


def import_answers(kind: str, path: Path | str, **options: Any) -> Iterator[RecordedAnswer]:
    """The answers of an export, one by one, with the ids that `import_dataset` gives their queries.

    Options: `run`, a TREC run file, of `beir` and `trec`, and the `mapping` of `jsonl`.
    """
    module = _module(kind, "answers", options)
    if hasattr(module, "entries_of"):
        return answers_of(module.entries_of(read_rows(Path(path)), **options))
    return module.read_answers(Path(path), **options)  # type: ignore[no-any-return]


def entries_in(kind: str, rows: Iterable[Row], **options: Any) -> Iterator[ImportedEntry]:
    """The entries of rows that a frame holds."""
    module = _module(kind, "dataset", options)
    if not hasattr(module, "entries_of"):
        raise InputError(f"{kind} is not read from a frame: it is several files")
    return module.entries_of(rows, **options)  # type: ignore[no-any-return]


def _module(kind: str, part: Part, options: Iterable[str]) -> Any:
    if kind not in IMPORTS:
        hint = did_you_mean(kind, IMPORTS, f"; there are {', '.join(IMPORTS)}")
        raise InputError(f"nothing is known of exports of the kind {kind!r:.40}{hint}")
    known = getattr(IMPORTS[kind], part)
    for name in options:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{kind}: there is no such option: {name!r:.40}; {has}")
    return import_module(f"pincite.datasets.imports.{kind}")
