"""From a file, the environment and flags to `Settings`, refusing by name what nobody knows."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pincite.config.keys import ALIASES, ROOTS, SWITCHES
from pincite.config.settings import Settings, defaults
from pincite.errors import ConfigError

_CODE = re.compile(r"PIN[0-9]{0,3}")
_NOT_SETTINGS = ("PINCITE_CONFIG", "PINCITE_DEBUG")
_WORDS = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


class _Given(Struct, frozen=True):
    """One value and where it was said, before it is known to be right."""

    path: str
    value: Any
    origin: str
    lenient: bool = False
    folder: Path | None = None


def load_settings(
    config: Path | str | None = None,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    **flags: Any,
) -> Settings:
    """The settings of a run: defaults, then the file, then `PINCITE_*`, then `flags` that are not None.

    Without `config` the file is looked for in `folder` (the current one) and upwards. A flag is named as the
    setting it sets, a nested one with an underscore: `fail_under=0.9`, `limits_answer_bytes=1000`.
    """
    environment = os.environ if environment is None else environment
    config = config or environment.get("PINCITE_CONFIG") or None
    given = [
        *(_read_file(Path(config)) if config else _find_file(folder or Path.cwd())),
        *_read_environment(environment),
        *_read_flags(flags),
    ]
    return _build(given)


def settings_from(table: Mapping[str, Any], origin: str = "config") -> Settings:
    """The settings that a mapping holds, with the keys of a file: ours or the specification's."""
    return _build([*_flatten(table, origin, Path.cwd())])


