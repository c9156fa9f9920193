"""What is wrong with a setting, in words: what was expected, what was found, which name was meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_LONGEST = 60
_KINDS = {bool: "true or false", str: "a text", dict: "a table", list: "a list", tuple: "a list"}


def wanted(kind: Any) -> str:
    """What a setting of this type takes, as `a whole number, 1 or more`."""
    from msgspec import inspect

    return _wanted(inspect.type_info(kind))


def found(value: Any, kind: Any, as_text: bool = False) -> str:
    """A value for a person. `as_text` says that it was one to begin with, as a variable or a flag is."""
    if value is None:
        return "nothing"
    if isinstance(value, list | tuple):
        odd = next((one for one in value if not isinstance(one, str)), None)
        return f"a list that holds {found(odd, Any)}" if odd is not None else "a list"
    if _is_list(kind):
        return kind_of(value)  # not the value: a command may hold a key
    if as_text:
        return str(value)[:_LONGEST]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:.20g}" if isinstance(value, float) or abs(value) < 10**20 else "a very large number"
    return f"the text {value[:_LONGEST]!r}" if isinstance(value, str) else kind_of(value)


def kind_of(value: Any) -> str:
    """`a table`, `a date`."""
    if value is None:
        return "nothing"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a number"
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def meant(name: str, known: Iterable[str], separator: str = ".") -> str:
    """The rest of a sentence about an unknown name: the known one that is most like it, or what there is."""
    from difflib import get_close_matches

    names = sorted(known)
    section, _, last = name.rpartition(separator)
    beside = {key.rpartition(separator)[2]: key for key in names if key.rpartition(separator)[0] == section}
    elsewhere = {key.rpartition(separator)[2]: key for key in names}
    near = (
        [beside[one] for one in get_close_matches(last, beside, n=1, cutoff=0.65)]
        or get_close_matches(name, names, n=1, cutoff=0.8)
        or [elsewhere[one] for one in get_close_matches(last, elsewhere, n=1, cutoff=0.7)]
    )
    if near:
        return f"; did you mean {near[0]!r}?"
    if section and beside:
        return f"; {section} has {', '.join(beside)}"
    return "; docs/configuration.md lists them all"


def _wanted(kind: Any) -> str:
    from msgspec import inspect

    if isinstance(kind, inspect.UnionType):  # of something and nothing
        return _wanted(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(repr(value) for value in kind.values)
    if isinstance(kind, inspect.EnumType):
        return " or ".join(repr(one.value) for one in kind.cls)
    if isinstance(kind, inspect.VarTupleType):
        return "a list of texts"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        name = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
        return name + _range(kind)
    return "true or false" if isinstance(kind, inspect.BoolType) else "a text"


def _range(kind: Any) -> str:
    if kind.ge is not None:
        most = f" to {kind.le:,.15g}" if kind.le is not None else None
        return f" from {kind.ge:g}{most}" if most else f", {kind.ge:g} or more"
    if kind.gt is not None:
        return f" above {kind.gt:g}" + (f" and below {kind.lt:g}" if kind.lt is not None else "")
    return ""


def _is_list(kind: Any) -> bool:
    from msgspec import inspect

    return kind is not Any and isinstance(inspect.type_info(kind), inspect.VarTupleType)
