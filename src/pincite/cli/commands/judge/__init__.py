"""`pincite judge …`: one module per command."""
