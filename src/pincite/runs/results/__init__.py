"""The results document and its files."""
