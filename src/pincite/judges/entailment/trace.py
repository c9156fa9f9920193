"""How the built-in judge came to a verdict, from what it knows when it decides."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pincite.judges.entailment.join import Join
from pincite.judges.rules.judge import ERROR, WARN, named_alarm, rule_score
from pincite.judges.rules.reasons import list_observations, rule_stages
from pincite.records import Stage, Trace

if TYPE_CHECKING:
    from pincite.judges.entailment.judge import Seen


def trace_entailment(seen: Seen, join: Join) -> Trace:
    """The rules' numbers, the model's for all sentences and each alone, and what the join makes of both."""
    observed = seen.read.observed
    stages = rule_stages(observed, rule_score(observed), named_alarm(observed), (WARN, ERROR))
    values = seen.values
    stages.append(
        Stage("model, supported", _share(3 * values["model: support together"]), "all sentences together")
    )
    for part, said in seen.alone:
        place = f"passage {part.passage + 1}"
        if part.span is not None:
            place += f", characters {part.span.start}-{part.span.end}"
        stages.append(Stage("model, supported", _share(said.support), f"the sentence at {place} alone"))
    against = "if not supported: contradicted"
    stages.append(Stage("model, contradicted", _share(3 * values["model: denial together"]), against))
    points = f"supported from 0.5; a warning up to {join.warn:g}, an error up to {join.sure:g}"
    stages.append(Stage("join, supported", round(join.support_of(seen.values), 4), points))
    stages.append(Stage("join, contradicted", round(join.denial_of(seen.values), 4), against))
    return Trace(tuple(stages), list_observations(observed))


def _share(log_odds: float) -> float:
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds)))), 4)
