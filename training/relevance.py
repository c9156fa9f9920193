"""Teach the trained model one thing more: whether a text is about the matter of a question.

What it has learned of two texts is left as it is. A linear function of a layer in the middle is
fitted on training claims, turned into questions, beside their own evidence and beside that of others.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch
from join import fit
from model import WIDTH, CrossEncoder
from rows import CLS, SEP, read_rows
from tokenizers import Tokenizer
from torch import nn

SOURCES = {
    "written", "fever", "vitaminc_real", "scitail", "creak", "wice_oracle", "check_covid", "key_points",
    "mnli",
}  # fmt: skip
ROWS = 2500
BEGINNINGS = ("What about ", "How is it that ", "Why ", "Is it true that ", "")
PENALTY = 10.0
LONGEST = 600
BATCH = 32


def question_of(claim: str, generator: random.Random) -> str:
    """The claim as somebody might ask about it."""
    return generator.choice(BEGINNINGS) + claim.rstrip(". ") + generator.choice(("?", "?", ""))


def make_pairs(data: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Questions beside texts about them, and beside texts about something else."""
    generator = random.Random(1)
    rows = [r for r in read_rows(data) if r.part == "train" and r.source.split("/")[0] in SOURCES]
    chosen = generator.sample(rows, ROWS)
    pairs, labels = [], []
    for row in chosen:
        question = question_of(row.claim, generator)
        other = generator.choice(chosen)
        pairs += [(question, row.evidence[:LONGEST]), (question, other.evidence[:LONGEST])]
        labels += [True, other.evidence == row.evidence]
    return pairs, np.array(labels)


@torch.inference_mode()
def read_middle(model: CrossEncoder, tokenizer: Tokenizer, pairs: list[tuple[str, str]]) -> np.ndarray:
    """What the layer in the middle makes of each pair."""
    vocabulary = tokenizer.get_vocab()
    digits = {number for word, number in vocabulary.items() if word.removeprefix("##").isdigit()}

    def marks(tokens: list[int], others: list[int]) -> list[int]:
        return [1 + (token in others) + 2 * (token in digits) for token in tokens]

    cut = [
        [found.ids for found in tokenizer.encode_batch(list(pair), add_special_tokens=False)]
        for pair in pairs
    ]
    order = sorted(range(len(pairs)), key=lambda place: sum(map(len, cut[place])))
    found = np.zeros((len(pairs), 3 * WIDTH), np.float32)
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        longest = max(len(cut[place][0]) + len(cut[place][1]) + 3 for place in places)
        tables = [np.zeros((len(places), longest), np.int64) for _ in range(3)]
        for row, place in enumerate(places):
            asked, text = cut[place]
            size, first = len(asked) + len(text) + 3, len(asked) + 2
            tables[0][row, :size] = [CLS, *asked, SEP, *text, SEP]
            tables[1][row, first:size] = 1
            tables[2][row, :size] = [0, *marks(asked, text), 0, *marks(text, asked), 0]
        found[places] = model.read(*map(torch.from_numpy, tables))[1].numpy()
    return found


def fit_relevance(model: CrossEncoder, base: Path, data: Path) -> nn.Linear:
    """The linear function, as a layer."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(150)
    pairs, labels = make_pairs(data)
    values = read_middle(model, tokenizer, pairs)
    found = fit(values, labels, np.ones(len(labels)), PENALTY / len(labels))
    right = np.mean((values @ found[:-1] + found[-1] >= 0) == labels)
    print(f"relevance: {100 * right:.1f}% of the {len(labels):,} pairs it was fitted on")
    layer = nn.Linear(3 * WIDTH, 1)
    layer.weight.data.copy_(torch.from_numpy(found[:-1].astype(np.float32))[None])
    layer.bias.data.fill_(float(found[-1]))
    return layer
