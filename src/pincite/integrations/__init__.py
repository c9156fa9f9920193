"""Pincite inside other programs, a module for each framework; only a command imports this."""
