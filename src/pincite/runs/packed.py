"""Columns of numbers that may be longer than memory: packed as they grow, spilled to a file in blocks."""

from __future__ import annotations

from array import array
from typing import IO, Any

BLOCK = 8_192
"""Rows that are held in memory before they are written away."""


class PackedColumns:
    """Rows of numbers, stored by column. A column may be begun late; the rows before it hold its gap.

    A million rows of thirty metrics are some hundred megabytes on disk and a few in memory.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._kinds: dict[str, str] = {}
        self._gaps: dict[str, float] = {}
        self._open: dict[str, array[Any]] = {}
        self._written: list[dict[str, int]] = []
        """For each block, the offset of each of its columns in the file."""
        self._file: IO[bytes] | None = None
        self._end = 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._kinds)

    def begin(self, name: str, kind: str = "d", gap: float = float("nan")) -> None:
        """Begin a column: `d` for floats, `b` for small whole numbers. A row without a value holds `gap`."""
        self._kinds[name] = kind
        self._gaps[name] = gap
        self._open[name] = array(kind, [self._gap(name)]) * (self.rows % BLOCK)

    def append(self, values: dict[str, float]) -> None:
        """Add a row. What is not named holds its column's gap."""
        for name, column in self._open.items():
            column.append(values[name] if name in values else self._gap(name))
        self.rows += 1
        if self.rows % BLOCK == 0:
            self._spill()

    def column(self, name: str) -> Any:
        """The whole column as a numpy array."""
        import numpy as np

        kind = self._kinds[name]
        whole = np.full(self.rows, self._gap(name), dtype=np.dtype(kind))
        for number, block in enumerate(self._written):
            if name in block:
                assert self._file is not None
                self._file.seek(block[name])
                part = np.frombuffer(self._file.read(BLOCK * whole.itemsize), dtype=whole.dtype)
                whole[number * BLOCK : (number + 1) * BLOCK] = part
        rest = self.rows % BLOCK
        if rest:
            whole[self.rows - rest :] = np.frombuffer(self._open[name], dtype=whole.dtype)
        return whole

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        self.close()

    def _gap(self, name: str) -> Any:
        return self._gaps[name] if self._kinds[name] == "d" else int(self._gaps[name])

    def _spill(self) -> None:
        import tempfile

        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="pincite-")  # noqa: SIM115 - lives as long as this
        self._file.seek(self._end)
        block: dict[str, int] = {}
        for name, column in self._open.items():
            block[name] = self._end
            self._end += self._file.write(column.tobytes())
            self._open[name] = array(self._kinds[name])
        self._written.append(block)
