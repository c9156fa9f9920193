"""How far annotators agree, and how far a judge agrees with people: text, JSON and a calibration curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pincite.annotation import FEWEST, AgreementFigure, AgreementFigures
from pincite.metrics import Agreement, Figure, JudgeFigures
from pincite.records import SCHEMA_VERSION
from pincite.reports.display import dump, plural, printed, safe
from pincite.stats import Bin, RateEstimate

MOST_NAMED = 20
"""So many queries of the blind sample are named for people."""


def agreement_json(figures: AgreementFigures) -> str:
    return dump({"schema_version": SCHEMA_VERSION, **msgspec.to_builtins(figures)})


def agreement_text(figures: AgreementFigures) -> str:
    people = len(figures.annotators)
    lines = [f"{plural(people, 'annotator')}, {plural(figures.queries, 'query', 'queries')}", ""]
    lines.append("Spans: character-level Jaccard")
    lines.append(f"  overall  {_agreement_figure(figures.jaccard)}")
    for pair in figures.pairs:
        lines.append(f"  {pair.first} and {pair.second}  {_agreement_figure(pair.jaccard)}")
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
        lines += [f"  {one.name}  {_agreement_figure(one)}" for one in figures.questions]
        for pair in figures.pairs:
            for kappa in pair.kappa:
                both = f"{pair.first} and {pair.second}"
                lines.append(f"  {kappa.name} of {both}  {_agreement_figure(kappa)}")
    if figures.worst:
        lines += ["", "Queries with the least agreement"]
        lines += [f"  {one.jaccard:.3f}  {one.query_id}" for one in figures.worst]
    lines += ["", f"To be annotated again, blindly: {_sampled(figures.blind_sample)}"]
    for one in figures.with_themselves:
        lines.append(f"  {one.name} with an earlier self  {_agreement_figure(one)}")
    return printed([*lines, "", figures.reason[0].upper() + figures.reason[1:]])


def _sampled(queries: Sequence[str]) -> str:
    named = ", ".join(queries[:MOST_NAMED])
    more = len(queries) - MOST_NAMED
    return f"{named} and {more:,} more (--sample FILE writes them all)" if more > 0 else named


def _agreement_figure(figure: AgreementFigure) -> str:
    nothing = f", {figure.nothing_marked:,} with nothing marked" if figure.nothing_marked else ""
    if figure.value is None:
        return f"none: {figure.reason} (n = {figure.n:,}{nothing})"
    if figure.confidence_interval is None:
        why = f"below {FEWEST} queries" if figure.n < FEWEST else "where resamples give one value or none"
        return f"{figure.value:.3f} (n = {figure.n:,}{nothing}; no interval {why})"
    low, high = figure.confidence_interval
    return f"{figure.value:.3f} [{low:.3f}, {high:.3f}] (n = {figure.n:,}{nothing})"


FIGURES = (
    ("accuracy", "accuracy"),
    ("balanced_accuracy", "balanced accuracy"),
    ("macro_f1", "macro-F1"),
    ("kappa", "kappa"),
    ("auroc", "AUROC"),
)


class JudgeCounts(Struct, frozen=True):
    """What became of the rows."""

    labelled: int
    unlabelled: int
    unjudged_labelled: int
    unjudged_unlabelled: int
    unusable: int


def judge_json(judge: str, counts: JudgeCounts, figures: JudgeFigures, saved: str | None) -> str:
    shape: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "judge": judge}
    shape["rows"] = msgspec.to_builtins(counts)
    shape.update(msgspec.to_builtins(figures))
    return dump({**shape, "saved": saved})


def judge_text(judge: str, counts: JudgeCounts, figures: JudgeFigures) -> str:
    lines = [f"{judge}: {_rows(counts)}", ""]
    lines += [f"Agreement with people on {_of(figures.agreement)}", *_agreement(figures.agreement, "  ")]
    if figures.by_source:
        lines += ["", "By source"]
    for name, agreement in figures.by_source.items():
        lines += [f"  {name} ({_of(agreement)})", *_agreement(agreement, "    ")]
    lines.append("")
    if figures.calibration is None:
        lines.append(f"No calibration and no threshold: {figures.reason}")
    else:
        fit = figures.calibration
        lines.append(
            f"Calibration error {fit.error_before:.3f}, after calibrating {fit.error_after:.3f} "
            f"({fit.bins} bins of equal mass; of equal width {fit.width_error_before:.3f} and "
            f"{fit.width_error_after:.3f})"
        )
        lines += [f"  {line}" for line in reliability_lines(fit.curve_before)]
        lines.append(f"  calibrated log-odds = {fit.fit.slope:.3f} × log-odds {fit.fit.intercept:+.3f}")
        lines += ["", _threshold(figures)]
    cautions = [*figures.cautions, figures.rate.corrected.caution]
    notes = [f"Note: {caution}" for caution in cautions if caution is not None]
    return printed([*lines, "", *_rate(figures), *notes])


def _rows(counts: JudgeCounts) -> str:
    parts = [f"{counts.labelled:,} labelled rows"]
    if counts.unlabelled:
        parts.append(f"{counts.unlabelled:,} without a label")
    unjudged = counts.unjudged_labelled + counts.unjudged_unlabelled
    if unjudged:
        parts.append(f"{unjudged:,} unjudged ({counts.unjudged_labelled:,} of them labelled)")
    if counts.unusable:
        parts.append(f"{counts.unusable:,} that could not be read")
    return ", ".join(parts)


def _of(agreement: Agreement) -> str:
    return f"{agreement.rows:,} rows, {agreement.supported:,} of them supported"


def _agreement(agreement: Agreement, indent: str) -> list[str]:
    return [f"{indent}{label:<18} {_figure(getattr(agreement, name))}" for name, label in FIGURES]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return f"none: {figure.reason}"
    return f"{figure.value:.3f}  {_interval(figure.interval)}"


def _interval(interval: tuple[float, float] | None) -> str:
    return "(no interval)" if interval is None else f"[{interval[0]:.3f}, {interval[1]:.3f}]"


def _threshold(figures: JudgeFigures) -> str:
    best = figures.threshold
    if best is None:
        return "No threshold agrees better than another: the judge does not separate the rows"
    return (
        f"The threshold that agrees best is {_figure(best.value)}, calibrated {best.calibrated:.3f}: "
        f"balanced accuracy {best.balanced_accuracy:.3f} on these rows"
    )


def _rate(figures: JudgeFigures) -> list[str]:
    rate = figures.rate
    lines = [f"Rate of supported: judge alone {rate.judge_alone:.3f}"]
    if rate.corrected.method != "wilson":
        lines[0] += f", corrected {_estimate(rate.corrected)}"
    lines[0] += f", labels alone {_estimate(rate.labels_alone)}"
    if rate.corrected.method == "wilson":
        lines.append("  (without judged rows that have no label there is nothing to correct)")
    return lines


def _estimate(estimate: RateEstimate) -> str:
    if estimate.rate is None:
        return "none"
    return f"{estimate.rate:.3f} {_interval(estimate.interval)}"


SIDE = 360
LEFT, TOP = 62, 58
BEFORE, AFTER = "#b3541e", "#1f5fa8"
BAR = 20


def reliability_svg(before: Sequence[Bin], after: Sequence[Bin], title: str, notes: Sequence[str]) -> str:
    """What the judge says across, what people say up: true probabilities lie on the diagonal."""
    width, height = LEFT + SIDE + 30, TOP + SIDE + 110
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="system-ui, sans-serif" font-size="12" role="img" '
        'aria-labelledby="title description">',
        f'<title id="title">Calibration of {_escaped(title)}</title>',
        f'<desc id="description">{_escaped("; ".join(notes))}</desc>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="600">Calibration of '
        f"{_escaped(_cut(title))}</text>",
        f'<text x="{LEFT}" y="43" fill="#555555">how often people say supported, '
        "for each score of the judge</text>",
        *_axes(),
        *_curve(before, BEFORE),
        *_curve(after, AFTER),
    ]
    below = TOP + SIDE + 56
    for index, (colour, name) in enumerate(((BEFORE, "as the judge says"), (AFTER, "calibrated"))):
        x = LEFT + index * 150
        parts.append(f'<circle cx="{x + 5}" cy="{below - 4}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{x + 16}" y="{below}">{name}</text>')
    for index, line in enumerate(notes[:2]):
        parts.append(f'<text x="{LEFT}" y="{below + 20 + 16 * index}" fill="#555555">{_escaped(line)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def reliability_lines(curve: Sequence[Bin]) -> list[str]:
    """One row per bin: what the judge says, what people say, and both as a bar with a mark."""
    lines = ["judge says  people say            rows  people █, judge ◆"]
    for one in curve:
        low, high = one.interval
        lines.append(
            f"{one.mean_score:10.2f}  {one.rate:4.2f} [{low:.2f}, {high:.2f}]  {one.rows:8,}  {_bar(one)}"
        )
    return lines


def _bar(one: Bin) -> str:
    filled, mark = round(one.rate * BAR), min(BAR - 1, int(one.mean_score * BAR))
    cells = ["█" if index < filled else "·" for index in range(BAR)]
    cells[mark] = "◆"
    return "".join(cells)


def _axes() -> list[str]:
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999999"/>']
    for tick in range(0, 11, 2):
        share = tick / 10
        x, y = _place(share, share)
        parts += [
            f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{TOP + SIDE}" stroke="#eeeeee"/>',
            f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + SIDE}" y2="{y}" stroke="#eeeeee"/>',
            f'<text x="{x}" y="{TOP + SIDE + 17}" text-anchor="middle">{share:.1f}</text>',
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.1f}</text>',
        ]
    middle = TOP + SIDE // 2
    return [
        *parts,
        f'<line x1="{LEFT}" y1="{TOP + SIDE}" x2="{LEFT + SIDE}" y2="{TOP}" stroke="#999999" '
        'stroke-dasharray="5 4"/>',
        f'<text x="{LEFT + SIDE // 2}" y="{TOP + SIDE + 34}" text-anchor="middle">the judge\'s score</text>',
        f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">'
        "supported, people say</text>",
    ]


def _curve(curve: Sequence[Bin], colour: str) -> list[str]:
    places = [_place(one.mean_score, one.rate) for one in curve]
    joined = " ".join(f"{x},{y}" for x, y in places)
    parts = [f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.6"/>']
    most = max((one.rows for one in curve), default=1)
    for one, (x, y) in zip(curve, places, strict=True):
        low, high = _place(0, one.interval[0])[1], _place(0, one.interval[1])[1]
        size = round(2.5 + 3.5 * (one.rows / most) ** 0.5, 1)
        parts += [
            f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="{colour}" opacity="0.45"/>',
            f'<circle cx="{x}" cy="{y}" r="{size}" fill="{colour}">'
            f"<title>{one.mean_score:.2f} said, {one.rate:.2f} true, {one.rows} rows</title></circle>",
        ]
    return parts


def _place(score: float, rate: float) -> tuple[float, float]:
    return round(LEFT + SIDE * score, 1), round(TOP + SIDE * (1 - rate), 1)


def _cut(text: str) -> str:
    return text if len(text) <= 32 else f"{text[:31]}…"


def _escaped(text: str) -> str:
    return safe(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
