"""Which command was meant: `pincite runs compare` is `commands/runs/compare.py`, and only that is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.cli.options import Command

COMMANDS = {
    "check": "check the citations of answers against their sources",
    "hook": "check the files that pre-commit passes; no name of a file is read as an option",
    "answer": "answer a question from sources, with verified citations",
    "verify": "verify the citations of a saved answer",
    "eval": "measure a system on a dataset, with an interval for every metric",
    "runs": "run history: list, show, compare, report, trend, export, prune",
    "serve": "open the run history in a browser: runs, comparisons, trends, and a page to try it",
    "data": "datasets: check, convert, fill, new, labels, merge",
    "annotate": "annotate a dataset in a browser: spans, verdicts, marks for answers",
    "agreement": "measure how well annotators agree",
    "explain": "list every code and metric, or explain one of them",
    "parse": "list every citation in an answer, with offsets",
    "sources": "list the sources, or print the text that offsets count in",
    "locate": "find where a quote or claim appears in the sources",
    "bibliography": "list the sources of an answer in a citation style, or as BibTeX",
    "judge": "score rows with a judge, or compare a judge with human labels: score, calibrate",
    "mcp": "serve assistants over the Model Context Protocol, to check their own drafts",
    "trust": "allow a project's configuration to use the network and run programs",
    "cache": "show or clear cached language-model replies",
    "runs list": "list the runs, newest first",
    "runs show": "show one run: every metric with its interval, and the breakdown",
    "runs compare": "test whether one run is better than another",
    "runs report": "show which failures dominate a run, what to do, and what its answers cite",
    "runs trend": "show a metric over time, the oldest run first",
    "runs export": "write a run as JSON, YAML, CSV or Parquet",
    "runs prune": "remove old runs with their queries, verdicts and scores",
    "data check": "check files against their formats, and the quality of datasets",
    "data convert": "read one format and write another",
    "data fill": "add documents, and locate gold citations by their words",
    "data new": "start a dataset, from documents or from the sample",
    "data labels": "turn human verdicts on findings into labels",
    "data merge": "merge annotations and decisions into ground truth",
    "judge score": "judge rows of claims and their evidence",
    "judge calibrate": "compare a judge with human labels, and calibrate it",
}
"""Each command and each group of commands with what it does, as the help lists them."""
GROUPS = ("runs", "data", "judge")


def run(arguments: Sequence[str], on_start: Callable[[], None] | None = None) -> int:
    """Run the command that the arguments name and give its exit code.

    `on_start` is called when the command is loaded and its options are read.
    """
    from pincite.cli.output import emit

    name, rest = "", list(arguments)
    if rest[:1] == ["help"]:
        rest = [*rest[1:], "--help"]
    if rest[:1] in (["-V"], ["--version"]):
        from pincite import __version__

        emit(f"pincite {__version__}\n")
        return 0
    while not name or name in GROUPS:
        if not rest or rest[0] in ("-h", "--help"):
            emit(_help(name))
            return 0 if rest else 2
        name = _known(name, rest.pop(0))
    found = load_command(name)
    options = found.read(rest)
    if on_start is not None:
        on_start()
    return found.run(options)


def load_command(name: str) -> Command:
    """A command by its name, with its module loaded."""
    summary = COMMANDS[name]
    found: Command = import_module(f"pincite.cli.commands.{name.replace(' ', '.')}").run
    return found._replace(name=name, description=f"{summary[0].upper()}{summary[1:]}.")


def _inside(group: str) -> dict[str, str]:
    """The commands of a group by their last words, or those of `pincite` itself."""
    return {
        name.rpartition(" ")[2]: summary
        for name, summary in COMMANDS.items()
        if name.rpartition(" ")[0] == group
    }


def _known(group: str, word: str) -> str:
    words = _inside(group)
    if word not in words:
        from difflib import get_close_matches

        near = get_close_matches(word.lower(), words, n=1)
        called = f"pincite {group}".rstrip()
        hint = f"did you mean `{called} {near[0]}`?" if near else f"`{called} --help` lists them all"
        raise InputError(f"there is no {'option' if word[:1] == '-' else 'command'} {word!r}; {hint}")
    return f"{group} {word}".lstrip()


def _help(group: str) -> str:
    words = _inside(group)
    wide = max(map(len, words))
    listed = "".join(f"  {word:<{wide}}  {summary}\n" for word, summary in words.items())
    if group:
        return (
            f"usage: pincite {group} COMMAND [options]\n\n"
            f"commands:\n{listed}\n"
            f"`pincite {group} COMMAND --help` lists a command's options\n"
        )
    return (
        "usage: pincite COMMAND [options]\n\n"
        "Check the citations in AI answers the way a linter checks code.\n\n"
        f"commands:\n{listed}\n"
        "  -h, --help     show this message, or a command's with `pincite COMMAND --help`\n"
        "  -V, --version  show the version\n\n"
        "exit codes: 0 clean, 1 errors found or a threshold missed, 2 could not run\n"
    )
