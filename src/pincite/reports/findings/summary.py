"""The end of a report for people: how many, of what, and what can be done about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from pincite.config import Settings
from pincite.findings import RULES, combine
from pincite.records import Report, Summary, UnreadSource, Usage, Verdict
from pincite.reports.display import listed, plural, safe
from pincite.sources import Library
from pincite.stats import wilson


class Presentation(Struct, frozen=True):
    """How reports are to be shown. Formats for machines look only at the settings and the usage."""

    settings: Settings
    color: bool = False
    width: int | None = None
    """Of the terminal; None where the lines may be as long as they are."""
    quiet: bool = False
    """Whether to leave the summary out."""
    usage: Usage | None = None
    """What judging took."""
    library: Library | None = None
    """The sources, for a page that shows them."""


def verdict_line(reports: Sequence[Report]) -> str:
    """`3 errors and 1 warning in 2 answers`, or that there is nothing."""
    counts = Counter(finding.severity for report in reports for finding in report.findings)
    answers = plural(len(reports), "answer")
    parts = [
        plural(counts[severity], severity) for severity in ("error", "warning", "note") if counts[severity]
    ]
    return f"{listed(parts)} in {answers}" if parts else f"nothing wrong in {answers}"


def verdict_level(verdict: Verdict) -> str:
    if verdict.outcome in ("supported", "unjudged"):
        return "nothing to report"
    return "doubtful" if verdict.doubtful else "error" if verdict.sure else "warning"


def count_lines(reports: Sequence[Report], settings: Settings) -> list[str]:
    """What was checked, the score, what could not be judged or read, and what can be fixed."""
    total = combine(report.summary for report in reports)
    looked = [plural(getattr(total, f"{kind}s"), kind) for kind in ("citation", "target", "claim")]
    lines = [f"checked {listed(looked)}{_score(total, settings)}"]
    lines += [*unjudged_lines(reports), *skipped_lines(reports)]
    if total.silenced:
        lines.append(f"{plural(total.silenced, 'known finding')} silenced")
    lines += unread_lines(reports, settings)
    fixes = [finding.fix for report in reports for finding in report.findings if finding.fix]
    if ready := sum(fix.safe for fix in fixes):
        lines.append(f"{plural(ready, 'fix', 'fixes')} can be applied with --fix")
    return lines


def unjudged_lines(reports: Sequence[Report]) -> list[str]:
    """How many targets the score leaves out because nobody could judge them."""
    unjudged = combine(report.summary for report in reports).unjudged
    return [f"{plural(unjudged, 'target')} could not be judged: neither right nor wrong"] if unjudged else []


_SKIPPED = {
    "courtesy": ("courtesy", "courtesy"),
    "lead_in": ("lead-in", "lead-ins"),
    "empty": ("bare marker", "bare markers"),
}


def skipped_lines(reports: Sequence[Report]) -> list[str]:
    """`skipped 3 sentences: 2 courtesy, 1 question`, none of which claims anything."""
    skipped = combine(report.summary for report in reports).skipped
    if not skipped:
        return []
    kinds = sorted(skipped.items(), key=lambda item: (-item[1], item[0]))
    told = ", ".join(plural(count, *_SKIPPED.get(kind, (kind,))) for kind, count in kinds)
    return [f"skipped {plural(sum(skipped.values()), 'sentence')}: {told}"]


def usage_lines(reports: Sequence[Report], usage: Usage | None) -> list[str]:
    """What judging took, where it took anything: `judged by llm:…: 12 requests, 3,400 tokens, $0.0021`."""
    if usage is None or not (usage.requests or usage.cache_hits or usage.asked):
        return []
    judge = combine(report.summary for report in reports).judge or "the judge"
    return [f"judged by {safe(judge)}: {', '.join(usage_figures(usage))}"]


def usage_figures(usage: Usage) -> list[str]:
    """Requests, tokens, cost, replies from the cache, and how much of it a dearer judge was asked about."""
    figures = [plural(usage.requests, "request")]
    if usage.requests:
        figures.append(plural(usage.input_tokens + usage.output_tokens, "token"))
        figures.append("cost not known" if usage.cost is None else f"${usage.cost:.4f}")
    if usage.cache_hits:
        figures.append(f"{usage.cache_hits:,} from the cache")
    if usage.asked:
        share = 100 * usage.asked_further / usage.asked
        figures.append(f"{usage.asked_further:,} of {plural(usage.asked, 'pair')} escalated ({share:.0f}%)")
    return figures


def unread_lines(reports: Sequence[Report], settings: Settings) -> list[str]:
    """A line for each source that could not be read, or one that counts them."""
    unread = unread_sources(reports)
    if unread and not settings.errors.error_logging:
        return [f"{plural(len(unread), 'source')} could not be read"]
    return [f"could not read {safe(source.name)}: {safe(source.reason)}" for source in unread]


def unread_sources(reports: Sequence[Report]) -> list[UnreadSource]:
    """Every source that could not be read, once each: the answers of a run share their sources."""
    seen: dict[tuple[str, str], UnreadSource] = {}
    for report in reports:
        for source in report.unread:
            seen.setdefault((source.name, source.reason), source)
    return list(seen.values())


def statistics_lines(reports: Sequence[Report]) -> list[str]:
    """How often each code was found, the most frequent first."""
    counts = Counter(finding.code for report in reports for finding in report.findings)
    digits = len(str(max(counts.values(), default=0)))
    return [
        f"{count:>{digits}}  {code}  {RULES[code].name if code in RULES else ''}".rstrip()
        for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _score(total: Summary, settings: Settings) -> str:
    if total.score is None:
        reason = "no target could be judged" if total.targets else "there is nothing to score"
        return f"; no score, as {reason}"
    judged = total.targets - total.targets_left_out
    right = judged - total.targets_with_error
    parts = [f"{right:,} of {judged:,} targets without an error"]
    if doubtful := min(total.doubtful, right):
        parts.append(f"{doubtful:,} of them doubtful")
    if total.targets_left_out:
        parts.append(f"{total.targets_left_out:,} left out")
    interval = wilson(right, judged) if settings.reporting.confidence_intervals else None
    if interval:
        parts.append(f"95% interval {interval[0]:.2f}–{interval[1]:.2f}")
    return f"; score {total.score:.2f} ({', '.join(parts)})"
