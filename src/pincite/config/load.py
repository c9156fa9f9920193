"""From a file, the environment and flags to `Settings`, refusing unknown keys by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pincite.base import check_yaml, one_line, read_small_file, read_toml
from pincite.config.places import (
    NAME,
    home_folder,
    is_within,
    project_root,
    real_place,
    upwards,
    user_folder,
)
from pincite.config.settings import ALIASES, ROOTS, SWITCHES, Settings, defaults
from pincite.config.trusted_files import Review, review
from pincite.config.values import Given, build, checked, kind_of, meant, nest, type_of
from pincite.errors import ConfigError

MOST_BYTES = 16 * 1024 * 1024
"""Of a configuration file."""
_TRUST = "PINCITE_TRUST_CONFIG"
_NOT_SETTINGS = ("PINCITE_CONFIG", "PINCITE_DEBUG", "PINCITE_MCP_TOKEN", "PINCITE_WEB_TOKEN", _TRUST)


def load_settings(
    config: Path | str | None = None,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    tell: Callable[[str], None] | None = None,
    trust: bool | None = None,
    **flags: Any,
) -> Settings:
    """The settings of a run: defaults, then files, then `PINCITE_*`, then `flags` that are not None.

    `config`, or the file that `PINCITE_CONFIG` names, is the only file that is read where it is given.
    Otherwise these are the user's own file and one that is looked for in `folder` (the current one) and
    upwards to the root of the project.

    Settings that name addresses, programs or files elsewhere count only if the file is trusted. Those of
    a found file are ignored otherwise; `tell` gets a line about them, and without it the logger `pincite`.
    A named file inside the project is refused. `trust` and `PINCITE_TRUST_CONFIG` say that any file is
    trusted; None trusts a `config` that a program names.

    A flag is named as the setting it sets, a nested one with an underscore: `fail_under=0.9`,
    `limits_answer_bytes=1000`.
    """
    environment = os.environ if environment is None else environment
    if trust is None:
        trust = bool(config)
    trust = trust or _is_trust_given(environment)
    config = config or environment.get("PINCITE_CONFIG") or None
    if config:
        said = _read_named(Path(config), folder, environment, trust)
    else:
        said = _read_usual(folder or Path.cwd(), environment, tell or _log, trust)
    return build([*said, *_read_environment(environment), *_read_flags(flags)])


def find_settings(folder: Path, environment: Mapping[str, str]) -> Review | None:
    """The file that applies in a folder, and what of it needs trust; None where there is none."""
    return _review(folder, environment, _own_names(environment))[0]


def review_settings(path: Path, environment: Mapping[str, str]) -> Review:
    """What of a file needs trust, however it is named."""
    return review(real_place(path), _read_file(path), _own_names(environment), environment)


def settings_from(table: Mapping[str, Any], origin: str = "config") -> Settings:
    """The settings that a mapping holds, with the keys of a file: ours or the specification's."""
    return build([*_flatten(table, origin, Path.cwd())])


