"""Write what is made from the code: the pages of `reference/`, and the picture of the terminal.

`make docs` runs it; a test says when a page is out of date.
"""

from __future__ import annotations

import ast
import inspect
import io
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from pincite import config
from pincite.cli.app import COMMANDS, GROUPS, load_command
from pincite.cli.options import Command, CommandOption
from pincite.config import ALIASES, SWITCHES, Reach, Settings, defaults, reach_of
from pincite.findings import RULES, explanations_text
from pincite.metrics import Metric, list_metrics, parse_metric

HERE = Path(__file__).parent
SHOWN = ("PIN203", "PIN104", "PIN205", "PIN202")
"""The findings in the picture: enough to see the shape, few enough to read."""


def findings_page() -> str:
    """Every code in a table, then the explanations that `pincite explain` prints."""
    introduction, _, sections = explanations_text().partition("\n## ")
    rows = [
        f"| [{r.code}](#{r.code.lower()}-{r.name}) | {r.severity} | {r.summary} |" for r in RULES.values()
    ]
    table = "\n".join(["| code | severity | meaning |", "|---|---|---|", *rows])
    return f"{introduction.rstrip()}\n\n{table}\n\n## {sections.rstrip()}\n"


# --- settings ------------------------------------------------------------------------------------

TRUST = {
    None: "–",
    Reach.NOTHING: "–",
    Reach.ADDRESS: "needed",
    Reach.COMMAND: "needed",
    Reach.JUDGE: "needed for all but `entailment` and `rules`",
    Reach.NETWORK: "needed for true",
    Reach.STORE: "needed for a server, or a file outside the project",
    Reach.FILE: "needed outside the project",
    Reach.BUDGET: "needed against your own file",
}


def settings_page() -> str:
    """Every setting, from the records that hold them, and the specification's keys."""
    told = _field_docs()
    tables: dict[str, list[str]] = {}
    for name, value in defaults().items():
        owner, _, field = name.rpartition(".")
        record = type(getattr(Settings(), owner)) if owner else Settings
        row = f"| `{name}` | {_shown(value)} | {told[record.__name__, field]} | {TRUST[reach_of(name)]} |"
        tables.setdefault(owner, []).append(row)
    parts = [
        "# Settings",
        "Each with its default and whether it needs [trust](../configuration.md#trust) in a file of the "
        "project. In the environment `store.url` is `PINCITE_STORE_URL`. "
        "[Configuration](../configuration.md) says which file or variable wins.",
    ]
    for owner, rows in tables.items():
        record = type(getattr(Settings(), owner)) if owner else Settings
        parts += [f"## {owner or 'General'}", inspect.getdoc(record) or ""]
        parts.append(_table(("key", "default", "effect", "trust"), rows))
    parts += ["## The specification's keys", "The key of document 000, and ours or what it does."]
    same = [name for name in defaults() if name.startswith(("performance.", "reporting."))]
    keys = {"citation_accuracy.enabled": "enabled"} | ALIASES | {name: name for name in same}
    rows = [f"| `{theirs}` | `{ours}` |" for theirs, ours in keys.items()]
    rows += [
        f"| `{key}` | when false, {' and '.join(codes)} are left out |" for key, codes in SWITCHES.items()
    ]
    parts.append(_table(("key", "setting"), rows))
    return _page(parts)


def _field_docs() -> dict[tuple[str, str], str]:
    """What stands below each field of the records of settings."""
    home = Path(inspect.getfile(config.Settings))
    told = {}
    for record in ast.parse(home.read_text(encoding="utf-8")).body:
        if isinstance(record, ast.ClassDef):
            for field, text in zip(record.body, record.body[1:], strict=False):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(field.target, ast.Name)
                    and isinstance(text, ast.Expr)
                    and isinstance(text.value, ast.Constant)
                ):
                    told[record.name, field.target.id] = " ".join(str(text.value.value).split())
    return told


# --- metrics -------------------------------------------------------------------------------------


