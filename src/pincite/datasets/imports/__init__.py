"""What other tools wrote, read as a dataset and as recorded answers: one file a kind.

`docs/imports.md` says of each kind which fields are read and what becomes of them.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pincite.datasets.formats.records import EvaluationDataset
from pincite.errors import InputError, did_you_mean
from pincite.records import RecordedAnswer

__all__ = ["KINDS", "read_answers", "read_import", "write_answers"]

KINDS = ("beir", "trec", "alce", "hagrid", "ragas", "deepeval", "langsmith", "jsonl")


def read_import(kind: str, path: Path | str, **options: Any) -> EvaluationDataset:
    """The dataset of an export.

    Options: `split` and `judged_only` of `beir`, `topics` and `corpus` of `trec`, and for `jsonl` a `mapping`
    (our name → a dotted path in a row).
    """
    return _ask(kind, "read_dataset", path, options)  # type: ignore[no-any-return]


def read_answers(kind: str, path: Path | str, **options: Any) -> Iterator[RecordedAnswer]:
    """The answers of an export, one by one, with the ids that `read_import` gives their queries.

    Options: `run`, a file of TREC's, of `beir` and `trec`, and the `mapping` of `jsonl`.
    """
    return _ask(kind, "read_answers", path, options)  # type: ignore[no-any-return]


def options_of(kind: str, function: str) -> tuple[str, ...]:
    """The options that `read_dataset` or `read_answers` of a kind has."""
    return tuple(inspect.signature(_reader(kind, function)).parameters)[1:]


def write_answers(answers: Iterable[RecordedAnswer], path: Path | str) -> int:
    """Write recorded answers as lines of JSON, as `pincite eval --answers` reads them. Gives their number."""
    from pincite.datasets.files.kinds import file_kind
    from pincite.datasets.files.whole import written_whole
    from pincite.datasets.imports.entries import answer_record

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


def _reader(kind: str, function: str) -> Callable[..., Any]:
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, f"; there are {', '.join(KINDS)}")
        raise InputError(f"nothing is known of exports of the kind {kind!r:.40}{hint}")
    return getattr(import_module(f"pincite.datasets.imports.{kind}"), function)  # type: ignore[no-any-return]


def _ask(kind: str, function: str, path: Path | str, options: dict[str, Any]) -> Any:
    reader = _reader(kind, function)
    known = options_of(kind, function)
    for name in options:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{kind}: there is no such option: {name!r:.40}; {has}")
    return reader(Path(path), **options)
