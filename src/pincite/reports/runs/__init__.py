"""Runs, comparisons and trends, one file per format."""
