"""`pincite agreement annotations/`: how far annotators agree, and whether that is enough."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from pincite.cli.options import Parser

EXAMPLES = """\
A folder holds a folder for each annotator (annotator_001/*.json), or .gt.json files whose annotations name
their annotator. `sample` is the bundled annotations.

examples:
  pincite agreement annotations/
  pincite agreement annotations/ --sample again.json --output-format json

exit codes: 0 the target is met, 1 it is not, 2 could not run
"""


def parser() -> Parser:
    made = Parser("agreement", "Measure how well annotators agree.", EXAMPLES)
    made.add_argument("annotations", nargs="+", metavar="PATH", help="folders or files of annotations")
    made.add_argument("--target", type=float, metavar="SHARE", help="the agreement to reach (default: 0.85)")
    made.add_argument(
        "--min-annotators", type=int, metavar="N", help="skip queries with fewer annotators (default: 2)"
    )
    made.add_argument("--seed", type=int, metavar="N", help="seed for the blind sample and the intervals")
    made.add_argument("--sample", metavar="FILE", help="write the queries to re-annotate to this file")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print the figures")
    made.add_argument("-o", "--output", metavar="FILE", help="write the figures to this file")
    made.add_argument("--config", metavar="FILE", help="read settings from this TOML or YAML file")
    return made


def run(options: Namespace) -> int:
    from pincite.annotation.agreement import measure_agreement
    from pincite.annotation.annotations import read_annotations
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, note, write_file
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.agreement_report import agreement_json, agreement_text
    from pincite.reports.findings.json_report import dump

    settings = load_settings(
        options.config,
        agreement_target_agreement=options.target,
        agreement_min_annotators=options.min_annotators,
        evaluation_random_seed=options.seed,
    )
    seed = settings.evaluation.random_seed
    found = read_annotations(_paths(options.annotations), settings.offsets == "page")
    figures = measure_agreement(found, settings.agreement, seed)
    text = agreement_json(figures) if options.output_format == "json" else agreement_text(figures)
    if options.output is not None:
        write_file(Path(options.output), text.encode("utf-8", "backslashreplace"))
    else:
        emit(text)
    if options.sample is not None:
        shape = {"schema_version": SCHEMA_VERSION, "seed": seed, "query_ids": list(figures.blind_sample)}
        write_file(Path(options.sample), dump(shape).encode("utf-8", "backslashreplace"))
        note(f"wrote {len(figures.blind_sample)} queries to re-annotate to {options.sample}")
    return 0 if figures.met else 1


def _paths(given: list[str]) -> list[Path]:
    from pincite.datasets.sample import annotations_path

    return [annotations_path() if one == "sample" and not Path(one).exists() else Path(one) for one in given]
