"""Where configuration may lie: the folders that are searched, the root of a project, the user's folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = "pincite.toml"
_MARKERS = (".git", ".hg", ".jj")
"""What the root of a repository holds. `.git` is a file in a submodule or a work tree."""


def upwards(folder: Path, home: Path | None) -> Iterator[Path]:
    """The folder and those above it in which a configuration counts, the nearest first.

    The search ends at the root of the repository and at the home folder, both included, and before a folder
    of another owner: what a stranger put into `/tmp` must not configure a project below it.
    """
    here = Path(os.path.realpath(folder))
    owner = _owner(here)
    for place in (here, *here.parents):
        if place != here and _owner(place) != owner:
            return
        yield place
        if is_root(place) or place == home:
            return


def project_root(folder: Path) -> Path:
    """The root of the repository that the folder is in; the folder itself where it is in none."""
    here = Path(os.path.realpath(folder))
    return next((place for place in (here, *here.parents) if is_root(place)), here)


def is_root(place: Path) -> bool:
    return any(os.path.lexists(place / marker) for marker in _MARKERS)


def is_within(path: Path, root: Path) -> bool:
    """Whether the path, with every link in it followed, stays inside the folder."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
    except (OSError, ValueError):  # a NUL in the path, or links that go round
        return False


def real_place(path: Path) -> Path:
    """The path with every link followed but the last: where the file lies, whatever it leads to."""
    return Path(os.path.realpath(path.parent), path.name)


def home_folder(environment: Mapping[str, str]) -> Path | None:
    """The user's home. An environment that a caller made up has only the one it names."""
    home = environment.get("HOME", "")
    if not home and environment is os.environ:
        # The method of Path raises where there is no home; this function gives its argument back.
        home = os.path.expanduser("~")  # noqa: PTH111
    return Path(os.path.realpath(home)) if Path(home).is_absolute() else None


def user_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path | None:
    """The folder for the user's own configuration; None where a user has no home."""
    given = environment.get("XDG_CONFIG_HOME", "")
    if Path(given).is_absolute():
        return Path(given, "pincite")
    if platform == "win32" and environment.get("APPDATA"):
        return Path(environment["APPDATA"], "pincite")
    home = home_folder(environment)
    if home is None:
        return None
    if platform == "darwin":
        return home / "Library" / "Application Support" / "pincite"
    return home / ".config" / "pincite"


def owner_name(path: Path) -> str | None:
    """Who owns a file, where that is neither this user nor the administrator."""
    owner = _owner(path)
    if owner is None or not hasattr(os, "getuid") or owner in (0, os.getuid()):
        return None
    try:
        import pwd

        return pwd.getpwuid(owner).pw_name
    except (ImportError, KeyError):
        return f"user {owner}"


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None
