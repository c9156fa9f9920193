"""What needs no language model loads nothing that calls one."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import pincite

sources = {"water.md": "A cubic metre of water costs 2 euros."}
assert pincite.check("Water costs 2 euros [water.md:0-37].", sources)
assert pincite.answer("What does water cost?", sources).text
assert list(pincite.answer_stream("What does water cost?", sources))
print([name for name in sys.modules if "llm" in name])
"""


def test_a_check_and_an_extractive_answer_load_nothing_of_the_room_that_calls_models() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
