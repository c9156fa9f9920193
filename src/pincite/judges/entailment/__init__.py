"""The default judge: a small model and the rules, joined into one probability."""
