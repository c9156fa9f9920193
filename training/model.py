"""The cross-encoder: it reads claim and evidence as one text; a small head tells three verdicts apart.

Each token also carries one of four marks: whether its word stands in the other text too, and whether it is a
number. The marks begin at zero, so that the base starts as it was published.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

WIDTH = 384
HEADS = 12
LAYERS = 12
MIDDLE = 7
"""The layer that knows best whether two texts are about the same matter: later ones only ask who is right."""
ONLY_NOT = 3
MARKS = 5
"""0 for the three tokens that part the texts; else 1 + shared + 2 * number."""

NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm2": "output.LayerNorm",
}


class Layer(nn.Module):
    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm, self.norm2 = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape

        def heads(y: torch.Tensor) -> torch.Tensor:
            return y.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        # Written out: the fused attention of torch is several times slower here when it is differentiated.
        scores = heads(self.query(x)) @ heads(self.key(x)).transpose(2, 3) / (WIDTH // HEADS) ** 0.5
        attended = scores.masked_fill(~mask, float("-inf")).softmax(-1) @ heads(self.value(x))
        x = self.norm(x + self.dropout(self.out(attended.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.norm2(x + self.dropout(self.narrow(F.gelu(self.wide(x)))))

    def load(self, weights: dict[str, torch.Tensor], number: int) -> None:
        for ours, theirs in NAMES.items():
            for kind in ("weight", "bias"):
                tensor = weights[f"encoder.layer.{number}.{theirs}.{kind}"]
                getattr(getattr(self, ours), kind).data.copy_(tensor)


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
        return self.read(ids, sides, marks)[0]

    def read(
        self, ids: torch.Tensor, sides: torch.Tensor, marks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits, and what the layer in the middle makes of the two texts."""
        there = ids != 0
        places = self.places(torch.arange(ids.shape[1]))
        x = self.words(ids) + places + self.sides(sides) + self.marks(marks)
        x = self.dropout(self.norm(x))
        mask = there[:, None, None, :]
        claim = (there & (sides == 0)).unsqueeze(2)
        evidence = (there & (sides == 1)).unsqueeze(2)

        def pooled(x: torch.Tensor) -> torch.Tensor:
            means = [(x * part).sum(1) / part.sum(1) for part in (claim, evidence)]
            return torch.cat([x[:, 0], *means], 1)

        middle = x[:, :0]
        for number, layer in enumerate(self.layers, start=1):
            x = layer(x, mask)
            if number == MIDDLE:
                middle = pooled(x)
        logits: torch.Tensor = self.out(self.dropout(F.gelu(self.mix(pooled(x)))))
        return logits, middle


def loss_of(logits: torch.Tensor, labels: torch.Tensor, smoothing: float = 0.05) -> torch.Tensor:
    """Cross-entropy; for rows only known not to be supported, of the sum of the other two."""
    logs = F.log_softmax(logits.float(), 1)
    other = torch.logsumexp(logs[:, 1:], 1)
    known = labels != ONLY_NOT
    picked = logs.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    picked = torch.where(known, (1 - smoothing) * picked + smoothing * logs.mean(1), other)
    return -picked.mean()
