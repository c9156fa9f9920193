"""`pincite runs graph ID`: which documents the answers of a run cite, alone and together."""

from __future__ import annotations

from argparse import Namespace

from pincite.cli.history import add_history, open_kept_history
from pincite.cli.options import Parser

EPILOG = """\
With --dataset it also lists documents that no answer cites, and marks those missing from the dataset.
`--output-format dot` is a drawing for Graphviz.
"""


def parser() -> Parser:
    made = Parser("runs graph", "Show which documents a run's answers cite, alone and together.", EPILOG)
    made.add_argument("run", nargs="?", default="latest", metavar="RUN", help="which run (default: latest)")
    made.add_argument("--dataset", metavar="FILE", help="the dataset of the run, or sample")
    made.choice("-f", "--output-format", of=("text", "json", "dot"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit
    from pincite.metrics.graph import citation_graph
    from pincite.reports.findings.json_report import dump

    documents = _documents(options.dataset) if options.dataset else None
    with open_kept_history(options) as store:
        found = store.find(options.run)
        graph = citation_graph(store.items(found.run_id), documents)
    if options.output_format == "json":
        emit(dump({"run": found.run_id, **graph.to_json()}))
    else:
        emit(graph.to_dot() if options.output_format == "dot" else graph.to_text())
    return 0


def _documents(given: str) -> list[str]:
    from pincite.datasets.library import source_of
    from pincite.datasets.load import open_dataset

    with open_dataset(given) as dataset:
        return [source_of(document, place).name for place, document in enumerate(dataset.documents(), 1)]
