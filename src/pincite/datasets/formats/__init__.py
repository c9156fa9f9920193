"""The data formats: their records, their schemas, and whether a file is valid."""
