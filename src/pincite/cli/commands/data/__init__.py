"""`pincite data …`: one module per job."""
