"""No name, parameter, default or field of the documents goes: `interface.json` lists them all.

What is added is free. `python tests/specification/test_interface.py` writes the list anew; its diff shows
what has changed.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from pincite import compat, datasets

LISTED = Path(__file__).with_name("interface.json")
NOT_GIVEN = "(must be given)"
RECORDS = (
    *("AnnotatedSpan", "AnswerQualityAnnotation", "BenchmarkData", "BenchmarkEntry", "CitationAnnotation"),
    *("CitationSpan", "Configuration", "EvaluationDataset", "EvaluationQuery", "EvaluationResults"),
    *("GroundTruth", "QueryResult", "SourceDocument"),
)


def parameters(function: Any) -> dict[str, str]:
    """Each parameter with its default, in order."""
    return {
        name: NOT_GIVEN if one.default is one.empty else repr(one.default).partition(" at 0x")[0]
        for name, one in inspect.signature(function).parameters.items()
        if name != "self"
    }


def described(held: Any) -> Any:
    """A function by its parameters; a class by its fields, and one of `compat` by its methods too."""
    if not isinstance(held, type):
        return parameters(held) if callable(held) else type(held).__name__
    found: dict[str, Any] = {"(made of)": parameters(held)}
    # Classes that come from other rooms have names of Pincite's own, which no document knows.
    if held.__module__.startswith("pincite.compat"):
        for name in sorted(name for name in dir(held) if not name.startswith("_")):
            member = inspect.getattr_static(held, name)
            if isinstance(member, staticmethod | classmethod):
                member = member.__func__
            found[name] = parameters(member) if inspect.isfunction(member) else "attribute"
    return found


def interface() -> dict[str, Any]:
    """Everything that the documents name."""
    names = {f"pincite.compat.{name}": getattr(compat, name) for name in compat.__all__}
    names |= {f"pincite.datasets.{name}": getattr(datasets, name) for name in RECORDS}
    found = {name: described(held) for name, held in names.items()}
    for name in RECORDS:
        found[f"pincite.datasets.{name}"]["(required)"] = list(getattr(datasets, name).required)
    return found


def lost(listed: Any, found: Any, place: str) -> list[str]:
    """What is listed and not found, or found with another default."""
    if not isinstance(listed, dict) or not isinstance(found, dict):
        return [] if listed == found else [f"{place}: {listed!r} became {found!r}"]
    return [
        said
        for name, held in listed.items()
        for said in (
            lost(held, found[name], f"{place}.{name}") if name in found else [f"{place}.{name} is gone"]
        )
    ]


def test_nothing_of_the_documents_is_lost() -> None:
    listed = json.loads(LISTED.read_text(encoding="utf-8"))
    assert len(listed) > 45
    assert lost(listed, interface(), "the interface") == []


if __name__ == "__main__":
    LISTED.write_text(json.dumps(interface(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
