"""What the outputs of an entailment model mean: read from its own labels, never guessed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from pincite.errors import JudgeError
from pincite.stats import sigmoid

Role = Literal["supported", "neutral", "contradicted", "unsupported"]
"""`unsupported` is what a head with two outputs says of everything that is not supported."""

_NAMES: dict[Role, str] = {
    "supported": "entailment, entailed, entails, entail, supported, supports, support, attributable, "
    "consistent, faithful, grounded",
    "neutral": "neutral, unknown, undetermined, nei, not_enough, not_enough_info, not_enough_information, "
    "insufficient",
    "contradicted": "contradiction, contradicted, contradicts, contradict, contradictory, refutation, "
    "refuted, refutes, refute",
    "unsupported": "not_entailment, not_entailed, no_entailment, non_entailment, unsupported, not_supported, "
    "not_attributable, unattributable, inconsistent, hallucination, hallucinated, unfaithful, ungrounded",
}
_ROLES: dict[str, Role] = {name: role for role, names in _NAMES.items() for name in names.split(", ")}
MOST_LABELS = 100
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


class Odds(Struct, frozen=True, gc=False):
    """How likely each outcome is, for one claim and one stretch of evidence."""

    supported: float
    contradicted: float
    """0 where the model cannot tell a contradiction from silence."""

    @property
    def neutral(self) -> float:
        return max(0.0, 1.0 - self.supported - self.contradicted)


class Head(Struct, frozen=True):
    """The meaning of each output, in order."""

    roles: tuple[Role, ...]

    @property
    def sees_contradiction(self) -> bool:
        """A head of two outputs, or one, only separates supported from not."""
        return len(self.roles) > 2 and "contradicted" in self.roles

    def odds(self, logits: Sequence[float]) -> Odds | None:
        """Probabilities from raw outputs; None when they are no numbers to go by."""
        if len(logits) != len(self.roles) or not all(map(math.isfinite, logits)):
            return None
        if len(logits) == 1:
            return Odds(sigmoid(logits[0]), 0.0)
        highest = max(logits)
        weights = [math.exp(value - highest) for value in logits]
        total = sum(weights)
        shares = dict.fromkeys(_NAMES, 0.0)
        for role, weight in zip(self.roles, weights, strict=True):
            shares[role] += weight / total
        return Odds(shares["supported"], shares["contradicted"] if self.sees_contradiction else 0.0)


def head_from_labels(labels: Sequence[str], origin: str) -> Head:
    """The head with these labels, in the order of the model's outputs."""
    roles = []
    for label in labels:
        role = _ROLES.get(_NOT_A_WORD.sub("_", label.casefold()).strip("_"))
        if role is None:
            raise JudgeError(
                f"{origin}: the label {label!r:.60} is not understood. {_how_to_state(len(labels))}"
            )
        roles.append(role)
    if roles.count("supported") != 1:
        raise JudgeError(
            f"{origin}: exactly one output has to mean that the claim is supported; "
            f"the labels are {', '.join(labels)[:200] or 'none'}. {_how_to_state(len(labels))}"
        )
    return Head(tuple(roles))


def labels_from_config(config: Mapping[str, Any], origin: str) -> tuple[str, ...]:
    """The labels that a model's `config.json` gives its outputs, in their order."""
    for name in ("id2label", "label2id"):
        table = config.get(name)
        if isinstance(table, Mapping) and len(table) > MOST_LABELS:
            raise JudgeError(
                f"{origin}: {name} has {len(table):,} labels; a classifier of two texts has up to three. "
                f"{_how_to_state(3)}"
            )
    by_id = _by_id(config.get("id2label"), origin)
    by_label = config.get("label2id")
    if isinstance(by_label, Mapping) and by_label:
        turned = _by_id(by_label, origin, turned=True)
        if by_id and turned and turned != by_id:
            raise JudgeError(f"{origin}: id2label and label2id disagree. {_how_to_state(len(by_id))}")
        by_id = by_id or turned
    if not by_id:
        raise JudgeError(f"{origin}: does not say what the outputs mean (id2label). {_how_to_state(3)}")
    if sorted(by_id) != list(range(len(by_id))):
        raise JudgeError(
            f"{origin}: id2label does not count from 0 without gaps. {_how_to_state(len(by_id))}"
        )
    return tuple(by_id[index] for index in range(len(by_id)))


def _by_id(table: Any, origin: str, turned: bool = False) -> dict[int, str]:
    if not isinstance(table, Mapping):
        return {}
    try:
        pairs = ((index, label) for label, index in table.items()) if turned else table.items()
        return {int(index): str(label) for index, label in pairs}
    except (TypeError, ValueError, OverflowError):
        raise JudgeError(f"{origin}: the labels have no whole numbers. {_how_to_state(3)}") from None


def _how_to_state(outputs: int) -> str:
    example = {1: "supported", 2: "unsupported/supported"}.get(outputs, "entailment/neutral/contradiction")
    listed = ", ".join(f'"{label}"' for label in example.split("/"))
    return (
        "Look up in the model's description what its outputs mean and say it in their order: "
        f"nli:MODEL?labels={example}, or a file pincite.json beside the model with "
        f'{{"labels": [{listed}]}}'
    )
