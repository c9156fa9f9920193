"""A fuzzer for everything that reads what others wrote.

`python -m bench.fuzzing` gives every target a share of the inputs, two processes side by side. A target is a
function of bytes that asserts what must hold for any input (`target`, `*_targets`). Inputs start as valid
ones (`seeds`) and are changed by mutators that know their format (`mutate`), guided by coverage where atheris
is installed. Each target runs in a process of its own with limits (`worker`, `guard`); the parent counts
failures and finds the input that ended a process (`runner`).
"""
