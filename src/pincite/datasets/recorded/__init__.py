"""Recorded answers: what a system said, read from files."""
