"""The cross-encoder: the base reads claim and evidence as one text; a small head tells three verdicts apart.

Each token also carries one of four marks: whether its word stands in the other text too, and whether it is a
number. The marks begin at zero, so that the base starts as it was published.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, str(Path(__file__).parent.parent))
from encoder import HEADS, LAYERS, WIDTH, Layer, base_weights

ONLY_NOT = 3
MARKS = 5
"""0 for the three tokens that part the texts; else 1 + shared + 2 * number."""


class CrossEncoder(nn.Module):
    def __init__(self, weights: dict[str, torch.Tensor] | None = None, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, WIDTH)
        self.places = nn.Embedding(512, WIDTH)
        self.sides = nn.Embedding(2, WIDTH)
        self.marks = nn.Embedding(MARKS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.mix = nn.Linear(3 * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 3)
        nn.init.zeros_(self.marks.weight)
        if weights is not None:
            self.words.weight.data.copy_(weights["embeddings.word_embeddings.weight"])
            self.places.weight.data.copy_(weights["embeddings.position_embeddings.weight"])
            self.sides.weight.data.copy_(weights["embeddings.token_type_embeddings.weight"])
            self.norm.weight.data.copy_(weights["embeddings.LayerNorm.weight"])
            self.norm.bias.data.copy_(weights["embeddings.LayerNorm.bias"])
            for number, layer in enumerate(self.layers):
                layer.load(weights, number)

    def forward(self, ids: torch.Tensor, sides: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
        """Logits of supported, contradicted and not enough, one row per pair; id 0 is padding."""
        there = ids != 0
        places = self.places(torch.arange(ids.shape[1]))
        x = self.words(ids) + places + self.sides(sides) + self.marks(marks)
        x = self.dropout(self.norm(x))
        mask = there[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        claim = (there & (sides == 0)).unsqueeze(2)
        evidence = (there & (sides == 1)).unsqueeze(2)
        pooled = [x[:, 0]] + [(x * part).sum(1) / part.sum(1) for part in (claim, evidence)]
        return self.out(self.dropout(F.gelu(self.mix(torch.cat(pooled, 1)))))


def loss_of(logits: torch.Tensor, labels: torch.Tensor, smoothing: float = 0.05) -> torch.Tensor:
    """Cross-entropy; for rows only known not to be supported, of the sum of the other two."""
    logs = F.log_softmax(logits.float(), 1)
    other = torch.logsumexp(logs[:, 1:], 1)
    known = labels != ONLY_NOT
    picked = logs.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    picked = torch.where(known, (1 - smoothing) * picked + smoothing * logs.mean(1), other)
    return -picked.mean()


__all__ = ["HEADS", "MARKS", "CrossEncoder", "base_weights", "loss_of"]
