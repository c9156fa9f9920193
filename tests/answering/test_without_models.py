"""What needs no language model loads nothing that calls one."""

from __future__ import annotations

import subprocess
import sys

import pytest

WATER = "{'water.md': 'A cubic metre of water costs 2 euros.'}"
CALLS = {
    "check": f"pincite.check('Water costs 2 euros [water.md:0-37].', {WATER})",
    "answer": f"pincite.answer('What does water cost?', {WATER})",
    "stream": f"list(pincite.answer_stream('What does water cost?', {WATER}))",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_nothing_of_the_room_that_calls_models_is_loaded(call: str) -> None:
    program = f"import sys, pincite\nassert {call}\nprint([name for name in sys.modules if 'llm' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
