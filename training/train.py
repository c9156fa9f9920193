"""Train the cross-encoder. Checkpoints every few minutes and resumes after a kill.

python training/train.py --rows FILE --base FOLDER --out FOLDER --stages 2400:general 40000:target

The learning rate rises, stays, and falls over the last `--cool` steps, so that a run can be extended from its
checkpoint before it cools. The running average of the weights is evaluated and saved.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.distributed
import torch.multiprocessing
from model import CrossEncoder, loss_of

from base import base_weights, multiply_out

GENERAL = {
    "mnli": 1.0, "snli": 0.7, "counterfactual_snli": 1.5, "fever": 0.8, "vitaminc_real": 0.4,
    "vitaminc_synthetic": 0.4, "written": 1.0, "creak": 0.5, "infotabs": 0.5, "roles": 0.6, "paws": 1.5,
    "crowdnli_wiki": 0.6, "equate": 1.0, "evidence_inference": 0.4, "negation_nli": 1.0, "key_points": 0.3,
    "scitail": 0.8, "scone": 0.5, "med": 0.8, "help": 0.2, "contract_nli": 0.2, "breaking_nli": 0.3,
    "student_answers": 0.4, "timex_nli": 0.4, "veridicality": 0.3, "swords": 0.4, "sherliic": 0.8,
    "summedits": 1.0, "fool_me_twice": 2.0, "folio": 0.5, "ambient": 1.0, "bump": 3.0, "check_covid": 1.5,
    "commitment_bank": 1.0, "conj_nli": 1.0, "dialogue_facts": 1.5, "function_words": 1.5, "wnli": 1.0,
    "wice_oracle": 3.0, "begin": 4.0,
}  # fmt: skip
"""How often a row of each set is seen per pass, on average."""
TARGET = GENERAL | {
    "mnli": 1.2, "snli": 0.6, "written": 3.0, "vitaminc_real": 1.2, "vitaminc_synthetic": 0.5, "fever": 0.9,
    "counterfactual_snli": 1.5, "wice_oracle": 3.0, "begin": 4.0, "fool_me_twice": 2.0, "bump": 3.0,
    "key_points": 0.2, "help": 0.1, "scitail": 0.5, "creak": 0.4, "infotabs": 0.15, "student_answers": 0.2,
    "summedits": 0.5, "evidence_inference": 0.3, "contract_nli": 0.15,
}  # fmt: skip
NEAR = TARGET | {"written": 5.0, "snli": 0.5}
"""Near what the judge is asked: written pairs are nearly a third."""
BROAD = GENERAL | {
    "mnli": 2.0, "snli": 0.8, "counterfactual_snli": 2.0, "fever": 1.0, "vitaminc_real": 1.0, "written": 1.5,
    "paws": 2.0, "roles": 1.0, "negation_nli": 1.5, "key_points": 0.2, "help": 0.1, "infotabs": 0.3,
}  # fmt: skip
"""Mostly general inference: written rows seen often are learned by heart before they are understood."""
STEADY = TARGET | {
    "vitaminc_real": 1.6, "equate": 2.0, "check_covid": 2.5, "evidence_inference": 0.5, "scitail": 0.8,
    "roles": 1.0, "negation_nli": 1.5, "scone": 1.0, "folio": 1.0, "infotabs": 0.25, "function_words": 2.0,
    "snli": 0.3, "written": 3.0, "altered": 1.5,
}  # fmt: skip
"""As the target, with more of what falls or stays weak beside the written rows: numbers, roles, negation."""
MIXES = {"general": GENERAL, "target": TARGET, "near": NEAR, "broad": BROAD, "steady": STEADY}
MOST_TWINS = 40
"""A claim with more rows is a topic, as in student answers, and no two texts about it are alike."""
PARTS = ["train", "A", "B", "written"]
HALF_BITS = torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Half the bits are twice as fast where the processor can multiply them, and forty times slower elsewhere."""


