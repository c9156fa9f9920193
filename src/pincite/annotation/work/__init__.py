"""Annotating: what a person is given to do, what they say, and how it is kept, merged and decided."""
