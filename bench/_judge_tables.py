"""The figures of several judges side by side, for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench._agreement import Agreement, Difference, Estimate

Measured = Mapping[str, Mapping[str, Agreement]]
"""By group of rows, then by judge."""
Differences = Mapping[str, Mapping[str, Difference]]

_HEAD = f"    {'':<12}{'balanced accuracy':<21}{'macro-F1':<21}{'AUROC':<22}{'calibration error':<22}"
_HEAD += f"{'less the rule judge':<23}{'errors: wrong, right':<22}{'warned: wrong, right':<22}"


def text_table(measured: Measured, apart: Differences) -> Iterator[str]:
    """A block a group of rows, a line a judge; percent, but for AUROC and calibration error."""
    yield _HEAD.rstrip()
    for group, judges in measured.items():
        rows = max(agreement.rows + agreement.unjudged for agreement in judges.values())
        yield f"  {group} ({rows:,} rows)"
        for name, agreement in judges.items():
            difference = apart.get(group, {}).get(name)
            line = (
                f"    {name:<12}{_show(agreement.accuracy, 1):<21}{_show(agreement.macro_f1, 1):<21}"
                f"{_show(agreement.auroc, 3):<22}{_show(agreement.calibration_error, 3):<22}"
                f"{_show_difference(difference):<23}{agreement.recall:5.1f} {agreement.false_errors:5.1f}"
                f"           {agreement.found:5.1f} {agreement.false_warnings:5.1f}"
            )
            yield line + (f"   {agreement.unjudged} unjudged" if agreement.unjudged else "")


def markdown_tables(
    measured: Measured, apart: Differences, planted: Mapping[str, Mapping[str, float]]
) -> Iterator[str]:
    """For a page: balanced accuracy of every judge, the last judge's other figures, planted pairs."""
    judges = list(dict.fromkeys(name for of_group in measured.values() for name in of_group))
    last = "entailment" if "entailment" in judges else judges[-1]
    agreeing, others = [], []
    for group, of_group in measured.items():
        rows = next(iter(of_group.values())).rows
        difference = _show_difference(apart.get(group, {}).get(last))
        agreeing.append(
            [group, f"{rows:,}", *(_show(of_group[name].accuracy, 1) for name in judges), difference]
        )
        ours = of_group[last]
        estimates = (_show(ours.macro_f1, 1), _show(ours.auroc, 3), _show(ours.calibration_error, 3))
        told = (ours.recall, ours.false_errors, ours.found, ours.false_warnings)
        others.append([group, *estimates, *(f"{share:.1f}" for share in told)])
    yield from _markdown(["balanced accuracy", "rows", *judges, "difference to rules"], agreeing)
    yield ""
    figures = ["macro-F1", "AUROC", "calibration error"]
    figures += ["wrong: error", "right: error", "wrong: warned", "right: warned"]
    yield from _markdown([last, *figures], others)
    yield ""
    yield from _markdown(
        ["planted pairs", *judges],
        [[kind, *(f"{of_kind[name]:.0f}" for name in judges)] for kind, of_kind in planted.items()],
    )


def _markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for cells in body:
        yield "| " + " | ".join(cells) + " |"


def _show(estimate: Estimate, places: int) -> str:
    text = f"{estimate.value:.{places}f}"
    if estimate.interval is not None:
        text += f" [{estimate.interval[0]:.{places}f}, {estimate.interval[1]:.{places}f}]"
    return text


def _show_difference(difference: Difference | None) -> str:
    if difference is None:
        return ""
    return f"{difference.value:+.1f} [{difference.low:+.1f}, {difference.high:+.1f}]"
