"""Files that Pincite keeps, and command lines with the files that they read."""

from __future__ import annotations

import os
from pathlib import Path

from bench.fuzzing.data_seeds import RAGAS, RECORDED, datasets
from bench.fuzzing.mutate import pack
from bench.fuzzing.seeds import SHORT, SOURCE, as_json, as_lines, example, payloads

# --- what Pincite keeps --------------------------------------------------------------------------


def calibrations() -> list[bytes]:
    saved = {
        "schema_version": 1,
        "name": "mine",
        "judge": "rules/1",
        "question": "support",
        "slope": 1.5,
        "intercept": -0.2,
        "threshold": 0.5,
        "rows": 100,
        "date": "2026-01-01",
        "data_sha256": "0" * 64,
    }
    return [as_json(saved)]


def known_findings() -> list[bytes]:
    import pincite
    from pincite.reports import write

    report = pincite.check(pincite.Answer(SHORT), {"a.txt": SOURCE}, settings=pincite.Settings(judge="rules"))
    return [write([report], "json").encode()]


def stores() -> list[bytes]:
    """A history with two runs and a test."""
    import pincite

    box = Path(os.environ["FUZZ_BOX"])
    (box / "answers.jsonl").write_bytes(as_lines(RECORDED))
    with pincite.open_store(box / "runs.sqlite") as store:
        for name in ("first", "second"):
            pincite.evaluate(
                example("dataset"), answers=box / "answers.jsonl", judge="rules", store=store, name=name
            )
        store.put("ab", "mine", {"pairs": [[1, 0]], "alpha": 0.05})
    return [(box / "runs.sqlite").read_bytes()]


def caches() -> list[bytes]:
    from pincite.llm import ReplyCache

    path = Path(os.environ["FUZZ_BOX"]) / "replies-1.sqlite3"
    cache = ReplyCache(path)
    for number in range(20):
        cache.put(f"{number:064x}", f"reply {number}")
    cache.close()
    return [path.read_bytes()]


def journals() -> list[bytes]:
    import pincite
    from pincite.runs import encode

    box = Path(os.environ["FUZZ_BOX"])
    (box / "answers.jsonl").write_bytes(as_lines(RECORDED))
    with pincite.open_store(box / "runs.sqlite") as store:
        run = pincite.evaluate(example("dataset"), answers=box / "answers.jsonl", judge="rules", store=store)
        return [encode(item) for item in store.items(run.run_id)]


# --- the command line ----------------------------------------------------------------------------

# fmt: off
OPTIONS = (
    "-f json", "-f text", "-f markdown", "-f junit", "-f sarif", "-f github", "--quiet", "--strict",
    "--no-color", "--sources docs", "--sources docs/a.txt", "--from anthropic", "--from ragas",
    "--kind dataset", "--kind results", "--config pincite.toml", "--config a.config.yaml",
    "--baseline known.json", "--set calibration=cal.json", "--judge rules",
    "--judge panel:majority:rules,rules", "--select PIN2", "--ignore PIN301", "--fail-under 0.5", "--diff",
    "--fix", "--set limits.source_bytes=1000000", "--set limits.answer_bytes=1000", "--limit 1", "--seed 3",
    "--set evaluation.resamples=100",
    "-m hit@1", "-m span_f1", "--threshold hit@1=0.5", "--store h.sqlite", "--store none", "--name first",
    "--dry-run", "--no-resume", "--labels rows.jsonl", "--output out.json", "-o out.csv", "-o out.yaml",
    "--answers answers.jsonl", "--target answer", "--map query_text=a.b", "--set agreement.min_annotators=1",
    "--max-problems 1", "--older-than 7d", "--since 2026-01-01", "--items", "--failed", "--verbose",
    "--keep first", "--queries 2", "--of-run latest", "--force", "--text a.txt",
    "--set attach=paragraph", "--set offsets=page", "--statistics",
    "--write-baseline out.json", "--save out.json",
    "--unlabelled rows.jsonl", "--yes", "--difference 0.1", "--power 0.8", "--alpha 0.05", "--sd 0.3",
    "--a latest", "--b latest~1", "--topics t.tsv", "--help",
)
_COMMANDS = (
    "check answer.md --sources docs", "check answer.md payload.json -f json", "parse answer.md -f json",
    "sources docs -f json", "locate fox --sources docs", "explain PIN203", "rules -f json",
    "metrics -f json", "cache info -f json", "cache clear",
    "data check a.eval.json answers.jsonl a.gt.json --statistics",
    "data check a.eval.json -f json", "data convert a.eval.json out.eval.csv",
    "data convert --from ragas ragas.jsonl out.eval.json --answers out.jsonl",
    "data new --from docs -n 3 out.eval.json", "data fill a.eval.json out.eval.json --sources docs",
    "data labels rows.jsonl out.jsonl", "agreement a.gt.json -f json",
    "judge score rows.jsonl --judge rules -f json", "judge calibrate rows.jsonl --judge rules -f json",
    "eval a.eval.json --answers answers.jsonl -f json", "eval a.eval.json --target answer -m hit@1",
    "runs list --store h.sqlite", "runs show --store h.sqlite -f json",
    "runs compare latest latest~1 --store h.sqlite", "runs trend hit@1 --store h.sqlite",
    "runs report --store h.sqlite",
    "runs export latest -o out.results.json --store h.sqlite",
    "runs prune --older-than 90d --dry-run --store h.sqlite",
    "runs compare a.results.json b.results.json", "check answer.md --baseline known.json",
)
# fmt: on


def commands() -> list[bytes]:
    """Every command, each with the files that it reads."""
    results = as_json(example("results"))
    files = {
        "docs/a.txt": SOURCE.encode(),
        "docs/b.json": b'{"x": {"y": [1]}}',
        "answer.md": SHORT.encode(),
        "payload.json": payloads()[0],
        "a.eval.json": datasets("json")[0],
        "answers.jsonl": as_lines(RECORDED),
        "a.gt.json": as_json(example("ground_truth")),
        "a.results.json": results,
        "b.results.json": results,
        "rows.jsonl": as_lines([{"id": "a", "claim": "It rose.", "evidence": "It rose.", "label": 1}]),
        "ragas.jsonl": as_lines([RAGAS]),
        "pincite.toml": b'judge = "rules"\n[store]\nurl = "h.sqlite"\n',
        "a.config.yaml": b"strict: true\n",
        "known.json": known_findings()[0],
        "cal.json": calibrations()[0],
        "h.sqlite": stores()[0],
    }
    found = []
    for command in _COMMANDS:
        words = command.split(" ")
        named = {name for name in files if name.partition("/")[0] in words} | {"pincite.toml"}
        wanted = {name: content for name, content in files.items() if name in named}
        found.append(pack({"arguments": "\n".join(words).encode(), **wanted}))
    return found
