"""Options as data: what each command takes, how it is read, and which setting it sets.

argparse reads the command line. Typer was measured too: it loads Pydantic to convert options, and that alone
took a third of the time a whole check may take.
"""

from __future__ import annotations

import argparse
import math
import os
import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from pincite.base import did_you_mean
from pincite.citations import PROVIDERS
from pincite.errors import ConfigError, InputError

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.sources import Library

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

    files_last = False
    """Whether everything after the options is a file, as in a hook."""

    def read(self, arguments: Sequence[str]) -> Namespace:
        """Options and arguments in any order; with `files_last`, the options first."""
        options, words = self._files_apart(arguments) if self.files_last else self._words_apart(arguments)
        # argparse drops what follows `--` when options and arguments are mixed, so it never sees one.
        return self.parse_intermixed_args([*options, *map(_Word, words)])

    def _words_apart(self, given: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        at = given.index("--") if "--" in given else len(given)
        self._refuse_ambiguous(given[:at])
        return given[:at], given[at + 1 :]

    def _refuse_ambiguous(self, words: Sequence[str]) -> None:
        """A pattern such as `*.md` passes the name of a file, and nobody can tell it from an option."""
        if not self._get_positional_actions():
            return
        for word in words:
            if self._parse_optional(word) is not None and os.path.lexists(word):
                raise InputError(
                    f"{word!r} could be an option or the file of that name in this folder: for the file, "
                    f"write ./{word}, or -- before all files; for the option, rename the file"
                )

    def _files_apart(self, given: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        """The options that a hook was configured with, and the files that it is given after them.

        A `--` that is no file ends the options, as somebody wrote it. Without one they end at the first word
        that is neither an option nor the value of one, or that is the name of a file: a hook is only
        given files that exist, so no name of one is ever read as an option.
        """
        at = 0
        if "--" in given and not os.path.lexists("--"):
            at = given.index("--")
            return given[:at], [_as_file(word) for word in given[at + 1 :]]
        while at < len(given) and (words := self._words_of_option(given[at])):
            at += words
        return given[:at], [_as_file(word) for word in given[at:]]

    def _words_of_option(self, word: str) -> int:
        """How many words an option takes, with its value; 0 for what is none, or is a file."""
        if word[:1] != "-" or word == "-" or os.path.lexists(word):
            return 0
        if word.startswith("--"):
            action = self._option_string_actions.get(word)  # None where the value is in the same word
            return 2 if action is not None and action.nargs != 0 else 1
        for letter in word[1:-1]:
            action = self._option_string_actions.get(f"-{letter}")
            if action is None or action.nargs != 0:  # what follows in this word is its value
                return 1
        action = self._option_string_actions.get(f"-{word[-1]}")
        return 2 if action is not None and action.nargs != 0 else 1

    def _parse_optional(self, arg_string: str) -> Any:
        return None if isinstance(arg_string, _Word) else super()._parse_optional(arg_string)

    def error(self, message: str) -> NoReturn:
        message = _NO_NUMBER.sub(lambda found: f"expected {_NUMBERS[found[1]]}, found {found[2]}", message)
        raise InputError(f"{message}{self._nearest(message)}\nsee `{self.prog} --help`")

    def _nearest(self, message: str) -> str:
        """What was meant, where the message is about an option that does not exist or a missing argument."""
        if message.startswith("the following arguments are required: ANSWER"):
            return "; give - to read standard input"
        if wrong := _NO_CHOICE.search(message):
            return did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2]))
        unknown = message.removeprefix("unrecognized arguments: ").split()
        if not message.startswith("unrecognized") or not unknown or not unknown[0].startswith("--"):
            return ""
        return did_you_mean(unknown[0].partition("=")[0], self._option_string_actions)


def _as_file(name: str) -> str:
    """The name, so that it never means standard input or the end of the options."""
    return f"./{name}" if name in ("-", "--") else name


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
    files_last: bool = False
    """Whether everything after the options is a file, whatever its name."""

    def parser(self) -> Parser:
        made = Parser(
            prog=f"pincite {self.name}",
            description=self.description,
            epilog=self.epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.files_last = self.files_last
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
        from pincite.config import read_setting

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

CONFIG = (
    opt("--config FILE", "read settings from this TOML or YAML file instead of searching for one"),
    flag("--trust-config", "let the configuration use the network, run programs and use files elsewhere"),
)
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
COMMON = (MAX_SOURCE, *CONFIG, NO_COLOR)
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
HISTORY = (STORE, *CONFIG, NO_COLOR)
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
    trust = getattr(options, "trust_config", False)
    return load_settings(config, tell=lambda text: note(text, "warning"), trust=trust, **flags)


def open_library(paths: Sequence[str], settings: Settings, *, tell: bool = True) -> Library:
    """The sources at these paths; what could not be read is a warning, unless it is reported elsewhere."""
    from pincite.cli.output import note
    from pincite.sources import open_sources

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
