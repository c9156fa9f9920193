"""From values, each with the place it came from, to `Settings`; all errors are reported at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, inspect

from pincite.config.settings import ALIASES, SWITCHES, Settings
from pincite.errors import ConfigError

MOST_TOLD = 20
"""Errors that are reported: a file of another kind may have thousands."""

_CODE = re.compile(r"PIN[0-9]{0,3}")
_COMMA_OR_BRACKET = re.compile(r"[,()]")
_PATHS = ("baseline", "calibration", "llm.prices", "cache.folder")
_WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
_LONGEST = 60
_KINDS = {bool: "true or false", str: "a text", dict: "a table", list: "a list", tuple: "a list"}


class Given(Struct, frozen=True):
    """One value and where it came from, before it is validated; or why there can be none."""

    path: str
    value: Any
    origin: str
    lenient: bool = False
    """Whether it is a text to be converted, as in the environment."""
    folder: Path | None = None
    problem: str = ""


def build(given: Iterable[Given]) -> Settings:
    """The settings; a `ConfigError` with a line for each thing that is wrong."""
    values: dict[str, Any] = {}
    said: dict[str, Given] = {}
    switched_off: list[str] = []
    problems: list[str] = []
    for item in given:
        if len(problems) == MOST_TOLD:
            problems.append("and more")
            break
        try:
            if item.problem:
                raise ConfigError(item.problem)
            if item.path in SWITCHES:
                if not checked(item, bool):
                    switched_off += SWITCHES[item.path]
                continue
            path = ALIASES.get(item.path, item.path)
            value = checked(item, type_of(path))
            before = said.get(path)
            if (
                before is not None
                and before.folder
                and before.folder == item.folder
                and values[path] != value
            ):
                raise ConfigError(f"{item.origin} and {before.origin} set the same thing to different values")
            values[path], said[path] = value, item
        except ConfigError as error:
            problems.append(str(error))
    if problems:
        raise ConfigError("\n".join(problems))
    if switched_off:
        values["ignore"] = (*values.get("ignore", ()), *switched_off)
    return nest(values)


def checked(item: Given, kind: Any) -> Any:
    """The value as its setting wants it."""
    value = _prepared(ALIASES.get(item.path, item.path), item, kind)
    try:
        return msgspec.convert(value, kind, strict=not item.lenient)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the latter: half a character
        raise _misfit(item, kind) from error


def nest(values: Mapping[str, Any], settings: Settings | None = None) -> Settings:
    """The settings with these set, by their dotted names."""
    settings = settings or Settings()
    for path, value in values.items():
        section, _, name = path.rpartition(".")
        change = {name: value}
        if section:
            change = {section: msgspec.structs.replace(getattr(settings, section), **change)}
        settings = msgspec.structs.replace(settings, **change)
    return settings


@cache
def type_of(path: str) -> Any:
    """The type of the setting of that dotted name."""
    kind: Any = Settings
    for name in path.split("."):
        kind = next(field.type for field in msgspec.structs.fields(kind) if field.name == name)
    return kind


def _misfit(item: Given, kind: Any) -> ConfigError:
    expected = describe_type(inspect.type_info(kind))
    what = f"expected {expected}, found {_found(item.value, kind, item.lenient)}"
    return ConfigError(f"{item.origin}: {what}" if item.origin else what)


def _split_names(value: str) -> Iterator[str]:
    """What commas separate, but not those within `span_f1(average=micro, tolerance=10)`."""
    start, commas = 0, list[int]()
    for mark in (*_COMMA_OR_BRACKET.finditer(value), None):
        if mark is not None and mark[0] == ",":
            commas.append(mark.start())
            continue
        # A comma is within brackets where the next of them closes.
        for comma in commas if mark is None or mark[0] == "(" else ():
            yield value[start:comma]
            start = comma + 1
        commas.clear()
    yield value[start:]


def _prepared(path: str, item: Given, kind: Any) -> Any:
    """Lists from commas, paths from the folder they were said in, words for yes and no."""
    value = item.value
    if path in ("select", "ignore", "sources"):
        parts = [value] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            raise _misfit(item, kind)
        if path == "sources":
            return tuple(_beside(part, item.folder) for part in parts)
        codes = tuple(code.strip().upper() for part in parts for code in part.split(",") if code.strip())
        for code in codes:
            if not _CODE.fullmatch(code):
                raise ConfigError(f"{item.origin}: {code!r} is not a code: write PIN203, or PIN2 for a group")
        return codes
    if path == "evaluation.metrics" and isinstance(value, str):
        return tuple(name.strip() for name in _split_names(value) if name.strip())
    if path in _PATHS and isinstance(value, str):
        return _beside(value, item.folder)
    word = _WORDS.get(value.strip().lower()) if item.lenient and isinstance(value, str) else None
    if path == "errors.fallback_scoring" and (value is False or (word is False and value.strip() != "0")):
        return None
    if path == "alerts.command" and item.lenient and isinstance(value, str):
        return _arguments(value, item, kind)
    is_bool = kind is bool or getattr(kind, "__origin__", None) is bool
    return word if word is not None and is_bool else value


def _arguments(text: str, item: Given, kind: Any) -> tuple[str, ...]:
    """A program and its arguments from a variable, with quotes as a shell has them."""
    import shlex

    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise _misfit(item, kind) from None


def _beside(path: str, folder: Path | None) -> str:
    return str(folder / path) if folder is not None else path


# --- what is wrong, in words ---------------------------------------------------------------------


def _found(value: Any, kind: Any, as_text: bool = False) -> str:
    """A value for a person. `as_text` says that it was one to begin with, as a variable or a flag is."""
    if value is None:
        return "nothing"
    if isinstance(value, list | tuple):
        odd = next((one for one in value if not isinstance(one, str)), None)
        return f"a list that holds {_found(odd, str)}" if odd is not None else "a list"
    if isinstance(inspect.type_info(kind), inspect.VarTupleType):
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
    """The rest of a sentence about an unknown name: the known one most like it, or those of its section."""
    from difflib import get_close_matches

    section, _, own = name.rpartition(separator)
    last = {key.rpartition(separator)[2]: key for key in sorted(known)}
    beside = [word for word, key in last.items() if key.rpartition(separator)[0] == section != ""]
    near = get_close_matches(own, beside, n=1, cutoff=0.65) or get_close_matches(own, last, n=1, cutoff=0.65)
    if near:
        return f"; did you mean {last[near[0]]!r}?"
    return f"; {section} has {', '.join(beside)}" if beside else "; docs/configuration.md lists them all"


def describe_type(kind: Any) -> str:
    """What a setting of this type takes, as `a whole number, 1 or more`."""
    if isinstance(kind, inspect.UnionType):  # of something and nothing
        return describe_type(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(repr(value) for value in kind.values)
    if isinstance(kind, inspect.EnumType):
        return " or ".join(repr(one.value) for one in kind.cls)
    if isinstance(kind, inspect.VarTupleType):
        return "a list of texts"
    if not isinstance(kind, inspect.IntType | inspect.FloatType):
        return "true or false" if isinstance(kind, inspect.BoolType) else "a text"
    name = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
    if kind.ge is not None:
        return (
            f"{name} from {kind.ge:g} to {kind.le:,.15g}"
            if kind.le is not None
            else f"{name}, {kind.ge:g} or more"
        )
    below = f" and below {kind.lt:g}" if kind.lt is not None else ""
    return name if kind.gt is None else f"{name} above {kind.gt:g}{below}"