class Rows:
    """The tokens of all rows, read from the file of `rows.py`."""

    def __init__(self, path: Path, digits: np.ndarray) -> None:
        kept = np.load(path)
        self.tokens, self.starts, self.claims = kept["tokens"], kept["starts"], kept["claims"]
        self.labels, self.groups = kept["labels"].astype(np.int64), kept["groups"]
        self.names = [str(name) for name in kept["source_names"]]
        self.sources, self.parts = kept["sources"], kept["parts"]
        self.lengths = np.diff(self.starts)
        self.digits = digits
        self.twins = self._find_twins()

    def _find_twins(self) -> dict[int, list[int]]:
        """For each training row, those with the same claim and evidence that makes another verdict of it."""
        by_claim: dict[tuple[str, bytes], list[int]] = {}
        for row in np.flatnonzero(self.parts == 0).tolist():
            start = self.starts[row]
            claim = self.tokens[start : start + int(self.claims[row])].tobytes()
            by_claim.setdefault((self.names[self.sources[row]].split("/")[0], claim), []).append(row)
        found: dict[int, list[int]] = {}
        for same in by_claim.values():
            for row in same if len(same) <= MOST_TWINS else ():
                others = [other for other in same if (self.labels[other] == 0) != (self.labels[row] == 0)]
                if others:
                    found[row] = others
        return found

    def batch(self, chosen: list[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        longest = int(self.lengths[chosen].max())
        ids, sides, marks = (np.zeros((len(chosen), longest), np.int64) for _ in range(3))
        for place, row in enumerate(chosen):
            found = self.tokens[self.starts[row] : self.starts[row + 1]]
            cut, size = int(self.claims[row]), len(found)
            ids[place, :size] = found
            sides[place, cut:size] = 1
            claim, evidence = found[1 : cut - 1], found[cut : size - 1]
            numbers = 2 * self.digits[found]
            marks[place, 1 : cut - 1] = 1 + np.isin(claim, evidence) + numbers[1 : cut - 1]
            marks[place, cut : size - 1] = 1 + np.isin(evidence, claim) + numbers[cut : size - 1]
        return tuple(torch.from_numpy(array) for array in (ids, sides, marks))


Unit = tuple[int, ...]
"""A row, or a supported one and its twin that is not: only what tells their evidence apart can tell them."""


def one_pass(rows: Rows, mix: dict[str, float], tokens: int, longest_row: int, seed: int) -> list[list[Unit]]:
    """Batches of rows of about the same length, each of about so many tokens, in random order."""
    generator = np.random.default_rng(seed)
    rates = np.array([mix.get(name.split("/")[0], 0.0) for name in rows.names])[rows.sources]
    rates[(rows.parts != 0) | (rows.lengths > longest_row)] = 0
    rates[list(rows.twins)] /= 2  # each of them is brought along by the others too
    times = np.floor(rates + generator.random(len(rates))).astype(int)
    order = generator.permutation(np.repeat(np.arange(len(rates)), times))
    units = [_unit(rows, row, generator) for row in order.tolist()]
    lengths = np.array([max(rows.lengths[list(unit)]) for unit in units])
    batches: list[list[Unit]] = []
    for first in range(0, len(units), 20_000):
        some = np.arange(first, min(first + 20_000, len(units)))
        some = some[np.argsort(lengths[some] + generator.random(len(some)))]
        ready: list[list[Unit]] = []
        batch: list[Unit] = []
        size = longest = 0
        for place in some.tolist():
            longest = max(longest, int(lengths[place]))
            size += len(units[place])
            if batch and longest * size > tokens:
                ready.append(batch)
                batch, longest, size = [], int(lengths[place]), len(units[place])
            batch.append(units[place])
        ready.append(batch)
        random.Random(seed + first).shuffle(ready)
        batches += ready
    return batches


def _unit(rows: Rows, row: int, generator: np.random.Generator) -> Unit:
    twins = rows.twins.get(row)
    if not twins:
        return (row,)
    twin = twins[int(generator.integers(len(twins)))]
    return (row, twin) if rows.labels[row] == 0 else (twin, row)


def paired_loss(logits: torch.Tensor, batch: list[Unit]) -> torch.Tensor:
    """How far each supported row is from scoring more than its twin."""
    support = logits[:, 0].float() - torch.logsumexp(logits[:, 1:].float(), 1)
    starts = np.cumsum([0, *map(len, batch)])[:-1]
    firsts = [int(start) for start, unit in zip(starts, batch, strict=True) if len(unit) == 2]
    if not firsts:
        return support.sum() * 0
    apart = support[firsts] - support[[first + 1 for first in firsts]]
    return torch.nn.functional.softplus(-apart).sum() / len(logits)


@torch.inference_mode()
def predict(model: CrossEncoder, rows: Rows, chosen: np.ndarray) -> np.ndarray:
    """The probabilities of the three verdicts."""
    model.eval()
    found = np.zeros((len(chosen), 3), np.float32)
    order = np.argsort(rows.lengths[chosen])
    for first in range(0, len(order), 64):
        places = order[first : first + 64]
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF_BITS):
            logits = model(*rows.batch(chosen[places].tolist()))
        found[places] = torch.softmax(logits.float(), 1).numpy()
    model.train()
    return found


def auroc(scores: np.ndarray, positive: np.ndarray) -> float:
    order = np.argsort(np.argsort(scores, kind="stable"), kind="stable") + 1
    n = positive.sum()
    return float((order[positive].sum() - n * (n + 1) / 2) / (n * (len(scores) - n)))


def balanced(said: np.ndarray, positive: np.ndarray) -> float:
    return 50 * float(said[positive].mean() + (~said[~positive]).mean())


def report(model: CrossEncoder, rows: Rows, chosen: np.ndarray) -> str:
    """Balanced accuracy at one half, and AUROC, for each set of development rows."""
    scores = predict(model, rows, chosen)[:, 0]
    true = rows.labels[chosen] == 0
    names = np.array([rows.names[number].split("/")[0] for number in rows.sources[chosen]])
    lines = []
    for name in sorted(set(names)):
        here = names == name
        lines.append(
            f"{name[:10]} {balanced(scores[here] >= 0.5, true[here]):.1f}"
            f"/{100 * auroc(scores[here], true[here]):.1f}"
        )
    written = chosen[names == "written"]
    right = (scores[names == "written"] >= 0.5) == true[names == "written"]
    groups: dict[int, bool] = {}
    for group, fine in zip(rows.groups[written], right, strict=True):
        groups[group] = groups.get(group, True) and bool(fine)
    lines.append(f"groups {100 * np.mean(list(groups.values())):.0f}")
    return "  ".join(lines)


def rate_at(step: int, options: argparse.Namespace, last: int) -> float:
    if step < options.warm:
        return float((step + 1) / options.warm)
    return min(1.0, max(0.01, (last - step) / options.cool)) if options.cool else 1.0


def meet(tuned: list[torch.nn.Parameter], optimizer: torch.optim.Optimizer, processes: int) -> None:
    """Give every process the mean of all their weights and of what their optimizers remember.

    Processes that average each gradient wait for the slowest at every step. Averaging every few steps costs
    next to nothing, and a core that is busy with something else for a moment slows nobody.
    """
    shared = [tensor for p in tuned for tensor in (p.data, *_remembered(optimizer, p))]
    flat = torch.cat([tensor.flatten() for tensor in shared])
    torch.distributed.all_reduce(flat)
    start = 0
    for tensor in shared:
        tensor.copy_((flat[start : start + tensor.numel()] / processes).view_as(tensor))
        start += tensor.numel()


def _remembered(optimizer: torch.optim.Optimizer, p: torch.nn.Parameter) -> list[torch.Tensor]:
    return [optimizer.state[p][name] for name in ("exp_avg", "exp_avg_sq")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="exported weights to go on from, without a checkpoint")
    parser.add_argument(
        "--stages", nargs="+", default=["2400:general", "40000:target"], help="STEPS:MIX each"
    )
    parser.add_argument("--tokens", type=int, default=2048, help="tokens per step")
    parser.add_argument("--longest", type=int, default=192, help="leave out rows with more tokens")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--fresh", type=float, default=5.0, help="times the rate, for what begins untrained")
    parser.add_argument("--warm", type=int, default=150)
    parser.add_argument("--cool", type=int, default=0)
    parser.add_argument("--decay", type=float, default=0.998, help="of the running average")
    parser.add_argument("--look", type=int, default=1000)
    parser.add_argument("--save", type=float, default=180, help="seconds between checkpoints")
    parser.add_argument("--watch", type=int, default=300, help="rows of each development set to look at")
    parser.add_argument("--paired", type=float, default=0.5, help="what a claim's two verdicts weigh")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--processes", type=int, default=1, help="each takes batches of its own; their weights are averaged"
    )
    parser.add_argument("--round", type=int, default=8, help="steps between two averages of the processes")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.processes > 1:
        (options.out / "meeting").unlink(missing_ok=True)
        torch.multiprocessing.spawn(train, (options,), nprocs=options.processes)
    else:
        train(0, options)


