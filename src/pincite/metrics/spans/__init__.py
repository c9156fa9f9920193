"""How well cited spans hit the true ones."""
