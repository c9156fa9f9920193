"""The `nli:` judge: an inference model that somebody else trained."""
