"""How good the citations of an answer are."""
