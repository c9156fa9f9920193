"""Finds the quantities of a text: numbers, measures, money, shares, ranks and dates, each as an interval.

`words` cuts a text into tokens and reads the numbers that they spell; `units`, `bounds` and `dates` read what
stands around one; `reader` walks over the tokens; `quantities` is what comes out and how two of them compare.

What is left alone: names with digits in them (`COVID-19`, `F-16`, `3D`), versions (`1.2.3`), identifiers,
numbers inside web addresses and citation markers such as `[3]`.
"""
