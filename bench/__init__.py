"""Speed and accuracy, measured: `python -m bench` runs every bench and prints its figures."""
