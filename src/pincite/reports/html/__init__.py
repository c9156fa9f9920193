"""Findings and runs as pages: one self-contained file each, readable with JavaScript off."""
