"""The quality of a dataset: what no schema can check, and what makes a measurement worth less."""
