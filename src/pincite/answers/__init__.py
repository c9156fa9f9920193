"""What a user hands in, read once for everybody: a text, a file, a record, a list of references."""
