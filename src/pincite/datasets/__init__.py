"""Datasets: what is asked of a system, and what is known to be true."""
