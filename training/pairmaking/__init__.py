"""Rules that turn labelled rows into more labelled rows, one file a family of rules.

Each rule is a function of a row, a seeded random generator and the pool of all rows, and yields new rows with
the verdict that the edit implies. Wherever a rule spoils a claim it also makes the same edit to claim and
evidence together, so that the look of an edit does not give its verdict away.
"""
