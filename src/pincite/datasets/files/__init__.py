"""Files that hold data: JSON, YAML, CSV, Parquet, HDF5 and data frames, read and written."""
