"""Files and folders of traces, opened as a dataset and its recorded answers."""
