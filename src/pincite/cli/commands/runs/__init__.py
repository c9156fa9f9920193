"""`pincite runs …`: one module per job."""
