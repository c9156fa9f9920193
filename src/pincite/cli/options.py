"""Options as records: what each command takes, how it is read, and which setting it sets.

A command has a subclass of `Options` with a field for each option, from which its parser is made, and is run
with an instance of it. argparse reads the command line (docs/decisions/0001).
"""

from __future__ import annotations

import argparse
import os
import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

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
_Given = TypeVar("_Given", bound="Options")


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
    setting: str = ""
    """The setting that it sets, by its dotted name."""


class Options:
    """What a command was given.

    A subclass has a field for each option, made by `arg`, `opt`, `flag`, `choice` or `formats`. Those of a
    subclass with a `title` are shown under it in the help.
    """

    title = ""

    def __init_subclass__(cls, title: str = "") -> None:
        cls.title = title

    def __init__(self, given: Namespace) -> None:
        vars(self).update(vars(given))

    @classmethod
    def declared(cls) -> Iterator[tuple[str, str, CommandOption]]:
        """The title, the field and the option of each, its own before those of its bases."""
        seen = set[str]()
        for kind in cls.__mro__:
            for field, option in vars(kind).items():
                if isinstance(option, CommandOption) and field not in seen:
                    seen.add(field)
                    yield vars(kind)["title"], field, option


class Command(NamedTuple):
    """A command: what it takes, and what runs it."""

    run: Callable[[Any], int]
    options: type[Options]
    epilog: str | None = None
    name: str = ""
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
        groups: dict[str, Any] = {"": made}
        for title, field, option in self.options.declared():
            if title not in groups:
                groups[title] = made.add_argument_group(title)
            if option.names:
                groups[title].add_argument(*option.names, dest=field, **option.how)
            else:
                groups[title].add_argument(field, **option.how)
        return made

    def read(self, arguments: Sequence[str]) -> Options:
        return self.options(self.parser().read(arguments))


def command(
    options: type[_Given], *, epilog: str | None = None
) -> Callable[[Callable[[_Given], int]], Command]:
    """Make a command of the function `run` below: it is called with these options."""
    return lambda run: Command(run, options, epilog)


# What makes an option is typed as the value that it is read into, so that a field can have that type.


def arg(metavar: str, help: str, **how: Any) -> Any:
    """An argument by position."""
    return CommandOption((), {**how, "metavar": metavar, "help": help})


def opt(spec: str, help: str, kind: type | str = str, **how: Any) -> Any:
    """An option with a value: `opt("-n, --limit N", "at most this many", int)`.

    `kind` is a type, or the name of the setting that it sets, which is read as from the environment. Dots
    after the value (`PATH...`) mean that the option may be repeated.
    """
    *names, metavar = spec.replace(",", "").split(" ")
    setting = kind if isinstance(kind, str) else ""
    if metavar.startswith("-"):  # no word for the value
        names, metavar = [*names, metavar], ""
    else:
        how["metavar"] = metavar.removesuffix("...")
    if metavar.endswith("..."):
        how |= {"action": "append", "default": None if setting else []}
        help = f"{help}; repeatable"
    elif "choices" not in how:
        how.setdefault("type", _reader(setting) if setting else kind)
    return CommandOption(tuple(names), {**how, "help": help}, setting)


def flag(names: str, help: str, setting: str = "", *, value: bool = True) -> Any:
    """An option without a value; one that sets a setting sets it to `value`."""
    how = {"action": "store_const", "const": value} if setting else {"action": "store_true"}
    return CommandOption(tuple(names.split(", ")), {**how, "help": help}, setting)


def choice(names: str, help: str, *, of: Iterable[str], default: str | None = None) -> Any:
    values = tuple(of)
    shown = f" (default: {default})" if default else ""
    spec = f"{names} {names.rpartition('-')[2].upper()}"
    return opt(spec, f"{help}: {', '.join(values)}{shown}", choices=values, default=default)


def formats(*of: str, help: str = "how to print it") -> Any:
    """`--output-format`; the first is the default."""
    return choice("-f, --output-format", help, of=of, default=of[0])


