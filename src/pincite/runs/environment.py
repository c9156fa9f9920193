"""The machine that a run was made on, and the time there."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def environment() -> dict[str, Any]:
    """True data only: what cannot be found out is null."""
    pincite = version()
    cores = os.cpu_count()
    memory = _memory_gb()
    model = _cpu_model()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "hardware": ", ".join(
            part
            for part in (model, f"{cores} cores" if cores else None, f"{memory:g} GB RAM" if memory else None)
            if part
        ),
        "software": f"Python {platform.python_version()}, Pincite {pincite}, {platform.platform()}",
        "system_load": _load_word(load, cores),
        "cpu_model": model,
        "cores": cores,
        "memory_gb": memory,
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "platform": platform.platform(),
        "pincite": pincite,
        "load_average": None if load is None else round(load, 2),
    }


def version() -> str:
    """Pincite's own."""
    found: str = sys.modules["pincite"].__version__  # not imported: it names everything, and so this too
    return found


def timestamp() -> str:
    """The time now, as records hold it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cpu_model() -> str | None:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "Hardware") and value.strip():
                return " ".join(value.split())
    except OSError:
        pass
    return platform.processor() or platform.machine() or None


def _memory_gb() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None


def _load_word(load: float | None, cores: int | None) -> str | None:
    """Of the minute before the run began."""
    if load is None or not cores:
        return None
    share = load / cores
    return "low" if share < 0.5 else "moderate" if share < 1 else "high"
