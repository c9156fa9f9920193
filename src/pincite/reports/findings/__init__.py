"""Findings, one file per format."""