def _reader(setting: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        from pincite.config import read_setting

        try:
            value = read_setting(setting, text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text if value is None else value

    return read


def _read_set(pairs: Iterable[str]) -> dict[str, Any]:
    """`llm.max_in_flight=4` of each `--set`, with its value as the setting wants it."""
    from pincite.config import ALIASES, defaults, read_setting

    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        setting = ALIASES.get(name.strip(), name.strip())
        if not equals:
            raise InputError(f"--set {pair!r:.80}: write NAME=VALUE, such as llm.max_in_flight=4")
        if setting not in defaults():
            hint = did_you_mean(setting, defaults(), "; docs/configuration.md lists them all")
            raise InputError(f"--set: there is no setting {setting!r:.60}{hint}")
        try:
            found[setting] = read_setting(setting, text)
        except ConfigError as error:
            raise InputError(f"--set {setting}: {error}") from None
    return found


# --- options that several commands have ----------------------------------------------------------

NO_COLOR = flag("--no-color", "disable colour; NO_COLOR and FORCE_COLOR work too")
OUTPUT = opt("-o, --output FILE", "write to this file")
PAGE_FILE = opt("-o, --output FILE", "write the page of `--output-format html` to this file")
QUIET = flag("-q, --quiet", "no notes and no progress")
FORCE = flag("--force", "overwrite existing files")
YES = flag("-y, --yes", "do not ask for confirmation")
DRY_RUN = flag("--dry-run", "estimate the work and cost without calling a judge")
SEED = opt("--seed N", "seed for sampling, intervals and tests (default: 42)", "evaluation.random_seed")
SOURCES = opt("-s, --sources PATH...", "a source file, a folder of them, or JSON documents", "sources")
RUN = arg("RUN", "which run (default: latest)", nargs="?", default="latest")
AGREEMENT = opt("--target SHARE", "the agreement to reach (default: 0.85)", "agreement.target_agreement")
FAIL_ON_UNJUDGED = flag("--fail-on-unjudged", "exit 1 when something could not be judged", "fail_on_unjudged")


class ConfigOptions(Options, title="configuration"):
    """Where settings come from."""

    set: list[str] = opt("--set NAME=VALUE...", "change a setting: llm.max_in_flight=4, offsets=page")
    config: str | None = opt(
        "--config FILE", "read settings from this TOML or YAML file instead of searching for one"
    )
    trust_config: bool = flag(
        "--trust-config", "let the configuration use the network, run programs and use files elsewhere"
    )

    def settings(self) -> dict[str, Any]:
        """What was said about settings, by their dotted names: an option goes before `--set`."""
        given = _read_set(self.set)
        for _, field, option in self.declared():
            value = getattr(self, field)
            if option.setting and value is not None:
                given[option.setting] = value
        return given


class CommonOptions(ConfigOptions):
    """Settings, and what is printed in colour."""

    no_color: bool = NO_COLOR


class HistoryOptions(CommonOptions):
    """The history of runs."""

    store: str | None = opt(
        "--store URL", "the history: a SQLite file or a postgresql:// address", "store.url"
    )


class AnswersOptions(Options):
    """The answers that are read."""

    answers: list[str] = arg("ANSWER", "files, folders, JSON Lines of answers, or - for stdin", nargs="+")
    provider: str | None = opt(
        "--from PROVIDER",
        f"the answer is a saved response of this provider's API: {', '.join(PROVIDERS)}",
        choices=PROVIDERS,
    )


class JudgeOptions(Options, title="judging"):
    """Which judge is asked, and what a language model may take."""

    judge: str | None = opt("--judge NAME", "which judge decides support (default: entailment)", "judge")
    online: bool | None = flag("--online", "allow a judge to download its model", "online")
    base_url: str | None = opt(
        "--base-url URL", "the endpoint of a language model: http://127.0.0.1:8000/v1", "llm.base_url"
    )
    max_cost: float | None = opt(
        "--max-cost USD", "stop calling a language model past this cost", "llm.max_cost"
    )
    no_cache: bool | None = flag(
        "--no-cache",
        "do not read or write cached language-model replies",
        "performance.cache_results",
        value=False,
    )


# --- what was given ------------------------------------------------------------------------------


def load_settings(options: ConfigOptions) -> Settings:
    """The settings of a command. What an untrusted file may not say is a warning, also with `--quiet`."""
    from pincite.cli.output import note
    from pincite.config import load_settings

    flags = {name.replace(".", "_"): value for name, value in options.settings().items()}
    return load_settings(
        options.config, tell=lambda text: note(text, "warning"), trust=options.trust_config, **flags
    )


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
