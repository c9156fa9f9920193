"""Datasets of every kind and form, recorded answers, labels, and what other tools wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.fuzzing import data_seeds as seeds
from bench.fuzzing.forks import forked_readers
from bench.fuzzing.inside import module_at
from bench.fuzzing.mutate import unpack
from bench.fuzzing.target import Target, fresh_folder, written_files


def dataset_of(ending: str) -> Callable[[bytes], Any]:
    def run(data: bytes) -> Any:
        path = fresh_folder() / f"a.eval.{ending}"
        path.write_bytes(data)
        return _dataset(path)

    return run


def read_compressed(data: bytes) -> Any:
    return [_dataset(path) for name, path in written_files(data).items() if ".eval." in name]


def _dataset(path: Path) -> Any:
    """A valid dataset opens, and what is opened can be counted, checked, and written again."""
    from pincite.datasets import check_quality, convert_file, dataset_stats, open_dataset, validate_file
    from pincite.errors import PinciteError

    problems = [str(problem) for problem in validate_file(path)]
    try:
        dataset = open_dataset(path)
    except PinciteError as error:
        assert problems, f"a dataset without a problem does not open: {error}"
        return problems, str(error)
    with dataset:
        stats = dataset_stats(dataset)
        issues = [str(issue) for issue in check_quality(dataset)]
        assert len(list(dataset.queries())) == dataset.count()
        dataset.library()
    try:
        convert_file(path, path.with_name("written.eval.json"))
    except PinciteError as error:
        assert problems, f"a dataset without a problem cannot be written: {error}"
        return problems, stats, issues, str(error)
    if not problems:
        again = [str(problem) for problem in validate_file(path.with_name("written.eval.json"))]
        assert not again, f"valid, and no longer when it is written again: {again[0]}"
    return problems, stats, issues


def read_kinds(data: bytes) -> Any:
    """Any kind of file: its problems, and its results where it is a results document."""
    from pincite.datasets import FORMATS, from_plain, kind_of_value, read_plain, to_plain, validate_file
    from pincite.errors import PinciteError
    from pincite.runs import is_results_file, read_results_items, results_head

    told: list[Any] = []
    for path in written_files(data).values():
        try:
            problems = [str(problem) for problem in validate_file(path)]
            value, kind, _ = read_plain(path)
            record = from_plain(FORMATS[kind].record, value)
            to_plain(record)
            told.append((problems, kind, kind_of_value(value)))
            if is_results_file(str(path)):
                results_head(path)
                told.append([item.query_id for item in read_results_items(path)])
        except PinciteError as error:
            told.append(str(error))
    return told


def read_tables(data: bytes) -> Any:
    """Parquet and HDF5, each file in a process of its own."""
    with forked_readers("h5py", "pyarrow.parquet"):
        return read_kinds(data)


def read_batches(data: bytes) -> Any:
    """Parquet as the process of its own reads it: what it hands on can be read, within its limits."""
    import pyarrow
    import pyarrow.parquet

    from pincite.datasets import ReadRequest, packed_batches, unpacked
    from pincite.errors import PinciteError

    told: list[Any] = []
    for content in unpack(data).values():
        most = 64 * 1024 * 1024
        try:
            packed = list(packed_batches(ReadRequest("", content, len(content), most)))
        except (ValueError, OSError, MemoryError, pyarrow.ArrowException) as error:
            told.append(str(error))
            continue
        try:
            told.append([unpacked(one, Path("a.parquet")) for one in packed])
        except PinciteError as error:
            told.append(str(error))
    return told


def agree(data: bytes) -> Any:
    """Annotations, and how far the annotators agree."""
    from pincite.annotation import measure_agreement, read_annotations
    from pincite.config import AgreementSettings
    from pincite.reports import agreement_json, agreement_text

    written_files(data)
    figures = measure_agreement(read_annotations([Path.cwd()]), AgreementSettings())
    return agreement_json(figures), agreement_text(figures)


def read_recorded(data: bytes) -> Any:
    """Recorded answers: every id that is listed has an answer, or a problem says why not."""
    from pincite.datasets import open_answers, validate_file

    told: list[Any] = []
    for path in written_files(data).values():
        with open_answers(path) as answers:
            ids = list(answers.ids())
            assert len(ids) == len(answers)
            read = [answers.get(one) for one in ids]
            assert None not in read, "an answer that is listed cannot be had"
            told.append((ids, read, [str(problem) for problem in answers.problems], answers.digest))
        told.append([str(problem) for problem in validate_file(path)])
    return told


def read_rows(data: bytes) -> Any:
    """Rows for a judge, labels, and verdicts of people."""
    from pincite.annotation import labels_from_pairs, read_labels
    from pincite.datasets import read_rows as table_rows
    from pincite.errors import PinciteError

    rows_of = module_at("cli/judge_rows.py").read_rows
    told: list[Any] = []
    for path in written_files(data).values():
        with path.open("rb") as file:
            rows = list(rows_of(file, labelled=True))
        for row in rows:
            assert (row.pair is None) == (row.problem is not None), "a row with neither a pair nor a problem"
        told.append(len(rows))
        for read in (read_labels, lambda path: labels_from_pairs(table_rows(path))):
            try:
                told.append(str(read(path)))
            except PinciteError as error:
                told.append(str(error))
    return told


def import_export(data: bytes) -> Any:
    """What another tool wrote becomes a dataset that is valid, and answers that can be read."""
    from pincite.datasets import IMPORTS, import_files, open_answers, validate_file

    files = written_files(data)
    kind = next((kind for name in files for kind in IMPORTS if name.startswith(f"{kind}/")), "jsonl")
    options: dict[str, Any] = {}
    source = next((path for name, path in files.items() if name.startswith(f"{kind}/")), Path(kind))
    if kind in ("beir", "trec"):
        source, run = (
            Path(kind).absolute(),
            next((path for name, path in files.items() if "run" in name), None),
        )
        options = {} if run is None else {"run": run}
    elif kind == "jsonl" and len(data) % 2:
        options = {"mapping": {"query_text": "a.b", "generated_answer": "generated_answer"}}
    dataset, answers = Path("out_1.0.0.eval.json"), Path("out.jsonl")
    done = import_files(kind, source, dataset, answers, options)
    problems = [str(problem) for problem in validate_file(dataset)]
    with open_answers(answers) as opened:
        assert len(opened) == done.answers, "answers that were written cannot be read"
    return done, problems


TARGETS = [
    Target("dataset-json", dataset_of("json"), lambda: seeds.datasets("json"), "json", weight=40),
    Target("dataset-yaml", dataset_of("yaml"), lambda: seeds.datasets("yaml"), "yaml", weight=12),
    Target("dataset-csv", dataset_of("csv"), lambda: seeds.datasets("csv"), "csv", weight=25),
    Target("compressed", read_compressed, seeds.compressed, "files", weight=15),
    Target("kinds", read_kinds, seeds.other_kinds, "files", weight=40),
    Target("parquet", read_tables, lambda: seeds.tables("parquet"), "files", weight=0.7, guided=False),
    Target("batches", read_batches, seeds.parquet, "files", weight=10, guided=False),
    Target("hdf5", read_tables, lambda: seeds.tables("h5"), "files", weight=0.7, guided=False),
    Target("annotations", agree, seeds.annotated, "files", weight=8),
    Target("answers", read_recorded, seeds.recorded, "files", weight=40),
    Target("rows", read_rows, seeds.rows, "files", weight=40),
    Target("imports", import_export, seeds.imports, "files", weight=50),
]
