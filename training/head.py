"""The head: claim and evidence, encoded apart, are softly aligned word by word, compared, and classified.

How alike two tokens are by the encoder's own vectors (their cosine) is given to it beside what it learns: it
steers the alignment, and each word knows how near its nearest counterpart is.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

FLAGS = 18
LAYER = 384
VECTORS = 2 * LAYER
"""Two layers of the encoder, side by side."""


WAVES = (1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125)
"""How fast each wave runs that tells a token its place: what stands beside what in both texts can be seen."""


def waves(length: int) -> torch.Tensor:
    steps = torch.arange(length)[:, None] * torch.tensor(WAVES)
    return torch.cat([steps.sin(), steps.cos()], 1)


class Attention(nn.Module):
    """Each token of one side looks at the tokens of another; the same word draws the eye."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.same = nn.Parameter(torch.ones(heads))
        self.alike = nn.Parameter(torch.ones(heads, 2))

    def split(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, self.size).transpose(1, 2)

    def scores(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.split(self.query(x)) @ self.split(self.key(y)).transpose(2, 3) / self.size**0.5

    def drawn(self, same: torch.Tensor, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
        """What the same word and alike vectors add to the scores."""
        drawn = self.same[None, :, None, None] * same[:, None]
        drawn = drawn + self.alike[None, :, 0, None, None] * low[:, None]
        return drawn + self.alike[None, :, 1, None, None] * high[:, None]

    def mix(self, weights: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        mixed = (weights @ self.split(self.value(y))).transpose(1, 2)
        return mixed.reshape(mixed.shape[0], mixed.shape[1], self.heads * self.size)


class Block(nn.Module):
    """A layer in which every token of both sides looks at all of them: who did what to whom shows only there.

    Its last matrices begin at zero, so that a head which was trained without it goes on where it was.
    """

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.norm, self.norm_wide = nn.LayerNorm(width), nn.LayerNorm(width)
        self.look = Attention(width, heads)
        self.merge = nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 3 * width), nn.Linear(3 * width, width)
        self.drop = nn.Dropout(dropout)
        for last in (self.merge, self.narrow):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, x: torch.Tensor, off: torch.Tensor) -> torch.Tensor:
        y = self.norm(x)
        x = x + self.drop(self.merge(self.look.mix((self.look.scores(y, y) + off).softmax(3), y)))
        return x + self.drop(self.narrow(F.gelu(self.wide(self.norm_wide(x)))))


class Head(nn.Module):
    def __init__(
        self,
        width: int = 192,
        heads: int = 4,
        dropout: float = 0.2,
        places: bool = False,
        blocks: int = 0,
    ) -> None:
        super().__init__()
        self.settings = {"width": width, "heads": heads, "places": places, "blocks": blocks}
        self.blocks = nn.ModuleList(Block(width, heads, dropout / 2) for _ in range(blocks))
        self.vectors = nn.Linear(VECTORS, width)
        self.flags = nn.Linear(FLAGS, width, bias=False)
        self.sides = nn.Parameter(torch.zeros(2, width))
        self.places = nn.Linear(2 * len(WAVES), width, bias=False) if places else None
        if self.places is not None:
            nn.init.zeros_(self.places.weight)
        self.norm = nn.LayerNorm(width)
        self.align = Attention(width, heads)
        self.compare = nn.Sequential(
            nn.Linear(4 * width + 2 * FLAGS + 2, width),
            nn.GELU(),
            nn.Dropout(dropout),
            nn.Linear(width, width),
        )
        self.norm_compared = nn.LayerNorm(width)
        self.compare_back = nn.Sequential(
            nn.Linear(3 * width + 2 * FLAGS + 2, width // 2), nn.GELU(), nn.Linear(width // 2, width // 2)
        )
        self.own = Attention(width, heads)
        self.other = Attention(width, heads)
        self.merge_own, self.merge_other = nn.Linear(width, width), nn.Linear(width, width)
        self.norm_own, self.norm_other, self.norm_last = (nn.LayerNorm(width) for _ in range(3))
        self.think = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.weigh = nn.Linear(width, 1)
        self.weigh_back = nn.Linear(width // 2, 1)
        self.drop, self.drop_vectors = nn.Dropout(dropout), nn.Dropout(dropout / 2)
        self.decide = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(3 * width + width + 3, width),
            nn.GELU(),
            nn.Dropout(dropout),
            nn.Linear(width, 3),
        )

    def forward(
        self,
        claim: torch.Tensor,
        claim_flags: torch.Tensor,
        claim_mask: torch.Tensor,
        evidence: torch.Tensor,
        evidence_flags: torch.Tensor,
        evidence_mask: torch.Tensor,
        same: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        c = self.vectors(self.drop_vectors(claim)) + self.flags(claim_flags) + self.sides[0]
        e = self.vectors(self.drop_vectors(evidence)) + self.flags(evidence_flags) + self.sides[1]
        if self.places is not None:
            c, e = c + self.places(waves(claim.shape[1])), e + self.places(waves(evidence.shape[1]))
        c, e = self.norm(c), self.norm(e)
        off_c = (1.0 - claim_mask)[:, None, None, :] * -1e4
        off_e = (1.0 - evidence_mask)[:, None, None, :] * -1e4

        low = cosines(claim[..., :LAYER], evidence[..., :LAYER])
        high = cosines(claim[..., LAYER:], evidence[..., LAYER:])
        there, here = evidence_mask[:, None, :], claim_mask[:, :, None]
        near = torch.stack([(low * there).amax(2), (high * there).amax(2)], 2)
        near_back = torch.stack([(low * here).amax(1), (high * here).amax(1)], 2)

        scores = self.align.scores(c, e) + self.align.drawn(same, low, high)
        towards = (scores + off_e).softmax(3)
        back = (scores.transpose(2, 3) + off_c).softmax(3)
        met = self.align.mix(towards, e)
        seen = towards.mean(1) @ evidence_flags
        x = torch.cat([c, met, (c - met).abs(), c * met, claim_flags, seen, near], 2)
        x = self.norm_compared(c + self.drop(self.compare(x)))

        met_back = self.align.mix(back, c)
        seen_back = back.mean(1) @ claim_flags
        y = torch.cat([e, met_back, e * met_back, evidence_flags, seen_back, near_back], 2)
        y = self.compare_back(y)

        look = self.own.mix((self.own.scores(x, x) + off_c).softmax(3), x)
        x = self.norm_own(x + self.drop(self.merge_own(look)))
        look = self.other.scores(x, e) + self.other.drawn(same, low, high)
        look = self.other.mix((look + off_e).softmax(3), e)
        x = self.norm_other(x + self.drop(self.merge_other(look)))
        x = self.norm_last(x + self.drop(self.think(x)))
        if len(self.blocks):
            both, off = torch.cat([x, e], 1), torch.cat([off_c, off_e], 3)
            for block in self.blocks:
                both = block(both, off)
            x = both[:, : claim.shape[1]]

        meanings = cosines(
            mean(claim[..., LAYER:], claim_mask)[:, None], mean(evidence[..., LAYER:], evidence_mask)[:, None]
        )[:, 0]
        alike = torch.cat([mean(near, claim_mask), meanings], 1)
        pooled = [*self.pool(x, claim_mask, self.weigh), *self.pool(y, evidence_mask, self.weigh_back)[:2]]
        return self.decide(torch.cat([*pooled, alike], 1)), alike

    @staticmethod
    def pool(x: torch.Tensor, mask: torch.Tensor, weigh: nn.Linear) -> tuple[torch.Tensor, ...]:
        m = mask[:, :, None]
        most = (x + (1.0 - m) * -1e4).amax(1)
        share = (weigh(x) + (1.0 - m) * -1e4).softmax(1)
        return most, (share * x).sum(1), mean(x, mask)


def mean(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)


def cosines(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """How alike each vector of one side is to each of the other, -1 to 1."""
    x = x / (x.norm(dim=2, keepdim=True) + 1e-6)
    y = y / (y.norm(dim=2, keepdim=True) + 1e-6)
    return x @ y.transpose(1, 2)


def loss_of(logits: torch.Tensor, labels: torch.Tensor, smoothing: float = 0.05) -> torch.Tensor:
    """Three ways where the label says which, supported against the sum of the other two where it does not."""
    log = logits.log_softmax(1)
    three = labels < 3
    picked = log.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    sharp = torch.where(three, picked, torch.logsumexp(log[:, 1:], 1))
    return -((1 - smoothing) * sharp + smoothing * log.mean(1)).mean()
