"""What every room needs and none owns: processes, files and small helpers."""
