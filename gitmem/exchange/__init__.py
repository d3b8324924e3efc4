"""Import and export: the memory as one document, to move or to keep."""
