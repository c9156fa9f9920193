"""Write the manifest of the weights: what they are, and the hash of each file.

The judge checks the hashes when it loads them.

    python training/seal.py --weights src/pincite/judges/entailment/weights
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

FILES = ("encoder.onnx", "head.onnx", "tokenizer.json", "join.json")


def seal(folder: Path) -> None:
    manifest = {
        "schema_version": 1,
        "name": "entailment/1",
        "base": "all-MiniLM-L6-v2 (Apache-2.0)",
        "trained_on": {
            "VitaminC": "CC BY-SA 3.0",
            "WiCE": "annotations ODC-BY, text CC BY-SA",
            "BEGIN": "CC BY 4.0 and CDLA-Sharing",
        },
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"{sum((folder / name).stat().st_size for name in FILES) / 1e6:.1f} MB in {folder}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    seal(parser.parse_args().weights)
