"""`pincite runs alerts`: alerts that were not delivered, and how to send them again."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.history import add_history, moment, open_history
from pincite.cli.options import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.runs.alerts.undelivered import Undelivered

EPILOG = """\
exit codes: 0 listed, or everything was delivered, 1 something could not be delivered, 2 could not run
"""


def parser() -> Parser:
    made = Parser("runs alerts", "Show undelivered alerts, and send them again.", EPILOG)
    what = made.add_mutually_exclusive_group()
    what.add_argument("--send", action="store_true", help="send them to the webhook or command that failed")
    what.add_argument("--forget", action="store_true", help="drop them")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print them")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit
    from pincite.reports.findings.totals import plural
    from pincite.runs.alerts.undelivered import forget, send_again, undelivered

    with open_history(options) as store:
        waiting = list(undelivered(store)) if store is not None else []
        if not (options.send or options.forget):
            emit(_json(waiting) if options.output_format == "json" else _text(waiting))
            return 0
        left: list[Undelivered] = []
        if store is not None and options.forget:
            for one in waiting:
                forget(store, one)
        elif store is not None:
            settings = load_settings(options.config, told=True).alerts
            left = [rest for one in waiting if (rest := send_again(store, one, settings)) is not None]
    done = len(waiting) - len(left)
    if options.output_format == "json":
        emit(_json(left))
    else:
        word = "forgot" if options.forget else "delivered"
        emit(f"{word} the alerts of {plural(done, 'run')}\n" + (_text(left) if left else ""))
    return 1 if left else 0


def _text(waiting: Sequence[Undelivered]) -> str:
    from pincite.cli.output import terminal_width
    from pincite.cli.tables import table

    if not waiting:
        return "every alert was delivered\n"
    rows = [
        (one.run_id, moment(one.tried_at), f"{len(one.sent['alerts'])}", "; ".join(one.problems.values()))
        for one in waiting
    ]
    return table(("run", "tried (UTC)", "alerts", "why not delivered"), rows, terminal_width(sys.stdout))


def _json(waiting: Sequence[Undelivered]) -> str:
    import msgspec

    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    return dump({"schema_version": SCHEMA_VERSION, "undelivered": msgspec.to_builtins(list(waiting))})
