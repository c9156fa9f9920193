"""Which command was meant. Only the module of that command is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from pincite.errors import InputError

COMMANDS = {
    "check": ("pincite.cli.commands.check", "check the citations of answers against their sources"),
    "eval": ("pincite.cli.commands.evaluation", "measure a system on a dataset"),
    "runs": (
        "pincite.cli.commands.runs",
        "run history: list, show, compare, report, graph, trend, export, prune …",
    ),
    "metrics": ("pincite.cli.commands.metrics", "list every metric"),
    "ab": ("pincite.cli.commands.ab", "A/B tests you can check at any time: plan, add, status"),
    "data": ("pincite.cli.commands.data", "datasets: validate, check, convert, stats, new, labels"),
    "agreement": ("pincite.cli.commands.agreement", "measure how well annotators agree"),
    "explain": ("pincite.cli.commands.explain", "explain one code, with an example"),
    "rules": ("pincite.cli.commands.rules", "list every code"),
    "parse": ("pincite.cli.commands.parse", "list every citation in an answer, with offsets"),
    "sources": ("pincite.cli.commands.sources", "list the sources, or print the text that offsets count in"),
    "locate": ("pincite.cli.commands.locate", "find where a quote or claim appears in the sources"),
    "judge": (
        "pincite.cli.commands.judge",
        "score rows with a judge, or compare a judge with human labels: score, calibrate",
    ),
    "trust": (
        "pincite.cli.commands.trust",
        "allow a project's configuration to use the network and run programs",
    ),
    "cache": ("pincite.cli.commands.cache", "show or clear cached language-model replies"),
}


def run(arguments: Sequence[str], on_start: Callable[[], None] | None = None) -> int:
    """Run the command that the arguments name and give its exit code.

    `on_start` is called when the command is loaded and its options are read.
    """
    from pincite.cli.output import emit

    if not arguments or arguments[0] in ("-h", "--help", "help"):
        if len(arguments) > 1 and arguments[1] in COMMANDS:
            return run([arguments[1], "--help"])
        emit(_help())
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        from pincite import __version__

        emit(f"pincite {__version__}\n")
        return 0
    command, rest = import_module(_module(arguments[0], COMMANDS)), arguments[1:]
    if hasattr(command, "COMMANDS"):  # one that has commands of its own, as `judge` has
        if not rest or rest[0] in ("-h", "--help"):
            emit(_help(arguments[0], command.COMMANDS))
            return 0 if rest else 2
        command, rest = import_module(_module(rest[0], command.COMMANDS, arguments[0])), rest[1:]
    options = command.parser().parse_intermixed_args(list(rest))
    if on_start is not None:
        on_start()
    code: int = command.run(options)
    return code


def _module(name: str, commands: dict[str, tuple[str, str]], outer: str = "") -> str:
    if name not in commands:
        from difflib import get_close_matches

        near = get_close_matches(name, commands, n=1)
        called = f"pincite {outer}".rstrip()
        hint = f"did you mean `{called} {near[0]}`?" if near else f"`{called} --help` lists them all"
        raise InputError(f"there is no command {name!r}; {hint}")
    return commands[name][0]


def _help(outer: str = "", commands: dict[str, tuple[str, str]] = COMMANDS) -> str:
    listed = "".join(f"  {name:<9} {summary}\n" for name, (_, summary) in commands.items())
    if outer:
        return (
            f"usage: pincite {outer} COMMAND [options]\n\n"
            f"commands:\n{listed}\n"
            f"`pincite {outer} COMMAND --help` lists a command's options\n"
        )
    return (
        "usage: pincite COMMAND [options]\n\n"
        "Check the citations in AI answers the way a linter checks code.\n\n"
        f"commands:\n{listed}\n"
        "  -h, --help     show this message, or a command's with `pincite COMMAND --help`\n"
        "  -V, --version  show the version\n\n"
        "exit codes: 0 clean, 1 errors found or a threshold missed, 2 could not run\n"
    )
