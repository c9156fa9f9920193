"""`pincite data fill`: add documents, and the places of gold citations, to a dataset."""

from __future__ import annotations

from pathlib import Path

from pincite.cli.options import FORCE, ConfigOptions, arg, command, load_settings, open_library, opt
from pincite.cli.output import emit, keep_existing, note
from pincite.datasets import EvaluationDataset
from pincite.errors import InputError
from pincite.reports import plural, safe


class DataFillOptions(ConfigOptions):
    file: str = arg("FILE", "a dataset")
    target: str = arg("OUTPUT", "the file to write")
    sources: list[str] = opt("--sources PATH...", "files to add as documents")
    annotations: list[str] = opt(
        "--annotations PATH...", "files or folders of annotations to merge into `citations`"
    )
    force: bool = FORCE


@command(
    DataFillOptions,
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
def run(options: DataFillOptions) -> int:
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
