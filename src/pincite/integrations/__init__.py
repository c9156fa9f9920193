"""Pincite inside other programs; nothing of Pincite imports this."""
