"""The rows that the rules read and make, natural spacing, and evidence that resembles other evidence."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from pairmaking.names import find_names

SUPPORTED, CONTRADICTED, NOT_ENOUGH = "supported", "contradicted", "not_enough"


@dataclass(frozen=True)
class Row:
    """A claim, its evidence and the verdict; `page` is shared by rows made from one revision."""

    claim: str
    evidence: str
    verdict: str
    page: str = ""


def read_rows(path: Path) -> tuple[list[Row], list[Row]]:
    """The rows with one of three verdicts, and the others, whose verdict is supported or empty."""
    three: list[Row] = []
    two: list[Row] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            verdict = row.get("verdict")
            page = row["id"].rsplit("_", 1)[0]
            if verdict:
                three.append(Row(row["claim"], row["evidence"], verdict, page))
            else:
                two.append(Row(row["claim"], row["evidence"], SUPPORTED if row["label"] else "", page))
    return three, two


_BEFORE = re.compile(r" +([.,;:!?%)\]](?!\w)|n't\b|['’](?:s|re|ve|ll|d|m)\b|'(?= |$))")
_AFTER = re.compile(r"([(\[$£€]) +")
_OPENING = re.compile(r"(?:``|'') ?(.*?) ?(?:''|``)")
_COLON_IN_NUMBER = re.compile(r"(\d): (\d)")


def detokenise(text: str) -> str:
    """Natural spacing for a text whose words and signs stand apart."""
    text = _OPENING.sub(r'"\1"', text)
    text = text.replace("``", '"').replace("''", '"')
    text = _BEFORE.sub(r"\1", text)
    text = _AFTER.sub(r"\1", text)
    text = text.replace(" n't", "n't").replace(" / ", "/").replace(" – ", "–")
    return re.sub(r" {2,}", " ", text).strip()


_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{2,}|\d[\d.,]*\d|\d")


def content_words(text: str) -> set[str]:
    """The words that carry meaning, in lower case and crudely cut to a stem."""
    return {word.lower()[:6] for word in _WORD.findall(text) if word.lower() not in _PLAIN}


_PLAIN = frozenset(
    "the and was were has had have for with from that this which who whom its his her their are not "
    "been than more less over under about after before into also but they them she him did does will "
    "would can "
    "could only being both between during through while when where what".split()
)


def coverage(claim: str, evidence: str) -> float:
    """Which part of the claim's words the evidence holds."""
    wanted = content_words(claim)
    return len(wanted & content_words(evidence)) / max(1, len(wanted))


@dataclass
class Pool:
    """What a rule may borrow from other rows: names by kind, sentences, and rows about the same thing."""

    rows: list[Row]
    plain_lines: list[str]
    names: dict[str, list[str]] = field(default_factory=dict)
    _about: dict[str, list[int]] = field(default_factory=dict)
    _common: Counter[str] = field(default_factory=Counter)
    _by_evidence: dict[str, list[Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names: dict[str, set[str]] = defaultdict(set)
        about: dict[str, list[int]] = defaultdict(list)
        for index, row in enumerate(self.rows):
            self._by_evidence.setdefault(row.evidence, []).append(row)
            for name in find_names(row.evidence):
                names[name.kind].add(name.text)
            for word in content_words(row.evidence):
                self._common[word] += 1
                about[word].append(index)
        self.names = {kind: sorted(found) for kind, found in sorted(names.items())}
        self._about = about

    def similar(self, row: Row, rng: Random, many: int) -> list[Row]:
        """Other pages' rows that share the claim's rarest words, closest first."""
        shared: Counter[int] = Counter()
        wanted = sorted(content_words(row.claim), key=lambda word: (self._common[word], word))
        for word in wanted[:4]:
            found = self._about.get(word, [])
            if len(found) > 400:
                found = rng.sample(found, 400)
            shared.update(found)
        ranked = sorted(shared, key=lambda index: (-shared[index], index))
        seen = {row.evidence}
        chosen: list[Row] = []
        for index in ranked:
            other = self.rows[index]
            if other.page == row.page or not _is_prose(other.evidence):
                continue
            if other.evidence not in seen and coverage(other.evidence, row.evidence) < 0.6:
                seen.add(other.evidence)
                chosen.append(other)
                if len(chosen) == many:
                    break
        return chosen

    def same_evidence(self, row: Row) -> list[Row]:
        """The rows with other claims about the same evidence."""
        return [other for other in self._by_evidence.get(row.evidence, []) if other.claim != row.claim]

    def any_evidence(self, rng: Random) -> str:
        """A sentence from anywhere."""
        if self.plain_lines and rng.random() < 0.4:
            return rng.choice(self.plain_lines)
        evidence = rng.choice(self.rows).evidence
        return evidence if _is_prose(evidence) else self.any_evidence(rng)

    def name_like(self, kind: str, rng: Random, avoid: str) -> str | None:
        """A name of the same kind that does not stand in the text to avoid."""
        found = self.names.get(kind, [])
        for _ in range(6):
            if not found:
                return None
            name = rng.choice(found)
            if not any(part in avoid for part in name.split()):
                return name
        return None


def _is_prose(text: str) -> bool:
    """Whether the text is sentences rather than a list of figures."""
    return sum(sign.isdigit() for sign in text) < 0.15 * len(text)


def plain_lines(rows: list[Row]) -> list[str]:
    """Whole sentences among the lines of long evidence."""
    found: list[str] = []
    for row in rows:
        for line in row.evidence.split("\n"):
            if 50 <= len(line) <= 240 and line[0].isupper() and line.endswith("."):
                found.append(line)
    return found


def replace_words(text: str, old: str, new: str) -> str:
    """Every whole occurrence of the old words replaced."""
    return re.sub(rf"(?<![\w.,-]){re.escape(old)}(?![\w-]|[.,]\d)", lambda _: new, text)


def count_words(text: str, words: str) -> int:
    """How often the words stand whole in the text."""
    return len(re.findall(rf"(?<![\w.,-]){re.escape(words)}(?![\w-]|[.,]\d)", text))


Made = Iterator[Row]
