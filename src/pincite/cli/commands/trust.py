"""`pincite trust`: let a project's configuration name addresses, run programs and use files elsewhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pincite.cli.options import Options, arg, command, flag
from pincite.cli.output import agreed, emit, emit_lines, is_terminal
from pincite.config import (
    Review,
    distrust_file,
    find_settings,
    owner_name,
    real_place,
    review_settings,
    setting_names,
    shown_value,
    trust_records,
    trust_settings,
)
from pincite.errors import InputError
from pincite.reports import safe

_FILES = ("pincite.toml", "pyproject.toml")


class TrustOptions(Options):
    place: str = arg("PLACE", "a folder or a file (default: .)", nargs="?", default=".")
    list: bool = flag("--list", "list the files that are trusted")
    remove: bool = flag("--remove", "stop trusting the file")
    yes: bool = flag("-y, --yes", "trust without asking, as in a script")


@command(
    TrustOptions,
    epilog="""\
Of a folder, the file is the one that a command run there would find. Trust covers this file and
these settings as they are now: when one of them changes, trust must be given again. Other settings
may change freely.

exit codes: 0 trusted, removed or nothing to do, 1 not agreed to, 2 could not run
""",
)
def run(options: TrustOptions) -> int:
    if options.list and options.remove:
        raise InputError("give one of --list and --remove")
    if options.list:
        return _list()
    if options.remove:
        return _remove(Path(options.place))
    found = _find(Path(options.place))
    if found.state == "harmless":
        emit(f"{_safe(found.path)} has no settings that need trust\n")
        return 0
    if found.state == "link":
        raise InputError(
            f"{found.path} is a link to a file outside the project; name that file itself with --config"
        )
    emit_lines(_lines(found))
    if found.state == "trusted":
        emit("it is already trusted\n")
        return 0
    # In a script the command itself is the answer.
    if not options.yes and is_terminal(sys.stdin) and not agreed("trust these settings?"):
        emit("nothing was trusted\n")
        return 1
    trust_settings(found, os.environ)
    emit(f"trusted {_safe(found.path)}\n")
    return 0


def _find(place: Path) -> Review:
    """The file itself, as `--config` would name it; in a folder, the one that applies there."""
    if not place.exists():
        raise InputError(f"{place}: there is no such file or folder")
    found = find_settings(place, os.environ) if place.is_dir() else review_settings(place, os.environ)
    if found is None:
        raise InputError(f"no configuration applies in {place}: there is no {' or '.join(_FILES)}")
    return found


def _lines(found: Review) -> list[str]:
    again = ", which has changed since it was trusted" if found.state == "changed" else ""
    lines = [f"{_safe(found.path)}{again}:"]
    lines += sorted(
        f"  {setting_names([item])[0]} = {_safe(shown_value(item.value))}" for item in found.sensitive
    )
    owner = owner_name(found.path)
    if owner is not None:
        lines.append(f"  note: the file belongs to {_safe(owner)}, not to you")
    return lines


def _list() -> int:
    lines = [
        f"{_safe(record.path)}: {_safe(', '.join(record.settings))} (since {_safe(record.trusted_at)})"
        for record in trust_records(os.environ)
    ]
    emit_lines(lines or ["no file is trusted"])
    return 0


def _remove(place: Path) -> int:
    """Also of a file that is gone."""
    file = _find(place).path if place.is_dir() else real_place(place)
    was_trusted = distrust_file(file, os.environ)
    emit(f"{_safe(file)} {'is no longer' if was_trusted else 'was not'} trusted\n")
    return 0


def _safe(value: object) -> str:
    return safe(str(value))
