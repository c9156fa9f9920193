"""`pincite data fill`: documents into a dataset, and the offsets of gold citations from their words."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.options import Parser, limit_flags, source_paths

if TYPE_CHECKING:
    from pincite.datasets.formats.records import EvaluationDataset

EXAMPLES = """\
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
"""


def parser() -> Parser:
    made = Parser(
        "data fill", "Add documents to a dataset, and fill in the positions of its citations.", EXAMPLES
    )
    add = made.add_argument
    add("file", metavar="FILE", help="a dataset")
    add("target", metavar="OUTPUT", help="the file to write")
    add("--sources", action="append", metavar="PATH", help="files or folders to add as documents; repeatable")
    add(
        "--annotations",
        action="append",
        metavar="PATH",
        help="files or folders of annotations to merge into `citations`; repeatable",
    )
    add("--force", action="store_true", help="overwrite an existing file")
    add("--max-source-mb", type=float, metavar="MB", help="refuse sources over this size (default: 1024)")
    add("--config", metavar="FILE", help="read settings from this TOML or YAML file")
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, keep_existing, note
    from pincite.datasets.files.save import save
    from pincite.datasets.fill import fill_spans, with_documents
    from pincite.datasets.load import open_dataset
    from pincite.errors import InputError
    from pincite.reports.display import safe
    from pincite.reports.findings.totals import plural
    from pincite.sources.library import open_sources

    target = Path(options.target)
    keep_existing([target], options.force)
    settings = load_settings(options.config, **limit_flags(options))
    with open_dataset(options.file, settings) as opened:
        if opened.streamed:
            raise InputError(f"{options.file}: the dataset is too large to fill in: fill it in parts")
        dataset = opened.head
    before = len(dataset.documents)
    if options.sources:
        library = open_sources(source_paths(options.sources), settings.limits)
        for unread in library.unread:
            note(f"could not read {unread.name}: {unread.reason}", "warning")
        dataset = with_documents(dataset, library.sources)
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
    from pincite.annotation.merging import merge_annotations
    from pincite.cli.output import note
    from pincite.reports.findings.totals import plural

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
