"""Two runs compared, query by query, with a proper test."""
