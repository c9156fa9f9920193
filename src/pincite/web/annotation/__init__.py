"""Annotation in the browser: pages over a workspace of `annotation`."""
