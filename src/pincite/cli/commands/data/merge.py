"""`pincite data merge`: what annotators agree on, and what was decided about the rest, as ground truth."""

from __future__ import annotations

from pathlib import Path

from pincite.annotation import (
    MERGED,
    Adjudication,
    adjudicate_responses,
    adjudicated_files,
    read_responses,
    write_adjudicated,
)
from pincite.cli.options import FORCE, ConfigOptions, arg, command, load_settings, opt
from pincite.cli.output import emit, keep_existing, note
from pincite.datasets import open_dataset
from pincite.errors import InputError
from pincite.reports import plural, safe

MOST_NAMED = 10


class DataMergeOptions(ConfigOptions):
    dataset: str = arg("DATASET", "the dataset that was annotated")
    annotations: list[str] = arg("PATH", "folders or files of annotations", nargs="+")
    output: str | None = opt(
        "-o, --output FOLDER", "where to write (default: merged/, beside the annotations)"
    )
    target: float | None = opt(
        "--target SHARE",
        "spans that agree less are in conflict (default: 0.85)",
        "agreement.target_agreement",
    )
    force: bool = FORCE


@command(
    DataMergeOptions,
    epilog="""\
Writes the ground truth (.gt.json), the dataset with it (.eval.json), and labels.jsonl for `pincite judge
calibrate` and `pincite eval --labels`. What a third person decided goes before what others said. Of the rest,
a character is cited where more than half marked it, and marks for answers are averaged.

examples:
  pincite data merge sample annotations/
  pincite data merge mine.eval.json annotations/ --output truth/ --force

exit codes: 0 all merged, 1 some items are in conflict or have too few annotators, 2 could not run
""",
)
def run(options: DataMergeOptions) -> int:
    settings = load_settings(options)
    paths = [Path(path) for path in options.annotations]
    folder = Path(options.output) if options.output else paths[0].parent / MERGED
    with open_dataset(options.dataset, settings) as opened:
        if opened.streamed:
            raise InputError(f"{options.dataset}: the dataset is too large to merge into; merge it in parts")
        found = adjudicate_responses(opened.head, read_responses(paths), settings.agreement)
    keep_existing(adjudicated_files(found, folder), options.force)
    for path in write_adjudicated(found, folder):
        emit(f"wrote {safe(str(path))}\n")
    emit(f"{plural(found.agreed, 'item')} agreed, {found.adjudicated:,} adjudicated\n")
    _tell_open(found, settings.agreement.min_annotators)
    return 0 if found.complete else 1


def _tell_open(found: Adjudication, min_annotators: int) -> None:
    few = f"fewer than {plural(min_annotators, 'annotator')}"
    for items, why in (
        (found.open_conflicts, "in conflict and undecided"),
        (found.too_few, f"annotated by {few}"),
    ):
        if items:
            named = ", ".join(safe(f"{kind}/{item}") for kind, item in items[:MOST_NAMED])
            more = f" and {len(items) - MOST_NAMED:,} more" if len(items) > MOST_NAMED else ""
            note(f"{plural(len(items), 'item')} left out, {why}: {named}{more}", "warning")
    if found.unsure:
        note(f"{plural(found.unsure, 'verdict')} left out: unsure to the end")
    if found.unknown:
        note(f"{plural(found.unknown, 'query', 'queries')} annotated, but not in the dataset", "warning")