def metrics_page() -> str:
    """Every metric as it declares itself."""
    rows, parameters = [], []
    for one in list_metrics(Settings()):
        metric = parse_metric(one.name)
        better = "neither" if not metric.has_direction else "higher" if metric.higher_is_better else "lower"
        threshold = "–" if one.threshold is None else f"{one.threshold:g}"
        pooled = "pooled" if metric.pooled else "mean"
        needs = ", ".join(one.needs) or "–"
        rows.append(f"| `{one.name}` | {one.summary} | {better} | {threshold} | {pooled} | {needs} |")
        own = {name: value for name, value in _parameters(metric).items() if name not in ("threshold", "k")}
        if own:
            shown = ", ".join(f"`{name}={_plain(value)}`" for name, value in own.items())
            parameters.append(f"| `{one.name}` | {shown} |")
    return _page(
        [
            "# Metrics",
            "What each metric says of itself. `@10` is any number of ranks; every metric takes `threshold`. "
            "Over a dataset, *pooled* divides sums over all answers, *mean* averages the answers' scores. "
            "[How metrics count](../metrics.md) has the definitions.",
            _table(("metric", "what it is", "better", "threshold", "dataset", "needs"), rows),
            "## Parameters",
            _table(("metric", "parameters and their defaults"), parameters),
        ]
    )


def _parameters(metric: Metric) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(type(metric))}


# --- the command line ----------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its options. What three or more commands take alike is described once."""
    commands = {name: load_command(name) for name in COMMANDS if name not in GROUPS}
    times = Counter(_row(option) for one in commands.values() for option in _options(one))
    common = sorted(row for row, count in times.items() if count > 2)
    parts = [
        "# Commands and options",
        "What `pincite COMMAND --help` says, in one place. [The command line](../cli.md) shows their use.",
        "## Options of several commands",
        _table(("option", "effect"), common),
    ]
    for name, one in commands.items():
        options = _options(one)
        parts += [f"## {name}", one.description]
        own = [_row(option) for option in options if _row(option) not in common]
        if own:
            parts.append(_table(("option", "effect"), own))
        shared = [f"`{option.names[-1]}`" for option in options if _row(option) in common]
        if shared:
            parts.append(f"Also {', '.join(shared)}.")
    return _page(parts)


def _options(one: Command) -> list[CommandOption]:
    """The options as they are shown: an argument by position has the name of its field."""
    return [
        option if option.names else option._replace(names=(field,))
        for _, field, option in one.options.declared()
    ]


def _row(option: CommandOption) -> str:
    how = option.how
    value = how.get("metavar") or ""
    if option.names[0][:1] == "-":
        shown = ", ".join(option.names) + (f" {value}" if value else "")
    else:
        shown = value or option.names[0]
    effect = how["help"] % {"default": how.get("default"), "prog": "pincite"}
    if "choices" not in how and how.get("default") not in (None, False, [], ()) and "default" not in effect:
        effect += f" (default: {how['default']})"
    return f"| `{shown}` | {effect} |".replace("\n", " ")


# --- what the pages share ------------------------------------------------------------------------


def _page(parts: list[str]) -> str:
    return "\n\n".join([parts[0], "Made from the code by `make docs`: change it there.", *parts[1:]]) + "\n"


def _table(head: tuple[str, ...], rows: list[str]) -> str:
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *rows])


def _shown(value: object) -> str:
    return "none" if value is None or value == () else f"`{_plain(value)}`"


def _plain(value: object) -> str:
    plain = msgspec.to_builtins(value)
    return str(plain).lower() if plain is None or isinstance(plain, bool) else str(plain)


def picture() -> str:
    """The terminal's output on the demo, as an SVG."""
    from rich.console import Console
    from rich.text import Text

    command = ["check", "answer.md", "--sources", "sources", "--select", ",".join(SHOWN)]
    shown = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-P", "-m", "pincite", *command],
        cwd=HERE.parent / "examples" / "demo",
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": "100", "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    console = Console(record=True, width=100, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "bold"), f"pincite {' '.join(command)}\n"))
    console.print(Text.from_ansi(shown.rstrip()))
    svg = console.export_svg(title="pincite", unique_id="pincite")
    # The fonts would come from somewhere else; the reader's own monospace font does as well.
    return re.sub(r"@font-face \{[^}]*\}\s*", "", svg)


PAGES = {
    "reference/commands.md": commands_page,
    "reference/findings.md": findings_page,
    "reference/metrics.md": metrics_page,
    "reference/settings.md": settings_page,
    "terminal.svg": picture,
}


def main() -> None:
    for name, write in PAGES.items():
        (HERE / name).write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
