"""When somebody should be told about a run, and how they are told."""
