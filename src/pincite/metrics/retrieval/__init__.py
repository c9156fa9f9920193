"""How well a ranking of documents meets the judged ones."""
