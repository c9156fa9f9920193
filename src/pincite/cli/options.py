"""Options that several commands share, and the parser that reads them.

The standard library's argparse reads the command line. Typer was measured too: it loads Pydantic to convert
options, and alone took a third of the time in which a whole check has to be done.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from pincite.citations.providers import PROVIDERS
from pincite.errors import ConfigError, InputError, did_you_mean

_NO_NUMBER = re.compile(r"invalid (int|float) value: '(.*)'", re.DOTALL)
_NUMBERS = {"int": "a whole number", "float": "a number"}


class Parser(argparse.ArgumentParser):
    """Reads one command's options. What cannot be read is an `InputError`, as any other bad input."""

    def __init__(self, command: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=f"pincite {command}",
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        message = _NO_NUMBER.sub(lambda found: f"expected {_NUMBERS[found[1]]}, found {found[2]}", message)
        raise InputError(f"{message}{self._nearest(message)}\nsee `{self.prog} --help`")

    def _nearest(self, message: str) -> str:
        """The option that was meant, where the message is about one that does not exist."""
        unknown = message.removeprefix("unrecognized arguments: ").split()
        if not message.startswith("unrecognized") or not unknown or not unknown[0].startswith("--"):
            return ""
        return did_you_mean(unknown[0].partition("=")[0], self._option_string_actions)

    def choice(self, *names: str, of: Iterable[str], default: str | None, help: str) -> None:
        """An option with a fixed set of values."""
        shown = f" (default: {default})" if default else ""
        values = tuple(of)
        metavar = names[-1].rpartition("-")[2].upper()
        self.add_argument(
            *names,
            choices=values,
            default=default,
            metavar=metavar,
            help=f"{help}: {', '.join(values)}{shown}",
        )


def setting(path: str) -> Callable[[str], Any]:
    """How the option of a setting is read: as the setting itself would be from the environment."""

    def read(text: str) -> Any:
        from pincite.config.load import read_setting

        try:
            return read_setting(path, text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def add_answers(parser: Parser) -> None:
    parser.add_argument(
        "answers",
        nargs="+",
        metavar="ANSWER",
        help="files, folders, JSON Lines of answers, or - for standard input",
    )
    parser.add_argument(
        "--from",
        dest="provider",
        metavar="PROVIDER",
        choices=PROVIDERS,
        help=f"the answer is a saved response of this provider's API: {', '.join(PROVIDERS)}",
    )
    parser.add_argument(
        "--max-answer-mb", type=float, metavar="MB", help="refuse answers over this size (default: 50)"
    )


def add_sources(parser: Parser) -> None:
    parser.add_argument(
        "-s",
        "--sources",
        action="append",
        metavar="PATH",
        help="a source file, a folder of them, or JSON documents; repeatable",
    )


def add_common(parser: Parser) -> None:
    parser.add_argument(
        "--max-source-mb", type=float, metavar="MB", help="refuse sources over this size (default: 1024)"
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="read settings from this TOML or YAML file instead of searching for one",
    )
    parser.add_argument(
        "--no-color", action="store_true", help="disable colour; NO_COLOR and FORCE_COLOR work too"
    )


def add_calibration(parser: Parser) -> None:
    parser.add_argument(
        "--calibration", metavar="FILE", help="apply a calibration saved by `pincite judge calibrate`"
    )


def add_workers(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--workers",
        type=setting("evaluation.workers"),
        metavar="N",
        help="judging processes (default: one per core for large inputs; 1: only this process)",
    )


def add_llm(parser: Parser) -> None:
    """Options of a judge that is a language model; `llm_flags` gives them as settings."""
    add = parser.add_argument
    add("--base-url", metavar="URL", help="the endpoint of a language model: http://127.0.0.1:8000/v1")
    add(
        "--max-cost",
        type=setting("llm.max_cost"),
        metavar="USD",
        help="stop calling a language model past this cost",
    )
    add(
        "--max-in-flight",
        type=setting("llm.max_in_flight"),
        metavar="N",
        help="concurrent requests to a language model (default: 8)",
    )
    add("--no-cache", action="store_true", help="do not read or write cached language-model replies")


def llm_flags(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "llm_base_url": options.base_url,
        "llm_max_cost": options.max_cost,
        "llm_max_in_flight": options.max_in_flight,
        "performance_cache_results": False if options.no_cache else None,
    }


def limit_flags(options: argparse.Namespace) -> dict[str, Any]:
    """The limits that were given, as settings in bytes."""
    flags: dict[str, Any] = {}
    for name, setting in (("max_answer_mb", "limits_answer_bytes"), ("max_source_mb", "limits_source_bytes")):
        megabytes = getattr(options, name, None)
        if megabytes is None:
            continue
        if not math.isfinite(megabytes) or megabytes <= 0:
            raise InputError(f"--{name.replace('_', '-')} is a size above 0, not {megabytes}")
        flags[setting] = max(1, int(megabytes * 1024 * 1024))
    return flags


def source_paths(given: Sequence[str]) -> Path | list[Path] | None:
    """One path stays one, so that a folder is not taken for a list whose order means something."""
    paths = [Path(path) for path in given]
    return None if not paths else paths[0] if len(paths) == 1 else paths
