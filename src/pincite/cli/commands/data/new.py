"""`pincite data new|fill`: start a dataset, and add documents and the places of gold citations to one."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from shlex import quote
from typing import Any

from pincite.cli.options import (
    CONFIG,
    FORCE,
    MAX_SOURCE,
    SEED,
    arg,
    load_settings,
    on_command,
    open_library,
    opt,
)
from pincite.cli.output import emit, keep_existing, note
from pincite.config import Settings
from pincite.datasets import DATASETS, GROUND_TRUTH, EvaluationDataset
from pincite.errors import InputError
from pincite.reports import plural, safe

FOLDER = Path("data/evaluation")


@on_command(
    "data new",
    opt("--from DOCS...", "files or folders", dest="documents"),
    opt("-o, --output FILE", "where to write it (default: under data/evaluation/)"),
    opt("--name", "the dataset's name (default: the documents' folder)"),
    opt("-n, --queries N", "queries to draft (default: 20)", int, default=20),
    SEED,
    FORCE,
    MAX_SOURCE,
    *CONFIG,
    epilog="""\
Without --from, the sample is written to data/evaluation/: a dataset, the answers of two systems, and the
annotations of two people. With --from, questions are drafted from your documents for you to review.

examples:
  pincite data new
  pincite data new --from docs/ --queries 50 --output drafts.eval.json

exit codes: 0 written, 2 could not run
""",
)
def _new(options: Namespace) -> int:
    from pincite.datasets import write_whole

    settings = load_settings(options)
    if options.queries < 1:
        raise InputError(f"--queries is at least 1, not {options.queries}")
    output = Path(options.output) if options.output else None
    if not options.documents:
        files = _sample_files(output)
    else:
        files = _draft_files(options, output, settings)
    keep_existing(files, options.force)
    for path, content in files.items():
        write_whole(path, content)
        emit(f"wrote {safe(str(path))}\n")
    if options.documents:
        (path,) = files
        note(f"next: review each query of {path}, then `pincite eval {quote(str(path))} --target answer`")
    return 0


def _sample_files(output: Path | None) -> dict[Path, bytes]:
    """The sample in the folder tree, or its dataset alone where a file is named."""
    from pincite.datasets import NAME, SYSTEMS, annotations_path, answers_path, sample_path

    dataset = sample_path().read_bytes()
    if output is not None:
        return {output: dataset}
    truth = FOLDER / GROUND_TRUTH
    files = {FOLDER / DATASETS / NAME: dataset}
    for system in SYSTEMS:
        path = answers_path(system)
        files[FOLDER / "answers" / path.name] = path.read_bytes()
    ground_truth = sample_path("sample_1.0.0.gt.json")
    files[truth / ground_truth.name] = ground_truth.read_bytes()
    for path in sorted(annotations_path().rglob("*.json")):
        files[truth / "annotations" / path.relative_to(annotations_path())] = path.read_bytes()
    return files


def _draft_files(options: Namespace, output: Path | None, settings: Settings) -> dict[Path, bytes]:
    from pincite.datasets import DRAFT_VERSION, draft_dataset, file_kind, write_json

    if output is not None and (file_kind(output).form != "json" or file_kind(output).compression):
        raise InputError(f"{output}: drafts are written as JSON; `pincite data convert` gives other forms")
    library = open_library(options.documents, settings)
    name = options.name or Path(options.documents[0]).resolve().name.partition(".")[0] or "draft"
    draft = draft_dataset(
        library.sources, name, options.queries, settings.evaluation.random_seed, settings.language
    )
    made: dict[str, Any] = draft.dataset
    for document, reason in draft.unused:
        note(f"no query was drafted from {document}: {reason}")
    if len(made["queries"]) < options.queries:
        note(f"{len(made['queries'])} queries: the documents have no more sentences to ask about")
    if output is None:
        output = FOLDER / DATASETS / f"{made['dataset_id']}_{DRAFT_VERSION}.eval.json"
    return {output: write_json(made)}


@on_command(
    "data fill",
    arg("file", "FILE", "a dataset"),
    arg("target", "OUTPUT", "the file to write"),
    opt("--sources PATH...", "files to add as documents"),
    opt("--annotations PATH...", "files or folders of annotations to merge into `citations`"),
    FORCE,
    MAX_SOURCE,
    *CONFIG,
    epilog="""\
A gold citation may have only `file_name` and `context_text`: where these words occur exactly once
in the document, start_char, end_char and the page are filled in. --sources adds files as documents: the text
of PDF, DOCX and HTML too.

--annotations adds citations to queries that have none: the characters that more than half of a query's
annotators marked.

examples:
  pincite data fill mine.eval.json mine_1.0.0.eval.json --sources docs/
  pincite data fill mine.eval.json mine_1.0.0.eval.json --annotations annotations/
  pincite data fill mine_1.0.0.eval.json mine_1.0.0.eval.json --force

exit codes: 0 all filled, 1 some citations were not found (the rest is written), 2 could not run
""",
)
def _fill(options: Namespace) -> int:
    from pincite.datasets import fill_spans, open_dataset, save, with_documents

    target = Path(options.target)
    keep_existing([target], options.force)
    settings = load_settings(options)
    with open_dataset(options.file, settings) as opened:
        if opened.streamed:
            raise InputError(f"{options.file}: the dataset is too large to fill in: fill it in parts")
        dataset = opened.head
    before = len(dataset.documents)
    if options.sources:
        dataset = with_documents(dataset, open_library(options.sources, settings).sources)
    if options.annotations:
        dataset = _merged(dataset, options.annotations, settings.agreement.min_annotators)
    filled = fill_spans(dataset)
    save(filled.dataset, target, "dataset")
    for problem in filled.problems:
        note(problem, "error")
    added = plural(len(filled.dataset.documents) - before, "document")
    emit(f"wrote {safe(str(target))}: {added} added, {plural(filled.spans, 'citation')} filled in\n")
    return 1 if filled.problems else 0


def _merged(dataset: EvaluationDataset, paths: list[str], min_annotators: int) -> EvaluationDataset:
    from pincite.annotation import merge_annotations

    found = merge_annotations(dataset, [Path(path) for path in paths], min_annotators)
    note(f"merged the annotations of {plural(found.merged, 'query', 'queries')}")
    for count, why in (
        (found.kept, "already had citations, which were kept"),
        (found.too_few, f"had fewer annotators than min_annotators ({min_annotators})"),
        (len(found.unknown), "annotated, but not in the dataset"),
    ):
        if count:
            note(f"{plural(count, 'query', 'queries')} {why}", "warning")
    if found.left_out:
        note(f"{plural(found.left_out, 'annotated citation')} without offsets left out", "warning")
    return found.dataset
