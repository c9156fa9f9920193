"""Makes more labelled rows by rule: `python training/make_pairs.py --data FOLDER --out FILE --seed 1`.

Reads `train.jsonl` in the folder (or in its `support` folder) and writes rows of the same fields as JSON
Lines, with `source` set to `made/<kind>`. The same seed and data give the same file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from pairmaking import bindings, context, frames, polarity, quantities, roles, wording, wordings
from pairmaking.rows import (
    CONTRADICTED,
    NOT_ENOUGH,
    SUPPORTED,
    Made,
    Pool,
    Row,
    detokenise,
    plain_lines,
    read_rows,
)

Rule = Callable[[Row, Random, Pool], Made]

# The rule of each kind, and its share of --per-kind.
KINDS: dict[str, tuple[Rule, float]] = {
    "number": (quantities.number, 1.0),
    "bound": (quantities.bound, 1.0),
    "unit": (quantities.unit, 0.7),
    "currency": (quantities.currency, 0.2),
    "date": (quantities.date, 1.0),
    "date_bound": (quantities.date_bound, 0.5),
    "decade": (quantities.decade, 0.3),
    "number_said_otherwise": (quantities.number_said_otherwise, 1.0),
    "date_said_otherwise": (quantities.date_said_otherwise, 0.7),
    "name": (roles.name, 1.2),
    "voice": (roles.voice, 1.0),
    "negation": (polarity.negation, 1.2),
    "negation_on_both": (polarity.negation_on_both, 0.5),
    "opposite": (polarity.opposite, 0.7),
    "quantifier": (polarity.quantifier, 0.7),
    "hedge": (polarity.hedge, 1.0),
    "synonym": (wording.synonym, 1.0),
    "shorter": (wording.shorter, 0.6),
    "chat_style": (wording.chat_style, 1.2),
    "joined": (wording.joined, 1.0),
    "other_passage": (context.other_passage, 1.2),
    "detail": (context.detail, 1.2),
    "copy": (context.copy, 1.2),
    "long_evidence": (context.long_evidence, 3.0),
    "plain_spacing": (context.plain_spacing, 2.0),
}
# Generators that need no rows to start from: `--only NAME` writes the rows of one of them alone.
GENERATORS: dict[str, Callable[[Random], Iterator[tuple[str, Row]]]] = {
    "bindings": bindings.make,
    "wordings": wordings.make,
}
ROWS = "rows"
"""What is made from labelled rows, and from frames that borrow their names."""
NATURAL_SHARE = 0.5


def main() -> None:
    """Reads the rows, applies every rule and writes what came of it."""
    options = _options()
    made: list[tuple[str, Row]] = []
    if options.only in (None, ROWS):
        made += _from_rows(options)
    if options.only != ROWS:
        names = [options.only] if options.only else list(GENERATORS)
        made += _generate(names, options.seed, {(row.claim, row.evidence) for _, row in made})
    _write(options.out, made, Random(f"{options.seed}/spacing"))
    _show(made, options.samples, Random(options.seed))


def _from_rows(options: argparse.Namespace) -> list[tuple[str, Row]]:
    path = options.data / "train.jsonl"
    if not path.exists():
        path = options.data / "support" / "train.jsonl"
    three, two = read_rows(path)
    pool = Pool(three, plain_lines(two))
    known = {(row.claim, row.evidence) for row in three}
    made: list[tuple[str, Row]] = []
    for kind, (rule, share) in KINDS.items():
        rng = Random(f"{options.seed}/{kind}")
        rows = three + two if kind == "copy" else three
        chosen = _apply(rule, rows, rng, pool, known, round(options.per_kind * share))
        made += [(kind, row) for row in chosen]
    rng = Random(f"{options.seed}/frames")
    for kind, row in frames.make(rng, pool, options.per_kind):
        if (row.claim, row.evidence) not in known:
            known.add((row.claim, row.evidence))
            made.append((f"frame_{kind}", row))
    return made


def _generate(names: list[str], seed: int, known: set[tuple[str, str]]) -> list[tuple[str, Row]]:
    made: list[tuple[str, Row]] = []
    for name in names:
        for kind, row in GENERATORS[name](Random(f"{seed}/{name}")):
            if (row.claim, row.evidence) not in known:
                known.add((row.claim, row.evidence))
                made.append((f"{name}_{kind}", row))
    return made


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Make more labelled rows by rule.")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds train.jsonl")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-kind", type=int, default=1400, help="rows of a kind of ordinary size")
    parser.add_argument("--only", choices=[ROWS, *GENERATORS], help="write only these")
    parser.add_argument("--samples", type=int, default=0, help="print so many rows of each kind")
    return parser.parse_args()


def _apply(
    rule: Rule, rows: list[Row], rng: Random, pool: Pool, known: set[tuple[str, str]], most: int
) -> list[Row]:
    """Rows of one kind, at most half of them supported and half not while the rule yields both."""
    room = {SUPPORTED: (most + 1) // 2, "": most // 2}
    chosen: list[Row] = []
    for row in rng.sample(rows, len(rows)):
        if not any(room.values()):
            break
        for new in rule(row, rng, pool):
            side = SUPPORTED if new.verdict == SUPPORTED else ""
            fresh = (new.claim, new.evidence) not in known or rule is context.plain_spacing
            if new.verdict and room[side] and fresh:
                room[side] -= 1
                known.add((new.claim, new.evidence))
                chosen.append(new)
    return chosen


def _write(path: Path, made: list[tuple[str, Row]], rng: Random) -> None:
    seen: set[tuple[str, str]] = set()
    with path.open("w", encoding="utf-8") as out:
        for number, (kind, row) in enumerate(made):
            claim, evidence = row.claim, row.evidence
            if kind == "plain_spacing" or kind.startswith("frame_") or rng.random() < NATURAL_SHARE:
                claim, evidence = detokenise(claim), detokenise(evidence)
            if (claim, evidence) in seen:
                continue
            seen.add((claim, evidence))
            entry = {
                "id": f"made-{kind}-{number}",
                "claim": claim,
                "evidence": evidence,
                "label": int(row.verdict == SUPPORTED),
                "source": f"made/{kind}",
                "verdict": row.verdict,
            }
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _show(made: list[tuple[str, Row]], samples: int, rng: Random) -> None:
    counts = Counter((kind, row.verdict) for kind, row in made)
    for kind in dict.fromkeys(kind for kind, _ in made):
        figures = "  ".join(
            f"{verdict} {counts[kind, verdict]}" for verdict in (SUPPORTED, CONTRADICTED, NOT_ENOUGH)
        )
        print(f"{kind:24}{figures}")
        rows = [row for name, row in made if name == kind]
        for row in rng.sample(rows, min(samples, len(rows))):
            print(f"    [{row.verdict}] {row.claim}\n        <- {row.evidence[:400]}")
    print(f"{len(made)} rows in all")


if __name__ == "__main__":
    main()