def with_overrides(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """The settings with some set anew, each value checked as one from a file is.

    They are named as the flags of `load_settings` are; a section may also be given whole, as its record.
    """
    names = _flag_names()
    for name, value in overrides.items():
        if isinstance(value, Struct) and name in Settings.__struct_fields__:
            settings = msgspec.structs.replace(settings, **{name: value})
        elif name in names:
            item = _Given(names[name], value, name)
            checked = _convert(_prepared(item.path, item), _type_of(item.path), item)
            settings = _nest({item.path: checked}, settings)
        else:
            raise ConfigError(f"there is no setting {name!r}{_nearest(name, names)}")
    return settings


# --- where values come from ----------------------------------------------------------------------


def _find_file(folder: Path) -> Iterator[_Given]:
    for place in (folder.absolute(), *folder.absolute().parents):
        if (place / "pincite.toml").is_file():
            yield from _read_file(place / "pincite.toml")
            return
        project = place / "pyproject.toml"
        # Parsing TOML costs more than everything else here, so only a file that names us is parsed.
        if project.is_file() and b"pincite" in _bytes(project):
            table = _table(project)
            if table is not None:
                yield from _flatten(table, str(project), place)
                return


def _read_file(path: Path) -> Iterator[_Given]:
    yield from _flatten(_table(path) or {}, str(path), path.absolute().parent)


def _table(path: Path) -> Mapping[str, Any] | None:
    """The configuration in a file; None for a `pyproject.toml` that has none."""
    raw = _bytes(path)
    try:
        if path.suffix.lower() == ".toml":
            import tomllib

            parsed: Any = tomllib.loads(raw.decode("utf-8-sig"))
        else:
            import yaml

            parsed = _load_yaml(raw.decode("utf-8-sig"), yaml)
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply to be a configuration") from None
    except ValueError as error:
        raise ConfigError(f"{path}: cannot be read: {_one_line(error)}") from error
    if path.name == "pyproject.toml":
        tool = parsed.get("tool")
        parsed = tool.get("pincite") if isinstance(tool, dict) else None
        if parsed is None:
            return None
    if parsed is None:
        return {}
    if not isinstance(parsed, dict):
        raise ConfigError(f"{path}: a configuration is a table of keys, not {_kind(parsed)}")
    return parsed


def _load_yaml(text: str, yaml: Any) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(_one_line(error)) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the configuration: {error.strerror or error}") from error


def _flatten(table: Mapping[str, Any], origin: str, folder: Path) -> Iterator[_Given]:
    """Every known key of a nested table; the two roots of the specification may stand round it or not."""
    known = _known_keys()
    sections = {key.rpartition(".")[0] for key in known if "." in key}
    waiting: list[tuple[str, Mapping[str, Any]]] = [("", table)]
    while waiting:
        prefix, part = waiting.pop()
        for name, value in part.items():
            key = f"{prefix}{name}".replace("-", "_")
            plain = _without_root(key)
            if plain in known:
                yield _Given(plain, value, f"{origin}: {key}", folder=folder)
            elif plain in sections or key in ROOTS:
                if value is None:
                    continue
                if not isinstance(value, dict):
                    raise ConfigError(f"{origin}: {key} is a table of keys, not {_kind(value)}")
                waiting.append((f"{key}.", value))
            else:
                raise ConfigError(f"{origin}: there is no setting {key!r}{_nearest(plain, known)}")


def _read_environment(environment: Mapping[str, str]) -> Iterator[_Given]:
    names = {f"PINCITE_{path.replace('.', '_').upper()}": path for path in defaults()}
    names["PINCITE_CACHE_DIR"] = "cache.folder"
    for variable, value in sorted(environment.items()):
        if not variable.startswith("PINCITE_") or variable in _NOT_SETTINGS or value == "":
            continue
        if variable not in names:
            raise ConfigError(f"there is no setting for the variable {variable}{_nearest(variable, names)}")
        yield _Given(names[variable], value, variable, lenient=True)


def _read_flags(flags: Mapping[str, Any]) -> Iterator[_Given]:
    names = _flag_names()
    for name, value in flags.items():
        if value is None:
            continue
        if name not in names:
            raise ConfigError(f"there is no setting {name!r}{_nearest(name, names)}")
        yield _Given(names[name], value, name.replace("_", "-"))


def _flag_names() -> dict[str, str]:
    return {path.replace(".", "_"): path for path in defaults()}


# --- from values to settings ---------------------------------------------------------------------


def _build(given: list[_Given]) -> Settings:
    values: dict[str, Any] = {}
    said: dict[str, _Given] = {}
    switched_off: list[str] = []
    for item in given:
        if item.path in SWITCHES:
            if not _convert(item.value, bool, item):
                switched_off += SWITCHES[item.path]
            continue
        path = ALIASES.get(item.path, item.path)
        value = _convert(_prepared(path, item), _type_of(path), item)
        before = said.get(path)
        if before is not None and before.folder and before.folder == item.folder and values[path] != value:
            raise ConfigError(f"{item.origin} and {before.origin} set the same thing to different values")
        values[path], said[path] = value, item
    if switched_off:
        values["ignore"] = (*values.get("ignore", ()), *switched_off)
    return _nest(values)


def _nest(values: Mapping[str, Any], settings: Settings | None = None) -> Settings:
    settings = settings or Settings()
    for path, value in values.items():
        section, _, name = path.rpartition(".")
        change = {name: value}
        if section:
            change = {section: msgspec.structs.replace(getattr(settings, section), **change)}
        settings = msgspec.structs.replace(settings, **change)
    return settings


def _prepared(path: str, item: _Given) -> Any:
    """The value as its type wants it: lists from commas, paths from the folder they were said in."""
    value = item.value
    if path in ("select", "ignore", "sources"):
        parts = [value] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            raise ConfigError(f"{item.origin}: expected a list of texts, got {_kind(value)}")
        if path == "sources":
            return tuple(_beside(part, item.folder) for part in parts)
        codes = tuple(code.strip().upper() for part in parts for code in part.split(",") if code.strip())
        for code in codes:
            if not _CODE.fullmatch(code):
                raise ConfigError(f"{item.origin}: {code!r} is no code: write PIN203, or PIN2 for a group")
        return codes
    if path in ("baseline", "calibration", "llm.prices", "cache.folder") and isinstance(value, str):
        return _beside(value, item.folder)
    if path == "errors.fallback_scoring" and value is False:
        return None
    if item.lenient and isinstance(value, str) and value.strip().lower() in _WORDS and _type_of(path) is bool:
        return _WORDS[value.strip().lower()]
    return value


def _beside(path: str, folder: Path | None) -> str:
    return str(folder / path) if folder is not None else path


def _convert(value: Any, kind: Any, item: _Given) -> Any:
    try:
        return msgspec.convert(value, kind, strict=not item.lenient)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{item.origin}: {str(error).replace('`', '')}, got {value!r:.60}") from error


def _type_of(path: str) -> Any:
    kind: Any = Settings
    for name in path.split("."):
        kind = next(field.type for field in msgspec.structs.fields(kind) if field.name == name)
    return kind


def _known_keys() -> set[str]:
    return set(defaults()) | set(ALIASES) | set(SWITCHES)


def _without_root(key: str) -> str:
    root, _, rest = key.partition(".")
    return rest if root in ROOTS else key


def _nearest(name: str, known: Mapping[str, Any] | set[str]) -> str:
    from difflib import get_close_matches

    by_last = {key.rpartition(".")[2]: key for key in sorted(known)}
    near = get_close_matches(name, sorted(known), n=1, cutoff=0.6) or [
        by_last[last] for last in get_close_matches(name.rpartition(".")[2], sorted(by_last), n=1, cutoff=0.6)
    ]
    return f"; did you mean {near[0]!r}?" if near else "; docs/configuration.md lists them all"


def _kind(value: Any) -> str:
    names = {
        dict: "a table",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "nothing" if value is None else type(value).__name__)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
