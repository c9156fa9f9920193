"""The shipped model: a small encoder and a head that compares, both run by onnxruntime on the CPU.

Texts are encoded apart and kept, so that evidence which many claims cite is encoded once.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.engine.processes import cores
from pincite.errors import JudgeError
from pincite.judges.entailment.flags import FLAGS
from pincite.judges.entailment.pairs import ModelPair, Slice, Tokens
from pincite.judges.telemetry import open_session
from pincite.lazy_numpy import np

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]

Key = tuple[str, int]
"""A text, and the number of tokens it was cut at."""

WEIGHTS = Path(__file__).parent / "weights"
FILES = ("encoder.onnx", "head.onnx", "tokenizer.json", "join.json")
KEPT_TOKENS = 60_000
"""So many encoded tokens stay in memory: about 180 MB at most, and seldom a tenth of it."""
ROUND = 256
"""Pairs whose vectors are needed at the same time."""
BATCH_PAIRS = 32
THREADS = min(4, cores())
"""Texts that are encoded at the same time, each on a core of its own."""
REMEDY = "Run `pip install --force-reinstall pincite`, or use `--judge rules`."


class EntailmentModel:
    """Loaded on first use; one a process is enough."""

    def __init__(self, folder: Path = WEIGHTS, sealed: bool = True) -> None:
        # Only the training reads a folder that is not sealed yet.
        self.manifest = check_files(folder) if sealed else {}
        try:
            self._tokenizer = _tokenizer(folder / "tokenizer.json")
            self._encoder = open_session(folder / "encoder.onnx", 1, 3)
            self._head = open_session(folder / "head.onnx", 1, 3)
        except ImportError as error:
            missing = error.name or "a library that it needs"
            raise JudgeError(
                f"the built-in judge cannot be started: {missing} cannot be imported. {REMEDY}"
            ) from error
        except Exception as error:  # both libraries raise exceptions of their own, some of them bare
            said = " ".join(str(error).split())[:200]
            raise JudgeError(f"the built-in judge cannot be started ({said}). {REMEDY}") from error
        self._unknown = self._tokenizer.token_to_id("[UNK]")
        self._tokens: OrderedDict[tuple[str, int], Tokens] = OrderedDict()
        self._vectors: OrderedDict[Key, Array] = OrderedDict()
        self._kept = 0

    def tokenize(self, text: str, most: int) -> Tokens:
        """The text's tokens, kept for the next time it is shown."""
        known = self._tokens.get((text, most))
        if known is None:
            # The tokenizer cannot read lone surrogates; one question mark each keeps the offsets.
            clean = text.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(text) else text
            found = self._tokenizer.encode(clean)
            ids = found.ids[:most]
            known = Tokens(tuple(ids), tuple(found.offsets[:most]), ids.count(self._unknown))
            self._tokens[text, most] = known
            if len(self._tokens) > 4096:
                self._tokens.popitem(last=False)
        return known

    def compare(self, pairs: Sequence[ModelPair]) -> list[tuple[list[float], list[float]]]:
        """For each pair the logits of supported, contradicted and not enough, and how alike vectors are."""
        found: list[tuple[list[float], list[float]]] = [([], [])] * len(pairs)
        order = sorted(range(len(pairs)), key=lambda i: _length(pairs[i]))
        for start in range(0, len(order), ROUND):
            near = order[start : start + ROUND]
            vectors = self._encode(piece for i in near for piece in (pairs[i].claim, *pairs[i].evidence))
            batches = [near[i : i + BATCH_PAIRS] for i in range(0, len(near), BATCH_PAIRS)]

            def said(places: list[int], vectors: dict[Key, Array] = vectors) -> Any:
                return self._head.run(None, self._inputs([pairs[i] for i in places], vectors))

            for places, (logits, alike) in zip(batches, self._at_once(said, batches), strict=True):
                for row, place in enumerate(places):
                    found[place] = (logits[row].tolist(), alike[row].tolist())
        return found

    def _encode(self, pieces: Iterable[Slice]) -> dict[Key, Array]:
        """The vectors of every text that is asked for, from memory where it was read before."""
        wanted: dict[Key, Array] = {}
        missing: dict[Key, Tokens] = {}
        for piece in pieces:
            key = (piece.text, piece.most)
            if key in self._vectors:
                self._vectors.move_to_end(key)
                wanted[key] = self._vectors[key]
            elif key not in missing:
                missing[key] = self.tokenize(*key)
        # Each text goes through the encoder alone: its 8-bit numbers are scaled by the largest of a run, so
        # that with others beside it a text's vectors would depend on its neighbours.
        order = sorted(missing, key=lambda key: -len(missing[key].ids))
        ids = [np.array([missing[key].ids], dtype=np.int64) for key in order]
        found = self._at_once(lambda one: self._encoder.run(None, {"ids": one})[0][0], ids)
        for key, vectors in zip(order, found, strict=True):
            wanted[key] = vectors
            self._keep(key, vectors)
        return wanted

    def _at_once(self, work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        """The work on each item, on every core that may be used; onnxruntime lets go of the interpreter."""
        if len(items) < 2 or THREADS < 2:
            return [work(item) for item in items]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(THREADS, thread_name_prefix="pincite-model") as pool:
            try:
                return list(pool.map(work, items))
            finally:
                # After Ctrl-C, what was not begun is not waited for.
                pool.shutdown(wait=False, cancel_futures=True)

    def _keep(self, key: Key, vectors: Array) -> None:
        self._vectors[key] = vectors
        self._kept += len(vectors)
        while self._kept > KEPT_TOKENS:
            _, gone = self._vectors.popitem(last=False)
            self._kept -= len(gone)

    def _inputs(self, pairs: Sequence[ModelPair], vectors: dict[Key, Array]) -> dict[str, Array]:
        size = len(pairs)
        inputs: dict[str, Array] = {}
        ids = []
        for name, sides in (
            ("claim", [(pair.claim,) for pair in pairs]),
            ("evidence", [pair.evidence for pair in pairs]),
        ):
            length = max(1, max(sum(p.last - p.first for p in pieces) for pieces in sides))
            width = next(iter(vectors.values())).shape[1]
            filled = np.zeros((size, length, width), dtype=np.float32)
            flags = np.zeros((size, length), dtype=np.int32)
            mask = np.zeros((size, length), dtype=np.float32)
            mask[:, 0] = 1.0  # evidence without a single token is a row of zeros, not a division by zero
            numbers = np.full((size, length), -1 if name == "claim" else -2, dtype=np.int64)
            for row, pieces in enumerate(sides):
                place = 0
                for piece in pieces:
                    end = place + piece.last - piece.first
                    filled[row, place:end] = vectors[piece.text, piece.most][piece.first : piece.last]
                    flags[row, place:end] = piece.flags
                    mask[row, place:end] = 1.0
                    found = self.tokenize(piece.text, piece.most).ids
                    numbers[row, place:end] = found[piece.first : piece.last]
                    place = end
            inputs[name] = filled
            inputs[f"{name}_flags"] = _bits(flags)
            inputs[f"{name}_mask"] = mask
            ids.append(numbers)
        inputs["same"] = (ids[0][:, :, None] == ids[1][:, None, :]).astype(np.float32)
        return inputs


def check_files(folder: Path) -> dict[str, Any]:
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


def _bits(flags: Array) -> Array:
    return ((flags[..., None] >> np.arange(len(FLAGS), dtype=np.int32)) & 1).astype(np.float32)


def _length(pair: ModelPair) -> int:
    return pair.claim.last + sum(piece.last - piece.first for piece in pair.evidence)


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
