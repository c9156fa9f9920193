"""Options as data: what each command takes, how it is read, and which setting it sets.

argparse reads the command line. Typer was measured too: it loads Pydantic to convert options, and that alone
took a third of the time a whole check may take.
"""

from __future__ import annotations

import argparse
import math
import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from pincite.citations.providers import PROVIDERS
from pincite.errors import ConfigError, InputError, did_you_mean

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.sources.library import Library

_NO_NUMBER = re.compile(r"invalid (int|float) value: '(.*)'", re.DOTALL)
_NO_CHOICE = re.compile(r"invalid choice: '([^']*+)' \(choose from ([^()]*+)\)\Z")
_NUMBERS = {"int": "a whole number", "float": "a number"}
_AGE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([smhdw])")
_DAYS = {"s": 1 / 86_400, "m": 1 / 1_440, "h": 1 / 24, "d": 1.0, "w": 7.0}
_SETTING = "setting:"
"""How the name begins under which the value of a setting is kept: `setting:llm.max_cost`."""


class _Word(str):
    """What follows `--`: never an option, even if it begins with a dash."""


class Parser(argparse.ArgumentParser):
    """Reads one command's options. What cannot be read is an `InputError`, like any other bad input."""

    _dashed = ""
    """A given word that looks like options, and is the name of a file."""

    def read(self, arguments: Sequence[str]) -> Namespace:
        """Options and arguments in any order."""
        given = list(arguments)
        self._dashed = next(
            (one for one in given if one[:1] == "-" and "." in one and Path(one).exists()), ""
        )
        if "--" in given:  # argparse drops what follows it when options and arguments are mixed
            at = given.index("--")
            given[at:] = map(_Word, given[at + 1 :])
        return self.parse_intermixed_args(given)

    def _parse_optional(self, arg_string: str) -> Any:
        return None if isinstance(arg_string, _Word) else super()._parse_optional(arg_string)

    def error(self, message: str) -> NoReturn:
        message = _NO_NUMBER.sub(lambda found: f"expected {_NUMBERS[found[1]]}, found {found[2]}", message)
        raise InputError(f"{message}{self._nearest(message)}\nsee `{self.prog} --help`")

    def _nearest(self, message: str) -> str:
        """What was meant, where the message is about an option that does not exist or a missing argument."""
        if self._dashed and message.startswith(("unrecognized", "the following")):
            return f"; write ./{self._dashed} for the file whose name begins with a dash"
        if message.startswith("the following arguments are required: ANSWER"):
            return "; give - to read standard input"
        if wrong := _NO_CHOICE.search(message):
            return did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2]))
        unknown = message.removeprefix("unrecognized arguments: ").split()
        if not message.startswith("unrecognized") or not unknown or not unknown[0].startswith("--"):
            return ""
        return did_you_mean(unknown[0].partition("=")[0], self._option_string_actions)


class CommandOption(NamedTuple):
    """One option or argument, as `add_argument` takes it."""

    names: tuple[str, ...]
    how: dict[str, Any]


class Group:
    """Options under a title of their own; without a title, options that exclude each other."""

    def __init__(self, title: str, *options: CommandOption) -> None:
        self.title = title
        self.options = options


