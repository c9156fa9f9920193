"""How far annotators agree, for people and for machines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pincite.annotation import FEWEST, AgreementFigure, AgreementFigures
from pincite.records import SCHEMA_VERSION
from pincite.reports.display import dump, plural, safe

MOST_NAMED = 20
"""So many queries of the blind sample are named for people."""


def agreement_json(figures: AgreementFigures) -> str:
    return dump({"schema_version": SCHEMA_VERSION, **msgspec.to_builtins(figures)})


def agreement_text(figures: AgreementFigures) -> str:
    return "".join(f"{line}\n" for line in _lines(figures))


def _lines(figures: AgreementFigures) -> list[str]:
    people = len(figures.annotators)
    lines = [f"{plural(people, 'annotator')}, {plural(figures.queries, 'query', 'queries')}", ""]
    lines.append("Spans: character-level Jaccard")
    lines.append(f"  overall  {_shown(figures.jaccard)}")
    for pair in figures.pairs:
        lines.append(f"  {safe(pair.first)} and {safe(pair.second)}  {_shown(pair.jaccard)}")
    if figures.too_few:
        least = max(2, figures.min_annotators)
        lines.append(
            f"  {figures.too_few:,} queries with spans of fewer than {least} annotators are left out"
        )
    if figures.left_out:
        lines.append(f"  {figures.left_out:,} citations without offsets are left out")
    lines += [f"  {note}" for note in figures.notes]
    rated = [*figures.questions, *(kappa for pair in figures.pairs for kappa in pair.kappa)]
    if rated:
        lines += ["", "Categories and marks"]
        lines += [f"  {safe(one.name)}  {_shown(one)}" for one in figures.questions]
        for pair in figures.pairs:
            for kappa in pair.kappa:
                lines.append(
                    f"  {safe(kappa.name)} of {safe(pair.first)} and {safe(pair.second)}  {_shown(kappa)}"
                )
    if figures.worst:
        lines += ["", "Queries with the least agreement"]
        lines += [f"  {one.jaccard:.3f}  {safe(one.query_id)}" for one in figures.worst]
    lines += ["", f"To be annotated again, blindly: {_sampled(figures.blind_sample)}"]
    for one in figures.with_themselves:
        lines.append(f"  {safe(one.name)} with an earlier self  {_shown(one)}")
    return [*lines, "", figures.reason[0].upper() + figures.reason[1:]]


def _sampled(queries: Sequence[str]) -> str:
    named = ", ".join(map(safe, queries[:MOST_NAMED]))
    more = len(queries) - MOST_NAMED
    return f"{named} and {more:,} more (--sample FILE writes them all)" if more > 0 else named


def _shown(figure: AgreementFigure) -> str:
    nothing = f", {figure.nothing_marked:,} with nothing marked" if figure.nothing_marked else ""
    if figure.value is None:
        return f"none: {figure.reason} (n = {figure.n:,}{nothing})"
    if figure.confidence_interval is None:
        why = f"below {FEWEST} queries" if figure.n < FEWEST else "where resamples give one value or none"
        return f"{figure.value:.3f} (n = {figure.n:,}{nothing}; no interval {why})"
    low, high = figure.confidence_interval
    return f"{figure.value:.3f} [{low:.3f}, {high:.3f}] (n = {figure.n:,}{nothing})"
