"""Every target, by name."""

from __future__ import annotations

import math

from bench.fuzzing import answer_targets, data_targets, reply_targets, text_targets, whole_targets
from bench.fuzzing.target import Target

TARGETS: dict[str, Target] = {
    target.name: target
    for module in (text_targets, data_targets, reply_targets, answer_targets, whole_targets)
    for target in module.TARGETS
}


def shares(inputs: int, names: list[str]) -> dict[str, int]:
    """How many of all inputs each target gets, by weight; rounded up, so that the sum is not below."""
    total = sum(TARGETS[name].weight for name in names)
    return {name: math.ceil(inputs * TARGETS[name].weight / total) for name in names}
