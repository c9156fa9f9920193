"""Evaluating a system on a dataset, and comparing what came out."""
