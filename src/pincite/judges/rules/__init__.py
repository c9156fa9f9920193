"""The rules judge: words, numbers, negations and names, compared without a model."""
