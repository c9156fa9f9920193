"""`pincite agreement annotations/`: how well annotators agree, and whether that is enough."""

from __future__ import annotations

from pathlib import Path

from pincite.annotation import measure_agreement, read_annotations
from pincite.cli.options import (
    AGREEMENT,
    OUTPUT,
    SEED,
    ConfigOptions,
    arg,
    command,
    formats,
    load_settings,
    opt,
)
from pincite.cli.output import emit_or_write, note, write_file
from pincite.datasets import annotations_path
from pincite.records import SCHEMA_VERSION
from pincite.reports import agreement_json, agreement_text, dump


class AgreementOptions(ConfigOptions):
    annotations: list[str] = arg("PATH", "folders or files of annotations", nargs="+")
    target: float | None = AGREEMENT
    seed: int | None = SEED
    sample: str | None = opt("--sample FILE", "write the queries to re-annotate to this file")
    output_format: str = formats("text", "json", help="how to print the figures")
    output: str | None = OUTPUT


@command(
    AgreementOptions,
    epilog="""\
A folder holds a folder for each annotator (annotator_001/*.json), or .gt.json files whose annotations name
their annotator. `sample` is the bundled annotations.

examples:
  pincite agreement annotations/
  pincite agreement annotations/ --sample again.json --output-format json

exit codes: 0 the target is met, 1 it is not, 2 could not run
""",
)
def run(options: AgreementOptions) -> int:
    settings = load_settings(options)
    seed = settings.evaluation.random_seed
    paths = [
        annotations_path() if name == "sample" and not Path(name).exists() else Path(name)
        for name in options.annotations
    ]
    found = read_annotations(paths, settings.offsets == "page")
    figures = measure_agreement(found, settings.agreement, seed)
    text = agreement_json(figures) if options.output_format == "json" else agreement_text(figures)
    emit_or_write(text, options.output)
    if options.sample is not None:
        shape = {"schema_version": SCHEMA_VERSION, "seed": seed, "query_ids": list(figures.blind_sample)}
        write_file(Path(options.sample), dump(shape).encode("utf-8", "backslashreplace"))
        note(f"wrote {len(figures.blind_sample)} queries to re-annotate to {options.sample}")
    return 0 if figures.met else 1
