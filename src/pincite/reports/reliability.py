"""The calibration curve as a picture: an SVG of its own, and a few lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.reports.display import safe
from pincite.stats import Bin

SIDE = 360
LEFT, TOP = 62, 58
BEFORE, AFTER = "#b3541e", "#1f5fa8"
BAR = 20


def reliability_svg(before: Sequence[Bin], after: Sequence[Bin], title: str, notes: Sequence[str]) -> str:
    """What the judge says across, what people say up: true probabilities lie on the diagonal."""
    width, height = LEFT + SIDE + 30, TOP + SIDE + 110
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="system-ui, sans-serif" font-size="12" role="img" '
        'aria-labelledby="title description">',
        f'<title id="title">Calibration of {_escaped(title)}</title>',
        f'<desc id="description">{_escaped("; ".join(notes))}</desc>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="600">Calibration of '
        f"{_escaped(_cut(title))}</text>",
        f'<text x="{LEFT}" y="43" fill="#555555">how often people say supported, '
        "for each score of the judge</text>",
        *_axes(),
        *_curve(before, BEFORE),
        *_curve(after, AFTER),
    ]
    below = TOP + SIDE + 56
    for index, (colour, name) in enumerate(((BEFORE, "as the judge says"), (AFTER, "calibrated"))):
        x = LEFT + index * 150
        parts.append(f'<circle cx="{x + 5}" cy="{below - 4}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{x + 16}" y="{below}">{name}</text>')
    for index, line in enumerate(notes[:2]):
        parts.append(f'<text x="{LEFT}" y="{below + 20 + 16 * index}" fill="#555555">{_escaped(line)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def reliability_lines(curve: Sequence[Bin]) -> list[str]:
    """One row per bin: what the judge says, what people say, and both as a bar with a mark."""
    lines = ["judge says  people say            rows  people █, judge ◆"]
    for one in curve:
        low, high = one.interval
        lines.append(
            f"{one.mean_score:10.2f}  {one.rate:4.2f} [{low:.2f}, {high:.2f}]  {one.rows:8,}  {_bar(one)}"
        )
    return lines


def _bar(one: Bin) -> str:
    filled, mark = round(one.rate * BAR), min(BAR - 1, int(one.mean_score * BAR))
    cells = ["█" if index < filled else "·" for index in range(BAR)]
    cells[mark] = "◆"
    return "".join(cells)


def _axes() -> list[str]:
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999999"/>']
    for tick in range(0, 11, 2):
        share = tick / 10
        x, y = _place(share, share)
        parts += [
            f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{TOP + SIDE}" stroke="#eeeeee"/>',
            f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + SIDE}" y2="{y}" stroke="#eeeeee"/>',
            f'<text x="{x}" y="{TOP + SIDE + 17}" text-anchor="middle">{share:.1f}</text>',
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.1f}</text>',
        ]
    middle = TOP + SIDE // 2
    return [
        *parts,
        f'<line x1="{LEFT}" y1="{TOP + SIDE}" x2="{LEFT + SIDE}" y2="{TOP}" stroke="#999999" '
        'stroke-dasharray="5 4"/>',
        f'<text x="{LEFT + SIDE // 2}" y="{TOP + SIDE + 34}" text-anchor="middle">the judge\'s score</text>',
        f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">'
        "supported, people say</text>",
    ]


def _curve(curve: Sequence[Bin], colour: str) -> list[str]:
    places = [_place(one.mean_score, one.rate) for one in curve]
    joined = " ".join(f"{x},{y}" for x, y in places)
    parts = [f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.6"/>']
    most = max((one.rows for one in curve), default=1)
    for one, (x, y) in zip(curve, places, strict=True):
        low, high = _place(0, one.interval[0])[1], _place(0, one.interval[1])[1]
        size = round(2.5 + 3.5 * (one.rows / most) ** 0.5, 1)
        parts += [
            f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="{colour}" opacity="0.45"/>',
            f'<circle cx="{x}" cy="{y}" r="{size}" fill="{colour}">'
            f"<title>{one.mean_score:.2f} said, {one.rate:.2f} true, {one.rows} rows</title></circle>",
        ]
    return parts


def _place(score: float, rate: float) -> tuple[float, float]:
    return round(LEFT + SIDE * score, 1), round(TOP + SIDE * (1 - rate), 1)


def _cut(text: str) -> str:
    return text if len(text) <= 32 else f"{text[:31]}…"


def _escaped(text: str) -> str:
    return safe(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
