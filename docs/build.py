"""Write the pages that are made from the code: the findings, and the picture of the terminal.

`make docs` runs it; a test says when a page is out of date.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from pincite.findings import RULES, explanations_text

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


def main() -> None:
    (HERE / "findings.md").write_text(findings_page(), encoding="utf-8")
    (HERE / "terminal.svg").write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
