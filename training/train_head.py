"""Train the head on cached vectors. Stops and goes on where it was: checkpoints stand in the work folder.

python training/train_head.py --work FOLDER --train train made --dev dev --out head --resume
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from batches import Rows, half, shuffled
from head import Head, loss_of

OFTEN = {"wice_oracle": 4, "begin": 6}
"""Few rows of a kind that matters are seen more often."""


def auroc(scores: np.ndarray, labels: np.ndarray) -> float:
    ranks = np.empty(len(scores))
    order = np.argsort(scores, kind="stable")
    ranks[order] = np.arange(1, len(scores) + 1)
    positive = labels.sum()
    above = ranks[labels].sum() - positive * (positive + 1) / 2
    return float(above / (positive * (len(labels) - positive)))


def predict(head: Head, rows: Rows, chosen: Sequence[int], size: int = 64) -> np.ndarray:
    head.eval()
    logits = np.zeros((len(chosen), 6), np.float32)
    order = sorted(range(len(chosen)), key=lambda i: rows.lengths[chosen[i]])
    with torch.inference_mode():
        for start in range(0, len(order), size):
            places = order[start : start + size]
            logits[places] = torch.cat(head(*rows.batch([chosen[i] for i in places])), 1).numpy()
    head.train()
    return logits


def probability(logits: np.ndarray) -> np.ndarray:
    logits = logits[:, :3]
    exp = np.exp(logits - logits.max(1, keepdims=True))
    supported: np.ndarray = exp[:, 0] / exp.sum(1)
    return supported


def table(scores: np.ndarray, rows: Rows, chosen: Sequence[int]) -> str:
    sources = np.array([rows.sources[i].split("/")[0] for i in chosen])
    labels = rows.labels[chosen] == 0
    lines = []
    for source in sorted(set(sources)):
        here = sources == source
        said, true = scores[here] >= 0.5, labels[here]
        if true.all() or not true.any():
            continue
        balanced = 50 * (said[true].mean() + (~said[~true]).mean())
        best = max(
            50 * ((scores[here] >= t)[true].mean() + (scores[here] < t)[~true].mean())
            for t in np.linspace(0.05, 0.95, 37)
        )
        lines.append(f"{source[:12]} {balanced:.1f}/{best:.1f}/{100 * auroc(scores[here], true):.1f}")
    return "  ".join(lines)


def average_gradients(head: Head, cores: int) -> None:
    gradients = [p.grad for p in head.parameters() if p.grad is not None]
    flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
    dist.all_reduce(flat)
    flat /= cores
    place = 0
    for gradient in gradients:
        gradient.copy_(flat[place : place + gradient.numel()].view_as(gradient))
        place += gradient.numel()


def train(rank: int, options: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    if options.cores > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(options.port))
        dist.init_process_group("gloo", rank=rank, world_size=options.cores)
    torch.manual_seed(options.seed)
    generator = random.Random(options.seed)
    sets = [Rows(options.work, name) for name in options.train]
    dev = Rows(options.work, options.dev)
    half_a = [i for i, row in enumerate(dev.rows) if half(row[0]) == "A"]
    limit: dict[str, int] = {}
    watched = []
    for i in half_a:
        source = dev.sources[i].split("/")[0]
        limit[source] = limit.get(source, 0) + 1
        if limit[source] <= 400:
            watched.append(i)
    head = Head(options.width, dropout=options.dropout, places=options.places, blocks=options.blocks)
    if options.begin is not None:
        head.load_state_dict(torch.load(options.work / f"{options.begin}.pt")["weights"], strict=False)
    shares = options.share or [1.0] * len(sets)
    plan = [
        (number, i)
        for number, rows in enumerate(sets)
        for i, row in enumerate(rows.rows)
        for _ in range(OFTEN.get(row[1], 1))
    ]
    if rank == 0:
        print(
            f"{sum(p.numel() for p in head.parameters())} parameters, {len(plan)} rows an epoch", flush=True
        )
    optimizer = torch.optim.AdamW(head.parameters(), lr=options.rate, weight_decay=0.02)
    steps = int(options.epochs * sum(shares[number] for number, _ in plan) / options.size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min(1.0, (n + 1) / 300) * max(0.02, 1 - n / steps)
    )
    step, path = 0, options.work / f"{options.out}.checkpoint"
    average = {name: value.clone() for name, value in head.state_dict().items()}
    if options.resume and path.exists():
        kept = torch.load(path, weights_only=False)
        head.load_state_dict(kept["head"])
        optimizer.load_state_dict(kept["optimizer"])
        schedule.load_state_dict(kept["schedule"])
        average, step = kept["average"], kept["step"]
        generator.setstate(kept["random"])
    torch.manual_seed(options.seed + 1000 * rank + step)  # each core drops other words
    last = min(steps, options.stop or steps)
    began, first, running = time.time(), step, 0.0
    smooth = Head(options.width, dropout=options.dropout, places=options.places, blocks=options.blocks)
    while step < last:
        batches = []
        for number, rows in enumerate(sets):
            mine = [i for n, i in plan if n == number]
            mine = generator.sample(mine, int(shares[number] * len(mine)))
            batches += [(number, batch) for batch in shuffled(mine, rows.lengths, options.size, generator)]
        generator.shuffle(batches)
        for number, whole in batches:
            batch = whole[rank :: options.cores] or whole
            inputs = list(sets[number].batch(batch))
            if options.hide_flags:
                seen = (torch.rand(len(batch), 1, 1) >= options.hide_flags).float()
                inputs[1], inputs[4] = inputs[1] * seen, inputs[4] * seen
            loss = loss_of(head(*inputs)[0], torch.from_numpy(sets[number].labels[batch]))
            optimizer.zero_grad()
            loss.backward()
            if options.cores > 1:
                average_gradients(head, options.cores)
            torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            running += (loss.item() - running) * max(0.005, 1 / (step - first))
            with torch.no_grad():
                for name, value in head.state_dict().items():
                    average[name].lerp_(value, max(0.002, 1 / (step + 1)))
            if step >= last and rank:
                break
            if rank:
                continue
            if step % 100 == 0:
                rate = (step - first) * options.size / (time.time() - began)
                print(
                    f"{step}/{steps} loss {running:.3f} {rate:.0f} pairs/s {time.time() - began:.0f} s",
                    flush=True,
                )
            if step % options.look == 0 or step == last:
                smooth.load_state_dict(average)
                print(table(probability(predict(smooth, dev, watched)), dev, watched), flush=True)
                torch.save(
                    {
                        "head": head.state_dict(),
                        "average": average,
                        "optimizer": optimizer.state_dict(),
                        "schedule": schedule.state_dict(),
                        "step": step,
                        "random": generator.getstate(),
                        "settings": head.settings,
                    },
                    path,
                )
            if step >= last:
                break
    if rank == 0:
        torch.save({"weights": average, "settings": head.settings}, options.work / f"{options.out}.pt")
    if options.cores > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--dev", default="dev")
    parser.add_argument("--out", default="head")
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--dropout", type=float, default=0.25)
    parser.add_argument("--hide-flags", type=float, default=0.1)
    parser.add_argument("--places", action="store_true", help="tell each token its place")
    parser.add_argument("--blocks", type=int, default=0, help="layers in which both sides look at each other")
    parser.add_argument("--begin", default=None, help="a head to begin from")
    parser.add_argument(
        "--share", nargs="*", type=float, default=None, help="how much of each set an epoch sees"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--port", type=int, default=29517)
    parser.add_argument("--look", type=int, default=500)
    parser.add_argument(
        "--stop", type=int, default=None, help="the step to stop at, before the end of the schedule"
    )
    parser.add_argument("--resume", action="store_true")
    given = parser.parse_args()
    if given.cores > 1:
        torch.multiprocessing.spawn(train, args=(given,), nprocs=given.cores)
    else:
        train(0, given)
