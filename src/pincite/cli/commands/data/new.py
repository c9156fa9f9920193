"""`pincite data new`: start a dataset, from documents or from the sample."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.options import Parser, limit_flags, source_paths

if TYPE_CHECKING:
    from pincite.config import Settings

EXAMPLES = """\
Without --from, the sample is written to data/evaluation/: a dataset, the answers of two systems, and the
annotations of two people. With --from, questions are drafted from your documents for you to review.

examples:
  pincite data new
  pincite data new --from docs/ --queries 50 --output drafts.eval.json

exit codes: 0 written, 2 could not run
"""
FOLDER = Path("data/evaluation")


def parser() -> Parser:
    made = Parser("data new", "Start a dataset, from documents or from the sample.", EXAMPLES)
    add = made.add_argument
    add("--from", dest="documents", action="append", metavar="DOCS", help="files or folders; repeatable")
    add("-o", "--output", metavar="FILE", help="where to write the dataset (default: under data/evaluation/)")
    add("--name", help="the dataset's name (default: the documents' folder)")
    add("-n", "--queries", type=int, default=20, metavar="N", help="number of queries to draft (default: 20)")
    add("--seed", type=int, metavar="N", help="seed for choosing sentences (default: 42)")
    add("--force", action="store_true", help="overwrite existing files")
    add("--max-source-mb", type=float, metavar="MB", help="refuse sources over this size (default: 1024)")
    add("--config", metavar="FILE", help="read settings from this TOML or YAML file")
    return made


def run(options: Namespace) -> int:
    from shlex import quote

    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, keep_existing, note
    from pincite.errors import InputError

    settings = load_settings(options.config, evaluation_random_seed=options.seed, **limit_flags(options))
    if options.queries < 1:
        raise InputError(f"--queries is at least 1, not {options.queries}")
    if options.documents is None:
        files = _sample_files(Path(options.output) if options.output else None)
    else:
        files = _draft_files(options, settings)
    keep_existing(files, options.force)
    from pincite.datasets.files.whole import write_whole
    from pincite.reports.display import safe

    for path, content in files.items():
        write_whole(path, content)
        emit(f"wrote {safe(str(path))}\n")
    if options.documents is not None:
        (path,) = files
        note(f"next: review each query of {path}, then `pincite eval {quote(str(path))} --target reference`")
    return 0


def _sample_files(output: Path | None) -> dict[Path, bytes]:
    """The sample in the folder tree, or its dataset alone where a file is named."""
    from pincite.datasets.sample import NAME, SYSTEMS, annotations_path, answers_path, sample_path
    from pincite.datasets.tree import DATASETS, GROUND_TRUTH

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


def _draft_files(options: Namespace, settings: Settings) -> dict[Path, bytes]:
    from pincite.cli.output import note
    from pincite.datasets.draft.drafting import VERSION, draft_dataset
    from pincite.datasets.files.kinds import file_kind
    from pincite.datasets.files.save import write_json
    from pincite.datasets.tree import DATASETS
    from pincite.errors import InputError
    from pincite.sources.library import open_sources

    output = Path(options.output) if options.output else None
    if output is not None and (file_kind(output).form != "json" or file_kind(output).compression):
        raise InputError(f"{output}: drafts are written as JSON; `pincite data convert` gives other forms")
    library = open_sources(source_paths(options.documents), settings.limits)
    for unread in library.unread:
        note(f"could not read {unread.name}: {unread.reason}", "warning")
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
        output = FOLDER / DATASETS / f"{made['dataset_id']}_{VERSION}.eval.json"
    return {output: write_json(made)}
