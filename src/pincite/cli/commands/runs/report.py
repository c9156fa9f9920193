"""`pincite runs report`: what went wrong in a run, what to do about it, and what its answers cite."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.cli.history import open_history
from pincite.cli.options import RUN, HistoryOptions, command, formats, opt
from pincite.cli.output import (
    emit,
    terminal_width,
)
from pincite.records import ItemResult
from pincite.reports import dump

if TYPE_CHECKING:
    pass


class RunsReportOptions(HistoryOptions):
    run: str = RUN
    dataset: str | None = opt(
        "--dataset FILE", "the dataset of the run, or sample: to list the documents that no answer cites"
    )
    output_format: str = formats("text", "json")


@command(
    RunsReportOptions,
    epilog="""\
`--output-format json` has summary, visualizations (Vega-Lite), analysis, recommendations and the citation
graph: which documents the answers cite, alone and together.
""",
)
def run(options: RunsReportOptions) -> int:
    from pincite.metrics import citation_graph
    from pincite.reports import report_text, run_report
    from pincite.runs import FailureCounter, threshold_alerts

    documents = None
    if options.dataset:
        from pincite.datasets import open_dataset, source_of

        with open_dataset(options.dataset) as dataset:
            documents = [source_of(one, place).name for place, one in enumerate(dataset.documents(), 1)]
    failures = FailureCounter()

    def counted(items: Iterator[ItemResult]) -> Iterator[ItemResult]:
        for item in items:
            failures.add(item.failures, item.failure)
            yield item

    with open_history(options) as history:
        found = history.store.find(options.run)
        graph = citation_graph(counted(history.store.items(found.run_id)), documents)
    analysis, alerts = failures.analysis(), threshold_alerts(found.scores)
    if options.output_format == "json":
        report = run_report({"run": found.run_id}, found.scores, analysis, alerts)
        emit(dump({**report, "citation_graph": graph.to_json()}))
    else:
        emit(report_text(found.run_id, analysis, alerts, terminal_width(sys.stdout)))
        emit(f"\n{graph.to_text()}")
    return 0