def train(rank: int, options: argparse.Namespace) -> None:
    """One process of the run; the first of them looks, tells and saves."""
    if options.processes > 1:
        meeting = f"file://{(options.out / 'meeting').absolute()}"
        torch.distributed.init_process_group(
            "gloo", init_method=meeting, rank=rank, world_size=options.processes
        )
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    vocabulary = json.loads((options.base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    digits = np.zeros(30522, np.int64)
    for word, number in vocabulary.items():
        digits[number] = word.lstrip("#").isdigit()
    rows = Rows(options.rows, digits)
    watched = []
    for part in (1, 3):
        for number in range(len(rows.names)):
            here = np.flatnonzero((rows.parts == part) & (rows.sources == number))
            watched.append(here if part == 3 else here[: options.watch])
    chosen = np.concatenate(watched)
    model = CrossEncoder(base_weights(options.base), options.dropout)
    model.words.weight.requires_grad_(False)
    tuned = [p for p in model.parameters() if p.requires_grad]
    fresh = {id(p) for part in (model.mix, model.out, model.marks) for p in part.parameters()}
    groups = [
        {
            "params": [p for p in tuned if (p.ndim > 1) == wide and (id(p) in fresh) == new],
            "weight_decay": 0.01 if wide else 0.0,
            "times": options.fresh if new else 1.0,
        }
        for wide in (True, False)
        for new in (True, False)
    ]
    groups = [group for group in groups if group["params"]]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=True)
    average = {name: value.clone() for name, value in model.state_dict().items() if name != "words.weight"}
    stages = [(int(steps), MIXES[mix]) for steps, mix in (stage.split(":") for stage in options.stages)]
    last = sum(steps for steps, _ in stages)
    step, seen, stage, turn, place, running = 0, 0, 0, 0, 0, 1.0
    path = options.out / "checkpoint.pt"
    if path.exists():
        kept = torch.load(path, weights_only=False)
        model.load_state_dict(kept["model"], strict=False)
        if len(kept["optimizer"]["param_groups"]) == len(groups):
            optimizer.load_state_dict(kept["optimizer"])
        average, step, seen = kept["average"], kept["step"], kept["seen"]
        stage, turn, place = kept["stage"], kept["turn"], kept["place"]
        running = kept.get("running", running)
        if rank == 0:
            print(f"resumed at step {step}, {seen:,} pairs", flush=True)
    elif options.begin is not None:
        # Exported weights are all that is left of a run: the average, without what the optimizer remembered.
        begun = multiply_out(onnx.load(str(options.begin)), "model.")
        model.load_state_dict({name: begun[name] for name in average}, strict=False)
        average = {name: begun[name].clone() for name in average}
    smooth = CrossEncoder()
    smooth.words.weight.data.copy_(model.words.weight.data)

    def save() -> None:
        state = {name: value for name, value in model.state_dict().items() if name != "words.weight"}
        torch.save(
            {
                "model": state, "average": average, "optimizer": optimizer.state_dict(), "step": step,
                "seen": seen, "stage": stage, "turn": turn, "place": place,
                "running": running,
            },
            path.with_suffix(".new"),
        )  # fmt: skip
        path.with_suffix(".new").replace(path)

    began, before, saved = time.time(), seen, time.time()
    ends = np.cumsum([steps for steps, _ in stages])
    while step < last:
        batches = one_pass(
            rows, stages[stage][1], options.tokens, options.longest, options.seed + 100 * stage + turn
        )
        while place + options.processes <= len(batches) and step < ends[stage]:
            torch.manual_seed(options.seed + step)
            batch = batches[place + rank]
            chosen_rows = [row for unit in batch for row in unit]
            for group in optimizer.param_groups:
                group["lr"] = group["times"] * options.rate * rate_at(step, options, last)
            with torch.autocast("cpu", torch.bfloat16, enabled=HALF_BITS):
                logits = model(*rows.batch(chosen_rows))
            loss = loss_of(logits, torch.from_numpy(rows.labels[chosen_rows]))
            told = loss.item()
            loss = loss + options.paired * paired_loss(logits, batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tuned, 1.0)
            optimizer.step()
            step, seen = (
                step + 1,
                seen
                + sum(len(unit) for found in batches[place : place + options.processes] for unit in found),
            )
            place += options.processes
            running += (told - running) * 0.005
            if step % options.round and step != last:
                continue
            if options.processes > 1:
                meet(tuned, optimizer, options.processes)
            if rank:
                continue
            with torch.no_grad():
                state = model.state_dict()
                decay = min(options.decay**options.round, (1 + step) / (10 + step))
                for name, value in average.items():
                    value.lerp_(state[name], 1 - decay)
            if step % (10 * options.round) == 0:
                rate = (seen - before) / (time.time() - began)
                print(
                    f"{step}/{last} {seen:,} pairs, loss {running:.3f}, {rate:.0f}/s, "
                    f"{time.time() - began:.0f} s",
                    flush=True,
                )
            if step % (options.look // options.round * options.round) == 0 or step == last:
                smooth.load_state_dict(average, strict=False)
                print(f"{step}: {report(smooth, rows, chosen)}", flush=True)
            if time.time() - saved > options.save or step == last:
                save()
                saved = time.time()
        if step >= ends[stage] and stage + 1 < len(stages):
            stage, turn, place = stage + 1, 0, 0
        else:
            turn, place = turn + 1, 0
    if rank:
        return
    smooth.load_state_dict(average, strict=False)
    torch.save(smooth.state_dict(), options.out / "model.pt")


if __name__ == "__main__":
    main()