def with_overrides(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """The settings with some set anew, each value checked as one from a file is.

    They are named as the flags of `load_settings` are; a section may also be given whole, as its record.
    """
    names = _flag_names()
    for name, value in overrides.items():
        section = getattr(settings, name, None) if name in Settings.__struct_fields__ else None
        if isinstance(section, Struct):
            if type(value) is not type(section):
                wanted = type(section).__name__
                raise ConfigError(f"{name}: expected its record ({wanted}), found {kind_of(value)}")
            settings = msgspec.structs.replace(settings, **{name: value})
        elif name in names:
            item = Given(names[name], value, name)
            settings = nest({item.path: checked(item, type_of(item.path))}, settings)
        else:
            raise ConfigError(f"there is no setting {name!r}{meant(name, names, '_')}")
    return settings


def read_setting(path: str, text: str) -> Any:
    """The value that a text gives the setting of this name; a `ConfigError` says what is expected."""
    return checked(Given(path, text, "", lenient=True), type_of(path))


# --- where values come from ----------------------------------------------------------------------


def _is_trust_given(environment: Mapping[str, str]) -> bool:
    text = environment.get(_TRUST, "")
    return bool(text) and bool(checked(Given("", text, _TRUST, lenient=True), bool))


def _read_named(
    path: Path, folder: Path | None, environment: Mapping[str, str], trust: bool
) -> Iterator[Given]:
    """A file that somebody names. What is inside the project may come with it, and its name by a pattern."""
    given = list(_read_file(path))
    if not trust and _is_of_project(path, folder or Path.cwd(), environment):
        found = review(real_place(path), given, _own_names(environment), environment)
        if not found.counts:
            raise ConfigError(found.refusal(path))
    yield from given


def _is_of_project(path: Path, folder: Path, environment: Mapping[str, str]) -> bool:
    """Whether a file is in the project that the folder is in, or is a link there."""
    own, place, root = user_folder(environment), real_place(path), project_root(folder)
    if own is not None and place.parent == Path(os.path.realpath(own)):
        return False
    return place.is_relative_to(root) or is_within(path, root)


def _read_usual(
    folder: Path, environment: Mapping[str, str], tell: Callable[[str], None], trust: bool
) -> Iterator[Given]:
    """The user's own file, then the one of the project, without what it may not say."""
    own = list(_read_own(environment))
    yield from own
    found, given = _review(folder, environment, {ALIASES.get(item.path, item.path) for item in own})
    if found is not None and not found.counts and not trust:
        tell(found.warning())
        given = [item for item in given if item not in found.sensitive]
    yield from given


def _read_own(environment: Mapping[str, str]) -> Iterator[Given]:
    folder = user_folder(environment)
    # Not the method of Path, which raises for a home folder that this user may not enter.
    if folder is not None and os.path.isfile(folder / NAME):  # noqa: PTH113
        yield from _read_file(folder / NAME)


def _own_names(environment: Mapping[str, str]) -> set[str]:
    return {ALIASES.get(item.path, item.path) for item in _read_own(environment)}


def _review(
    folder: Path, environment: Mapping[str, str], own: Collection[str]
) -> tuple[Review | None, list[Given]]:
    found = _find_file(folder, home_folder(environment))
    if found is None:
        return None, []
    path, table = found
    own_folder = user_folder(environment)
    if own_folder is not None and path.parent == Path(os.path.realpath(own_folder)):
        return None, []  # the user's own file, which was read already
    given = list(_flatten(table, str(path), path.parent))
    return review(path, given, own, environment), given


def _find_file(folder: Path, home: Path | None) -> tuple[Path, Mapping[str, Any]] | None:
    for place in upwards(folder, home):
        if (place / NAME).is_file():
            return place / NAME, _table(place / NAME) or {}
        project = place / "pyproject.toml"
        # Parsing TOML costs more than everything else here, so only a file that names us is parsed.
        if project.is_file() and b"pincite" in _bytes(project):
            table = _table(project)
            if table is not None:
                return project, table
    return None


def _read_file(path: Path) -> Iterator[Given]:
    yield from _flatten(_table(path) or {}, str(path), path.absolute().parent)


def _table(path: Path) -> Mapping[str, Any] | None:
    """The configuration in a file; None for a `pyproject.toml` that has none."""
    raw = _bytes(path)
    try:
        if path.suffix.lower() == ".toml":
            parsed: Any = read_toml(raw)
        else:
            import yaml

            parsed = _load_yaml(raw.decode("utf-8-sig"), yaml)
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply to be a configuration") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: cannot be read: it is not UTF-8 text") from None
    except ValueError as error:
        raise ConfigError(f"{path}: cannot be read: {one_line(error, 300)}") from error
    if path.name == "pyproject.toml":
        tool = parsed.get("tool")
        parsed = tool.get("pincite") if isinstance(tool, dict) else None
        if parsed is None:
            return None
    if parsed is None:
        return {}
    if not isinstance(parsed, dict):
        raise ConfigError(f"{path}: a configuration is a table of keys, not {kind_of(parsed)}")
    return parsed


def _load_yaml(text: str, yaml: Any) -> Any:
    try:
        check_yaml(text)
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        place = f"line {error.problem_mark.line + 1}, column {error.problem_mark.column + 1}: "
        raise ValueError(f"{place}{error.problem}") from error
    except yaml.YAMLError as error:
        raise ValueError(one_line(error, 300)) from error


def _bytes(path: Path) -> bytes:
    try:
        return read_small_file(path, MOST_BYTES)
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the configuration: {error.strerror or error}") from error


def _flatten(table: Mapping[str, Any], origin: str, folder: Path) -> Iterator[Given]:
    """Every known key of a nested table; with or without the two roots of the specification."""
    known = {*defaults(), *ALIASES, *SWITCHES}
    sections = {key.rpartition(".")[0] for key in known if "." in key}
    waiting: list[tuple[str, Mapping[str, Any]]] = [("", table)]
    while waiting:
        prefix, part = waiting.pop()
        for name, value in part.items():
            key = f"{prefix}{name}".replace("-", "_")
            root, _, rest = key.partition(".")
            plain = rest if root in ROOTS else key
            if plain in known:
                yield Given(plain, value, f"{origin}: {key}", folder=folder)
            elif plain in sections or key in ROOTS:
                if value is None:
                    continue
                if isinstance(value, dict):
                    waiting.append((f"{key}.", value))
                else:
                    yield _unknown(f"{origin}: {key} is a table of keys, not {kind_of(value)}")
            else:
                yield _unknown(f"{origin}: there is no setting {key!r}{meant(plain, known)}")


def _read_environment(environment: Mapping[str, str]) -> Iterator[Given]:
    names = {f"PINCITE_{path.replace('.', '_').upper()}": path for path in defaults()}
    names["PINCITE_CACHE_DIR"] = "cache.folder"
    for variable, value in sorted(environment.items()):
        if not variable.startswith("PINCITE_") or variable in _NOT_SETTINGS or value == "":
            continue
        if variable in names:
            yield Given(names[variable], value, variable, lenient=True)
        else:
            yield _unknown(f"there is no setting for the variable {variable}{meant(variable, names, '_')}")


def _read_flags(flags: Mapping[str, Any]) -> Iterator[Given]:
    names = _flag_names()
    for name, value in flags.items():
        if value is None:
            continue
        if name in names:
            yield Given(names[name], value, names[name])
        else:
            yield _unknown(f"there is no setting {name!r}{meant(name, names, '_')}")


def _flag_names() -> dict[str, str]:
    return {path.replace(".", "_"): path for path in defaults()}


def _log(text: str) -> None:
    import logging

    logging.getLogger("pincite").warning(text)


def _unknown(problem: str) -> Given:
    return Given("", None, "", problem=problem)
