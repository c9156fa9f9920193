"""The shipped model: a small cross-encoder that reads a claim beside its evidence, run on the CPU."""

from __future__ import annotations

import hashlib
import json
import math
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.base import cores, np
from pincite.errors import JudgeError
from pincite.judges.entailment.excerpt import Excerpt
from pincite.judges.onnx import open_session

WEIGHTS = Path(__file__).parent / "weights"
FILES = ("model.onnx", "tokenizer.json", "join.json")
THREADS = min(4, cores())
"""Pairs that are read at the same time, each on a core of its own."""
KEPT_TEXTS = 4096
CLS, SEP = 101, 102
REMEDY = "Run `pip install --force-reinstall pincite`, or use `--judge rules`."


Tokens = tuple[int, ...]


class Opinion(Struct, frozen=True):
    """What the model says of a claim and some evidence, as log-odds."""

    support: float
    """Supported, against the rest."""
    denial: float
    """Contradicted, against not enough."""


class EntailmentModel:
    """Loaded on first use; one a process is enough."""

    def __init__(self, folder: Path = WEIGHTS, sealed: bool = True) -> None:
        # Only the training reads a folder that is not sealed yet.
        self.manifest = _check_files(folder) if sealed else {}
        try:
            self._tokenizer = _tokenizer(folder / "tokenizer.json")
            self._session = open_session(folder / "model.onnx", 1, 3)
        except ImportError as error:
            missing = error.name or "a library that it needs"
            raise JudgeError(
                f"the built-in judge cannot be started: {missing} cannot be imported. {REMEDY}"
            ) from error
        except Exception as error:  # both libraries raise exceptions of their own, some of them bare
            said = " ".join(str(error).split())[:200]
            raise JudgeError(f"the built-in judge cannot be started ({said}). {REMEDY}") from error
        self.unknown: int = self._tokenizer.token_to_id("[UNK]")
        vocabulary = self._tokenizer.get_vocab()
        self._numbers = frozenset(
            number for word, number in vocabulary.items() if word.removeprefix("##").isdigit()
        )
        self._tokens: OrderedDict[str, Tokens] = OrderedDict()

    def tokens(self, text: str) -> Tokens:
        """The ids of the text's tokens, kept for the next time it is shown."""
        known = self._tokens.get(text)
        if known is None:
            # The tokenizer cannot read lone surrogates.
            clean = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
            known = tuple(self._tokenizer.encode(clean, add_special_tokens=False).ids)
            self._tokens[text] = known
            if len(self._tokens) > KEPT_TEXTS:
                self._tokens.popitem(last=False)
        return known

    def ask(self, questions: Sequence[Excerpt]) -> list[Opinion]:
        """What the model says of each claim and its evidence."""
        return [_opinion(*logits) for logits in self._ask("logits", questions)]

    def relevance(self, questions: Sequence[Excerpt]) -> list[float]:
        """The log-odds that each text is about the matter of its query."""
        return [odds for (odds,) in self._ask("relevance", questions)]

    def _ask(self, output: str, questions: Sequence[Excerpt]) -> list[list[float]]:
        """The same claim beside the same evidence is read once."""
        distinct = list(dict.fromkeys((one.claim, one.evidence) for one in questions))
        # The longest first, so that no core is left with a long one at the end.
        distinct.sort(key=lambda texts: -len(texts[0]) - len(texts[1]))
        said = dict(zip(distinct, self._at_once(output, distinct), strict=True))
        return [said[one.claim, one.evidence] for one in questions]

    def _at_once(self, output: str, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[list[float]]:
        """Every pair alone, as many at once as there are threads.

        8-bit numbers are scaled by the largest of a run, so that in a batch a pair's verdict would depend on
        its neighbours. onnxruntime releases the interpreter meanwhile.
        """
        if len(pairs) < 2 or THREADS < 2:
            return [self._read(output, *pair) for pair in pairs]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(THREADS, thread_name_prefix="pincite-model") as pool:
            try:
                return list(pool.map(lambda pair: self._read(output, *pair), pairs))
            finally:
                # After Ctrl-C, what was not begun is not waited for.
                pool.shutdown(wait=False, cancel_futures=True)

    def _read(self, output: str, claim: Tokens, evidence: Tokens) -> list[float]:
        ids = [CLS, *claim, SEP, *evidence, SEP]
        first = len(claim) + 2
        inputs = {
            "ids": ids,
            "sides": [0] * first + [1] * (len(ids) - first),
            "marks": [0, *self._marks(claim, evidence), 0, *self._marks(evidence, claim), 0],
        }
        feed = {name: np.array([row], "int64") for name, row in inputs.items()}
        said: list[float] = self._session.run([output], feed)[0][0].tolist()
        return said

    def _marks(self, tokens: Sequence[int], others: Sequence[int]) -> list[int]:
        """For each token whether it stands in the other text too, and whether it is a number."""
        there = frozenset(others)
        return [1 + (token in there) + 2 * (token in self._numbers) for token in tokens]


def _opinion(supported: float, contradicted: float, silent: float) -> Opinion:
    top = max(contradicted, silent)
    rest = top + math.log(math.exp(contradicted - top) + math.exp(silent - top))
    return Opinion(supported - rest, contradicted - silent)


def _check_files(folder: Path) -> dict[str, Any]:
    """The manifest of the shipped files, after each was found to be what it should be."""
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for name in FILES:
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            if found != manifest["sha256"][name]:
                raise JudgeError(
                    f"{folder / name} is damaged: its hash is not the one it was shipped with. {REMEDY}"
                )
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = type(error).__name__
        raise JudgeError(f"the built-in model in {folder} cannot be read ({why}). {REMEDY}") from error
    return manifest


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
