"""`pincite hook`: the check as pre-commit calls it, with options first and then the names of files."""

from __future__ import annotations

from pincite.cli.commands import check

run = check.run._replace(
    files_last=True,
    epilog="""\
For hooks that append the names of files to a command. The options are those of `pincite check`, and come
first. The files begin after `--`; without it, at the first word that is no option, or that is the
name of a file. No file is read as an option, whatever its name.

example:
  pincite hook --sources docs/ -- answers/a.md --config=a.md

exit codes: 0 clean, 1 errors found or a threshold missed, 2 could not run
""",
)
