"""Traces of a system in production, read as recorded answers: what was asked, retrieved and answered."""
