"""Run the benches: `python -m bench [NAME …] [--data FOLDER]`. Exits 1 when a bar is missed."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

import bench
from bench.figures import Figure

NOT_BENCHES = {"__main__", "figures"}


def names() -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(bench.__path__) if not module.ispkg)
    return sorted(name for name in found if name not in NOT_BENCHES and not name.startswith("_"))


def show(figure: Figure) -> str:
    bar = ""
    if figure.bar is not None:
        sign = "≤" if figure.at_most else "≥"
        gap = abs(figure.value - figure.bar)
        bar = f"  {sign} {figure.bar:g}{figure.unit}  {'met' if figure.passed else f'MISSED by {gap:.3g}'}"
    note = f"  ({figure.note})" if figure.note else ""
    return f"  {figure.name:<58} {figure.value:>12.4g}{figure.unit}{bar}{note}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "benches", nargs="*", metavar="NAME", help=f"which: {', '.join(names())} (default: all)"
    )
    parser.add_argument("--data", type=Path, default=None, help="folder with human-labelled data")
    parser.add_argument(
        "--half", choices=["A", "B"], default="B", help="judges: which half of the labelled rows (default: B)"
    )
    parser.add_argument("--markdown", action="store_true", help="judges: print the tables for a page as well")
    options = parser.parse_args()
    unknown = sorted(set(options.benches) - set(names()))
    if unknown:
        parser.error(f"no bench named {', '.join(unknown)}; there are {', '.join(names())}")
    missed = 0
    for name in options.benches or names():
        module = importlib.import_module(f"bench.{name}")
        print(f"{name}: {(module.__doc__ or '').strip().splitlines()[0]}", flush=True)
        extra = {"half": options.half, "markdown": options.markdown} if name == "judges" else {}
        for figure in module.run(options.data, **extra):
            if isinstance(figure, str):
                print(figure, flush=True)
                continue
            print(show(figure), flush=True)
            missed += not figure.passed
    print(f"{missed} bar(s) missed" if missed else "every bar cleared")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
