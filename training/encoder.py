"""The base encoder (all-MiniLM-L6-v2) in plain torch, so that its layers can be frozen, cached or tuned."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

WIDTH = 384
HEADS = 12
LAYERS = 6
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

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


def base_weights(folder: Path) -> dict[str, torch.Tensor]:
    """The published weights, refused when they are not the official file."""
    path = folder / "model.safetensors"
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{path} is not the official all-MiniLM-L6-v2 file (sha256 {SHA256})")
    weights: dict[str, torch.Tensor] = load_file(path)
    return weights


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


class Encoder(nn.Module):
    """Embeddings and six layers; `forward` gives the vectors after the layers that are asked for."""

    def __init__(self, weights: dict[str, torch.Tensor], dropout: float = 0.0) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(weights["embeddings.word_embeddings.weight"])
        self.places = nn.Embedding.from_pretrained(weights["embeddings.position_embeddings.weight"])
        self.register_buffer("kind", weights["embeddings.token_type_embeddings.weight"][0].clone())
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.weight.data.copy_(weights["embeddings.LayerNorm.weight"])
        self.norm.bias.data.copy_(weights["embeddings.LayerNorm.bias"])
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            layer.load(weights, number)

    def embed(self, ids: torch.Tensor) -> torch.Tensor:
        return self.norm(self.words(ids) + self.places(torch.arange(ids.shape[1])) + self.kind)

    def forward(self, ids: torch.Tensor, after: tuple[int, ...]) -> list[torch.Tensor]:
        x, mask, kept = self.embed(ids), (ids != 0)[:, None, None, :], []
        for number, layer in enumerate(self.layers, start=1):
            x = layer(x, mask)
            if number in after:
                kept.append(x)
        return kept