class Command(NamedTuple):
    """A command: what it takes, and what runs it."""

    name: str
    run: Callable[[Namespace], int]
    options: tuple[CommandOption | Group, ...] = ()
    epilog: str | None = None
    description: str = ""

    def parser(self) -> Parser:
        made = Parser(
            prog=f"pincite {self.name}",
            description=self.description,
            epilog=self.epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        for one in self.options:
            if isinstance(one, CommandOption):
                made.add_argument(*one.names, **one.how)
                continue
            group = made.add_argument_group(one.title) if one.title else made.add_mutually_exclusive_group()
            for option in one.options:
                group.add_argument(*option.names, **option.how)
        return made


def on_command(
    name: str, *options: CommandOption | Group, epilog: str | None = None
) -> Callable[[Callable[[Namespace], int]], Command]:
    """Make a command of the function below: `pincite NAME` calls it with these options."""
    return lambda run: Command(name, run, options, epilog)


def arg(name: str, metavar: str, help: str, **how: Any) -> CommandOption:
    """An argument by position."""
    return CommandOption((name,), {**how, "metavar": metavar, "help": help})


def opt(spec: str, help: str, kind: type | str = str, **how: Any) -> CommandOption:
    """An option with a value: `opt("-n, --limit N", "at most this many", int)`.

    `kind` is a type, or the name of the setting that it sets, which is read as from the environment. Dots
    after the value (`PATH...`) mean that the option may be repeated.
    """
    *names, metavar = spec.replace(",", "").split(" ")
    if metavar.startswith("-"):  # no word for the value
        names, metavar = [*names, metavar], ""
    else:
        how["metavar"] = metavar.removesuffix("...")
    if isinstance(kind, str):
        how["dest"] = _SETTING + kind
    if metavar.endswith("..."):
        how |= {"action": "append", "default": None if isinstance(kind, str) else []}
        help = f"{help}; repeatable"
    elif "choices" not in how:
        how.setdefault("type", _reading(kind) if isinstance(kind, str) else kind)
    return CommandOption(tuple(names), {**how, "help": help})


def flag(names: str, help: str, setting: str = "", *, value: bool = True) -> CommandOption:
    """An option without a value; one that sets a setting sets it to `value`."""
    how: dict[str, Any] = {"action": "store_true"}
    if setting:
        how = {"action": "store_const", "const": value, "dest": _SETTING + setting}
    return CommandOption(tuple(names.split(", ")), {**how, "help": help})


def choice(
    names: str, help: str, setting: str = "", *, of: Iterable[str], default: str | None = None
) -> CommandOption:
    values = tuple(of)
    shown = f" (default: {default})" if default else ""
    how = {"dest": _SETTING + setting} if setting else {}
    return opt(
        f"{names} {names.rpartition('-')[2].upper()}",
        f"{help}: {', '.join(values)}{shown}",
        choices=values,
        default=default,
        **how,
    )


def formats(*of: str, help: str = "how to print it") -> CommandOption:
    """`--output-format`; the first is the default."""
    return choice("-f, --output-format", help, of=of, default=of[0])


def _reading(setting: str) -> Callable[[str], Any]:
    if setting.endswith("_bytes"):
        return _megabytes

    def read(text: str) -> Any:
        from pincite.config.load import read_setting

        try:
            value = read_setting(setting, text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text if value is None else value

    return read


def _megabytes(text: str) -> int:
    try:
        size = float(text)
    except ValueError:
        size = math.nan
    if not math.isfinite(size) or size <= 0:
        raise argparse.ArgumentTypeError(f"expected a size above 0, found {text}")
    return max(1, int(size * 1024 * 1024))


# --- options that several commands have ----------------------------------------------------------

CONFIG = opt("--config FILE", "read settings from this TOML or YAML file instead of searching for one")
NO_COLOR = flag("--no-color", "disable colour; NO_COLOR and FORCE_COLOR work too")
OUTPUT = opt("-o, --output FILE", "write to this file")
PAGE_FILE = opt("-o, --output FILE", "write the page of `--output-format html` to this file")
QUIET = flag("-q, --quiet", "no notes and no progress")
FORCE = flag("--force", "overwrite existing files")
YES = flag("-y, --yes", "do not ask for confirmation")
DRY_RUN = flag("--dry-run", "estimate the work and cost without calling a judge")
SEED = opt("--seed N", "seed for sampling, intervals and tests (default: 42)", "evaluation.random_seed")
MAX_SOURCE = opt("--max-source-mb MB", "refuse sources over this size (default: 1024)", "limits.source_bytes")
SOURCES = opt("-s, --sources PATH...", "a source file, a folder of them, or JSON documents", "sources")
COMMON = (MAX_SOURCE, CONFIG, NO_COLOR)
ANSWERS = (
    arg("answers", "ANSWER", "files, folders, JSON Lines of answers, or - for stdin", nargs="+"),
    opt(
        "--from PROVIDER",
        f"the answer is a saved response of this provider's API: {', '.join(PROVIDERS)}",
        dest="provider",
        choices=PROVIDERS,
    ),
    opt("--max-answer-mb MB", "refuse answers over this size (default: 50)", "limits.answer_bytes"),
)
STORE = opt("--store URL", "the history: a SQLite file or a postgresql:// address", "store.url")
HISTORY = (STORE, CONFIG, NO_COLOR)
RUN = arg("run", "RUN", "which run (default: latest)", nargs="?", default="latest")
WORKERS = opt(
    "--workers N",
    "judging processes (default: one per core for large inputs; 1: only this process)",
    "evaluation.workers",
)
JUDGE = (
    opt("--judge NAME", "which judge decides support (default: entailment)", "judge"),
    flag("--online", "allow a judge to download its model", "online"),
    opt("--calibration FILE", "apply a calibration saved by `pincite judge calibrate`", "calibration"),
    opt("--base-url URL", "the endpoint of a language model: http://127.0.0.1:8000/v1", "llm.base_url"),
    opt("--max-cost USD", "stop calling a language model past this cost", "llm.max_cost"),
    opt("--max-in-flight N", "concurrent requests to a language model (default: 8)", "llm.max_in_flight"),
    flag(
        "--no-cache",
        "do not read or write cached language-model replies",
        "performance.cache_results",
        value=False,
    ),
)


# --- what was given ------------------------------------------------------------------------------


def given(options: Namespace, setting: str) -> Any:
    """What an option says about a setting; None where it was not given."""
    return vars(options)[_SETTING + setting]


def load_settings(options: Namespace) -> Settings:
    """The settings of a command. What an untrusted file may not say is a warning, also with `--quiet`."""
    from pincite.cli.output import note
    from pincite.config import load_settings

    flags = {
        name.removeprefix(_SETTING).replace(".", "_"): value
        for name, value in vars(options).items()
        if name.startswith(_SETTING)
    }
    config = getattr(options, "config", None)
    return load_settings(config, tell=lambda text: note(text, "warning"), **flags)


def open_library(paths: Sequence[str], settings: Settings, *, tell: bool = True) -> Library:
    """The sources at these paths; what could not be read is a warning, unless it is reported elsewhere."""
    from pincite.cli.output import note
    from pincite.sources.library import open_sources

    places = [Path(path) for path in paths]
    # One path stays one, so that a folder is not taken for a list whose order means something.
    library = open_sources(places[0] if len(places) == 1 else places or None, settings.limits)
    for unread in library.unread if tell else ():
        note(f"could not read {unread.name}: {unread.reason}", "warning")
    return library


def read_age(age: str | None, option: str = "--older-than") -> float | None:
    """`7d` in days."""
    if age is None:
        return None
    read = _AGE.fullmatch(age.strip().lower())
    if read is None:
        raise InputError(f"{option} is a number and a unit, such as 90s, 30m, 12h, 7d or 2w, not {age!r:.40}")
    return float(read[1]) * _DAYS[read[2]]
