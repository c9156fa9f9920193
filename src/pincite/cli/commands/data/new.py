"""`pincite data new|fill`: start a dataset, and add documents and the places of gold citations to one."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from pincite.cli.options import FORCE, SEED, ConfigOptions, command, load_settings, open_library, opt
from pincite.cli.output import emit, keep_existing, note
from pincite.config import Settings
from pincite.datasets import DATASETS, GROUND_TRUTH
from pincite.errors import InputError
from pincite.reports import safe

FOLDER = Path("data/evaluation")


class DataNewOptions(ConfigOptions):
    documents: list[str] = opt("--from DOCS...", "files or folders")
    output: str | None = opt("-o, --output FILE", "where to write it (default: under data/evaluation/)")
    name: str | None = opt("--name", "the dataset's name (default: the documents' folder)")
    queries: int = opt("-n, --queries N", "queries to draft (default: 20)", int, default=20)
    seed: int | None = SEED
    force: bool = FORCE


@command(
    DataNewOptions,
    epilog="""\
Without --from, the sample is written to data/evaluation/: a dataset, the answers of two systems, and the
annotations of two people. With --from, questions are drafted from your documents for you to review.

examples:
  pincite data new
  pincite data new --from docs/ --queries 50 --output drafts.eval.json

exit codes: 0 written, 2 could not run
""",
)
def run(options: DataNewOptions) -> int:
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


def _draft_files(options: DataNewOptions, output: Path | None, settings: Settings) -> dict[Path, bytes]:
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
